/** Of somebody's choice that needs the consent of the unit above. */
export const awardRequestStatus = { waiting: '1', approved: '2', rejected: '3' } as const
export const awardRequestStatuses = Object.values(awardRequestStatus)
export type AwardRequestStatus = (typeof awardRequestStatus)[keyof typeof awardRequestStatus]

/** Why a quote lost, as the lessee tells its lessor. */
export const loseReasons = ['price', 'spec', 'time', 'papers', 'rating', 'other'] as const
export type LoseReason = (typeof loseReasons)[number]

export type Offer = {
  quoteLineId: number
  quoteId: number
  demandItemId: number
  companyId: number
  qty: number
  netFen: number
  earliestEntry: string
}
export type Pick = { demandItemId: number; quoteLineId: number; qty: number }

/** The part of an offer whose machines may still be let, at the same price for a machine. */
export const standingOffer = (offer: Offer, availableQty: number): Offer => ({
  ...offer,
  qty: availableQty,
  netFen: Math.round((offer.netFen / offer.qty) * availableQty),
})

/**
 * The first day on which the lessor can enter, where that is later than planned. The award and its contract keep the planned day, so this one is
 * named beside it.
 */
export const laterEntry = ({ planStart }: { planStart: string }, { earliestEntry }: { earliestEntry: string }): string | null =>
  earliestEntry > planStart ? earliestEntry : null

/** The day from which an offer serves its line: to enter before the hire begins is no merit. */
export const entryDay = (item: { planStart: string }, offer: { earliestEntry: string }): string => laterEntry(item, offer) ?? item.planStart

const perMachine = ({ netFen, qty }: { netFen: number; qty: number }) => netFen / qty

/** Fills a line's quantity from offers in the given order of preference. */
function fill(needed: number, offers: readonly Offer[]): Pick[] {
  const picks: Pick[] = []
  let open = needed
  for (const offer of offers) {
    if (open <= 0) break
    const qty = Math.min(open, offer.qty)
    picks.push({ demandItemId: offer.demandItemId, quoteLineId: offer.quoteLineId, qty })
    open -= qty
  }
  return picks
}

export type Strategy = 'lowestLine' | 'lowestLessor' | 'earliest'

/** Three one-click strategies: cheapest for each line, the cheapest single lessor for all lines, the earliest entry. */
export function propose(
  strategy: Strategy,
  items: readonly { id: number; qty: number; planStart: string }[],
  offers: readonly Offer[],
): Pick[] {
  const of = (itemId: number) => offers.filter((offer) => offer.demandItemId === itemId)
  switch (strategy) {
    case 'lowestLine':
      return items.flatMap((item) =>
        fill(
          item.qty,
          of(item.id).toSorted((a, b) => perMachine(a) - perMachine(b)),
        ),
      )
    case 'earliest':
      return items.flatMap((item) =>
        fill(
          item.qty,
          of(item.id).toSorted((a, b) => entryDay(item, a).localeCompare(entryDay(item, b)) || perMachine(a) - perMachine(b)),
        ),
      )
    case 'lowestLessor': {
      const companies = [...new Set(offers.map((offer) => offer.companyId))]
      const whole = companies
        .map((companyId) => {
          const own = offers.filter((offer) => offer.companyId === companyId)
          const picks = items.flatMap((item) =>
            fill(
              item.qty,
              own.filter((offer) => offer.demandItemId === item.id),
            ),
          )
          const covered = items.every(
            (item) => picks.filter((pick) => pick.demandItemId === item.id).reduce((sum, pick) => sum + pick.qty, 0) === item.qty,
          )
          return { picks, covered, cost: costOf(picks, own) }
        })
        .filter(({ covered }) => covered)
        .toSorted((a, b) => a.cost - b.cost)
      return whole[0]?.picks ?? []
    }
  }
}

export function costOf(picks: readonly Pick[], offers: readonly Offer[]): number {
  return picks.reduce((sum, pick) => {
    const offer = offers.find(({ quoteLineId }) => quoteLineId === pick.quoteLineId)
    return sum + (offer ? Math.round(perMachine(offer) * pick.qty) : 0)
  }, 0)
}

/**
 * The reason that a losing quote is told unless somebody picks another: not the price where it offers a line for less than an offer that was chosen. The
 * offers are all that were opened, also those that may not be chosen.
 */
export function usualLoseReason(
  quoteId: number,
  picks: readonly Pick[],
  offers: readonly Omit<Offer, 'companyId' | 'earliestEntry'>[],
): LoseReason {
  const fen = (offer: { netFen: number; qty: number }) => Math.round(perMachine(offer))
  const isCheaper = picks.some((pick) => {
    const chosen = offers.find(({ quoteLineId }) => quoteLineId === pick.quoteLineId)
    const own = offers.find((offer) => offer.quoteId === quoteId && offer.demandItemId === pick.demandItemId)
    return chosen && own && fen(own) < fen(chosen)
  })
  return isCheaper ? 'other' : 'price'
}

/** Whether choosing this offer passes over a cheaper one with machines left, so that a reason is due. */
export function passesOverCheaper(pick: Pick, picks: readonly Pick[], offers: readonly Offer[]): boolean {
  const chosen = offers.find(({ quoteLineId }) => quoteLineId === pick.quoteLineId)
  if (!chosen) return false
  return offers.some((offer) => {
    if (offer.demandItemId !== pick.demandItemId || offer.quoteLineId === pick.quoteLineId) return false
    if (Math.round(perMachine(offer)) >= Math.round(perMachine(chosen))) return false
    const used = picks.find(({ quoteLineId }) => quoteLineId === offer.quoteLineId)?.qty ?? 0
    return used < offer.qty
  })
}
