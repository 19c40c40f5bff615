import { sql } from 'kysely'
import type { z } from 'zod'
import type { addStaff, editStaff, ManagedAccount } from '#shared/account/manage.ts'
import { maskPhone, type AccountStatus, type UserType } from '#shared/account/rules.ts'
import { audited } from '../audit/log.ts'
import type { Db, Read } from '../db/connect.ts'
import { contains } from '../db/search.ts'
import { Refusal, refuseField } from '../http/refusal.ts'
import type { Hub } from '../message/hub.ts'
import { sendSms } from '../outbox/queries.ts'
import type { Services } from '../services.ts'
import type { Actor } from '../actor/actor.ts'
import { firstPassword, hashPassword } from '../actor/hash.ts'
import { endSessionsOf, findSignIns } from './sessions.ts'

const accounts = (db: Read) =>
  db
    .selectFrom('account')
    .leftJoin('dept', 'dept.id', 'account.deptId')
    .leftJoin('company', (join) => join.on('company.id', '=', sql`coalesce(dept.company_id, account.company_id)`))
    .where('account.delFlag', '=', '0')

const columns = [
  'account.id as userId',
  'account.userName',
  'account.name',
  sql<string>`coalesce(account.phonenumber, '')`.as('phonenumber'),
  'account.userType',
  'company.id as companyId',
  sql<string>`coalesce(company.enterprise_name, '')`.as('companyName'),
  sql<string>`coalesce(dept.dept_name, '')`.as('deptName'),
  'account.isAdmin',
  'account.duties',
  'account.status',
  'account.createTime',
  sql<string | null>`(select max(s.at) from sign_in s where s.account_id = account.id and s.succeeded)`.as('lastSignIn'),
  'account.version',
] as const

const hidden = <T extends { phonenumber: string }>(row: T): T => ({ ...row, phonenumber: maskPhone(row.phonenumber) })

type Filter = {
  keyword?: string | undefined
  userType?: UserType | undefined
  status?: AccountStatus | undefined
  companyId?: number | undefined
  pageNum: number
  pageSize: number
}

export async function findAccounts(db: Read, filter: Filter): Promise<{ total: number; rows: ManagedAccount[] }> {
  let query = accounts(db)
  const { keyword } = filter
  if (keyword) {
    const pattern = contains(keyword)
    query = query.where((eb) =>
      eb.or([
        eb('account.userName', 'ilike', pattern),
        eb('account.name', 'like', pattern),
        eb('company.enterpriseName', 'like', pattern),
        // Whole numbers only: nobody collects numbers by trying digits.
        eb('account.phonenumber', '=', keyword),
      ]),
    )
  }
  if (filter.userType) query = query.where('account.userType', '=', filter.userType)
  if (filter.status) query = query.where('account.status', '=', filter.status)
  if (filter.companyId) query = query.where('company.id', '=', filter.companyId)
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await query
    .orderBy('account.id', 'desc')
    .limit(filter.pageSize)
    .offset((filter.pageNum - 1) * filter.pageSize)
    .select(columns)
    .execute()
  return { total, rows: rows.map(hidden) }
}

export async function findAccount(db: Read, id: number, now: Date) {
  const account = await accounts(db)
    .where('account.id', '=', id)
    .select([...columns, 'account.nickName', 'account.auditStatus', 'account.lockedUntil'])
    .executeTakeFirst()
  if (!account) return undefined
  const { rows: signIns } = await findSignIns(db, id, { pageNum: 1, pageSize: 20 })
  const sessions = await db
    .selectFrom('session')
    .where('accountId', '=', id)
    .where('expiresAt', '>', now.toISOString())
    .orderBy('createdAt', 'desc')
    .limit(20)
    .select(['id', 'createdAt', 'expiresAt', 'address', 'agent'])
    .execute()
  return { ...hidden(account), signIns, sessions }
}

/** Held; nobody does this to himself, and only the administrator of the platform's people does it to one of them. */
async function lock(tx: Read, actor: Actor, id: number) {
  const account = await tx
    .selectFrom('account')
    .where('id', '=', id)
    .where('delFlag', '=', '0')
    .forUpdate()
    .select(['id', 'userName', 'phonenumber', 'userType', 'isAdmin', 'status'])
    .executeTakeFirst()
  if (!account) throw new Refusal('not_found')
  if (account.id === actor.accountId) throw new Refusal('not_yourself')
  if ((account.userType === '9' || account.userType === '8') && !actor.permissions.includes('staff:edit')) throw new Refusal('forbidden')
  return account
}

/** Somebody must stay who administers the platform's people. */
async function refuseLastStaff(tx: Read, id: number): Promise<void> {
  const other = await tx
    .selectFrom('account')
    .where('userType', '=', '9')
    .where('isAdmin', '=', true)
    .where('status', '=', '0')
    .where('delFlag', '=', '0')
    .where('id', '<>', id)
    .select('id')
    .executeTakeFirst()
  if (!other) throw new Refusal('last_staff')
}

