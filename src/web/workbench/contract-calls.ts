import { listContractChanges } from '#shared/contract/changes.ts'
import { countContracts, getContract, getContractChain, getContractText, listContracts, type Contract } from '#shared/contract/contract.ts'
import { contractStatus, type ContractStatus } from '#shared/contract/rules.ts'
import { invalidate } from '../app/queries.ts'
import type { Tone } from '../ui/parts.tsx'
import { callsOfOwnDemands } from './own-demands.ts'

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

/** What a dialog about a contract needs. */
export type AboutContract = { contract: Contract; onClose: () => void }

export const contractTone: Record<ContractStatus, Tone> = {
  [contractStatus.draft]: 'plain',
  [contractStatus.sent]: 'amber',
  [contractStatus.inForce]: 'good',
  [contractStatus.running]: 'good',
  [contractStatus.settling]: 'blue',
  [contractStatus.closed]: 'plain',
  [contractStatus.terminated]: 'plain',
  [contractStatus.voided]: 'bad',
}
