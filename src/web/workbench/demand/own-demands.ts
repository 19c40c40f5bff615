import { countOwnDemands, getOwnDemand, listOwnDemands } from '#shared/demand/contract.ts'
import { compareQuotes } from '#shared/quote/contract.ts'
import { invalidate } from '../../app/queries.ts'

/** The calls whose answers a move of an own demand changes: the demand, its comparison, and the list with its counts. */
export const callsOfOwnDemands = [getOwnDemand, compareQuotes, listOwnDemands, countOwnDemands] as const

export const refreshOwnDemands = () => invalidate(...callsOfOwnDemands)
