import type { DemandItem, PublicDemand } from '#shared/demand/contract.ts'
import type { Answered } from '#shared/endpoint.ts'
import type { RentUnit } from '#shared/equipment/rules.ts'
import type { getDemandForLessor, OwnQuote } from '#shared/quote/contract.ts'
import { canBeQuoted } from '#shared/quote/rules.ts'

/** A demand as a lessor sees it, with what of their own they could offer. */
export type ForLessor = Answered<typeof getDemandForLessor>
export type Candidate = ForLessor['candidates'][string][number]

export type LineForm = {
  included: boolean
  machines: { equipmentId: number; qty: number }[]
  unitPrice: string
  rentUnit: RentUnit
  includesOperator: boolean
  includesFuel: boolean
  entryFee: string
  exitFee: string
  erectionFee: string
  inspectionFee: string
  otherFee: string
  taxRate: 13 | 9 | 6 | 3 | 1 | 0
  invoiceKind: 'special' | 'plain'
  minRentDays: string
  earliestEntry: string
  deviation: string
  ceilingReason: string
  promisesRenewal: boolean
}

/** Whether the machine may be ticked for its line. */
export const canChoose = (machine: Pick<Candidate, 'freeQty' | 'misses'>): boolean => machine.freeQty > 0 && canBeQuoted(machine.misses)

/** Starts from the machines that fit best and from the price they stand on the shelf with. */
export function blankLine(item: DemandItem, candidates: readonly Candidate[], demand: PublicDemand): LineForm {
  const machines: LineForm['machines'] = []
  let open = item.qty
  for (const machine of candidates.filter((one) => canChoose(one) && one.misses.length === 0)) {
    if (open === 0) break
    const qty = Math.min(open, machine.freeQty)
    machines.push({ equipmentId: machine.id, qty })
    open -= qty
  }
  const first = candidates.find(({ id }) => id === machines[0]?.equipmentId) ?? candidates[0]
  const price = first?.prices.find(({ rentUnit }) => rentUnit === item.rentUnit)
  const withOperator = price?.withOperator ?? demand.operatorBy === 'lessor'
  return {
    included: machines.length > 0,
    machines,
    unitPrice: price?.price ?? '',
    rentUnit: item.rentUnit,
    includesOperator: withOperator,
    includesFuel: demand.fuelBy === 'lessor',
    entryFee: '0',
    exitFee: '0',
    erectionFee: '0',
    inspectionFee: '0',
    otherFee: '0',
    taxRate: (price?.taxRate as 13 | undefined) ?? (withOperator ? 9 : 13),
    invoiceKind: demand.payment.invoice,
    minRentDays: '0',
    earliestEntry: item.planStart,
    deviation: '',
    ceilingReason: '',
    promisesRenewal: false,
  }
}

export function lineFrom(line: OwnQuote['lines'][number]): LineForm {
  return { ...line, included: true, taxRate: line.taxRate as 13, minRentDays: String(line.minRentDays) }
}

const orUndefined = (text: string) => (text.trim() === '' ? undefined : text.trim())

export function lineInput(demandItemId: number, { included: _, ...line }: LineForm) {
  return {
    ...line,
    demandItemId,
    unitPrice: orUndefined(line.unitPrice),
    minRentDays: Number(line.minRentDays || 0),
    entryFee: line.entryFee || 0,
    exitFee: line.exitFee || 0,
    erectionFee: line.erectionFee || 0,
    inspectionFee: line.inspectionFee || 0,
    otherFee: line.otherFee || 0,
    earliestEntry: orUndefined(line.earliestEntry),
  }
}
