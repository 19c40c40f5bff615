import { sql, type RawBuilder } from 'kysely'
import { addDays, dayOf, toMoment } from '#shared/calendar.ts'
import { blacklistRules, emergencyReasons, inForce, type BlacklistStatus } from '#shared/blacklist/rules.ts'
import type { BlacklistDetail } from '#shared/blacklist/contract.ts'
import type { Actor } from '../actor/actor.ts'
import { inScope } from '../actor/scope.ts'
import type { Read } from '../db/connect.ts'

/**
 * Who sees an entry: the organisation whose scope it holds in or that it holds below, the subject once it was told,
 * the operator all, an auditor those of his company.
 */
export function seesEntry(actor: Actor): RawBuilder<boolean> {
  switch (actor.role) {
    case 'leaser':
      return sql<boolean>`(blacklist.company_id = ${actor.companyId} and blacklist.notify_time is not null)`
    case 'leaseholder':
    case 'projectUser':
      return sql<boolean>`(blacklist.scope_dept_id is null and blacklist.status in ('2', '3')
        or ${inScope('blacklist.scope_dept_id', actor)}
        or blacklist.proposer_id = ${actor.accountId}
        or blacklist.scope_dept_id in (select unnest(ancestors) from dept where id = ${actor.deptId}))`
    case 'operator':
      return sql<boolean>`true`
    case 'auditor':
      return inScope('blacklist.scope_dept_id', actor)
    default:
      return sql<boolean>`false`
  }
}

/** Decides for this entry: an administrator at or above its scope, the operator for the platform; never its proposer. */
export function decides(actor: Actor): RawBuilder<boolean> {
  if (actor.role === 'operator') return sql<boolean>`(blacklist.scope_dept_id is null and blacklist.proposer_id <> ${actor.accountId})`
  if (actor.role !== 'leaseholder' || !actor.isAdmin) return sql<boolean>`false`
  return sql<boolean>`(${inScope('blacklist.scope_dept_id', actor)} and blacklist.proposer_id <> ${actor.accountId})`
}

const entries = (db: Read, actor: Actor) =>
  db.selectFrom('blacklist').innerJoin('company', 'company.id', 'blacklist.companyId').where(seesEntry(actor))

const entryColumns = [
  'blacklist.id',
  'blacklistCode',
  'subjectKind',
  'blacklist.companyId',
  'company.enterpriseName as companyName',
  sql<string>`case subject_kind when 'machine' then (select e.name || ' ' || e.equipment_code from equipment e where e.id = blacklist.equipment_id)
    when 'person' then person_name else company.enterprise_name end`.as('subjectName'),
  'level',
  sql<string>`coalesce((select d.dept_name from dept d where d.id = blacklist.scope_dept_id), '')`.as('scopeName'),
  'reasonCode',
  'fromDay',
  'toDay',
  'blacklist.status',
  'blacklist.createTime',
] as const

export async function findEntries(
  db: Read,
  actor: Actor,
  filter: { keyword?: string | undefined; status?: BlacklistStatus | undefined; pageNum: number; pageSize: number },
) {
  const filtered = () => {
    let query = entries(db, actor)
    if (filter.status) query = query.where('blacklist.status', '=', filter.status)
    if (filter.keyword) {
      const pattern = `%${filter.keyword.replace(/[\\%_]/g, '\\$&')}%`
      query = query.where((eb) =>
        eb.or([eb('company.enterpriseName', 'like', pattern), eb('blacklistCode', 'like', pattern.toUpperCase())]),
      )
    }
    return query
  }
  const { total } = await filtered()
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await filtered()
    .orderBy(sql`blacklist.status in ('2', '3') desc`)
    .orderBy('blacklist.id', 'desc')
    .limit(filter.pageSize)
    .offset((filter.pageNum - 1) * filter.pageSize)
    .select(entryColumns)
    .execute()
  return { total, rows }
}

