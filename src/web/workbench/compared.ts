import type { Answered } from '#shared/endpoint.ts'
import type { compareQuotes } from '#shared/quote/contract.ts'
import type { CostOffer, LandedCost } from '#shared/quote/landed-cost.ts'

export type Compared = Answered<typeof compareQuotes>
export type ComparedQuote = Compared['quotes'][number]
export type ComparedLine = ComparedQuote['lines'][number]

/** An offer of one line with its landed cost for the duration that is shown. */
export type Cell = { quote: ComparedQuote; line: ComparedLine; cost: LandedCost; offer: CostOffer; choosable: boolean }
