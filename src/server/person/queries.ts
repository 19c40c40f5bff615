import { sql, type RawBuilder } from 'kysely'
import { accountStatus, maskPhone, userType } from '#shared/account/rules.ts'
import { contractTasks } from '#shared/contract/rules.ts'
import type { Download, Received } from '#shared/endpoint.ts'
import { isAmong } from '#shared/lifecycle.ts'
import type * as contract from '#shared/person/contract.ts'
import { delFlag, exportLimit } from '#shared/rules.ts'
import { comma } from '#shared/text/punctuation.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import type { Actor } from '../actor/actor.ts'
import { byDeptsInScope, deptsOfAccounts, inScope, isUnder } from '../actor/scope.ts'
import type { Read } from '../db/connect.ts'
import { literals } from '../db/literals.ts'
import { paged, sorted } from '../db/paging.ts'
import { contains } from '../db/search.ts'
import { Refusal } from '../http/refusal.ts'
import { mayBeNamed, seenBy } from '../contract/scope.ts'
import type { Context } from '../deed.ts'
import { listWorkbook } from '../workbook/list-workbook.ts'

/** A lessor's own company; for anybody else the people with a department within the actor's scope. */
function within(actor: Actor): RawBuilder<boolean> {
  if (actor.role === 'leaser')
    return sql<boolean>`(account.user_type = ${sql.lit(userType.lessor)} and account.company_id = ${actor.companyId})`
  const isOfLessee = sql<boolean>`account.user_type in (${literals([userType.lessee, userType.project])})`
  if (actor.role === 'operator') return isOfLessee
  return sql<boolean>`(${isOfLessee} and account.id = any(array(
    select w.account_id from ${deptsOfAccounts} w where ${byDeptsInScope('w.dept_id', actor)})))`
}

const people = (db: Read, actor: Actor) =>
  db.selectFrom('account').leftJoin('dept', 'dept.id', 'account.deptId').where('account.delFlag', '=', delFlag.present).where(within(actor))

const columnsOfPerson = [
  'account.id as userId',
  'account.userName',
  'account.name',
  'account.nickName',
  sql<string>`coalesce(account.phonenumber, '')`.as('phonenumber'),
  'account.userType',
  'account.isAdmin',
  'account.driverOnly',
  'account.version',
  'account.status',
  'account.platformLocked',
  'account.deptId',
  sql<string>`coalesce(dept.dept_name, '')`.as('deptName'),
  sql<string[]>`coalesce((select json_agg(d.dept_name order by d.id <> account.dept_id, d.id) from dept d where d.id = any(array(
    select w.dept_id from ${deptsOfAccounts} w where w.account_id = account.id))), '[]')`.as('deptNames'),
  'account.createTime',
] as const

type Filter = Received<typeof contract.exportPeople>['query']

const sortColumns = {
  name: { column: sql.ref('account.name') },
  createTime: { column: sql.ref('account.create_time') },
} as const

/** Whoever belongs to a unit or one below it, with any of their projects. */
const underDept = (deptId: number) =>
  sql<boolean>`account.id = any(array(
    select w.account_id from ${deptsOfAccounts} w
    where ${isUnder('w.dept_id', deptId)}))`

/**
 * `userName` finds by sign-in name and by the person's own name. Whole numbers only for whoever is no administrator: they see masked ones, and find out none by
 * trying digits.
 */
export function listPeople(db: Read, actor: Actor, filter: Filter & { pageNum: number; pageSize: number }) {
  let query = people(db, actor)
  const { userName, phonenumber, deptId, status } = filter
  if (userName)
    query = query.where((eb) =>
      eb.or([eb('account.userName', 'ilike', contains(userName)), eb('account.name', 'ilike', contains(userName))]),
    )
  if (phonenumber)
    query = query.where('account.phonenumber', actor.isAdmin ? 'like' : '=', actor.isAdmin ? contains(phonenumber) : phonenumber)
  if (deptId) query = query.where(underDept(deptId))
  if (status) query = query.where('account.status', '=', status)
  return paged(query, filter, (page) =>
    sorted(page.select(columnsOfPerson), {
      sort: filter.sort,
      columns: sortColumns,
      id: 'account.id',
      usual: (rows) => rows.orderBy('account.id', 'desc'),
    }),
  )
}

