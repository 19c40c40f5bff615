// Which contracts stand, in SQL. Below the folder of contracts, because what a contract is told of its companies needs it as well.
import { sql } from 'kysely'
import { boundContracts, changeStatus, contractStatus } from '#shared/contract/rules.ts'
import { literals } from '../db/literals.ts'

/** The last day on which both agreed for the early end of `contract`; null where it was not ended so. */
export const lastDay = sql<string | null>`case when contract.status = ${sql.lit(contractStatus.terminated)} then (
  select c.input -> 'terms' ->> 'lastDay' from contract_change c
  where c.contract_id = contract.id and c.kind = 'terminate' and c.status = ${sql.lit(changeStatus.inForce)}) end`

/** `isStanding` of the rules, for the rows of `contract`. */
export const standsOn = (day: string) =>
  sql<boolean>`(contract.status in (${literals(boundContracts)}) or coalesce(${lastDay} >= ${day}, false))`
