import { z } from 'zod'
import { daysBetween } from '#shared/calendar.ts'
import type { DemandItem, PublicDemand } from '#shared/demand/contract.ts'
import { hasMinimumTerm, needsQuantity } from '#shared/demand/rules.ts'
import type { Answered, FieldProblem } from '#shared/endpoint.ts'
import { normalisedPriceFen } from '#shared/equipment/rules.ts'
import { QuoteInput, QuoteLineInput, type changeQuote, type getDemandForLessor, type OwnQuote } from '#shared/quote/contract.ts'
import { landedCost } from '#shared/quote/landed-cost.ts'
import { pricedLine, withPrices } from '#shared/quote/prices.ts'
import { bindsTooShort, canBeQuoted, deviates } from '#shared/quote/rules.ts'
import { sortedJson } from '#shared/sorted-json.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import type { CallForm } from '../../app/call-form.ts'
import { machineName } from '../../app/format.ts'
import { openForm, type FormValue } from '../../app/form-values.ts'

/** A demand as a lessor sees it, with their machines that could be offered. */
export type ForLessor = Answered<typeof getDemandForLessor>
export type Candidate = ForLessor['candidates'][string][number]

/** The offer for one line of the demand. Only included lines are sent. */
type LineForm = FormValue<z.input<typeof QuoteLineInput>> & { included: boolean }
/** A quote with a line for each line of the demand, in the same order. */
export type QuoteFormValues = Omit<FormValue<z.input<typeof QuoteInput>>, 'lines'> & { lines: LineForm[] }

/** The input of submitting a quote or of changing one. */
export type QuoteBody = z.input<typeof QuoteInput> | z.input<typeof changeQuote.body>
export type QuoteFormState = CallForm<QuoteFormValues, QuoteBody>

/** Whether the machine can be offered for its line. */
export const canChoose = (machine: Pick<Candidate, 'freeQty' | 'misses'>): boolean => machine.freeQty > 0 && canBeQuoted(machine.misses)

type Chosen = { machines: readonly { equipmentId: number | null }[] }

/** Whether a machine that the line offers does not meet it, so that the deviation must be named. */
export const isDeviating = ({ machines }: Chosen, candidates: readonly Pick<Candidate, 'id' | 'misses'>[]): boolean =>
  candidates.some((one) => deviates(one) && machines.some(({ equipmentId }) => equipmentId === one.id))

/** Whether a submitted quote names no deviation where a machine does not meet its line now, after an amendment: it cannot be confirmed as it is. */
export const lacksDeviation = (
  quote: { lines: readonly (Chosen & { demandItemId: number; deviation: string })[] },
  candidates: Readonly<Record<string, Parameters<typeof isDeviating>[1]>>,
): boolean => quote.lines.some((line) => line.deviation.trim() === '' && isDeviating(line, candidates[line.demandItemId] ?? []))

/** Whether a new quote includes the line: with machines that are all taken or unfit it could not be submitted. */
export const canOffer = (candidates: readonly Pick<Candidate, 'freeQty' | 'misses'>[]): boolean => candidates.some(canChoose)

/** Counts the machines that a line offers. */
export const offeredQty = ({ machines }: Pick<LineForm, 'machines'>): number => machines.reduce((sum, { qty }) => sum + Number(qty), 0)

/** An offered price as a month's rent, in fen. Null where nothing is typed or the price is for a quantity of work. */
export function offeredMonthFen({
  unitPrice,
  rentUnit,
  shiftMode,
}: Pick<LineForm, 'unitPrice' | 'rentUnit'> & Pick<DemandItem, 'shiftMode'>): number | null {
  const priceFen = Math.round((Number(unitPrice) || 0) * 100)
  return priceFen > 0 ? normalisedPriceFen([{ rentUnit, priceFen, shiftMode }]) : null
}

/** By how many percent a month's rent is above the median of the market in yuan; negative below it. */
export const aboveMarket = (monthFen: number, median: string): number => Math.round((monthFen / (Number(median) * 100) - 1) * 100)