export async function setAccountLock(
  db: Db,
  hub: Hub,
  actor: Actor,
  id: number,
  locked: boolean,
  reason: string,
  now: Date,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const account = await lock(tx, actor, id)
    if (locked && account.userType === '9' && account.isAdmin) await refuseLastStaff(tx, id)
    await audited(tx, actor, { action: locked ? 'account.lock' : 'account.unlock', bizType: 'account', id, reason }, now, async () => {
      await tx
        .updateTable('account')
        .set((eb) => ({ status: locked ? '1' : '0', failedLogins: 0, lockedUntil: null, version: eb('version', '+', 1) }))
        .where('id', '=', id)
        .execute()
      if (locked) await endSessionsOf(tx, hub, id, null)
    })
  })
}

export async function endAccountSessions(db: Db, hub: Hub, actor: Actor, id: number, reason: string, now: Date): Promise<number> {
  return db.transaction().execute(async (tx) => {
    await lock(tx, actor, id)
    return audited(tx, actor, { action: 'account.endSessions', bizType: 'account', id, reason }, now, () =>
      endSessionsOf(tx, hub, id, null),
    )
  })
}

export async function resetAccountPassword(services: Services, actor: Actor, id: number, reason: string, now: Date): Promise<void> {
  const { db, hub } = services
  const password = firstPassword()
  const passwordHash = await hashPassword(password)
  const account = await db.transaction().execute(async (tx) => {
    const found = await lock(tx, actor, id)
    await audited(tx, actor, { action: 'account.resetPassword', bizType: 'account', id, reason }, now, async () => {
      await tx
        .updateTable('account')
        .set((eb) => ({
          passwordHash,
          passwordUpdatedAt: now,
          mustChangePassword: true,
          failedLogins: 0,
          lockedUntil: null,
          version: eb('version', '+', 1),
        }))
        .where('id', '=', id)
        .execute()
      await endSessionsOf(tx, hub, id, null)
    })
    return found
  })
  const letter = { template: 'firstPassword' as const, userName: account.userName, password }
  if (!account.phonenumber || !(await sendSms(services, { phonenumber: account.phonenumber, ...letter }, now)))
    throw new Refusal('sms_failed')
}

type StaffInput = z.output<typeof addStaff.body> | z.output<typeof editStaff.body>

async function staffColumns(db: Read, input: StaffInput) {
  const auditor = input.userType === '8'
  if (auditor) {
    const company = await db
      .selectFrom('company')
      .where('id', '=', input.companyId ?? 0)
      .where('delFlag', '=', '0')
      .where('isLessee', '=', true)
      .select('id')
      .executeTakeFirst()
    if (!company) refuseField(['companyId'], 'company_unknown')
  }
  return {
    name: input.name,
    nickName: input.name,
    userType: input.userType,
    companyId: auditor ? input.companyId : null,
    duties: auditor ? [] : [...new Set(input.duties)],
    isAdmin: !auditor && input.isAdmin,
  }
}

export async function insertStaff(services: Services, actor: Actor, input: z.output<typeof addStaff.body>, now: Date) {
  const { db } = services
  const columnsOfStaff = await staffColumns(db, input)
  const password = firstPassword()
  const passwordHash = await hashPassword(password)
  const { id } = await db
    .transaction()
    .execute((tx) =>
      audited(tx, actor, { action: 'staff.add', bizType: 'account' }, now, () =>
        tx
          .insertInto('account')
          .values({
            ...columnsOfStaff,
            userName: input.userName,
            phonenumber: input.phonenumber,
            passwordHash,
            passwordUpdatedAt: now,
            mustChangePassword: true,
            auditStatus: '2',
            createTime: now,
          })
          .returning('id')
          .executeTakeFirstOrThrow(),
      ),
    )
    .catch((error: unknown) => {
      const { code, constraint } = error as { code?: string; constraint?: string }
      if (code === '23505') refuseField([constraint?.includes('phonenumber') ? 'phonenumber' : 'userName'], 'taken')
      throw error
    })
  if (!(await sendSms(services, { phonenumber: input.phonenumber, template: 'firstPassword', userName: input.userName, password }, now)))
    throw new Refusal('sms_failed', { id })
  return { id }
}

export async function updateStaff(db: Db, hub: Hub, actor: Actor, input: z.output<typeof editStaff.body>, now: Date): Promise<void> {
  const values = await staffColumns(db, input)
  await db.transaction().execute(async (tx) => {
    const account = await lock(tx, actor, input.userId)
    if (account.userType !== '8' && account.userType !== '9') throw new Refusal('not_found')
    if (account.userType === '9' && account.isAdmin && !values.isAdmin) await refuseLastStaff(tx, input.userId)
    await audited(tx, actor, { action: 'staff.edit', bizType: 'account', id: input.userId }, now, async () => {
      const { numUpdatedRows } = await tx
        .updateTable('account')
        .set((eb) => ({ ...values, version: eb('version', '+', 1) }))
        .where('id', '=', input.userId)
        .where('version', '=', input.version)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw new Refusal('changed')
      // What he may do has changed: his open pages start anew.
      await endSessionsOf(tx, hub, input.userId, null)
    })
  })
}
