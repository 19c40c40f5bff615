import { countOwnDemands, getOwnDemand, listOwnDemands, mostInStatus } from '#shared/demand/contract.ts'
import { compareQuotes } from '#shared/quote/contract.ts'
import { countText } from '../../app/format.ts'
import { invalidate } from '../../app/queries.ts'

/** The calls whose answers a move of an own demand changes: the demand, its comparison, and the list with its counts. */
export const callsOfOwnDemands = [getOwnDemand, compareQuotes, listOwnDemands, countOwnDemands] as const

export const refreshOwnDemands = () => invalidate(...callsOfOwnDemands)

/** How many demands of a status hold the words that are searched for, as their list says it: with a plus beyond the bound. */
export const countInStatus = (count: number, words: string | undefined): string => {
  const capped = Boolean(words) && count > mostInStatus
  return countText({ total: capped ? mostInStatus : count, capped })
}
