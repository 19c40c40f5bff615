// Where a unit approves contracts, it approves what binds it more as well.
import { dayOf } from '#shared/calendar.ts'
import { canChange, changeStatus, contractApproval, isOverdue, openChanges } from '#shared/contract/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { paths } from '#shared/paths.ts'
import { nextVersion } from '../db/version.ts'
import type { Deed } from '../deed.ts'
import { mayApprove } from '../demand/scope.ts'
import { Refusal } from '../http/refusal.ts'
import { announceChange, askUnit, changeEvent, lockWithChange, needsApproval, settleChange } from './changes.ts'
import { insertEvent, notifySide } from './events.ts'

/** Asks the unit above about an amendment of the lessor. One of the own side waits for it since it was written. */
export async function askChangeApproval(deed: Deed, id: number): Promise<void> {
  const { db, actor } = deed
  const { change, found } = await lockWithChange(deed, id)
  if (found.side !== 'lessee' || change.side !== 'lessor') throw new Refusal('forbidden')
  const isOpen = change.approval === contractApproval.none || change.approval === contractApproval.returned
  if (change.status !== changeStatus.sent || !isOpen || !(await needsApproval(deed, found, change.input)))
    throw new Refusal('contract_changed')
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
  if (isPassed && !canChange(found.status, terms.kind, change.side)) throw new Refusal('contract_changed')
  if (isPassed && isOverdue({ kind: terms.kind, fromDay: change.fromDay }, dayOf(now))) throw new Refusal('change_approval_late')
  await db
    .updateTable('contractChange')
    .set({
      approval: isPassed ? contractApproval.passed : contractApproval.returned,
      ...(isPassed && isOwn && { status: changeStatus.sent, sentAt: now }),
      version: nextVersion,
    })
    .where('id', '=', id)
    .execute()
  await insertEvent(deed, changeEvent(deed, found, { move: isPassed ? 'changeApprove' : 'changeReject', refId: id, note: reason ?? '' }))
  await notifySide(deed, found, {
    to: 'lessee',
    kind: isPassed ? 'contractChangeApproved' : 'contractChangeRejected',
    params: { change: change.changeCode, reason: reason ?? '', sent: isOwn ? '1' : '' },
    link: paths.contract(found.id, 'changes'),
  })
  if (!isOwn) return
  if (reason === null) await announceChange(deed, found, { ...change, textHash: change.textHash ?? '', terms })
  else await settleChange(deed, id, 'recall', { answer: reason })
}
