import { listContractChanges } from '#shared/contract/changes.ts'
import { countContracts, getContract, getContractChain, getContractText, listContracts, type Contract } from '#shared/contract/contract.ts'
import { ApiError } from '../../app/api.ts'
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

/** Closes a dialog where the other side or a colleague was faster, and shows how the contract stands now. */
export function closeOutdated(onClose: () => void): void {
  onClose()
  void refreshContracts()
}

/** Shows how the contract stands after a call about it was refused; whatever else went wrong is thrown on. */
export function refreshRefused(problem: Error): void {
  if (!(problem instanceof ApiError)) throw problem
  void refreshContracts()
}

/** What a dialog about a contract needs. */
export type AboutContract = { contract: Contract; onClose: () => void }