/** What the server would refuse about the day until which the quote binds. */
export const validityProblems = ({ validUntil }: Pick<QuoteFormValues, 'validUntil'>, minValidUntil: string): FieldProblem[] =>
  validUntil !== '' && bindsTooShort({ validUntil }, minValidUntil) ? [{ path: ['validUntil'], rule: 'valid_until' }] : []

/** Opens the submitted or withdrawn quote, or a new one. */
export function openQuote(
  { demand, candidates, quote, minValidUntil }: ForLessor,
  contact: { name: string; phone: string },
  today: string,
): QuoteFormValues {
  const head = { contactName: contact.name, contactPhone: contact.phone, validUntil: minValidUntil, ...quote }
  const usedQty = new Map<number | null, number>()
  const use = ({ machines }: { machines: readonly { equipmentId: number | null; qty: number | string }[] }) => {
    for (const { equipmentId, qty } of machines) usedQty.set(equipmentId, (usedQty.get(equipmentId) ?? 0) + Number(qty))
  }
  quote?.lines.forEach(use)
  return {
    ...openForm(QuoteInput, { ...head, demandId: demand.id }),
    lines: demand.items.map((item) => {
      const line = quote?.lines.find(({ demandItemId }) => demandItemId === item.id)
      if (line) return inUnitOf(openLine(line), item)
      // A unit is proposed for one line: a quote with a machine in two is refused.
      const left = (candidates[item.id] ?? []).map((one) => ({ ...one, freeQty: one.freeQty - (usedQty.get(one.id) ?? 0) }))
      const added = newLine({ item, candidates: left, demand, today })
      use(added)
      return { ...added, included: quote === null && canOffer(left) }
    }),
  }
}

/**
 * The line in the unit that the demand asks for now. A month's price says nothing for a shift, so after an amendment from one to the other it is typed
 * again.
 */
function inUnitOf(line: LineForm, { rentUnit }: Pick<LineForm, 'rentUnit'>): LineForm {
  const isOther = line.rentUnit !== rentUnit && (needsQuantity(line.rentUnit) || needsQuantity(rentUnit))
  return isOther ? { ...line, rentUnit, unitPrice: '', minRentDays: '0' } : line
}

const openLine = (line: OwnQuote['lines'][number]): LineForm => ({ ...openForm(QuoteLineInput, line), included: true })

type NewLine = { item: DemandItem; candidates: readonly Candidate[]; demand: PublicDemand; today: string }

/** Fills a line with the machines that fit best, the public price of the first, and the first planned day on which they can still enter. */
function newLine({ item, candidates, demand, today }: NewLine): LineForm {
  const machines: { equipmentId: number; qty: number }[] = []
  let open = item.qty
  for (const machine of candidates.filter((one) => canChoose(one) && one.misses.length === 0)) {
    if (open === 0) break
    const qty = Math.min(open, machine.freeQty)
    machines.push({ equipmentId: machine.id, qty })
    open -= qty
  }
  const first = candidates.find(({ id }) => id === machines[0]?.equipmentId) ?? candidates[0]
  const price = first?.prices.find(({ rentUnit }) => rentUnit === item.rentUnit)
  const includesOperator = price?.withOperator ?? demand.operatorBy === 'lessor'
  const line = openForm(QuoteLineInput, {
    demandItemId: item.id,
    machines,
    unitPrice: price?.price,
    rentUnit: item.rentUnit,
    includesOperator,
    includesFuel: demand.fuelBy === 'lessor',
    taxRate: price?.taxRate ?? (includesOperator ? 9 : 13),
    invoiceKind: demand.payment.invoice,
    earliestEntry: item.planStart > today ? item.planStart : today,
  })
  return { ...line, included: machines.length > 0 }
}

/** Maps a path of the wire, which counts included lines only, to the name of the field. */
export function nameOfLine(path: string, { lines }: QuoteFormValues): string {
  const included = lines.flatMap((line, index) => (line.included ? [index] : []))
  return path.replace(/^lines\.(\d+)/, (_, sent: string) => `lines.${included[Number(sent)] ?? sent}`)
}

