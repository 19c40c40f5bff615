import type { Text } from '../text/zh-cn.ts'
import { contractStatus, type ContractSide, type ContractStatus } from './rules.ts'

/**
 * The state of a contract in words of the side that reads it, null for the platform's people and auditors. Prints and packs are alike for both sides
 * and do not ask this: the lessor is not told to wait for the other
 * side where it is asked itself.
 */
export const contractStatusOf = (
  { contract: words }: Text,
  { status, side }: { status: ContractStatus; side: ContractSide | null },
): string => (status === contractStatus.sent && side === 'lessor' ? words.toConfirm : words.status[status])
