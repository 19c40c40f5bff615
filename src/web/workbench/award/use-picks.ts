import { useState } from 'react'
import type { Offer, Pick } from '#shared/award/rules.ts'
import { useValuesDraft } from '../../app/use-local-draft.ts'

/** The chosen offers of a demand and the reasons for them. The browser stores both until the award; null where nothing can be awarded. */
export function usePicks(demandId: number | null, offers: readonly Offer[]) {
  const [picks, setPicks] = useState<Pick[]>([])
  const [reasons, setReasons] = useState<Record<number, string>>({})
  const { done } = useValuesDraft(
    demandId === null ? null : `award-${demandId}`,
    { picks, reasons },
    (stored) => {
      // An offer may have lapsed since.
      setPicks(stored.picks.filter((pick) => offers.some(({ quoteLineId }) => quoteLineId === pick.quoteLineId)))
      setReasons(stored.reasons)
    },
    { quiet: true },
  )
  return { picks, setPicks, reasons, setReasons, done }
}
