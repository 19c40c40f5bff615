import { sql } from 'kysely'
import type * as contract from '#shared/account/manage.ts'
import { accountStatus, isStaff, loginRules, maskPhone, userType, type AccountStatus } from '#shared/account/rules.ts'
import { certificationStatus } from '#shared/certification/rules.ts'
import { fromMoment, minuteMs, toMoment } from '#shared/calendar.ts'
import type { Answered, Received } from '#shared/endpoint.ts'
import { delFlag } from '#shared/rules.ts'
import { firstPassword, hashPassword } from '../actor/hash.ts'
import { companyOfAccount } from '../actor/scope.ts'
import { audited } from '../audit/log.ts'
import type { Read } from '../db/connect.ts'
import { isUnfiltered, listOf, listPage, orderOf, pageId, type List } from '../db/paging.ts'
import { contains } from '../db/search.ts'
import { nextVersion } from '../db/version.ts'
import { transact, type Context, type Deed } from '../deed.ts'
import { Refusal, refuseField } from '../http/refusal.ts'
import { sendSms } from '../outbox/queries.ts'
import { recordPasswordReset } from '../quote/bidder-access.ts'
import { findLock, forgetAttemptsEverywhere } from './attempts.ts'
import { forgetDevices } from './devices.ts'
import { countFirstPassword } from './first-password.ts'
import { countersOfAccount } from './guessing.ts'
import { findIsLastAdmin } from '../actor/last-admin.ts'
import { givenPassword, refuseTaken } from './passwords.ts'
import { isPersonOf } from './people.ts'
import { endSessionsOf, listSignIns } from './sessions.ts'

const accounts = (db: Read) =>
  db
    .selectFrom('account')
    .leftJoin('dept', 'dept.id', 'account.deptId')
    .leftJoin('company', (join) => join.on('company.id', '=', companyOfAccount))
    .where('account.delFlag', '=', sql.lit(delFlag.present))

/** The accounts of a company and of its departments, its auditors included. */
const ofCompany = (companyId: number) =>
  sql<boolean>`(account.dept_id = any(array(select id from dept where company_id = ${companyId})) or (account.dept_id is null and account.company_id = ${companyId}))`

