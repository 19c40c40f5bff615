import { fenOf } from '#shared/amount-text.ts'
import { entryDay, standingOffer, type Offer } from '#shared/award/rules.ts'
import type { Answered } from '#shared/endpoint.ts'
import type { compareQuotes } from '#shared/quote/contract.ts'
import type { CostOffer, LandedCost } from '#shared/quote/landed-cost.ts'
import { aboveLowest, netForMachine, type RankedOffer } from '#shared/quote/lowest.ts'
import { pricedLine, withPrices } from '#shared/quote/prices.ts'
import { quoteStatus, type otherDuties, type QuoteStatus } from '#shared/quote/rules.ts'

export type Compared = Answered<typeof compareQuotes>
export type ComparedQuote = Compared['quotes'][number]
export type ComparedLine = ComparedQuote['lines'][number]

/**
 * An offer of one line with its landed cost for the duration that is shown. `isStanding`: it counts where the best of a line is marked; `otherDuties`:
 * those that it leaves to another side than the demand.
 */
export type Cell = {
  quote: ComparedQuote
  line: ComparedLine
  cost: LandedCost
  offer: CostOffer
  choosable: boolean
  isStanding: boolean
  otherDuties: ReturnType<typeof otherDuties>
}

export const offerOf = (line: ComparedLine): CostOffer => pricedLine(withPrices(line, fenOf))

/** What may still be awarded of each offer. */
export const standingOffers = (cells: readonly Cell[]): Offer[] =>
  cells
    .filter(({ choosable }) => choosable)
    .map(({ quote, line, cost }) =>
      standingOffer(
        {
          quoteLineId: line.id,
          quoteId: quote.id,
          demandItemId: line.demandItemId,
          companyId: quote.companyId,
          qty: line.qty,
          netFen: cost.netFen,
          earliestEntry: line.earliestEntry,
        },
        line.availableQty,
      ),
    )

type Priced = { line: Pick<ComparedLine, 'qty' | 'earliestEntry'>; cost: Pick<LandedCost, 'netFen'>; isStanding: boolean }

const ranked = ({ line, cost, isStanding }: Priced): RankedOffer => ({ qty: line.qty, netFen: cost.netFen, isStanding })

/** For one machine, at the duration that is shown. */
export const netOf = (cell: Priced): number => netForMachine(ranked(cell))

/** The offers of a line that stand, the cheapest for a machine first: two of them are compared by their break-even day. */
export const cheapestStanding = <C extends Priced>(cellsOfLine: readonly C[]): C[] =>
  cellsOfLine.filter(({ isStanding }) => isStanding).toSorted((a, b) => netOf(a) - netOf(b))

/** What a line of an award costs, in fen: as it was stored with the award, or of a choice by today's figures. */
export const netOfPick = ({ qty, net }: { qty: number; net?: string }, cell: Priced): number =>
  net === undefined ? Math.round(netOf(cell) * qty) : fenOf(net)

/** What a choice costs the lessee over the planned duration in fen, tax included. */
export function grossOfPicks(picks: readonly { quoteLineId: number; qty: number }[], quotes: readonly GrossQuote[]): number {
  const lines = new Map(quotes.flatMap((quote) => quote.lines.map((line) => [line.id, line] as const)))
  return picks.reduce((sum, { quoteLineId, qty }) => {
    const line = lines.get(quoteLineId)
    return sum + (line ? Math.round((fenOf(line.grossCost) / line.qty) * qty) : 0)
  }, 0)
}

type GrossQuote = { lines: readonly Pick<ComparedLine, 'id' | 'qty' | 'grossCost'>[] }

export const cellAboveLowest = (cell: Priced, cellsOfLine: readonly Priced[]) => aboveLowest(ranked(cell), cellsOfLine.map(ranked))

/** Whether the offer enters earliest of those that stand; false where all enter on the same day, because then none stands out. */
export function isEarliest(cell: Priced, cellsOfLine: readonly Priced[], item: { planStart: string }): boolean {
  const days = cellsOfLine.filter((one) => one.isStanding).map(({ line }) => entryDay(item, line))
  const [earliest] = days.toSorted((a, b) => a.localeCompare(b))
  return cell.isStanding && entryDay(item, cell.line) === earliest && days.some((day) => day !== earliest)
}

/**
 * A unit price against the ceiling of its line, in fen; null where there is none, or one for another unit, or where a price below it is one for
 * other duties. One above it says by how much, for it is marked and needs a reason all the same.
 */
export function againstCeiling(
  { line, otherDuties: others }: { line: Pick<ComparedLine, 'unitPrice' | 'rentUnit' | 'overCeiling'> } & Pick<Cell, 'otherDuties'>,
  { ceiling, rentUnit }: { ceiling: string | undefined; rentUnit: string },
): number | null {
  if (ceiling === undefined || line.rentUnit !== rentUnit || (others.length > 0 && !line.overCeiling)) return null
  return fenOf(line.unitPrice) - fenOf(ceiling)
}

type OfLessor = Priced & { quote: { id: number; status: QuoteStatus }; line: Pick<ComparedLine, 'demandItemId' | 'availableQty'> }

/** How many machines of an offer its line can get: while offers are judged those that may still be let, afterwards all that it named. */
export const deliverableQty = (cell: Pick<OfLessor, 'quote' | 'line'> | undefined): number =>
  cell ? (cell.quote.status === quoteStatus.reviewing ? Math.min(cell.line.qty, cell.line.availableQty) : cell.line.qty) : 0

/**
 * The lessors with their offers, those who can deliver everything first and by their total; the others follow, the most complete first, because the
 * total of a part cannot be compared with that of the whole. Of those who can deliver everything, the first whose offers all stand is the lowest.
 */
export function rankLessors<Q extends { id: number }, C extends OfLessor>(
  items: readonly { id: number; qty: number }[],
  quotes: readonly Q[],
  cells: readonly C[],
) {
  const lessors = quotes
    .map((quote) => {
      const own = cells.filter((cell) => cell.quote.id === quote.id)
      const cellOf = (item: { id: number }) => own.find(({ line }) => line.demandItemId === item.id)
      return {
        quote,
        own,
        netFen: own.reduce((sum, { cost }) => sum + cost.netFen, 0),
        missing: items.filter((item) => !cellOf(item)).length,
        isWhole: items.every((item) => deliverableQty(cellOf(item)) >= item.qty),
      }
    })
    .toSorted((a, b) => Number(b.isWhole) - Number(a.isWhole) || a.missing - b.missing || a.netFen - b.netFen)
  const lowest = lessors.find(({ isWhole, own }) => isWhole && own.every(({ isStanding }) => isStanding))
  return lessors.map((lessor) => ({ ...lessor, isLowest: lessor === lowest }))
}