/** The list as a workbook, in the language of the reader. */
export async function peopleWorkbook(db: Read, actor: Actor, { filter, text }: { filter: Filter; text: Text }): Promise<Download> {
  const { organization } = text
  const list = await listPeople(db, actor, { ...filter, pageNum: 1, pageSize: exportLimit })
  return listWorkbook({
    title: organization.people,
    text,
    columns: [
      { label: organization.realName, width: 14, value: (row) => row.name },
      { label: organization.userName, width: 20, value: (row) => row.userName },
      { label: organization.mobile, width: 16, value: (row) => maskPhone(row.phonenumber) },
      { label: organization.dept, width: 28, value: (row) => row.deptNames.join(comma(text)) },
      { label: organization.admin, width: 10, value: (row) => (row.isAdmin ? text.site.common.yes : text.site.common.no) },
      ...(actor.role === 'leaser'
        ? [
            {
              label: organization.driverOnly,
              width: 10,
              value: (row: { driverOnly: boolean }) => (row.driverOnly ? text.site.common.yes : text.site.common.no),
            },
          ]
        : []),
      {
        label: text.site.common.status,
        width: 14,
        value: (row) => (row.platformLocked ? organization.offByPlatform : organization.status[row.status]),
      },
      { label: text.list.createTime, width: 20, format: 'moment', value: (row) => row.createTime },
    ],
    list,
  })
}

/** The people with a name and an active account, to be picked for a task; drivers act for nobody. */
export async function listPickablePeople(
  { db, actor, now }: Pick<Context, 'db' | 'actor' | 'now'>,
  filter: Received<typeof contract.listPickablePeople>['query'],
) {
  let query = people(db, actor)
    .where('account.status', '=', accountStatus.active)
    .where('account.name', '<>', '')
    .where('account.driverOnly', '=', false)
  const { name, deptId, contractId, besideId } = filter
  if (filter.type === 'leader')
    query = query.where((eb) => eb.or([eb('account.isAdmin', '=', true), eb('dept.leader', '=', eb.ref('account.name'))]))
  if (contractId) {
    const found = await db
      .selectFrom('contract')
      .where('id', '=', contractId)
      .where(seenBy({ actor, now }))
      .select(['id', 'deptId', 'lesseeCompanyId', 'lessorCompanyId'])
      .executeTakeFirst()
    if (!found) throw new Refusal('not_found')
    query = query.where(mayBeNamed(actor, found))
  }
  // As `mayBeNamed` without a contract: somebody of several projects may be named in each of them.
  else if (isAmong(filter.type, contractTasks)) {
    query = query.where('account.companyId', '=', actor.companyId)
    if (actor.role !== 'leaser')
      query = query.where((eb) => eb.or([eb('account.userType', '=', userType.project), inScope('account.dept_id', actor)]))
  }
  if (besideId) query = query.where('account.id', '<>', besideId)
  if (name) query = query.where('account.name', 'ilike', contains(name))
  if (deptId) query = query.where(underDept(deptId))
  return paged(query, filter, (page) => page.orderBy('account.name').orderBy('account.id').select(columnsOfPerson))
}

export async function getPerson(db: Read, actor: Actor, id: number) {
  const person = await people(db, actor)
    .where('account.id', '=', id)
    .select([
      ...columnsOfPerson,
      sql<number[]>`coalesce((select json_agg(dept_id order by dept_id) from account_dept m where m.account_id = account.id), '[]')`.as(
        'deptIds',
      ),
    ])
    .executeTakeFirst()
  if (!person) throw new Refusal('not_found')
  return person
}
