// Where a unit approves contracts, it approves what binds it more as well.
import { sql } from 'kysely'
import { dayOf } from '#shared/calendar.ts'
import { canChange, changeMoves, changeStatus, contractApproval, openChanges } from '#shared/contract/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { paths } from '#shared/paths.ts'
import { yesNo } from '#shared/rules.ts'
import type { Read } from '../db/connect.ts'
import { nextVersion } from '../db/version.ts'
import type { Deed } from '../deed.ts'
import { mayApprove, wantsApproval } from '../demand/scope.ts'
import { Refusal } from '../http/refusal.ts'
import { workThrough, type Queue } from '../queue/queue.ts'
import type { Services } from '../services.ts'
import { isOverdueOn, refuseHindered } from './change-hindrances.ts'
import { insertChangeStep, lockWithChange, notifyOfChange, settleChange } from './change-steps.ts'
import { announceChange, askUnit, needsApproval } from './changes.ts'
import { insertEvent, notifySide, standingOf } from './events.ts'

/** Asks the unit above about an amendment of the lessor. One of the own side waits for it since it was written. */
export async function askChangeApproval(deed: Deed, id: number): Promise<void> {
  const { db, actor } = deed
  const { change, found } = await lockWithChange(deed, id)
  if (found.side !== 'lessee' || change.side !== 'lessor') throw new Refusal('forbidden')
  const isOpen = change.approval === contractApproval.none || change.approval === contractApproval.returned
  if (change.status !== changeStatus.sent || !isOpen || !(await needsApproval(deed, found, change.input)))
    throw new Refusal('contract_changed')
  await refuseHindered(deed, found, change)
  await db
    .updateTable('contractChange')
    .set({ approval: contractApproval.waiting, approvalAskedBy: actor.accountId, version: nextVersion })
    .where('id', '=', id)
    .execute()
  await askUnit(deed, found, change)
}

/**
 * The unit above decides; whoever asked cannot. An amendment of the own side is sent by its approval and withdrawn without it; one of the lessor may be
 * confirmed after it, or asked about again.
 */
export async function decideChange(deed: Deed, { id, reason }: { id: number; reason: string | null }): Promise<void> {
  const { db, actor, now } = deed
  const { change, found } = await lockWithChange(deed, id)
  if (!(await mayApprove(db, actor, found.deptId, 'approves_contracts')) || change.approvalAskedBy === actor.accountId)
    throw new Refusal('forbidden')
  if (change.approval !== contractApproval.waiting || !isAmong(change.status, openChanges)) throw new Refusal('contract_changed')
  const isPassed = reason === null
  const isOwn = change.status === changeStatus.draft
  const { terms } = change.input
  if (isPassed) {
    await refuseHindered(deed, found, change, 'change_approval_late')
    if (!canChange(await standingOf(db, found), terms.kind, change.side, dayOf(now))) throw new Refusal('contract_changed')
  }
  await db
    .updateTable('contractChange')
    .set({
      approval: isPassed ? contractApproval.passed : contractApproval.returned,
      ...(isPassed && isOwn && { status: changeStatus.sent, sentAt: now }),
      version: nextVersion,
    })
    .where('id', '=', id)
    .execute()
  await insertChangeStep(deed, found, { move: isPassed ? 'changeApprove' : 'changeReject', refId: id, note: reason ?? '' })
  await notifySide(deed, found, {
    to: 'lessee',
    kind: isPassed ? 'contractChangeApproved' : 'contractChangeRejected',
    params: { change: change.changeCode, reason: reason ?? '', sent: isOwn ? yesNo.yes : '' },
    link: paths.contract(found.id, 'changes'),
  })
  if (!isOwn) return
  if (reason === null) await announceChange(deed, found, { ...change, textHash: change.textHash ?? '', terms })
  else await settleChange(deed, id, 'recall', { answer: reason })
}

/** Whether no unit wants to approve the amendments of `contract` any more. */
const isUnasked = sql<boolean>`not ${wantsApproval(sql.ref('contract.dept_id'), 'approves_contracts')}`

/** Own amendments that wait for an approval in vain, with their contracts: no unit wants it any more, or nobody may confirm them after it. */
const changesInVain = (db: Read, now: Date) =>
  db
    .selectFrom('contractChange')
    .innerJoin('contract', 'contract.id', 'contractChange.contractId')
    .where('contractChange.status', '=', sql.lit(changeStatus.draft))
    .where('contractChange.approval', '=', sql.lit(contractApproval.waiting))
    .where((eb) => eb.or([isUnasked, isOverdueOn('contract_change', dayOf(now))]))

const changesToTakeBack: Queue<{ key: string; id: number }> = {
  job: 'contracts',
  find: (db, now, ready) =>
    changesInVain(db, now)
      .where(ready(sql`'unasked:' || contract_change.id`))
      .orderBy('contractChange.id')
      .limit(100)
      .select(['contractChange.id', sql<string>`'unasked:' || contract_change.id`.as('key')])
      .execute(),
  async run(work, { id }) {
    const { db, now } = work
    // Only a statement that begins after the wait finds a decision of this moment.
    const ofChange = db.selectFrom('contractChange').where('contractChange.id', '=', id).select('contractId')
    await db.selectFrom('contract').where('id', '=', ofChange).forNoKeyUpdate().select('id').execute()
    const found = await changesInVain(db, now)
      .where('contractChange.id', '=', id)
      .select(['contract.id', 'contract.deptId', 'contract.lessorCompanyId', 'contract.title', 'contract.contractCode', 'changeCode'])
      .select(isUnasked.as('isUnasked'))
      .executeTakeFirst()
    if (!found) return false
    const { approval, move, kind } = found.isUnasked
      ? ({ approval: contractApproval.returned, move: 'changeApprovalOff', kind: 'contractChangeApprovalOff' } as const)
      : ({ approval: contractApproval.none, move: 'changeApprovalLate', kind: 'contractChangeApprovalLate' } as const)
    await db
      .updateTable('contractChange')
      .set({ status: changeMoves.recall.to, approval, answeredAt: now, version: nextVersion })
      .where('id', '=', id)
      .execute()
    await insertEvent(work, { contractId: found.id, accountId: null, side: null, move, refKind: 'change', refId: id })
    await notifyOfChange(work, found, { to: 'lessee', kind, params: { change: found.changeCode } })
    return true
  },
}

/**
 * Takes amendments of the lessee back where approval was switched off, or the department was moved away from the unit that wanted it, and where the
 * approval did not come in time, so that the next one may be proposed by either side. Tells whoever proposes them. Gives how many.
 */
export const takeBackChanges = (services: Services, signal?: AbortSignal) => workThrough(services, changesToTakeBack, signal)
