import { sql, type RawBuilder } from 'kysely'
import { accountStatus, userType } from '#shared/account/rules.ts'
import type * as contract from '#shared/blacklist/contract.ts'
import type { BlacklistDetail } from '#shared/blacklist/contract.ts'
import { levelName } from '#shared/blacklist/level-name.ts'
import {
  blacklistRules,
  blacklistStatus,
  emergencyReasons,
  entriesInForce,
  entriesToDecide,
  inForce,
  mayDrop,
} from '#shared/blacklist/rules.ts'
import { addDays, dayOf, toMoment } from '#shared/calendar.ts'
import { deptType } from '#shared/dept/rules.ts'
import type { Download, Received } from '#shared/endpoint.ts'
import { machineNameEn, type MachineNameParts } from '#shared/equipment/name.ts'
import { equipmentAudit, shelfStatus } from '#shared/equipment/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { delFlag, enableStatus, exportLimit } from '#shared/rules.ts'
import { nameIn } from '#shared/text/name-in.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import type { Actor } from '../actor/actor.ts'
import { nameOf } from '../actor/name.ts'
import { byDeptsInScope, inScope } from '../actor/scope.ts'
import type { Read } from '../db/connect.ts'
import { literals } from '../db/literals.ts'
import { paged, sorted } from '../db/paging.ts'
import { contains } from '../db/search.ts'
import type { Context } from '../deed.ts'
import { nameColumns, nameParts } from '../equipment/names.ts'
import { Refusal } from '../http/refusal.ts'
import { listWorkbook } from '../workbook/list-workbook.ts'

const isInForce = sql<boolean>`blacklist.status in (${literals(entriesInForce)})`

/**
 * Who sees an entry: the organisation whose scope it holds in or that it holds below, the subject once it was notified,
 * the operator all, an auditor those of their company.
 */
export function seesEntry(actor: Actor): RawBuilder<boolean> {
  switch (actor.role) {
    case 'leaser':
      return sql<boolean>`(blacklist.company_id = ${actor.companyId} and blacklist.notify_time is not null)`
    case 'leaseholder':
    case 'projectUser':
      // Each way has its index.
      return sql<boolean>`blacklist.id = any(array(
        select blacklist.id from blacklist where blacklist.scope_dept_id is null and ${isInForce}
        union all select b.id from blacklist b where ${byDeptsInScope('b.scope_dept_id', actor)}
        union all select blacklist.id from blacklist where ${isProposedBy(actor)}
        union all select b.id from blacklist b where b.scope_dept_id = any(array(select unnest(ancestors) from dept where id = ${actor.deptId}))))`
    case 'operator':
      return sql<boolean>`true`
    case 'auditor':
      return inScope('blacklist.scope_dept_id', actor)
    default:
      return sql<boolean>`false`
  }
}

/** Whether this person proposed the `blacklist` entry and still has a part in it. */
export const isProposedBy = ({ accountId }: Actor): RawBuilder<boolean> =>
  sql<boolean>`(blacklist.proposer_id = ${accountId} and exists (select from account a where ${isProposer('a')}))`

/**
 * Whether the account under this alias proposed the `blacklist` entry and still has a part in it: an operator with that duty in the platform's, a lessee's
 * people in that of a unit of the company that they belong to now.
 */
export const isProposer = (account: string): RawBuilder<boolean> => {
  const of = (column: string) => sql.ref(`${account}.${column}`)
  return sql<boolean>`(${of('id')} = blacklist.proposer_id and case
    when ${of('user_type')} = ${sql.lit(userType.operator)} then blacklist.scope_dept_id is null and 'blacklist' = any(${of('duties')})
    when ${of('user_type')} in (${literals([userType.lessee, userType.project])})
      then exists (select from dept d where d.id = blacklist.proposer_dept_id and d.company_id = ${of('company_id')})
    else false end)`
}

/** Whether whoever proposed the `blacklist` entry may still move it: they have a part in it and an account to act with. */
export const hasProposer = sql<boolean>`exists (select from account a where ${isProposer('a')}
  and a.status = ${sql.lit(accountStatus.active)} and a.del_flag = ${sql.lit(delFlag.present)})`

/** Whether somebody is to decide about the `blacklist` entry: in its hearing or its appeal, and about a proposal that nobody pursues any more (`mayDrop`). */
export const isToDecide = sql<boolean>`(blacklist.status in (${literals(entriesToDecide)})
  or (blacklist.status = ${sql.lit(blacklistStatus.proposed)} and not ${hasProposer}))`

/** Who decides about an entry: an administrator at or above its scope, the operator for the platform; never its proposer. */
export function decides(actor: Actor): RawBuilder<boolean> {
  if (actor.role === 'operator') return sql<boolean>`(blacklist.scope_dept_id is null and blacklist.proposer_id <> ${actor.accountId})`
  if (actor.role !== 'leaseholder' || !actor.isAdmin) return sql<boolean>`false`
  return sql<boolean>`(${inScope('blacklist.scope_dept_id', actor)} and blacklist.proposer_id <> ${actor.accountId})`
}

