import { sql } from 'kysely'
import { accountStatus, userType } from '#shared/account/rules.ts'
import type { BlacklistLevel } from '#shared/blacklist/rules.ts'
import { toMinute } from '#shared/calendar.ts'
import type { MessageKind } from '#shared/message/kinds.ts'
import { paths } from '#shared/paths.ts'
import { delFlag, yesNo } from '#shared/rules.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import type { Read } from '../db/connect.ts'
import { sendMessages, type Sending } from '../message/queries.ts'
import { isProposer, subjectNames, withSubjectEn } from './queries.ts'

type Entry = { id: number; companyId: number; blacklistCode: string }

/** Sends the people of the blacklisted company a message about the entry. */
export async function notifySubject(
  work: Sending,
  { id, companyId, blacklistCode }: Entry,
  { kind, params = {} }: { kind: MessageKind; params?: Record<string, string> },
): Promise<void> {
  await sendMessages(work, {
    to: { companies: [companyId] },
    kind,
    params: { code: blacklistCode, ...params },
    bizType: 'blacklist',
    bizId: id,
    link: paths.blacklistEntry(id),
  })
}

/** Tells the company that it, its machine or its person is proposed, and until when it may answer. */
export async function notifyProposed(
  work: Sending,
  entry: Entry,
  { until, isEmergency }: { until: Date; isEmergency: boolean },
): Promise<void> {
  const params = { ...(await getSubject(work.db, entry)), until: toMinute(until), emergency: isEmergency ? yesNo.yes : '' }
  await notifySubject(work, entry, { kind: 'blacklistNotified', params })
}

/** Names the machine or the person that the entry is about, or its company. */
async function getSubject(db: Read, { id }: Entry): Promise<{ subjectKind: string; subject: string; subjectEn: string }> {
  const row = await db
    .selectFrom('blacklist')
    .innerJoin('company', 'company.id', 'blacklist.companyId')
    .where('blacklist.id', '=', id)
    .select(['subjectKind', ...subjectNames])
    .executeTakeFirstOrThrow()
  const { subjectKind, subjectName: subject, subjectNameEn: subjectEn } = withSubjectEn(row)
  return { subjectKind, subject, subjectEn }
}

type Decided = Entry & { fromDay: string; toDay: string; level: BlacklistLevel; scopeDeptId: number | null }

/** Tells the company what was decided about it, its machine or its person, and where and how long it holds. */
export async function notifyDecided(work: Sending, entry: Decided): Promise<void> {
  const { fromDay: from, toDay: to, level, scopeDeptId } = entry
  const dept = await work.db
    .selectFrom('dept')
    .where('id', '=', scopeDeptId ?? 0)
    .select('deptName')
    .executeTakeFirst()
  const params = {
    ...(await getSubject(work.db, entry)),
    from,
    to,
    level: zhCn.blacklist.levels[level],
    levelEn: en.blacklist.levels[level],
    scope: dept?.deptName ?? zhCn.blacklist.platform,
    scopeEn: dept?.deptName ?? en.blacklist.platform,
  }
  await notifySubject(work, entry, { kind: 'blacklistInForce', params })
}

/** Notifies the administrators at or above the scope (for the platform its operators with that duty), and the proposer while they still have a part in it. */
export async function notifyDeciders(work: Sending, entry: Entry & { scopeDeptId: number | null }, kind: MessageKind): Promise<void> {
  const { db } = work
  const { rows } = await sql<{ id: number }>`
    select id from account where ${entry.scopeDeptId}::bigint is null and user_type = ${userType.operator} and 'blacklist' = any(duties)
      and status = ${accountStatus.active} and del_flag = ${delFlag.present}
    union select a.id from account a join dept d on d.id = ${entry.scopeDeptId}
    where (a.dept_id = d.id or a.dept_id = any(d.ancestors)) and a.is_admin and a.user_type = ${userType.lessee}
      and a.status = ${accountStatus.active} and a.del_flag = ${delFlag.present}
    union select a.id from blacklist join account a on ${isProposer('a')} where blacklist.id = ${entry.id}`.execute(db)
  const company = await db.selectFrom('company').where('id', '=', entry.companyId).select('enterpriseName').executeTakeFirstOrThrow()
  await sendMessages(work, {
    to: { accounts: rows.map(({ id }) => id) },
    kind,
    params: { code: entry.blacklistCode, company: company.enterpriseName },
    bizType: 'blacklist',
    bizId: entry.id,
    link: paths.blacklistEntry(entry.id),
  })
}
