import { sql } from 'kysely'
import { liveContracts, type ContractTask } from '#shared/contract/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import type { Context, Deed } from '../deed.ts'
import { refuseField } from '../http/refusal.ts'
import { getPerson } from './queries.ts'
import { findPersonsOf, lockContract } from '../contract/events.ts'
import { mayBeNamed, seenBy } from '../contract/scope.ts'
import { recordNaming } from '../contract/naming.ts'

type At = Pick<Context, 'db' | 'actor' | 'now'>

/** The tasks of the actor, or of a person of their organisation, in contracts that have not ended. */
export async function listTasksOf(at: At, accountId: number) {
  if (accountId !== at.actor.accountId) await getPerson(at.db, at.actor, accountId)
  return at.db
    .selectFrom('contractPerson')
    .innerJoin('contract', 'contract.id', 'contractPerson.contractId')
    .where('contractPerson.accountId', '=', accountId)
    .where('contract.status', 'in', liveContracts)
    .where(seenBy(at))
    .groupBy('contract.id')
    .orderBy('contract.id')
    .select([
      'contract.id',
      'contract.contractCode',
      'contract.title',
      'contract.status',
      sql<ContractTask[]>`json_agg(contract_person.task order by contract_person.task)`.as('tasks'),
    ])
    .execute()
}

type Handing = { id: number; toAccountId: number }

/**
 * Names a colleague in the place of a person for all their tasks. The other sides are told, and each chain keeps it. The tasks are those that the person
 * has under the lock of each contract: whoever is not named any more passes nothing on. Whoever calls is an administrator or hands over what is their
 * own, so they may name signers (`mayNameSigners`).
 */
export async function handOverTasks(deed: Deed, { id: accountId, toAccountId }: Handing): Promise<{ contracts: number }> {
  const { db, actor } = deed
  let contracts = 0
  // In the order of their ids, so two who hand over at the same time do not wait for each other in a circle.
  for (const { id } of await listTasksOf(deed, accountId)) {
    const found = await lockContract(deed, id)
    const before = await findPersonsOf(db, found)
    const theirs = before.filter((named) => named.accountId === accountId)
    if (theirs.length === 0 || !isAmong(found.status, liveContracts)) continue
    const colleague = await db
      .selectFrom('account')
      .where('id', '=', toAccountId)
      .where('id', '<>', accountId)
      .where(mayBeNamed(actor, found))
      // Whoever removes them waits, and then finds what they are named for.
      .forShare()
      .select('id')
      .executeTakeFirst()
    if (!colleague) refuseField(['toAccountId'], 'person_unknown')
    await db
      .insertInto('contractPerson')
      .values(theirs.map(({ task }) => ({ contractId: id, side: found.side, task, accountId: toAccountId })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await db.deleteFrom('contractPerson').where('contractId', '=', id).where('accountId', '=', accountId).execute()
    await recordNaming(deed, found, before)
    contracts++
  }
  return { contracts }
}
