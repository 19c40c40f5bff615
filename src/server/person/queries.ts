import { randomInt } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { addPerson, DeptNode, editPerson, Person } from '#shared/person/contract.ts'
import type { AccountStatus } from '#shared/account/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { firstPassword, hashPassword } from '../actor/hash.ts'
import { companyOf, inScope } from '../actor/scope.ts'
import { endSessionsOf } from '../account/sessions.ts'
import type { Db, Read } from '../db/connect.ts'
import { contains } from '../db/search.ts'
import { Refusal, refuseField } from '../http/refusal.ts'
import { sendSms } from '../outbox/queries.ts'
import type { Services } from '../services.ts'

/** Whose people: a lessor's company, otherwise those with a department within the actor's own. */
function within(actor: Actor): RawBuilder<boolean> {
  if (actor.role === 'leaser') return sql<boolean>`(account.user_type = '4' and account.company_id = ${actor.companyId})`
  return sql<boolean>`(account.user_type in ('2', '3') and (${inScope('account.dept_id', actor)}
    or exists (select 1 from account_dept m where m.account_id = account.id and ${inScope('m.dept_id', actor)})))`
}

const people = (db: Read, actor: Actor) =>
  db.selectFrom('account').leftJoin('dept', 'dept.id', 'account.deptId').where('account.delFlag', '=', '0').where(within(actor))

const columns = [
  'account.id as userId',
  'account.userName',
  'account.name',
  'account.nickName',
  sql<string>`coalesce(account.phonenumber, '')`.as('phonenumber'),
  'account.userType',
  'account.isAdmin',
  'account.version',
  'account.status',
  'account.deptId',
  sql<string>`coalesce(dept.dept_name, '')`.as('deptName'),
  'account.createTime',
] as const

const underDept = (deptId: number) =>
  sql<boolean>`account.dept_id in (select id from dept where id = ${deptId} or ancestors @> array[${deptId}]::bigint[])`

type Filter = {
  userName?: string | undefined
  phonenumber?: string | undefined
  deptId?: number | undefined
  status?: AccountStatus | undefined
  pageNum: number
  pageSize: number
}

/** `userName` finds by sign-in name and by the person's own name. */
export async function findPeople(db: Read, actor: Actor, filter: Filter): Promise<{ total: number; rows: Person[] }> {
  let query = people(db, actor)
  const { userName, phonenumber, deptId, status } = filter
  if (userName)
    query = query.where((eb) =>
      eb.or([eb('account.userName', 'ilike', contains(userName)), eb('account.name', 'ilike', contains(userName))]),
    )
  if (phonenumber) query = query.where('account.phonenumber', 'like', contains(phonenumber))
  if (deptId) query = query.where(underDept(deptId))
  if (status) query = query.where('account.status', '=', status)
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await query
    .orderBy('account.id', 'desc')
    .limit(filter.pageSize)
    .offset((filter.pageNum - 1) * filter.pageSize)
    .select(columns)
    .execute()
  return { total, rows }
}

export async function findPersonnel(
  db: Read,
  actor: Actor,
  filter: { type: string; name?: string | undefined; deptId?: number | undefined; pageNum: number; pageSize: number },
) {
  let query = people(db, actor).where('account.status', '=', '0').where('account.name', '<>', '')
  const { name, deptId } = filter
  if (filter.type === 'leader')
    query = query.where((eb) => eb.or([eb('account.isAdmin', '=', true), eb('dept.leader', '=', eb.ref('account.name'))]))
  if (name) query = query.where('account.name', 'ilike', contains(name))
  if (deptId) query = query.where(underDept(deptId))
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await query
    .orderBy('account.name')
    .orderBy('account.id')
    .limit(filter.pageSize)
    .offset((filter.pageNum - 1) * filter.pageSize)
    .select(columns)
    .execute()
  return { total, rows }
}

export function findPerson(db: Read, actor: Actor, id: number) {
  return people(db, actor)
    .where('account.id', '=', id)
    .select([
      ...columns,
      sql<number[]>`coalesce((select json_agg(dept_id order by dept_id) from account_dept m where m.account_id = account.id), '[]')`.as(
        'deptIds',
      ),
    ])
    .executeTakeFirst()
}