const columnsOfAccount = [
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

const withMaskedPhone = <T extends { phonenumber: string }>(row: T): T => ({ ...row, phonenumber: maskPhone(row.phonenumber) })

export async function listAccounts(db: Read, filter: Received<typeof contract.listAccounts>['query']) {
  let query = accounts(db)
  const { keyword, companyId } = filter
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
  if (companyId) query = query.where(ofCompany(companyId))
  // Those who audit the company are not its people, and are found where somebody asks for auditors.
  if (companyId && filter.userType !== userType.auditor) query = query.where(isPersonOf('account'))
  const order = orderOf({ sort: filter.sort, columns: { createTime: { column: sql.ref('account.create_time') } }, id: 'account.id' })
  const list: List = { ...listOf(query, 'account.id', order), isWhole: isUnfiltered(filter), isDear: Boolean(keyword) }
  const card = accounts(db).where('account.id', '=', pageId).select(columnsOfAccount)
  const { rows, ...counted } = await listPage(db, { list, paging: filter, card })
  return { ...counted, rows: rows.map(withMaskedPhone) }
}

/** One account with its latest sign-ins and its open sessions. */
export async function getAccount(
  { db, now, secret }: Pick<Context, 'db' | 'now' | 'secret'>,
  id: number,
): Promise<Answered<typeof contract.getAccount>> {
  const account = await accounts(db)
    .where('account.id', '=', id)
    .select([...columnsOfAccount, 'account.nickName', 'account.auditStatus'])
    .executeTakeFirst()
  if (!account) throw new Refusal('not_found')
  const { rows: signIns } = await listSignIns(db, id, { pageNum: 1, pageSize: 20 })
  const sessions = await db
    .selectFrom('session')
    .where('accountId', '=', id)
    .where('expiresAt', '>', now.toISOString())
    .orderBy('createdAt', 'desc')
    .limit(20)
    .select(['id', 'createdAt', 'expiresAt', 'address', 'agent'])
    .execute()
  const lockMs = loginRules.lockMinutes * minuteMs
  const since = await findLock({ db, secret }, { counters: passwordCounters({ ...account, id }), after: new Date(now.getTime() - lockMs) })
  const lockedUntil = since && toMoment(new Date(fromMoment(since).getTime() + lockMs))
  return { ...withMaskedPhone(account), lockedUntil, signIns, sessions }
}

/** What counts wrong passwords of the account, under each name that somebody may type to sign in. */
const passwordCounters = ({ id, userName, phonenumber }: { id: number; userName: string; phonenumber: string | null }) =>
  countersOfAccount({ id, names: phonenumber ? [userName, phonenumber] : [userName] })

/** Locks the account and signs its person out. Only the platform unlocks it. The operators must be locked (`lockAdmins`). */
export async function lockAccount(deed: Deed, id: number): Promise<void> {
  const account = await holdAccount(deed, id)
  if (account.userType === userType.operator) await refuseLastStaff(deed.db, id)
  await setStatus(deed, id, accountStatus.locked)
  await endSessionsOf(deed, id)
}

/** The person may sign in again; wrong passwords are forgotten. */
export async function unlockAccount(deed: Deed, id: number): Promise<void> {
  const account = await holdAccount(deed, id)
  await forgetAttemptsEverywhere(deed, passwordCounters(account))
  await setStatus(deed, id, accountStatus.active)
}

async function setStatus({ db }: Deed, id: number, status: AccountStatus): Promise<void> {
  const platformLocked = status === accountStatus.locked
  await db.updateTable('account').set({ status, platformLocked, version: nextVersion }).where('id', '=', id).execute()
}

/** Signs the person out everywhere. Gives the number of sessions that ended. */
export async function endAccountSessions(deed: Deed, id: number): Promise<number> {
  await holdAccount(deed, id)
  return endSessionsOf(deed, id)
}

/** Sends a new first password. It holds even where the SMS is refused: the answer says so, and the operator tries again. */
export async function resetAccountPassword(context: Context, { id, reason }: { id: number; reason: string }): Promise<void> {
  const { actor, now } = context
  const password = firstPassword()
  const passwordHash = await hashPassword(password)
  const { phonenumber, userName } = await transact(context, { actor, now }, async (deed) => {
    const account = await holdAccount(deed, id)
    if (account.phonenumber) await countFirstPassword(deed, { senderId: actor.accountId, phonenumber: account.phonenumber })
    await audited(deed, actor, { action: 'account.resetPassword', bizType: 'account', id, reason }, async () => {
      await deed.db
        .updateTable('account')
        .set({ ...givenPassword(passwordHash, now), version: nextVersion })
        .where('id', '=', id)
        .execute()
      await recordPasswordReset(deed, { accountId: id, by: actor.accountId, reason })
      await forgetDevices(deed.db, id, null)
      await endSessionsOf(deed, id)
    })
    return account
  })
  if (!phonenumber || !(await sendSms(context, { template: 'firstPassword', phonenumber, userName, password }, now)))
    throw new Refusal('sms_failed')
}

/** Adds an operator or an auditor. They stay where the SMS with their first password is refused: the operator sends a new one. */
export async function addStaff(context: Context, input: Received<typeof contract.addStaff>['body']): Promise<{ id: number }> {
  const { actor, now } = context
  const { userName, phonenumber } = input
  const password = firstPassword()
  const passwordHash = await hashPassword(password)
  const { id } = await transact(context, { actor, now }, async (work) => {
    const { db } = work
    await countFirstPassword(work, { senderId: actor.accountId, phonenumber })
    const added = await audited(work, actor, { action: 'staff.add', bizType: 'account' }, async () =>
      db
        .insertInto('account')
        .values({
          ...(await columnsOfStaff(db, input)),
          nickName: input.name,
          userName,
          phonenumber,
          ...givenPassword(passwordHash, now),
          auditStatus: certificationStatus.passed,
          createTime: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
    await context.claimAnswer?.(db, added)
    return added
  }).catch(refuseTaken)
  if (!(await sendSms(context, { template: 'firstPassword', phonenumber, userName, password }, now)))
    throw new Refusal('first_password_unsent', { id })
  return { id }
}

/** Changes an operator or an auditor. The operators must be locked (`lockAdmins`). */
export async function editStaff(deed: Deed, input: Received<typeof contract.editStaff>['body']): Promise<void> {
  const { db } = deed
  const { userId, version } = input
  const values = await columnsOfStaff(db, input)
  const account = await holdAccount(deed, userId)
  if (!isStaff(account.userType)) throw new Refusal('not_found')
  if (account.userType === userType.operator && !values.isAdmin) await refuseLastStaff(db, userId)
  const { numUpdatedRows } = await db
    .updateTable('account')
    .set({ ...values, version: nextVersion })
    .where('id', '=', userId)
    .where('version', '=', version)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Refusal('changed')
  // Their permissions have changed: their open pages start anew.
  await endSessionsOf(deed, userId)
}

/** Locks the row. Nobody handles their own account, and only the administrator of the platform's people handles one of them. */
async function holdAccount({ db, actor }: Pick<Deed, 'db' | 'actor'>, id: number) {
  const account = await db
    .selectFrom('account')
    .where('id', '=', id)
    .where('delFlag', '=', delFlag.present)
    .forNoKeyUpdate()
    .select(['id', 'userName', 'phonenumber', 'userType', 'isAdmin', 'status'])
    .executeTakeFirst()
  if (!account) throw new Refusal('not_found')
  if (account.id === actor.accountId) throw new Refusal('not_yourself')
  if (isStaff(account.userType) && !actor.permissions.includes('staff:edit')) throw new Refusal('forbidden')
  return account
}

/** Somebody must stay who administers the platform's people. */
async function refuseLastStaff(db: Read, id: number): Promise<void> {
  if (await findIsLastAdmin(db, id)) throw new Refusal('last_staff')
}

type StaffInput = Received<typeof contract.addStaff | typeof contract.editStaff>['body']

async function columnsOfStaff(db: Read, input: StaffInput) {
  const isAuditor = input.userType === userType.auditor
  if (isAuditor) {
    const company = await db
      .selectFrom('company')
      .where('id', '=', input.companyId ?? 0)
      .where('delFlag', '=', delFlag.present)
      .where('isLessee', '=', true)
      .select('id')
      .executeTakeFirst()
    if (!company) refuseField(['companyId'], 'company_unknown')
  }
  return {
    name: input.name,
    userType: input.userType,
    companyId: isAuditor ? input.companyId : null,
    duties: isAuditor ? [] : [...new Set(input.duties)],
    isAdmin: !isAuditor && input.isAdmin,
  }
}
