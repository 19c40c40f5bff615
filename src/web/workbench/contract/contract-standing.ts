import type { Contract } from '#shared/contract/contract.ts'
import type { Standing } from '#shared/contract/rules.ts'

/** What the rules ask of a contract to know whether it stands. */
export const standingOf = ({ status, ending }: Pick<Contract, 'status' | 'ending'>): Standing => ({
  status,
  lastDay: ending?.lastDay ?? null,
})
