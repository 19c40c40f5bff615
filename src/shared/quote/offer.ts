import { mostAtOnce } from '../calendar.ts'
import { isHireOver, needsQuantity } from '../demand/rules.ts'
import type { FieldProblem } from '../endpoint.ts'
import {
  equipmentAudit,
  rentStatus,
  requiredDocuments,
  shelfStatus,
  type DocumentKind,
  type Flags,
  type RentUnit,
} from '../equipment/rules.ts'
import { documentsOfAge, type AgeFacts } from '../equipment/upload.ts'
import { delFlag } from '../rules.ts'
import { landedCost, type CostLine, type CostOffer } from './landed-cost.ts'
import { pricedLine, type Prices } from './prices.ts'
import {
  bindsTooShort,
  bindsUntil,
  canBeQuoted,
  deviates,
  lessorBars,
  maxOfferFen,
  type LessorFacts,
  type MissKind,
  type OfferBar,
} from './rules.ts'

/** A machine's paper; one without a last day does not end. */
export type Paper = { kind: DocumentKind; validTo: string | null }

/** What decides, beside its parameters, whether a machine may be let for the period of a line. */
export type MachineStanding = AgeFacts & {
  auditStatus: string
  rentStatus: string
  delFlag: string
  shelfStatus: string
  /** On the restriction list of the department. */
  blocked: boolean
  freeQty: number
  /** Bookings in the period of the line. */
  taken: readonly { from: string; to: string }[]
  papers: readonly Paper[]
}

/** What keeps a machine from being let, with its detail: asked when it is offered, and again when it is to be awarded. */
export function standingMisses(machine: MachineStanding, flags: Flags | undefined, today: string): { kind: MissKind; detail: string }[] {
  const misses: { kind: MissKind; detail: string }[] = []
  const { passed } = equipmentAudit
  if (machine.auditStatus !== passed || machine.rentStatus === rentStatus.retired || machine.delFlag !== delFlag.present)
    misses.push({ kind: 'gone', detail: '' })
  if (machine.blocked) misses.push({ kind: 'blocked', detail: '' })
  if (machine.shelfStatus !== shelfStatus.on) misses.push({ kind: 'shelf', detail: '' })
  if (machine.freeQty === 0) misses.push({ kind: 'taken', detail: machine.taken.map(({ from, to }) => `${from}/${to}`).join(',') })
  const ended = machine.papers.filter(({ validTo }) => validTo !== null && validTo < today).map(({ kind }) => kind)
  const held = machine.papers.map(({ kind }) => kind).filter((kind) => !ended.includes(kind))
  const needed = [...(flags ? requiredDocuments(flags) : []), ...documentsOfAge(machine, today)]
  const missing = needed.filter((kind) => !held.includes(kind))
  const wrong = [...new Set([...missing, ...ended])]
  if (wrong.length > 0) misses.push({ kind: 'papers', detail: wrong.join(',') })
  return misses
}

/** A machine of the lessor, compared with the line that it is offered for. */
type OfferedMachine = {
  id: number
  totalQty: number
  freeQty: number
  misses: readonly { kind: MissKind }[]
  /** Papers that end before the hire does. */
  shortPapers: readonly object[]
}

export const machineProblems = ['machine_unknown', 'machine_taken', 'machine_unfit', 'papers_short'] as const
type MachineProblem = (typeof machineProblems)[number]

/** Why a machine cannot be let as it is offered, or null. It holds for a quote and for its award. */
export function machineProblem(
  machine: OfferedMachine | undefined,
  { qty, promisesRenewal }: { qty: number; promisesRenewal: boolean },
): MachineProblem | null {
  if (!machine) return 'machine_unknown'
  if (machine.misses.some(({ kind }) => kind === 'taken') || qty > machine.freeQty) return 'machine_taken'
  if (!canBeQuoted(machine.misses)) return 'machine_unfit'
  return machine.shortPapers.length > 0 && !promisesRenewal ? 'papers_short' : null
}

/** As the call received it: its amounts are fen under the names of the wire. */
type Line = {
  demandItemId: number
  machines: readonly { equipmentId: number; qty: number }[]
  earliestEntry: string
  deviation: string
  ceilingReason: string
  promisesRenewal: boolean
} & Pick<CostOffer, 'rentUnit' | 'minRentDays'> &
  Prices<number>
export type OfferItem = Pick<CostLine, 'planStart' | 'planEnd' | 'shiftMode' | 'estQuantity'> & {
  id: number
  qty: number
  rentUnit: RentUnit
  ceilingFen: number | null
}
/** A demand as its offers are checked, with the lessor's machines for each line, by the line's id. */
type OfferedDemand = {
  quoteDeadline: string | null
  items: readonly OfferItem[]
  machines: Readonly<Record<string, readonly OfferedMachine[]>>
}

/**
 * Each part of an offer that the demand or the lessor's machines do not allow, beside its field. An offer without a problem can be opened:
 * it names each line once, and in a line each machine once, as the tables of opened quotes demand.
 */