/**
 * Whose phone and password may be changed: only of somebody who belongs nowhere but within the administrator's own scope.
 * Otherwise the administrator of one unit could take over a person who also works for another.
 */
async function findOwnPerson(db: Read, actor: Actor, id: number) {
  const person = await findPerson(db, actor, id)
  if (!person) throw new Refusal('not_found')
  if (actor.role === 'leaser') return person
  const { rows } = await sql<{ elsewhere: boolean }>`select
    exists (select 1 from account where id = ${id} and not (${inScope('account.dept_id', actor)}))
    or exists (select 1 from account_dept m where m.account_id = ${id} and not (${inScope('m.dept_id', actor)})) as elsewhere`.execute(db)
  if (rows[0]?.elsewhere) throw new Refusal('person_elsewhere')
  return person
}

function mayEdit(actor: Actor): void {
  if (!actor.isAdmin && actor.role !== 'operator') throw new Refusal('forbidden')
}

type Place = { userType: '2' | '3' | '4'; deptId: number | null; companyId: number; deptIds: number[] }

/** Where the departments put somebody: several project departments, one unit, or a lessor's company. */
async function placeOf(db: Read, actor: Actor, deptIds: readonly number[]): Promise<Place> {
  if (actor.role === 'leaser') return { userType: '4', deptId: null, companyId: companyOf(actor), deptIds: [] }
  if (deptIds.length === 0) refuseField(['deptIds'], 'required')
  const depts = await db
    .selectFrom('dept')
    .where('id', 'in', deptIds)
    .where('status', '=', '0')
    .where('delFlag', '=', '0')
    .where(inScope('dept.id', actor))
    .select(['id', 'deptType', 'companyId'])
    .execute()
  const [first] = deptIds.flatMap((id) => depts.find((dept) => dept.id === id) ?? [])
  if (!first || depts.length !== new Set(deptIds).size) refuseField(['deptIds'], 'dept_unknown')
  const projects = depts.every(({ deptType }) => deptType === '3')
  if (!projects && depts.length > 1) refuseField(['deptIds'], 'one_unit')
  return { userType: projects ? '3' : '2', deptId: first.id, companyId: first.companyId, deptIds: depts.map(({ id }) => id) }
}

const taken = (error: unknown): never => {
  const { code, constraint } = error as { code?: string; constraint?: string }
  if (code !== '23505') throw error
  return refuseField([constraint?.includes('phonenumber') ? 'phonenumber' : 'userName'], 'taken')
}

async function join(db: Read, accountId: number, deptIds: readonly number[]): Promise<void> {
  await db.deleteFrom('accountDept').where('accountId', '=', accountId).execute()
  if (deptIds.length > 0)
    await db
      .insertInto('accountDept')
      .values(deptIds.map((deptId) => ({ accountId, deptId })))
      .execute()
}

