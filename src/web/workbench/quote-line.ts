import type { z } from 'zod'
import { daysBetween } from '#shared/calendar.ts'
import type { DemandItem, PublicDemand } from '#shared/demand/contract.ts'
import type { Answered } from '#shared/endpoint.ts'
import { QuoteInput, QuoteLineInput, type changeQuote, type getDemandForLessor, type OwnQuote } from '#shared/quote/contract.ts'
import { landedCost } from '#shared/quote/landed-cost.ts'
import { canBeQuoted } from '#shared/quote/rules.ts'
import type { ContractForm } from '../app/contract-form.ts'
import { openForm, type FormValue } from '../app/form-values.ts'

/** A demand as a lessor sees it, with the machines of their own they could offer. */
export type ForLessor = Answered<typeof getDemandForLessor>
export type Candidate = ForLessor['candidates'][string][number]

/** The offer for one line of the demand; only those that are included are sent. */
export type LineForm = FormValue<z.input<typeof QuoteLineInput>> & { included: boolean }
/** A line for each line of the demand, in its order. */
export type QuoteFormValues = Omit<FormValue<z.input<typeof QuoteInput>>, 'lines'> & { lines: LineForm[] }

/** A new quote, or a change of one. */
type QuoteBody = z.input<typeof QuoteInput> | z.input<typeof changeQuote.body>
export type QuoteFormState = ContractForm<QuoteFormValues, QuoteBody>

/** Whether the machine may be ticked for its line. */
export const canChoose = (machine: Pick<Candidate, 'freeQty' | 'misses'>): boolean => machine.freeQty > 0 && canBeQuoted(machine.misses)

/** How many machines a line offers. */
export const offeredQty = ({ machines }: Pick<LineForm, 'machines'>): number => machines.reduce((sum, { qty }) => sum + Number(qty), 0)

/** The quote as it was submitted, or a new one; a quote that was withdrawn is a good start for the next. */
export function openQuote(
  { demand, candidates, quote, minValidUntil }: ForLessor,
  contact: { name: string; phone: string },
): QuoteFormValues {
  const head = { contactName: contact.name, contactPhone: contact.phone, validUntil: minValidUntil, ...quote }
  return {
    ...openForm(QuoteInput, { ...head, demandId: demand.id }),
    lines: demand.items.map((item) => {
      const line = quote?.lines.find(({ demandItemId }) => demandItemId === item.id)
      const fitting = candidates[item.id] ?? []
      return line ? openLine(line) : { ...newLine(item, fitting, demand), included: quote === null && fitting.length > 0 }
    }),
  }
}

const openLine = (line: OwnQuote['lines'][number]): LineForm => ({ ...openForm(QuoteLineInput, line), included: true })

/** Starts from the machines that fit best and from the price they stand on the shelf with. */
function newLine(item: DemandItem, candidates: readonly Candidate[], demand: PublicDemand): LineForm {
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
    earliestEntry: item.planStart,
  })
  return { ...line, included: machines.length > 0 }
}

/** The name in the form of a path of the wire, which counts the included lines only. */
export function nameOfLine(path: string, { lines }: QuoteFormValues): string {
  const included = lines.flatMap((line, index) => (line.included ? [index] : []))
  return path.replace(/^lines\.(\d+)/, (_, sent: string) => `lines.${included[Number(sent)] ?? sent}`)
}

/** What the hirer pays for a line, in fen, tax included; a half-typed amount counts as nothing. */
export function grossFenOf(item: DemandItem, line: LineForm): number {
  const amount = (yuan: string) => Math.round((Number(yuan) || 0) * 100)
  const { grossFen } = landedCost(
    { ...item, litresPerShift: 0, operatorWanted: false },
    {
      qty: offeredQty(line),
      unitPriceFen: amount(line.unitPrice),
      rentUnit: line.rentUnit,
      includesOperator: true,
      includesFuel: true,
      entryFeeFen: amount(line.entryFee),
      exitFeeFen: amount(line.exitFee),
      erectionFeeFen: amount(line.erectionFee),
      inspectionFeeFen: amount(line.inspectionFee),
      otherFeeFen: amount(line.otherFee),
      taxRate: Number(line.taxRate),
      invoiceKind: line.invoiceKind,
      minRentDays: Number(line.minRentDays) || 0,
    },
    { dieselFenPerLitre: 0, operatorMonthFen: 0 },
    daysBetween(item.planStart, item.planEnd),
  )
  return grossFen
}