const visibleEntries = (db: Read, actor: Actor) =>
  db.selectFrom('blacklist').innerJoin('company', 'company.id', 'blacklist.companyId').where(seesEntry(actor))

/** The name of a machine with its code, of a person, or of the `company`; and what the English name of a machine is made of (`withSubjectEn`). */
export const subjectNames = [
  sql<string>`case subject_kind when 'machine' then (select e.name || ' ' || e.equipment_code from equipment e where e.id = blacklist.equipment_id)
    when 'person' then person_name else company.enterprise_name end`.as('subjectName'),
  sql<(MachineNameParts & { code: string }) | null>`case subject_kind when 'machine' then (
    select json_build_object(${nameParts}, 'code', e.equipment_code) from equipment e where e.id = blacklist.equipment_id) end`.as(
    'machineParts',
  ),
] as const

type Named = { subjectName: string; machineParts: (MachineNameParts & { code: string }) | null }

/** The entry with the name of its subject in English. People and companies have one name. */
export const withSubjectEn = <T extends Named>({ machineParts, ...entry }: T) => ({
  ...entry,
  subjectNameEn: machineParts ? `${machineNameEn(machineParts)} ${machineParts.code}` : entry.subjectName,
})

const entryColumns = [
  'blacklist.id',
  'blacklistCode',
  'subjectKind',
  'blacklist.companyId',
  'company.enterpriseName as companyName',
  ...subjectNames,
  'level',
  sql<string>`coalesce((select d.dept_name from dept d where d.id = blacklist.scope_dept_id), '')`.as('scopeName'),
  'reasonCode',
  'fromDay',
  'toDay',
  'blacklist.status',
  'blacklist.createTime',
] as const

type Filter = Received<typeof contract.exportBlacklist>['query']

const sortColumns = {
  createTime: { column: sql.ref('blacklist.create_time') },
  toDay: { column: sql.ref('blacklist.to_day'), optional: true },
} as const

export async function listEntries(db: Read, actor: Actor, filter: Filter & { pageNum: number; pageSize: number }) {
  let query = visibleEntries(db, actor)
  if (filter.status) query = query.where('blacklist.status', '=', filter.status)
  if (filter.todo) query = query.where(isToDecide).where(decides(actor))
  if (filter.keyword) {
    const pattern = contains(filter.keyword)
    query = query.where((eb) => eb.or([eb('company.enterpriseName', 'like', pattern), eb('blacklistCode', 'like', pattern.toUpperCase())]))
  }
  const { total, rows } = await paged(query, filter, (page) =>
    sorted(page.select(entryColumns), {
      sort: filter.sort,
      columns: sortColumns,
      id: 'blacklist.id',
      usual: (sort) => sort.orderBy(sql`${isInForce} desc`).orderBy('blacklist.id', 'desc'),
    }),
  )
  return { total, rows: rows.map(withSubjectEn) }
}

/** The list as a workbook, in the language of the reader. */
export async function entriesWorkbook(db: Read, actor: Actor, { filter, text }: { filter: Filter; text: Text }): Promise<Download> {
  const words = text.blacklist
  const list = await listEntries(db, actor, { ...filter, pageNum: 1, pageSize: exportLimit })
  return listWorkbook({
    title: words.title,
    text,
    columns: [
      { label: words.code, width: 18, value: (row) => row.blacklistCode },
      { label: words.subject, width: 36, value: (row) => nameIn(text, row.subjectName, row.subjectNameEn) },
      { label: words.kind, width: 10, value: (row) => words.kinds[row.subjectKind] },
      { label: words.company, width: 36, value: (row) => row.companyName },
      { label: words.level, width: 14, value: (row) => levelName(text, row) },
      { label: words.scope, width: 24, value: (row) => row.scopeName || words.platform },
      { label: words.reason, width: 24, value: (row) => words.reasons[row.reasonCode] },
      { label: words.from, width: 14, format: 'day', value: (row) => (row.status === blacklistStatus.dropped ? null : row.fromDay) },
      { label: words.to, width: 14, format: 'day', value: (row) => (row.status === blacklistStatus.dropped ? null : row.toDay) },
      { label: text.site.common.status, width: 12, value: (row) => words.status[row.status] },
      { label: text.list.createTime, width: 20, format: 'moment', value: (row) => row.createTime },
    ],
    list,
  })
}

