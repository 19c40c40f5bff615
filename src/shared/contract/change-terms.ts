// What the terms of an amendment do to the positions of a contract, and which of them cannot be.
import { addDays, daysBetween } from '../calendar.ts'
import { deadlineRules } from '../demand/rules.ts'
import type { FieldProblem } from '../endpoint.ts'
import { maxQuantity } from '../fields.ts'
import { isAmong } from '../lifecycle.ts'
import { pricedLine } from '../quote/prices.ts'
import { sortedJson } from '../sorted-json.ts'
import { contractAmount, withRate, type Amount, type DatedRate, type PricedLine } from './amount.ts'
import type { ChangeTerms, LineTerms, StoredChange } from './changes.ts'
import { clauseKeys, clausesOut, type ClauseKey, type ContractClauses } from './clauses.ts'
import type { AddedPosition } from './direct.ts'
import { type ChangeKind, changesSum, filledPositions, makesVersion, maxPositions, type PositionStatus, positionStatus } from './rules.ts'

/** A position as an amendment reads and changes it, money in fen. */
export type ChangeLine = PricedLine & { id: number; status: PositionStatus }

/** Whether an amendment of this kind may be about a position in this state. Only one whose machine has not entered is cancelled. */
export const isChangeable = (kind: ChangeKind, status: PositionStatus): boolean =>
  kind === 'quantity' ? status === positionStatus.waiting : isAmong(status, filledPositions)

/**
 * Whether an amendment needs the approval of the unit above, where that approves contracts: it costs the lessee more, adds positions, binds it for longer,
 * leaves it less tax to deduct, or changes prices, clauses or the account that is paid to.
 */
export const bindsMore = ({ terms, before, amountBeforeFen, amountAfterFen }: Omit<StoredChange, 'clausesBefore'>): boolean =>
  isAmong(terms.kind, ['extend', 'price', 'clause', 'account']) ||
  amountAfterFen > amountBeforeFen ||
  (terms.kind === 'tax' &&
    terms.lines.some(({ lineId, value }) => before.some((old) => old.lineId === lineId && value < Number(old.value)))) ||
  addedOf(terms).length > 0 ||
  (terms.kind === 'terminate' && terms.penalty?.payer === 'lessee')

/** Whether an amendment agrees on more hire, as a new contract does: a longer one, or more positions. Only who is certified does. */
export const hiresMore = (terms: ChangeTerms): boolean => terms.kind === 'extend' || addedOf(terms).length > 0

/** The value of a position that terms of this kind change: its price in fen, its tax rate in percent, or the first day after its hire. */
export const presentValue = (kind: LineTerms['kind'], line: ChangeLine): string | number =>
  kind === 'price' ? line.unitPriceFen : kind === 'tax' ? line.taxRate : line.planEnd

/**
 * The terms as the clauses of the contract complete them: where the price without tax stays when a tax rate changes, the one with tax follows it. Fees are
 * agreed as sums with tax and stay.
 */
export function completedTerms(terms: ChangeTerms, { lines, clauses }: Pick<Standing, 'lines'> & Taxed): ChangeTerms {
  if (terms.kind !== 'tax' || clauses.taxChange !== 'net') return terms
  const priced = terms.lines.map((one) => {
    const line = lines.find(({ id }) => id === one.lineId)
    return line ? { ...one, unitPriceFen: Math.round((line.unitPriceFen * (100 + one.value)) / (100 + line.taxRate)) } : one
  })
  return { ...terms, lines: priced }
}
type Taxed = { clauses: Pick<ContractClauses, 'taxChange'> }

/** The price of a position under a change of its tax rate; undefined where it stays. */
export const priceUnder = (terms: ChangeTerms, lineId: number): number | undefined =>
  terms.kind === 'tax' ? terms.lines.find((one) => one.lineId === lineId)?.unitPriceFen : undefined

