import { useState } from 'react'
import type { Offer, Pick } from '#shared/award/rules.ts'
import { useValuesDraft } from '../../app/use-local-draft.ts'

/**
 * The chosen offers of a demand and the reasons for them, without those that cannot be awarded any more, whether they were chosen just now or before.
 * The browser stores both until the award; null where nothing can be awarded.
 */
export function usePicks(demandId: number | null, offers: readonly Offer[]) {
  const [chosen, setPicks] = useState<Pick[]>([])
  const [reasons, setReasons] = useState<Record<number, string>>({})
  const picks = chosen.filter((pick) => offers.some(({ quoteLineId }) => quoteLineId === pick.quoteLineId))
  const { done } = useValuesDraft(
    demandId === null ? null : `award-${demandId}`,
    { picks, reasons },
    (stored) => {
      setPicks(stored.picks)
      setReasons(stored.reasons)
    },
    { quiet: true },
  )
  return { picks, setPicks, reasons, setReasons, done }
}
