import { daysBetween } from '../calendar.ts'
import { landedCost, type CostLine, type CostOffer } from '../quote/landed-cost.ts'

/** The price and tax rate of a position from a day on. */
export type DatedRate = { fromDay: string; unitPriceFen: number; taxRate: number }

/** A position as its money is estimated from. */
export type PricedLine = Omit<CostOffer, 'fuelledQty'> &
  Pick<CostLine, 'planStart' | 'planEnd' | 'shiftMode' | 'estQuantity'> & {
    /** What was agreed version by version, in the order of the days; the first holds from the start. Without them the present price holds throughout. */
    rates?: readonly DatedRate[] | undefined
  }

export type Amount = { amountFen: number; netFen: number; taxFen: number }

/** Adds what holds from a day on; whatever was agreed for later days no longer holds. */
export function withRate(rates: readonly DatedRate[], next: DatedRate): DatedRate[] {
  const earlier = rates.filter(({ fromDay }) => fromDay < next.fromDay)
  const last = earlier.at(-1)
  return last?.unitPriceFen === next.unitPriceFen && last.taxRate === next.taxRate ? earlier : [...earlier, next]
}

type RateSpan = Omit<DatedRate, 'fromDay'> & { from: string; to: string }
type Rated = Pick<PricedLine, 'planStart' | 'planEnd' | 'unitPriceFen' | 'taxRate' | 'rates'>

/** The planned days of a position by price and tax rate, half-open and in order. */
export function rateSpans({ planStart, planEnd, unitPriceFen, taxRate, rates = [] }: Rated): RateSpan[] {
  const dated = rates.length > 0 ? rates : [{ fromDay: planStart, unitPriceFen, taxRate }]
  return dated
    .map(({ fromDay, ...rate }, index) => {
      const next = dated[index + 1]?.fromDay ?? planEnd
      return { ...rate, from: index === 0 || fromDay < planStart ? planStart : fromDay, to: next < planEnd ? next : planEnd }
    })
    .filter(({ from, to }) => from < to)
}

/**
 * What the lessor invoices for a position over the planned days, tax included: rent and fees. Settlements decide what is paid. Where the price or the
 * tax rate changes on a day, each counts for its days; fees have the rate of the first day, the one for the way out that of the last.
 */
function lineAmount(line: PricedLine): Amount {
  const spans = rateSpans(line)
  const days = daysBetween(line.planStart, line.planEnd)
  const costWith = (unitPriceFen: number) => {
    const costLine = { ...line, litresPerShift: 0, operatorWanted: false }
    return landedCost(costLine, { ...line, unitPriceFen, fuelledQty: 0 }, { dieselFenPerLitre: 0, operatorMonthFen: 0 })
  }
  const fenByRate = new Map<number, number>()
  const add = (rate: number, fen: number) => fenByRate.set(rate, (fenByRate.get(rate) ?? 0) + fen)
  for (const { from, to, unitPriceFen, taxRate } of spans)
    add(taxRate, Math.round((costWith(unitPriceFen).rentFen * daysBetween(from, to)) / days))
  for (const { part, fen } of costWith(line.unitPriceFen).steps.filter(({ part: one }) => one !== 'rent' && one !== 'vat'))
    add((part === 'exit' ? spans.at(-1) : spans[0])?.taxRate ?? line.taxRate, fen)
  const amountFen = [...fenByRate.values()].reduce((sum, fen) => sum + fen, 0)
  const taxFen = [...fenByRate].reduce((sum, [rate, fen]) => sum + Math.round((fen * rate) / (100 + rate)), 0)
  return { amountFen, netFen: amountFen - taxFen, taxFen }
}

export const lineAmountFen = (line: PricedLine): number => lineAmount(line).amountFen

/** The sum of a contract, with the tax of each line by its own rates, so net and tax add up to it. */
export function contractAmount(lines: readonly PricedLine[]): Amount {
  const sum = { amountFen: 0, netFen: 0, taxFen: 0 }
  for (const line of lines) {
    const { amountFen, netFen, taxFen } = lineAmount(line)
    sum.amountFen += amountFen
    sum.netFen += netFen
    sum.taxFen += taxFen
  }
  return sum
}

/** The days of a contract: from the first planned day of its positions to the end of the last. It has at least one position. */
export const hireOf = (lines: readonly { planStart: string; planEnd: string }[]): { planStart: string; planEnd: string } => ({
  planStart: lines.map(({ planStart }) => planStart).reduce((a, b) => (a < b ? a : b)),
  planEnd: lines.map(({ planEnd }) => planEnd).reduce((a, b) => (a > b ? a : b)),
})
