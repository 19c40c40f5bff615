import { quoteStatus, type OfferBar, type QuoteStatus } from './rules.ts'

type Offerer = { status: QuoteStatus; bars: readonly OfferBar[] }

type OfferedLine = { availableQty: number; isOver: boolean }

/** Whether at least one machine of the offer may be awarded now. */
export const mayBeAwarded = ({ status, bars }: Offerer, { availableQty, isOver }: OfferedLine): boolean =>
  status === quoteStatus.reviewing && bars.length === 0 && !isOver && availableQty > 0

/** Whether the offer counts where the best of a line is marked: it may be awarded, or an award has judged it. */
export const isStanding = (quote: Offerer, line: OfferedLine): boolean =>
  mayBeAwarded(quote, line) || quote.status === quoteStatus.won || quote.status === quoteStatus.lost

/** An offer of one line; `netFen` is its landed cost for all its machines. */
export type RankedOffer = { qty: number; netFen: number; isStanding: boolean }

export const netForMachine = ({ netFen, qty }: Omit<RankedOffer, 'isStanding'>): number => netFen / qty

/**
 * How much an offer is above the lowest standing one of its line, for one machine: in fen and as a share of the lowest, 0 for the lowest itself.
 * Null for an offer that does not stand.
 */
export function aboveLowest(offer: RankedOffer, offersOfLine: readonly RankedOffer[]): { fen: number; share: number } | null {
  if (!offer.isStanding) return null
  const lowest = Math.min(...offersOfLine.filter((other) => other.isStanding).map(netForMachine))
  const fen = Math.round(netForMachine(offer) - lowest)
  return { fen, share: fen > 0 ? fen / lowest : 0 }
}

type Awarded = { lines: readonly { quoteLineId: number; qty: number }[] }

/** What became of one line of a quote: an award takes lines, not quotes. Null while nothing is decided. */
export function outcomeOf({ status }: { status: QuoteStatus }, line: { id: number }, award: Awarded | null): { won: number } | null {
  if (!award || (status !== quoteStatus.won && status !== quoteStatus.lost)) return null
  return { won: award.lines.filter(({ quoteLineId }) => quoteLineId === line.id).reduce((sum, { qty }) => sum + qty, 0) }
}