export async function getEntry({ db, actor, now }: Pick<Context, 'db' | 'now'> & { actor: Actor }, id: number) {
  const row = await visibleEntries(db, actor)
    .innerJoin('account', 'account.id', 'blacklist.proposerId')
    .where('blacklist.id', '=', id)
    .select([
      ...entryColumns,
      'blacklist.equipmentId',
      'personName',
      'scopeDeptId',
      'facts',
      'emergency',
      isProposedBy(actor).as('isProposer'),
      hasProposer.as('hasProposer'),
      nameOf('account').as('proposer'),
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
  if (!row) throw new Refusal('not_found')
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
    // The subject has no part in the proposal until they are notified.
    .$if(isSubject, (query) => query.where('move', 'not in', ['propose', 'edit']))
    .orderBy('blacklistEvent.id', 'desc')
    // A proposal may be changed up to `writtenADay` times a day, day after day.
    .limit(blacklistRules.shownSteps)
    .select(['blacklistEvent.id', 'at', 'move', nameOf('account').as('who'), 'note'])
    .execute()
  const { isProposer, decides: isDecider, hasProposer: isLed, ...entry } = withSubjectEn(row)
  const last = appeals.at(-1)
  const next = last ? addDays(last.appealTime.slice(0, 10), blacklistRules.appealEveryDays) : null
  const appealFrom = next && next > dayOf(now) ? next : null
  const viewer = { isProposer, isDecider, isSubject }
  return {
    ...entry,
    proposer: isSubject ? '' : entry.proposer,
    appeals,
    events: events.toReversed().map((event) => (isSubject ? { ...event, who: '' } : event)),
    appealFrom: isSubject ? appealFrom : null,
    may: movesOf({ ...entry, appealFrom, hasProposer: isLed }, viewer, toMoment(now)),
  }
}

/** The moves that the viewer may make now. */
function movesOf(
  entry: Pick<BlacklistDetail, 'status' | 'reasonCode' | 'answerTime' | 'answerUntil' | 'appealFrom' | 'toDay'> & { hasProposer: boolean },
  { isProposer, isDecider, isSubject }: { isProposer: boolean; isDecider: boolean; isSubject: boolean },
  moment: string,
): BlacklistDetail['may'] {
  const { status, answerTime, answerUntil } = entry
  const { proposed, notified, inForce: decided, appealed } = blacklistStatus
  const isHearingOver = answerUntil !== null && answerUntil <= moment
  const isHeard = status !== notified || answerTime !== null || isHearingOver
  // An entry whose period is over can only be dropped or withdrawn, or get another period while it is a proposal (`refuseOver`).
  const isOver = entry.toDay <= moment.slice(0, 10)
  return {
    edit: isProposer && status === proposed,
    notify: isProposer && status === proposed && !isOver,
    withdraw: isProposer && (status === proposed || status === notified),
    emergency: isDecider && status === proposed && !isOver && isAmong(entry.reasonCode, emergencyReasons),
    decide: isDecider && status === notified && isHeard && !isOver,
    drop: isDecider && mayDrop(entry) && isHeard,
    answer: isSubject && answerTime === null && (status === notified || inForce(status)) && answerUntil !== null && answerUntil > moment,
    appeal: isSubject && status === decided && entry.appealFrom === null,
    decideAppeal: isDecider && status === appealed,
    lift: isDecider && status === decided,
  }
}

/** The viewer's department with those below, and those above it. */
export function findScopes(db: Read, actor: Actor) {
  return db
    .selectFrom('dept')
    .where('delFlag', '=', delFlag.present)
    .where('status', '=', enableStatus.enabled)
    .where('deptType', '<>', deptType.department)
    .where(sql<boolean>`(${inScope('dept.id', actor)} or dept.id in (select unnest(ancestors) from dept where id = ${actor.deptId}))`)
    .orderBy(sql`cardinality(ancestors)`, 'desc')
    .orderBy('id')
    .limit(2000)
    .select(['id as deptId', 'deptName', 'deptType'])
    .execute()
}

export const findMachinesOf = (db: Read, actor: Actor, companyId: number) =>
  knownMachines(db, actor, companyId)
    .innerJoin('category', 'category.id', 'equipment.categoryId')
    .orderBy('equipment.id')
    .limit(500)
    .select(['equipment.id', ...nameColumns, 'equipmentCode'])
    .execute()

/** Machines of a lessor that the viewer may know: on the shelf, or hired by their company before. */
export const knownMachines = (db: Read, actor: Actor, companyId: number) =>
  db
    .selectFrom('equipment')
    .where('companyId', '=', companyId)
    .where('auditStatus', '=', equipmentAudit.passed)
    .where('delFlag', '=', delFlag.present)
    .where(
      sql<boolean>`(shelf_status = ${sql.lit(shelfStatus.on)} or exists (select 1 from equipment_booking b join award_line l on l.id = b.award_line_id
        join award w on w.id = l.award_id join demand d on d.id = w.demand_id where b.equipment_id = equipment.id and d.company_id = ${actor.companyId})
        or exists (select 1 from equipment_booking b join contract_line l on l.id = b.contract_line_id join contract c on c.id = l.contract_id
        where b.equipment_id = equipment.id and c.lessee_company_id = ${actor.companyId}))`,
    )