/** Names the machines of an offer by what the lessor has now; `#` and its id stand for one that is gone. */
export function machineNames(
  text: Text,
  machines: readonly { equipmentId: number; qty: number }[],
  { candidates }: Pick<ForLessor, 'candidates'>,
): string[] {
  const known = new Map(
    Object.values(candidates).flatMap((list) => list.map((machine) => [machine.id, machineName(text, machine)] as const)),
  )
  return machines.map(({ equipmentId, qty }) => `${known.get(equipmentId) ?? `#${equipmentId}`}${qty > 1 ? ` ×${qty}` : ''}`)
}

/**
 * Restores a quote that was typed and not submitted, as the browser stored it. Lines are found by the demand's lines as they are now, and what is
 * missing or odd is as in a new form. Undefined where nothing usable is stored.
 */
export function restoreQuote(fresh: QuoteFormValues, stored: unknown): QuoteFormValues | undefined {
  const draft = StoredQuote.safeParse(stored).data
  if (!draft) return undefined
  return {
    ...openForm(QuoteInput, { ...draft, demandId: fresh.demandId, lines: [] }),
    lines: fresh.lines.map((line) => {
      const typed = draft.lines.find(({ demandItemId }) => demandItemId === line.demandItemId)
      return typed ? inUnitOf({ ...openForm(QuoteLineInput, typed), included: typed.included }, line) : line
    }),
  }
}

/**
 * What becomes of a quote that the browser has stored where the form opens with `fresh`, the quote of that receipt: it is restored where it was typed
 * on the same quote, and otherwise offered, because a colleague has changed the quote since. One that was submitted without an answer is neither.
 */
export function openTyped(
  fresh: QuoteFormValues,
  stored: unknown,
  receipt: string | null,
): { kind: 'none' } | { kind: 'restored' | 'offered'; at: number; values: QuoteFormValues } {
  const values = restoreQuote(fresh, stored)
  const { base = null, at = 0 } = StoredQuote.safeParse(stored).data ?? {}
  if (!values || (base !== receipt && !isTypedLater(stored, fresh))) return { kind: 'none' }
  return { kind: base === receipt ? 'restored' : 'offered', at, values }
}

/** Whether a quote that the browser has stored holds something that was typed after `sent` had been sent. Both are compared as a form would open them. */
export function isTypedLater(stored: unknown, sent: QuoteFormValues): boolean {
  const later = restoreQuote(sent, stored)
  return later !== undefined && sortedJson(later) !== sortedJson(restoreQuote(sent, sent))
}

const StoredQuote = z.looseObject({
  /** The receipt of the quote on which it was typed; null for a new one. */
  base: z.string().nullish(),
  /** Milliseconds since 1970. */
  at: z.number().optional(),
  lines: z.array(z.looseObject({ demandItemId: z.number(), included: z.boolean() })),
})

/** A typed line as its terms are written beside the tax rate: a hire by work has no minimum term. */
export const termsTyped = (line: LineForm) => ({
  ...line,
  minRentDays: hasMinimumTerm(line.rentUnit) ? Number(line.minRentDays) || 0 : 0,
})

/** As `grossFenOf`, of a submitted line. */
export const grossOfQuoteLine = (item: DemandItem, line: OwnQuote['lines'][number]): number => grossFenOf(item, openLine(line))

/** The cost of a submitted quote for the lessee in fen, with tax. */
export const grossOfQuote = ({ demand }: ForLessor, quote: OwnQuote): number =>
  quote.lines.reduce((sum, line) => {
    const item = demand.items.find(({ id }) => id === line.demandItemId)
    return item ? sum + grossOfQuoteLine(item, line) : sum
  }, 0)

/** The cost of a line for the lessee in fen, with tax. A half-typed amount counts as zero. */
export function grossFenOf(item: DemandItem, line: LineForm): number {
  const amount = (yuan: string) => Math.round((Number(yuan) || 0) * 100)
  const { grossFen } = landedCost(
    { ...item, litresPerShift: 0, operatorWanted: false },
    {
      ...pricedLine(withPrices(line, amount)),
      qty: offeredQty(line),
      fuelledQty: 0,
      includesOperator: true,
      includesFuel: true,
      taxRate: Number(line.taxRate),
      minRentDays: Number(line.minRentDays) || 0,
    },
    { dieselFenPerLitre: 0, operatorMonthFen: 0 },
    daysBetween(item.planStart, item.planEnd),
  )
  return grossFen
}
