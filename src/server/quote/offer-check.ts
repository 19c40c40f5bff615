import { addDays } from '#shared/calendar.ts'
import type { QuoteInput } from '#shared/quote/contract.ts'
import { canBeQuoted, validDays } from '#shared/quote/rules.ts'
import { companyOf } from '../actor/scope.ts'
import type { Deed } from '../deed.ts'
import { FieldRefusal } from '../http/refusal.ts'
import { findMachines, type OfferItem } from './candidates.ts'

type Problem = { path: (string | number)[]; rule: string }
type Offered = Pick<QuoteInput, 'validUntil' | 'lines'>
type Head = { deptId: number; quoteDeadline: string | null; items: readonly OfferItem[] }

/** Refuses, beside its field, each part of an offer that the demand or the lessor's machines do not allow. */
export async function checkOffer({ db, actor, now }: Deed, head: Head, offer: Offered): Promise<void> {
  const { deptId, quoteDeadline, items } = head
  const categories = new Map(items.map(({ categoryId, params, flags }) => [categoryId, { params, flags }]))
  const candidates = await findMachines(db, { companyId: companyOf(actor), deptId, items, categories, now })
  const problems: Problem[] = []
  if (quoteDeadline && offer.validUntil < addDays(quoteDeadline.slice(0, 10), validDays))
    problems.push({ path: ['validUntil'], rule: 'valid_until' })
  const seenItems = new Set<number>()
  const usedMachines = new Map<number, number>()
  offer.lines.forEach((line, index) => {
    const at = (field: string): (string | number)[] => ['lines', index, field]
    const item = items.find(({ id }) => id === line.demandItemId)
    if (!item || seenItems.has(line.demandItemId)) {
      problems.push({ path: at('demandItemId'), rule: 'item_unknown' })
      return
    }
    seenItems.add(item.id)
    const known = candidates[String(item.id)] ?? []
    let qty = 0
    let papersShort = false
    for (const { equipmentId, qty: wanted } of line.machines) {
      const machine = known.find(({ id }) => id === equipmentId)
      if (!machine) problems.push({ path: at('machines'), rule: 'machine_unknown' })
      else if (machine.misses.some(({ kind }) => kind === 'taken') || wanted > machine.freeQty)
        problems.push({ path: at('machines'), rule: 'machine_taken' })
      else if (!canBeQuoted(machine.misses)) problems.push({ path: at('machines'), rule: 'machine_unfit' })
      else papersShort ||= machine.shortPapers.length > 0
      const used = (usedMachines.get(equipmentId) ?? 0) + wanted
      usedMachines.set(equipmentId, used)
      if (machine && used > machine.totalQty) problems.push({ path: at('machines'), rule: 'machine_twice' })
      qty += wanted
    }
    if (qty > item.qty) problems.push({ path: at('machines'), rule: 'machine_few' })
    if (papersShort && !line.promisesRenewal) problems.push({ path: at('promisesRenewal'), rule: 'papers_short' })
    if (line.rentUnit !== item.rentUnit && item.estQuantity === null && ['V', 'L', 'P'].includes(line.rentUnit))
      problems.push({ path: at('rentUnit'), rule: 'quantity_needed' })
    if (item.ceiling !== null && line.rentUnit === item.rentUnit && line.unitPrice > item.ceiling && !line.ceilingReason)
      problems.push({ path: at('ceilingReason'), rule: 'ceiling_reason' })
  })
  if (problems.length > 0) throw new FieldRefusal(problems)
}