export async function findEntry(db: Read, actor: Actor, id: number, now: Date) {
  const row = await entries(db, actor)
    .innerJoin('account', 'account.id', 'blacklist.proposerId')
    .where('blacklist.id', '=', id)
    .select([
      ...entryColumns,
      'blacklist.equipmentId',
      'personName',
      'scopeDeptId',
      'facts',
      'emergency',
      'proposerId',
      sql<string>`coalesce(nullif(account.name, ''), account.user_name)`.as('proposer'),
      'answerUntil',
      'answer',
      'answerTime',
      'decideTime',
      'decideNote',
      'blacklist.version',
      decides(actor).as('decides'),
      sql<
        BlacklistDetail['files']
      >`coalesce((select json_agg(json_build_object('fileId', f.id, 'name', f.name, 'mime', f.mime, 'part', x.part))
        from blacklist_file x join file f on f.id = x.file_id where x.blacklist_id = blacklist.id), '[]')`.as('files'),
    ])
    .executeTakeFirst()
  if (!row) return undefined
  const isSubject = actor.role === 'leaser'
  const appeals = await db
    .selectFrom('blacklistAppeal')
    .where('blacklistId', '=', id)
    .orderBy('id')
    .select(['id', 'content', 'appealTime', 'upheld', 'decideTime', 'note'])
    .execute()
  const events = await db
    .selectFrom('blacklistEvent')
    .leftJoin('account', 'account.id', 'blacklistEvent.accountId')
    .where('blacklistId', '=', id)
    // A proposal is not the subject's business before it is told.
    .$if(isSubject, (query) => query.where('move', 'not in', ['propose', 'edit']))
    .orderBy('blacklistEvent.id')
    .select(['blacklistEvent.id', 'at', 'move', sql<string>`coalesce(nullif(account.name, ''), account.user_name, '')`.as('who'), 'note'])
    .execute()
  const { proposerId, decides: decider, ...entry } = row
  const { status } = entry
  const mine = proposerId === actor.accountId
  const last = appeals.at(-1)
  const next = last ? addDays(last.appealTime.slice(0, 10), blacklistRules.appealEveryDays) : null
  const appealFrom = next && next > dayOf(now) ? next : null
  const heard = entry.answerTime !== null || (entry.answerUntil !== null && entry.answerUntil <= toMoment(now))
  return {
    ...entry,
    proposer: isSubject ? '' : entry.proposer,
    appeals,
    events: isSubject ? events.map((event) => ({ ...event, who: '' })) : events,
    appealFrom,
    may: {
      edit: mine && status === '0',
      notify: mine && status === '0',
      withdraw: mine && (status === '0' || status === '1'),
      emergency: decider && status === '0' && emergencyReasons.includes(entry.reasonCode),
      decide: decider && status === '1' && heard,
      answer:
        isSubject &&
        entry.answerTime === null &&
        (status === '1' || inForce(status)) &&
        entry.answerUntil !== null &&
        entry.answerUntil > toMoment(now),
      appeal: isSubject && status === '2' && appealFrom === null,
      decideAppeal: decider && status === '3',
      lift: decider && status === '2',
    },
  }
}

/** The own department with those below, and those above it. */
export function findScopes(db: Read, actor: Actor) {
  return db
    .selectFrom('dept')
    .where('delFlag', '=', '0')
    .where('status', '=', '0')
    .where('deptType', '<>', '4')
    .where(sql<boolean>`(${inScope('dept.id', actor)} or dept.id in (select unnest(ancestors) from dept where id = ${actor.deptId}))`)
    .orderBy(sql`cardinality(ancestors)`, 'desc')
    .orderBy('id')
    .limit(2000)
    .select(['id as deptId', 'deptName', 'deptType'])
    .execute()
}

/** Machines that the viewer may know: on the shelf, or hired by his company before. */
export const findMachinesOf = (db: Read, actor: Actor, companyId: number) =>
  db
    .selectFrom('equipment')
    .where('companyId', '=', companyId)
    .where('auditStatus', '=', '2')
    .where('delFlag', '=', '0')
    .where(
      sql<boolean>`(shelf_status = '1' or exists (select 1 from equipment_booking b join award_line l on l.id = b.award_line_id
        join award w on w.id = l.award_id join demand d on d.id = w.demand_id where b.equipment_id = equipment.id and d.company_id = ${actor.companyId}))`,
    )
    .orderBy('id')
    .limit(500)
    .select(['id', 'name', 'equipmentCode'])
    .execute()
