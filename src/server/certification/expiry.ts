import { sql } from 'kysely'
import { addDays, dayOf, daysBetween } from '#shared/calendar.ts'
import {
  certificationMoves,
  certificationStatus,
  passedCertifications,
  reachedThreshold,
  reminderDays,
  signOf,
  type CertificationKind,
} from '#shared/certification/rules.ts'
import { yesNo } from '#shared/rules.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { literals } from '../db/literals.ts'
import { nextVersion } from '../db/version.ts'
import type { Sending } from '../message/queries.ts'
import { workThrough, type Queue } from '../queue/queue.ts'
import type { Services } from '../services.ts'
import { insertEvent, notifyApplicants } from './events.ts'
import { endRole, lockRole } from './review.ts'
import { startReview, statusAfterEnd, updateValidity } from './standing.ts'

type Paper = {
  key: string
  id: number
  accountId: number
  companyId: number | null
  kind: CertificationKind
  name: string
  paper: string
  validTo: string
  threshold: number
}

/** At each index the threshold that a paper with so many days left has reached. */
const thresholdByDaysLeft = Array.from({ length: reminderDays[0] + 1 }, (_, daysLeft) => reachedThreshold(daysLeft))

/** The papers of a certification `c` with their last days. A date in a form that is none must not keep everybody else's papers from being found. */
const papersOf = sql`(
  select d.kind as paper, d.valid_to from certification_document d where d.certification_id = c.id and d.valid_to is not null
  union select 'license', case when pg_input_is_valid(c.form ->> 'licenseValidTo', 'date') then (c.form ->> 'licenseValidTo')::date end)`

/**
 * Papers in force that run out and whose owner has no reminder of the threshold they have reached. A certification is valid until the first of its papers
 * ends.
 */
const papersThatRunOut: Queue<Paper> = {
  job: 'certifications',
  async find(db, now, ready) {
    const today = dayOf(now)
    const key = sql`concat_ws(':', 'remind', c.id, p.paper, p.valid_to, t.threshold)`
    const { rows } = await sql<Paper>`
      select ${key} as key, c.id, c.account_id as "accountId", c.company_id as "companyId", c.kind, c.name, p.paper, p.valid_to as "validTo", t.threshold
      from certification c, lateral ${papersOf} p,
      unnest(${thresholdByDaysLeft}::int[]) with ordinality as t (threshold, place)
      where c.status in (${literals(passedCertifications)}) and c.valid_to <= ${addDays(today, reminderDays[0])}::date
        and t.place = p.valid_to - ${today}::date + 1
        and not exists (select 1 from reminder r where r.subject = 'certification' and r.subject_id = c.id and r.paper = p.paper
          and r.valid_to = p.valid_to and r.threshold = t.threshold)
        and ${ready(key)}
      order by p.valid_to limit 2000`.execute(db)
    return rows
  },
  async run(work, { id, accountId, companyId, kind, name, paper, validTo, threshold }) {
    const { db, now } = work
    const { rows: inForce } = await sql`select from certification c, lateral ${papersOf} p where c.id = ${id}
      and c.status in (${literals(passedCertifications)}) and p.paper = ${paper} and p.valid_to = ${validTo}::date`.execute(db)
    // It was renewed or revoked meanwhile.
    if (inForce.length === 0) return false
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('reminder')
      .values({ subject: 'certification', subjectId: id, paper, validTo, threshold, at: now })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (!numInsertedOrUpdatedRows) return false
    const kindOfPaper = paper as 'license'
    const params = {
      company: name,
      paper: zhCn.certification.documents[kindOfPaper],
      paperEn: en.certification.documents[kindOfPaper],
      day: validTo,
      days: String(daysBetween(dayOf(now), validTo)),
    }
    // Whoever handed the papers in may have left; the administrators renew them then.
    const admins = await db
      .selectFrom('account')
      .where('companyId', '=', companyId)
      .where('userType', '=', signOf[kind].userType)
      .where('isAdmin', '=', true)
      .select('id')
      .execute()
    await notifyApplicants(work, { id, accountIds: [accountId, ...admins.map((one) => one.id)], kind: 'certificationExpiring', params })
    return true
  },
}

/**
 * A certification that has run out ends, and a change of it that is in review goes on as an application. The role and the machines on the shelf stay while
 * a colleague's keeps the company certified.
 */
const certificationsThatRanOut: Queue<{ key: string; id: number }> = {
  job: 'certifications',
  batch: 200,
  find: (db, now, ready) =>
    db
      .selectFrom('certification')
      .where('status', 'in', passedCertifications)
      .where('validTo', '<', dayOf(now))
      .where(ready(sql`'expire:' || certification.id`))
      .orderBy('validTo')
      .limit(200)
      .select(['id', sql<string>`'expire:' || id`.as('key')])
      .execute(),
  async run(work, { id }) {
    const { db, now } = work
    await lockRole(db, id)
    const ended = await db
      .updateTable('certification')
      .set({ status: statusAfterEnd, updateTime: now, version: nextVersion })
      .where('id', '=', id)
      .where('status', 'in', passedCertifications)
      .where('validTo', '<', dayOf(now))
      .returning(['accountId', 'companyId', 'kind', 'name', 'validTo', 'status'])
      .executeTakeFirst()
    if (!ended) return false
    const { accountId, companyId, kind, name, validTo, status } = ended
    await insertEvent(work, { certificationId: id, accountId: null, action: 'expire', note: validTo ?? '' })
    const isStillCertified = companyId !== null && (await updateValidity(work, { companyId, kind }))
    const accountIds = isStillCertified ? [accountId] : await endRole(work, { accountId, kind, move: 'expire', by: null, reason: '' })
    if (status === certificationMoves.outlast.to) await startReview(db, { accountId, kind })
    const params = { company: name, day: validTo ?? '', stays: isStillCertified ? yesNo.yes : '' }
    await notifyOfEnd(work, { id, kind, accountIds, params })
    return true
  },
}

type End = { id: number; kind: CertificationKind; accountIds: readonly number[]; params: Record<string, string> }

/** Tells the people that a certification has run out; whoever has an application in review need not submit another one. */
async function notifyOfEnd(work: Sending, { id, kind, accountIds, params }: End): Promise<void> {
  const inReview = await work.db
    .selectFrom('certification')
    .where('kind', '=', kind)
    .where('status', '=', certificationStatus.inReview)
    .where(sql<boolean>`account_id = any(${[...accountIds]}::bigint[])`)
    .select('accountId')
    .execute()
  const applicants = inReview.map(({ accountId }) => accountId)
  const others = accountIds.filter((one) => !applicants.includes(one))
  const news = { id, kind: 'certificationExpired' } as const
  await notifyApplicants(work, { ...news, accountIds: applicants, params: { ...params, waits: yesNo.yes } })
  await notifyApplicants(work, { ...news, accountIds: others, params: { ...params, waits: '' } })
}

/** Reminds of documents that expire, once at each threshold. Gives how many reminders were sent. */
export const remindOfPapers = (services: Services, signal?: AbortSignal) => workThrough(services, papersThatRunOut, signal)

/** Ends the certifications that ran out. Gives how many. */
export const expireCertifications = (services: Services, signal?: AbortSignal) => workThrough(services, certificationsThatRanOut, signal)
