import type { ContractSide, ContractStatus } from '#shared/contract/rules.ts'
import { contractStatus } from '#shared/contract/rules.ts'
import type { Text } from '#shared/text/zh-cn.ts'

type Seen = { status: ContractStatus; side: ContractSide | null }

/** The state of a contract in words of the side that reads it: the lessor is not told to wait for the other side where it is asked itself. */
export const contractStatusOf = ({ contract: words }: Text, { status, side }: Seen): string =>
  status === contractStatus.sent && side === 'lessor' ? words.toConfirm : words.status[status]