export function offerProblems(offer: { validUntil: string; lines: readonly Line[] }, demand: OfferedDemand): FieldProblem[] {
  const problems: FieldProblem[] = []
  const { quoteDeadline } = demand
  if (quoteDeadline && bindsTooShort(offer, bindsUntil(quoteDeadline))) problems.push({ path: ['validUntil'], rule: 'valid_until' })
  const seenItems = new Set<number>()
  const usedMachines: UsedMachine[] = []
  let invoicedFen = 0
  for (const [index, line] of offer.lines.entries()) {
    const item = demand.items.find(({ id }) => id === line.demandItemId)
    if (!item || seenItems.has(item.id)) {
      problems.push({ path: ['lines', index, 'demandItemId'], rule: 'item_unknown' })
      continue
    }
    seenItems.add(item.id)
    if (quoteDeadline && isHireOver(item, quoteDeadline.slice(0, 10)))
      problems.push({ path: ['lines', index, 'demandItemId'], rule: 'line_over' })
    invoicedFen += invoicedFenOf(line, item)
    if (invoicedFen > maxOfferFen) problems.push({ path: ['lines', index, 'unitPrice'], rule: 'sum_large' })
    const known = demand.machines[String(item.id)] ?? []
    problems.push(...lineProblems(line, { item, known, usedMachines }).map(({ field, rule }) => ({ path: ['lines', index, field], rule })))
  }
  return problems
}

/** What the lessor would invoice for a line over the planned hire. What the lessee buys elsewhere and the tax within the price do not count. */
function invoicedFenOf(line: Line, item: OfferItem): number {
  const qty = line.machines.reduce((sum, machine) => sum + machine.qty, 0)
  const withoutTax = { taxRate: 0, invoiceKind: 'plain', includesOperator: true, includesFuel: true, fuelledQty: 0 } as const
  const offer = { ...pricedLine(line), ...withoutTax, qty }
  const assumptions = { dieselFenPerLitre: 0, operatorMonthFen: 0 }
  return landedCost({ ...item, litresPerShift: 0, operatorWanted: false }, offer, assumptions).invoicedFen
}

type UsedMachine = { equipmentId: number; qty: number; item: OfferItem }
type Checked = { item: OfferItem; known: readonly OfferedMachine[]; usedMachines: UsedMachine[] }

/** Whether a machine has enough units for the lines that name it, and enough free ones for those of the same days. */
function isEnough({ totalQty, freeQty }: OfferedMachine, used: readonly UsedMachine[], item: OfferItem): boolean {
  const uses = used.map((one) => ({ ...one.item, qty: one.qty }))
  return uses.reduce((sum, { qty }) => sum + qty, 0) <= totalQty && mostAtOnce(uses, item) <= freeQty
}

function lineProblems(line: Line, { item, known, usedMachines }: Checked): { field: string; rule: string }[] {
  const problems: { field: string; rule: string }[] = []
  const named = new Set<number>()
  let [isShort, isDeviating] = [false, false]
  for (const { equipmentId, qty } of line.machines) {
    const machine = known.find(({ id }) => id === equipmentId)
    const problem = machineProblem(machine, { qty, promisesRenewal: line.promisesRenewal })
    if (problem === 'papers_short') isShort = true
    else if (problem) problems.push({ field: 'machines', rule: problem })
    if (machine && deviates(machine)) isDeviating = true
    usedMachines.push({ equipmentId, qty, item })
    const used = usedMachines.filter((one) => one.equipmentId === equipmentId)
    if (machine && (named.has(equipmentId) || (problem !== 'machine_taken' && !isEnough(machine, used, item))))
      problems.push({ field: 'machines', rule: 'machine_twice' })
    named.add(equipmentId)
  }
  if (line.machines.reduce((sum, { qty }) => sum + qty, 0) > item.qty) problems.push({ field: 'machines', rule: 'machine_few' })
  if (line.earliestEntry >= item.planEnd) problems.push({ field: 'earliestEntry', rule: 'entry_late' })
  if (isShort) problems.push({ field: 'promisesRenewal', rule: 'papers_short' })
  if (isDeviating && line.deviation.trim() === '') problems.push({ field: 'deviation', rule: 'deviation_needed' })
  // The quantity of the line is counted in its own unit.
  if (line.rentUnit !== item.rentUnit && [line, item].some(({ rentUnit }) => needsQuantity(rentUnit)))
    problems.push({ field: 'rentUnit', rule: 'unit_other' })
  if (item.ceilingFen !== null && line.rentUnit === item.rentUnit && line.unitPrice > item.ceilingFen && !line.ceilingReason)
    problems.push({ field: 'ceilingReason', rule: 'ceiling_reason' })
  return problems
}

/** Why an opened offer may not be awarded, whatever its machines: the lessor may not let any more, or the offer binds no longer. */
export function offerBars(facts: LessorFacts & { validUntil: string }, today: string): OfferBar[] {
  return [...lessorBars(facts), ...(facts.validUntil < today ? (['offer_expired'] as const) : [])]
}
