import { fromMoment, hourMs, toMoment } from '../calendar.ts'
import { canMove, isAmong } from '../lifecycle.ts'
import {
  amendHours,
  demandMethod,
  demandMoves,
  demandStatus,
  demandType,
  ownerSteps,
  type DemandActor,
  type DemandMove,
  type DemandStatus,
} from './rules.ts'

const { quoting } = demandStatus

/** Facts that the guards of the moves read. `now` and the deadline are moments as the wire writes them. */
export type DemandFacts = {
  status: DemandStatus
  sealed: boolean
  quoteDeadline: string | null
  /** Quotes that wait to be confirmed after a change are counted as well (decision 35). */
  quoteCount: number
  minQuotes: number
  /** Whether the clock found too few confirmed quotes at the deadline, and told the owner. */
  isToldShort: boolean
}

/** Whether fewer quotes are there, or were confirmed at the deadline, than the demand asks for. Whoever opens it then states why (decision 9). */
export const hasFewQuotes = ({
  quoteCount,
  minQuotes,
  isToldShort,
}: Pick<DemandFacts, 'quoteCount' | 'minQuotes' | 'isToldShort'>): boolean => quoteCount < minQuotes || isToldShort

/** The deadline has passed and fewer quoted than were asked for: extend, go on with a reason, or fail. */
export const isShort = (demand: DemandFacts, now: string): boolean =>
  demand.status === quoting && demand.quoteDeadline !== null && demand.quoteDeadline <= now && hasFewQuotes(demand)

export function canMoveDemand(demand: DemandFacts, move: DemandMove, by: DemandActor, now: string): boolean {
  if (!canMove(demandMoves, move, demand.status, by)) return false
  if (by !== 'owner' || demand.status !== quoting) return true
  switch (move) {
    case 'open':
      return !demand.sealed || isShort(demand, now)
    case 'fail':
      return isShort(demand, now)
    // Enough lessors have quoted, so the demand opens and its deadline can no longer move.
    case 'extend':
      return isShort(demand, now) || (demand.quoteDeadline !== null && demand.quoteDeadline > now)
    case 'amend':
      return demand.quoteDeadline !== null && demand.quoteDeadline > toMoment(new Date(fromMoment(now).getTime() + amendHours * hourMs))
    default:
      return true
  }
}

/**
 * The moment from which an unsealed demand that was last changed then may be opened by hand: whoever has quoted can confirm until then. Null where nothing
 * was changed. It depends on no quote, so it tells nothing of them (decision 35).
 */
const opensByHandFrom = (changedAt: string | null): string | null =>
  changedAt === null ? null : toMoment(new Date(fromMoment(changedAt).getTime() + amendHours * hourMs))

/** When the demand was last changed in a way that quotes may have to be confirmed for. Moments as the wire writes them. */
export const lastChangeOf = (events: readonly { move: string; at: string }[]): string | null =>
  events.findLast(({ move }) => isAmong(move, ownerSteps.extend))?.at ?? null

/**
 * What keeps the owner from opening an unsealed demand by hand now; null where nothing does. `from` is the moment from which they may, and null where
 * the demand opens by itself before: an extension may be shorter than the time to confirm.
 */
export function openWait(
  { sealed, quoteDeadline, events }: Pick<DemandFacts, 'sealed' | 'quoteDeadline'> & { events: readonly { move: string; at: string }[] },
  now: string,
): { from: string | null } | null {
  const from = sealed ? null : opensByHandFrom(lastChangeOf(events))
  if (from === null || from <= now) return null
  return { from: quoteDeadline !== null && from >= quoteDeadline ? null : from }
}

/** Quotes that a demand asks for at least where its owner names no number: one of a single lessor, and no more than are invited. */
const usualQuotes = 3

/** How many quotes a demand asks for at least: as many as its owner says, or as are usual for those whom it asks. */
export function leastQuotes(demand: {
  minQuotes?: number | undefined
  method: string
  demandType: string
  invitedCompanyIds: readonly unknown[]
}): number {
  if (demand.minQuotes !== undefined) return demand.minQuotes
  if (demand.method === demandMethod.direct) return 1
  return demand.demandType === demandType.invited ? Math.max(1, Math.min(usualQuotes, demand.invitedCompanyIds.length)) : usualQuotes
}
