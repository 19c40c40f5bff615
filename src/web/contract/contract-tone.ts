import { contractStatus, type ContractStatus } from '#shared/contract/rules.ts'
import type { Tone } from '../ui/parts.tsx'

/** The colour of a contract's state wherever it is listed. */
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
