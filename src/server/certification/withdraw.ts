import { sql } from 'kysely'
import { certificationMoves, mayMove, paperStatus, waitingCertifications, type CertificationStatus } from '#shared/certification/rules.ts'
import { nextVersion } from '../db/version.ts'
import type { Deed, Work } from '../deed.ts'
import { Refusal } from '../http/refusal.ts'
import { insertEvent } from './events.ts'
import { replacePapers } from './papers.ts'
import { nameInForm, unitAbove } from './queries.ts'
import { endReview } from './standing.ts'

/** Takes a certification back from review; a change in review goes back to what was passed. */
export async function withdrawCertification(deed: Deed, id: number): Promise<void> {
  const { db, actor } = deed
  const found = await db
    .selectFrom('certification')
    .where('id', '=', id)
    .where('accountId', '=', actor.accountId)
    .forUpdate()
    .select(['id', 'status', 'accountId'])
    .executeTakeFirst()
  if (!found) throw new Refusal('not_found')
  await withdraw(deed, found, actor.accountId)
}

/**
 * Withdraws whatever somebody who leaves has in review, and gives what they were: nobody decides it any more, and what was passed stays. `which` leaves
 * some out.
 */
export async function withdrawAllOf(
  work: Pick<Work, 'db' | 'now'>,
  accountId: number,
  which = sql<boolean>`true`,
): Promise<{ id: number; name: string }[]> {
  const waiting = await work.db
    .selectFrom('certification')
    .where('accountId', '=', accountId)
    .where(which)
    .where('status', 'in', waitingCertifications)
    .forUpdate()
    .select(['id', 'status', 'accountId', 'name'])
    .execute()
  for (const found of waiting) await withdraw(work, found, null)
  return waiting
}

type Waiting = { id: number; status: CertificationStatus; accountId: number }

/** `by` is null where the person leaves instead of asking for it. */
async function withdraw(work: Pick<Work, 'db' | 'now'>, { id, status, accountId }: Waiting, by: number | null): Promise<void> {
  const { db, now } = work
  if (mayMove('back', status, 'applicant')) await restorePassed(work, id, '')
  else if (mayMove('withdraw', status, 'applicant')) {
    const { to } = certificationMoves.withdraw
    await db.updateTable('certification').set({ status: to, updateTime: now, version: nextVersion }).where('id', '=', id).execute()
    await endReview(db, accountId, to)
  } else throw new Refusal('certification_changed')
  await insertEvent(work, { certificationId: id, accountId: by, action: 'withdraw' })
}

/** Restores form, papers and the unit above as they were passed, when a change in review ends without being passed. */
export async function restorePassed({ db, now }: Pick<Work, 'db' | 'now'>, id: number, reason: string): Promise<void> {
  const { passed, accountId } = await db
    .selectFrom('certification')
    .where('id', '=', id)
    .select(['accountId', 'passedForm as passed'])
    .executeTakeFirstOrThrow()
  // The database keeps no change in review without what was passed.
  if (!passed) throw new Refusal('certification_changed')
  const { to } = certificationMoves.back
  await db
    .updateTable('certification')
    .set({
      status: to,
      reason,
      fieldReasons: '[]',
      updateTime: now,
      version: nextVersion,
      form: JSON.stringify(passed.form),
      name: nameInForm(passed.form),
      parentDeptId: unitAbove,
    })
    .where('id', '=', id)
    .execute()
  await replacePapers(db, id, { papers: passed.documents, accepted: [] })
  await db.updateTable('certificationDocument').set({ status: paperStatus.passed }).where('certificationId', '=', id).execute()
  await db.updateTable('account').set({ auditStatus: to }).where('id', '=', accountId).execute()
}
