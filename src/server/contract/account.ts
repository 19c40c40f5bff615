// Another bank account of the lessor: while it waits its day it may be stopped, and then it holds.
import { sql } from 'kysely'
import { toMoment } from '#shared/calendar.ts'
import { changeStatus, waitsItsDay } from '#shared/contract/rules.ts'
import { nextVersion } from '../db/version.ts'
import type { Deed } from '../deed.ts'
import { Refusal } from '../http/refusal.ts'
import { workThrough, type Queue } from '../queue/queue.ts'
import type { Services } from '../services.ts'
import { insertChangeStep, lockChange, notifyOfAccount, notifyOfChange } from './change-steps.ts'
import { insertEvent, nameOfSide, refuseNonSigner } from './events.ts'
import { makeSalt, sha256 } from './digest.ts'

/** Stops another bank account that waits its day, so that the present one stays. A signer or an administrator of either side may. */
export async function stopAccount(deed: Deed, { id, answer }: { id: number; answer: string }): Promise<void> {
  const { db, now, actor } = deed
  const { change, found } = await lockChange(deed, id, 'stop')
  if (!actor.isAdmin) await refuseNonSigner(db, actor, found)
  if (change.input.terms.kind !== 'account' || !waitsItsDay(change, toMoment(now))) throw new Refusal('contract_changed')
  const stopped = await db
    .updateTable('contractChange')
    .set({ status: changeStatus.stopped, answer, effectiveAt: null, version: nextVersion })
    .where('id', '=', id)
    .where('status', '=', changeStatus.inForce)
    .where('appliedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!stopped) throw new Refusal('contract_changed')
  await insertChangeStep(deed, found, { move: 'changeStop', refId: id, note: answer })
  const params = { company: await nameOfSide(db, found, found.side), change: change.changeCode, reason: answer }
  await notifyOfChange(deed, found, { to: 'lessee', kind: 'contractAccountStopped', params })
  await notifyOfAccount(deed, found, { kind: 'contractAccountStopped', params })
}

/** Bank accounts whose day of waiting is over. */
const dueAccounts: Queue<{ key: string; id: number }> = {
  job: 'contracts',
  find: (db, now, ready) =>
    db
      .selectFrom('contractChange')
      .where('status', '=', changeStatus.inForce)
      .where('effectiveAt', '<=', now.toISOString())
      .where('appliedAt', 'is', null)
      .where(ready(sql`'account:' || contract_change.id`))
      .orderBy('effectiveAt')
      .limit(100)
      .select(['id', sql<string>`'account:' || id`.as('key')])
      .execute(),
  async run(work, { id }) {
    const { db, now } = work
    // The contract before its amendment, in the order of those who stop it.
    const locked = db
      .selectFrom('contract')
      .where('id', '=', (eb) => eb.selectFrom('contractChange').where('contractChange.id', '=', id).select('contractId'))
    await locked.select('id').forNoKeyUpdate().execute()
    const change = await db
      .updateTable('contractChange')
      .set({ appliedAt: now })
      .where('id', '=', id)
      .where('status', '=', changeStatus.inForce)
      .where('appliedAt', 'is', null)
      .returning(['contractId', 'changeCode', 'input'])
      .executeTakeFirst()
    if (!change || change.input.terms.kind !== 'account') return false
    const { bankName, bankAccount } = change.input.terms
    const accountSalt = makeSalt()
    const contract = await db
      .updateTable('contract')
      .set({ bankName, bankAccount, accountSalt, updateTime: now, version: nextVersion })
      .where('id', '=', change.contractId)
      .returning(['id', 'deptId', 'lessorCompanyId', 'title', 'contractCode'])
      .executeTakeFirstOrThrow()
    await insertEvent(work, {
      contractId: contract.id,
      accountId: null,
      side: null,
      move: 'account',
      refKind: 'change',
      refId: id,
      digest: sha256(JSON.stringify([bankName, bankAccount, accountSalt])),
    })
    const params = { change: change.changeCode }
    await notifyOfChange(work, contract, { to: 'lessee', kind: 'contractAccountHolds', params })
    await notifyOfAccount(work, contract, { kind: 'contractOwnAccountHolds', params })
    return true
  },
}

/** Puts new bank accounts in force, a day after the lessee was told. Gives how many. */
export const applyDueAccounts = (services: Services, signal?: AbortSignal) => workThrough(services, dueAccounts, signal)
