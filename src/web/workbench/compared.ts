import { standingOffer, type Offer } from '#shared/award/rules.ts'
import type { Answered } from '#shared/endpoint.ts'
import type { compareQuotes } from '#shared/quote/contract.ts'
import type { CostOffer, LandedCost } from '#shared/quote/landed-cost.ts'

export type Compared = Answered<typeof compareQuotes>
export type ComparedQuote = Compared['quotes'][number]
export type ComparedLine = ComparedQuote['lines'][number]

/** An offer of one line with its landed cost for the duration that is shown. */
export type Cell = { quote: ComparedQuote; line: ComparedLine; cost: LandedCost; offer: CostOffer; choosable: boolean }

const toFen = (yuan: string) => Math.round(Number(yuan) * 100)

export function offerOf(line: ComparedLine): CostOffer {
  return {
    qty: line.qty,
    unitPriceFen: toFen(line.unitPrice),
    rentUnit: line.rentUnit,
    includesOperator: line.includesOperator,
    includesFuel: line.includesFuel,
    entryFeeFen: toFen(line.entryFee),
    exitFeeFen: toFen(line.exitFee),
    erectionFeeFen: toFen(line.erectionFee),
    inspectionFeeFen: toFen(line.inspectionFee),
    otherFeeFen: toFen(line.otherFee),
    taxRate: line.taxRate,
    invoiceKind: line.invoiceKind,
    minRentDays: line.minRentDays,
  }
}

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
