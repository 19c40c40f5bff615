import { useState } from 'react'
import type { LoseReason, Offer, Pick } from '#shared/award/rules.ts'
import { useValuesDraft } from '../../app/use-local-draft.ts'

export type ReasonedPick = Pick & { reason: string }

/** The choice with the reasons that were typed for it, by the id of the quote line, as its award stores them. */
export const withReasons = (picks: readonly Pick[], reasons: Readonly<Record<number, string>>): ReasonedPick[] =>
  picks.map((pick) => ({ ...pick, reason: reasons[pick.quoteLineId] ?? '' }))

/**
 * The chosen offers of a demand and the reasons for them, without those that cannot be awarded any more, whether they were chosen just now or before,
 * and the reasons that the other lessors will read. The browser stores all of them until the award; null where nothing can be awarded.
 */
export function usePicks(demandId: number | null, offers: readonly Offer[]) {
  const [chosen, setPicks] = useState<Pick[]>([])
  const [reasons, setReasons] = useState<Record<number, string>>({})
  const [loseReasons, setLoseReasons] = useState<Record<string, LoseReason>>({})
  const picks = chosen.filter((pick) => offers.some(({ quoteLineId }) => quoteLineId === pick.quoteLineId))
  const { done } = useValuesDraft(
    demandId === null ? null : `award-${demandId}`,
    { picks, reasons, loseReasons },
    (stored) => {
      setPicks(stored.picks)
      setReasons(stored.reasons)
      setLoseReasons(stored.loseReasons)
    },
    { quiet: true },
  )
  return { picks, setPicks, reasons, setReasons, loseReasons, setLoseReasons, done }
}