/** The positions as they are under terms that hold from a day on. A price or tax rate counts from that day, the days before keep theirs. */
export function changedLines<Line extends ChangeLine>(lines: readonly Line[], terms: ChangeTerms, fromDay: string): Line[] {
  if (terms.kind === 'quantity')
    return lines.map((line) => (terms.lineIds.includes(line.id) ? { ...line, status: positionStatus.cancelled } : line))
  if (!('lines' in terms)) return [...lines]
  return lines.map((line) => {
    const value = terms.lines.find(({ lineId }) => lineId === line.id)?.value
    if (value === undefined) return line
    if (terms.kind === 'price') return rated({ ...line, unitPriceFen: Number(value) }, line, fromDay)
    if (terms.kind === 'tax') {
      const unitPriceFen = priceUnder(terms, line.id) ?? line.unitPriceFen
      return rated({ ...line, taxRate: Number(value) as Line['taxRate'], unitPriceFen }, line, fromDay)
    }
    return { ...line, planEnd: String(value), estQuantity: quantityUntil(line, String(value)) }
  })
}

/** The estimate is over the planned days, so it is in proportion to them; to the thousandth, as it is stored, and never nothing. */
function quantityUntil({ planStart, planEnd, estQuantity }: ChangeLine, end: string): number | null {
  if (estQuantity === null) return null
  const thousandths = Math.round((estQuantity * 1000 * daysBetween(planStart, end)) / daysBetween(planStart, planEnd))
  return Math.max(thousandths, 1) / 1000
}

/** The positions whose estimated quantity the terms change, before and after. */
export function changedQuantities(
  lines: readonly ChangeLine[],
  terms: ChangeTerms,
  fromDay: string,
): NonNullable<StoredChange['quantities']> {
  const next = changedLines(lines, terms, fromDay)
  return lines.flatMap(({ id, estQuantity: before }) => {
    const after = next.find((line) => line.id === id)?.estQuantity ?? null
    return before === null || after === null || before === after ? [] : [{ lineId: id, before, after }]
  })
}

/** The position with its new price and tax rate from a day on. */
function rated<Line extends ChangeLine>(next: Line, { rates, planStart, unitPriceFen, taxRate }: ChangeLine, fromDay: string): Line {
  const before: readonly DatedRate[] = rates?.length ? rates : [{ fromDay: planStart, unitPriceFen, taxRate }]
  return { ...next, rates: withRate(before, { fromDay, unitPriceFen: next.unitPriceFen, taxRate: next.taxRate }) }
}

/** The sum of the contract over the positions that are not cancelled. */
export const amountOfLines = (lines: readonly ChangeLine[]): Amount =>
  contractAmount(lines.filter(({ status }) => status !== positionStatus.cancelled))

/** The clauses that differ, in the order of the clause table. */
export function changedClauses(before: ContractClauses, after: ContractClauses): ClauseKey[] {
  const [old, next] = [clausesOut(before), clausesOut(after)]
  return clauseKeys.filter((key) => sortedJson(old[key]) !== sortedJson(next[key]))
}

/** The further positions of the terms. */
export const addedOf = (terms: ChangeTerms): AddedPosition[] => (terms.kind === 'quantity' ? (terms.added ?? []) : [])

/** The sum of the contract under terms that hold from a day on, with the positions that they add. */
export const amountUnder = (lines: readonly ChangeLine[], terms: ChangeTerms, fromDay: string): Amount =>
  contractAmount([
    ...changedLines(lines, terms, fromDay).filter(({ status }) => status !== positionStatus.cancelled),
    ...addedOf(terms).map((one): PricedLine => pricedLine(one)),
  ])

type Standing = {
  fromDay: string
  lines: readonly ChangeLine[]
  clauses: ContractClauses
  today: string
  /** The day from which the newest version holds. */
  since: string | null
}

