import { useQuery } from '@tanstack/react-query'
import { listContractChanges } from '#shared/contract/changes.ts'
import { countContracts, getContract, getContractChain, getContractText, listContracts, type Contract } from '#shared/contract/contract.ts'
import { call } from '../../app/api.ts'
import { useFollow } from '../../app/follow.ts'
import { invalidate } from '../../app/queries.ts'
import { callsOfOwnDemands } from '../demand/own-demands.ts'

/** The calls whose answers a move of a contract changes: the contract, its text, chain and amendments, the list with its counts, and its demand. */
export const callsOfContracts = [
  getContract,
  getContractText,
  getContractChain,
  listContractChanges,
  listContracts,
  countContracts,
  ...callsOfOwnDemands,
] as const

export const refreshContracts = () => invalidate(...callsOfContracts)

/**
 * The contract that a form is filled from, which is then followed. An answer from before is not shown while it is fetched again: the form would begin with a
 * version that somebody else has replaced, and no save of it would be accepted.
 */
export function useContractNow(id: string) {
  const contract = useQuery({
    queryKey: [getContract.url, id],
    queryFn: () => call(getContract, { params: { id } }),
    // Also where only the id of the address changes, which mounts nothing again.
    staleTime: 0,
  })
  useFollow('contract', ...callsOfContracts)
  return { ...contract, data: contract.isFetchedAfterMount ? contract.data : undefined }
}

/** What a dialog about a contract needs. */
export type AboutContract = { contract: Contract; onClose: () => void }
