import { sql, type Insertable } from 'kysely'
import { accountStatus, userType } from '#shared/account/rules.ts'
import { dayOf, startOfDay } from '#shared/calendar.ts'
import { passedCertifications, submitsADay, type CertificationKind, type CertificationStep } from '#shared/certification/rules.ts'
import type { MessageKind } from '#shared/message/kinds.ts'
import { paths } from '#shared/paths.ts'
import { delFlag } from '#shared/rules.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import type { DB } from '../db/tables.generated.ts'
import type { Work } from '../deed.ts'
import { Refusal } from '../http/refusal.ts'
import { sendMessages, type Sending } from '../message/queries.ts'

type Event = Omit<Insertable<DB['certificationEvent']>, 'at' | 'action'> & { action: CertificationStep }

export async function insertEvent({ db, now }: Pick<Work, 'db' | 'now'>, event: Event): Promise<void> {
  await db
    .insertInto('certificationEvent')
    .values({ ...event, at: now })
    .execute()
}

/** Refuses to submit a certification that was submitted as often today as it may be. Exact where it is locked. */
export async function refuseManySubmits({ db, now }: Pick<Work, 'db' | 'now'>, certificationId: number): Promise<void> {
  const { submitted } = await db
    .selectFrom('certificationEvent')
    .where('certificationId', '=', certificationId)
    .where('action', '=', 'submit')
    .where('at', '>=', startOfDay(dayOf(now)))
    .select((eb) => eb.fn.countAll<number>().as('submitted'))
    .executeTakeFirstOrThrow()
  if (submitted >= submitsADay) throw new Refusal('day_limit')
}

type News = { id: number; accountIds: readonly number[]; kind: MessageKind; params: Record<string, string> }

/** Sends news of a certification to its people; the message leads to their certifications. */
export const notifyApplicants = (work: Sending, { id, accountIds, kind, params }: News): Promise<void> =>
  sendMessages(work, { to: { accounts: accountIds }, kind, params, bizType: 'certification', bizId: id, link: paths.certification })

type Handed = { id: number; kind: CertificationKind; company: string; parentDeptId: number | null }

/** The operators with that duty, or the administrators at or above the unit that reviews. */
export async function notifyReviewers(work: Sending, { id, kind, company, parentDeptId }: Handed): Promise<void> {
  const people = work.db
    .selectFrom('account')
    .where('account.status', '=', accountStatus.active)
    .where('account.delFlag', '=', delFlag.present)
    .select('account.id')
  const reviewers =
    parentDeptId === null
      ? await people
          .where('userType', '=', userType.operator)
          .where(sql<boolean>`'certification' = any(duties)`)
          .execute()
      : await people
          .where('userType', '=', userType.lessee)
          .where('isAdmin', '=', true)
          .where('auditStatus', 'in', passedCertifications)
          .where(sql<boolean>`dept_id in (select unnest(ancestors || id) from dept where id = ${parentDeptId})`)
          .execute()
  await sendMessages(work, {
    to: { accounts: reviewers.map((one) => one.id) },
    kind: 'certificationWaiting',
    params: { company, kind: zhCn.certification.kinds[kind], kindEn: en.certification.kinds[kind] },
    bizType: 'certification',
    bizId: id,
    link: parentDeptId === null ? paths.review(id) : paths.unitReview(id),
  })
}