export async function insertPerson(services: Services, actor: Actor, input: z.output<typeof addPerson.body>, now: Date) {
  mayEdit(actor)
  const { db } = services
  const { deptIds, userType, ...place } = await placeOf(db, actor, input.deptIds)
  const userName = input.userName ?? `u${Array.from({ length: 10 }, () => randomInt(36).toString(36)).join('')}`
  const password = firstPassword()
  const passwordHash = await hashPassword(password)
  const id = await db
    .transaction()
    .execute(async (tx) => {
      const made = await tx
        .insertInto('account')
        .values({
          ...place,
          userName,
          userType,
          name: input.name,
          nickName: input.nickName || input.name,
          phonenumber: input.phonenumber,
          passwordHash,
          passwordUpdatedAt: now,
          mustChangePassword: true,
          auditStatus: '2',
          certSign: { '4': 1, '2': 2, '3': 3 }[userType],
          isAdmin: input.isAdmin && userType !== '3',
          createTime: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await join(tx, made.id, deptIds)
      return made.id
    })
    .catch(taken)
  // Not sent: the person is there all the same, and the administrator sends a new one.
  if (!(await sendSms(services, { phonenumber: input.phonenumber, template: 'firstPassword', userName, password }, now)))
    throw new Refusal('sms_failed', { userId: id })
  return { userId: id, userName }
}

/** Somebody must stay who administers the organisation. */
async function refuseLastAdmin(db: Read, id: number): Promise<void> {
  const { rows } = await sql<{ last: boolean }>`
    select a.is_admin and a.status = '0' and not exists (
      select 1 from account o where o.id <> a.id and o.company_id = a.company_id and o.user_type = a.user_type and o.is_admin
        and o.status = '0' and o.del_flag = '0') as last from account a where a.id = ${id}`.execute(db)
  if (rows[0]?.last) throw new Refusal('last_admin')
}

export async function updatePerson(services: Services, actor: Actor, input: z.output<typeof editPerson.body>, now: Date): Promise<void> {
  mayEdit(actor)
  const { db, hub } = services
  const person = await findOwnPerson(db, actor, input.userId)
  if (person.userId === actor.accountId && (input.status === '1' || !input.isAdmin)) throw new Refusal('not_yourself')
  if (person.isAdmin && (input.status === '1' || !input.isAdmin)) await refuseLastAdmin(db, person.userId)
  const { deptIds, userType, ...place } = await placeOf(db, actor, input.deptIds)
  const password = firstPassword()
  const passwordHash = input.resetPassword ? await hashPassword(password) : null
  await db
    .transaction()
    .execute(async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('account')
        .set((eb) => ({
          ...place,
          version: eb('version', '+', 1),
          userType,
          certSign: { '4': 1, '2': 2, '3': 3 }[userType],
          name: input.name,
          nickName: input.nickName || input.name,
          phonenumber: input.phonenumber,
          isAdmin: input.isAdmin && userType !== '3',
          status: input.status,
          ...(passwordHash && { passwordHash, passwordUpdatedAt: now, mustChangePassword: true, failedLogins: 0, lockedUntil: null }),
        }))
        .where('id', '=', person.userId)
        .$if(input.version !== undefined, (query) => query.where('version', '=', input.version ?? 0))
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw new Refusal('changed')
      await join(tx, person.userId, deptIds)
      // What he may see has changed, or he may no longer come in: his open pages end.
      if (input.status === '1' || passwordHash) await endSessionsOf(tx, hub, person.userId, null)
    })
    .catch(taken)
  if (
    passwordHash &&
    !(await sendSms(services, { phonenumber: input.phonenumber, template: 'firstPassword', userName: person.userName, password }, now))
  )
    throw new Refusal('sms_failed')
}

export async function deletePerson({ db, hub }: Services, actor: Actor, id: number): Promise<void> {
  mayEdit(actor)
  await findOwnPerson(db, actor, id)
  if (id === actor.accountId) throw new Refusal('not_yourself')
  await refuseLastAdmin(db, id)
  const { rows } = await sql<{ open: number }>`select (
    (select count(*) from demand where account_id = ${id} and status in ('1', '3', '4') and del_flag = '0')
    + (select count(*) from quote where account_id = ${id} and status = '1'))::int as open`.execute(db)
  if ((rows[0]?.open ?? 0) > 0) throw new Refusal('person_busy')
  await db.transaction().execute(async (tx) => {
    await tx.updateTable('account').set({ delFlag: '2', status: '1', phonenumber: null, isAdmin: false }).where('id', '=', id).execute()
    await endSessionsOf(tx, hub, id, null)
  })
}

/** The nodes within scope; one whose parent is not becomes a root. */
export async function findDeptTree(db: Db, actor: Actor): Promise<DeptNode[]> {
  const rows = await db
    .selectFrom('dept')
    .where('delFlag', '=', '0')
    .where(inScope('dept.id', actor))
    .orderBy(sql`cardinality(ancestors)`)
    .orderBy('orderNum')
    .orderBy('id')
    .limit(5000)
    .select(['id', 'parentId', 'deptName', 'deptType', 'leader', 'status'])
    .execute()
  const nodes = new Map<number, DeptNode>()
  const roots: DeptNode[] = []
  for (const { id, parentId, deptName, deptType, leader, status } of rows) {
    const node: DeptNode = { id, label: deptName, deptType, leader, disabled: status === '1' }
    nodes.set(id, node)
    const parent = parentId === null ? undefined : nodes.get(parentId)
    if (parent) (parent.children ??= []).push(node)
    else roots.push(node)
  }
  return roots
}