/** What is wrong with the terms, by path of the call: they change something, are of positions to come or on site, and never of days that are over. */
export function termProblems(terms: ChangeTerms, { fromDay, lines, clauses, today, since }: Standing): FieldProblem[] {
  const problems: FieldProblem[] = []
  if (fromDay < today) problems.push({ path: ['fromDay'], rule: 'start_past' })
  // On the same day the later version stands in place of the earlier one.
  else if (since !== null && fromDay < since && makesVersion(terms.kind)) problems.push({ path: ['fromDay'], rule: 'before_version' })
  else if (
    makesVersion(terms.kind) &&
    isBeyond(fromDay, [...heldUnder(lines, terms, fromDay), ...addedOf(terms)], since !== null && since > today ? since : today)
  )
    problems.push({ path: ['fromDay'], rule: 'after_hire' })
  const ids = 'lines' in terms ? terms.lines.map(({ lineId }) => lineId) : 'lineIds' in terms ? terms.lineIds : []
  ids.forEach((lineId, index) => {
    const path = ['terms', 'lines' in terms ? 'lines' : 'lineIds', index]
    const line = lines.find(({ id }) => id === lineId)
    if (!line || !isChangeable(terms.kind, line.status) || ids.indexOf(lineId) !== index) problems.push({ path, rule: 'position_entered' })
    else if ('lines' in terms) {
      const rule = valueProblem(terms.kind, { line, value: terms.lines[index]?.value ?? '', today })
      if (rule) problems.push({ path: [...path, 'value'], rule })
    }
  })
  addedOf(terms).forEach(({ planStart }, index) => {
    const at = (field: string, rule: string) => problems.push({ path: ['terms', 'added', index, field], rule })
    if (planStart < fromDay) at('planStart', tooEarly(planStart, { today, since }))
    if (lines.length + index >= maxPositions) at('equipmentId', 'positions_many')
  })
  if (
    addedOf(terms).length === 0 &&
    terms.kind === 'quantity' &&
    lines.every(({ id, status }) => status === positionStatus.cancelled || ids.includes(id))
  )
    problems.push({ path: ['terms', 'lineIds'], rule: 'all_positions' })
  if (terms.kind === 'terminate' && terms.lastDay < today) problems.push({ path: ['terms', 'lastDay'], rule: 'start_past' })
  else if (terms.kind === 'terminate' && isBeyond(terms.lastDay, lines.filter(isHeld), today))
    problems.push({ path: ['terms', 'lastDay'], rule: 'after_hire' })
  if (terms.kind === 'clause' && changedClauses(clauses, terms.clauses).length === 0)
    problems.push({ path: ['terms', 'clauses'], rule: 'unchanged' })
  // Only of terms that can be otherwise, so that their days are in order. A larger sum is neither counted to the fen nor worded.
  if (problems.length === 0 && changesSum(terms.kind) && !Number.isSafeInteger(amountUnder(lines, terms, fromDay).amountFen))
    problems.push({ path: 'lines' in terms ? ['terms', 'lines', 0, 'value'] : ['terms', 'added', 0, 'unitPrice'], rule: 'sum_large' })
  return problems
}

/** Why a further position cannot begin on a day before its amendment: for the days before there is no version that has it. */
function tooEarly(planStart: string, { today, since }: Pick<Standing, 'today' | 'since'>): string {
  if (planStart < today) return 'start_past'
  return since !== null && planStart < since ? 'before_version' : 'starts_before_change'
}

const isHeld = ({ status }: ChangeLine) => status !== positionStatus.cancelled

/** The hires that a version may hold for. One that ends earlier counts with its present end, because the newest version may hold from a day after the new one. */
const heldUnder = (lines: readonly ChangeLine[], terms: ChangeTerms, fromDay: string): ChangeLine[] =>
  (terms.kind === 'shorten' ? [...lines] : changedLines(lines, terms, fromDay)).filter(isHeld)

/**
 * Whether a day is after all hires. No later version may hold from before an earlier one, so a mistyped year would end all amendments. The first day
 * that is possible is no such day: both sides may still agree about a hire that has run over.
 */
const isBeyond = (day: string, hires: readonly { planEnd: string }[], firstDay: string): boolean =>
  day > firstDay && hires.length > 0 && hires.every(({ planEnd }) => planEnd <= day)

function valueProblem(kind: LineTerms['kind'], { line, value, today }: { line: ChangeLine; value: string | number; today: string }) {
  if (kind === 'extend') {
    if (String(value) <= line.planEnd) return 'extend_later'
    // 民法典 第七百零五条.
    if (String(value) > addDays(line.planStart, deadlineRules.maxLeaseDays)) return 'lease_too_long'
    return (quantityUntil(line, String(value)) ?? 0) > maxQuantity ? 'quantity_large' : null
  }
  if (kind === 'shorten')
    return String(value) >= line.planEnd || String(value) <= line.planStart || String(value) < today ? 'shorten_earlier' : null
  return value === presentValue(kind, line) ? 'unchanged' : null
}
