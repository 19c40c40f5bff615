import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { sql } from 'kysely'
import type { CurrentUser, UserInfo } from '#shared/account/contract.ts'
import { loginRules } from '#shared/account/rules.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import type { Db, Read } from '../db/connect.ts'
import { Refusal } from '../http/refusal.ts'
import { hashToken, type Actor } from './actor.ts'

/** argon2id with the library's defaults (19 MiB, 2 passes), the OWASP recommendation. */
export const hashPassword = (password: string): Promise<string> => hash(password)

// Checked when there is no such user, so that the answer takes as long either way.
const nobodysHash = hashPassword(randomBytes(16).toString('hex'))

export async function insertImageCode(db: Db, type: string, now: Date): Promise<{ uuid: string; answer: string }> {
  const letters = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
  const answer = Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('')
  const uuid = randomUUID()
  await db
    .insertInto('imageCode')
    .values({ uuid, type, answerHash: hashToken(answer), expiresAt: new Date(now.getTime() + 2 * 60_000) })
    .execute()
  return { uuid, answer }
}

/** Uses the code up: right or wrong, it serves once. */
export async function redeemImageCode(db: Db, type: string, uuid: string, code: string, now: Date): Promise<boolean> {
  if (!/^[0-9a-f-]{36}$/.test(uuid)) return false
  const row = await db.deleteFrom('imageCode').where('uuid', '=', uuid).returning(['type', 'answerHash', 'expiresAt']).executeTakeFirst()
  if (!row || row.type !== type || new Date(`${row.expiresAt.replace(' ', 'T')}+08:00`) < now) return false
  return row.answerHash.equals(hashToken(code.toUpperCase()))
}

export async function signIn(
  db: Db,
  input: { login: string; password: string; code: string | undefined; uuid: string | undefined; address: string; agent: string },
  now: Date,
): Promise<{ accessToken: string; minutes: number; certSign: number; auditStatus: string }> {
  const since = new Date(now.getTime() - loginRules.lockMinutes * 60_000).toISOString()
  const { failures } = await db
    .selectFrom('loginFailure')
    .where('address', '=', input.address)
    .where('at', '>', since)
    .select((eb) => eb.fn.countAll<number>().as('failures'))
    .executeTakeFirstOrThrow()
  if (failures >= loginRules.addressFailures) throw new Refusal('too_many')

  const account = await db
    .selectFrom('account')
    .where((eb) => eb.or([eb('userName', '=', input.login), eb('phonenumber', '=', input.login)]))
    .where('delFlag', '=', '0')
    .select(['id', 'passwordHash', 'status', 'failedLogins', 'lockedUntil', 'certSign', 'auditStatus'])
    .executeTakeFirst()
  if (account?.lockedUntil && new Date(`${account.lockedUntil.replace(' ', 'T')}+08:00`) > now) throw new Refusal('account_locked')
  if (account && account.failedLogins >= loginRules.captchaAfter) {
    if (!input.code || !input.uuid) throw new Refusal('image_code_required', { captcha: true })
    if (!(await redeemImageCode(db, 'login', input.uuid, input.code, now))) throw new Refusal('image_code_wrong', { captcha: true })
  }

  const right = await verify(account?.passwordHash ?? (await nobodysHash), input.password)
  if (!account || !right) {
    await db.insertInto('loginFailure').values({ address: input.address, at: now }).execute()
    if (!account) throw new Refusal('login_failed')
    const { failedLogins } = await db
      .updateTable('account')
      .set((eb) => ({ failedLogins: eb('failedLogins', '+', 1) }))
      .where('id', '=', account.id)
      .returning('failedLogins')
      .executeTakeFirstOrThrow()
    if (failedLogins >= loginRules.failures) {
      await db
        .updateTable('account')
        .set({ failedLogins: 0, lockedUntil: new Date(now.getTime() + loginRules.lockMinutes * 60_000) })
        .where('id', '=', account.id)
        .execute()
      throw new Refusal('account_locked')
    }
    throw new Refusal('login_failed', { captcha: failedLogins >= loginRules.captchaAfter })
  }
  if (account.status !== '0') throw new Refusal('account_disabled')

  if (account.failedLogins > 0)
    await db.updateTable('account').set({ failedLogins: 0, lockedUntil: null }).where('id', '=', account.id).execute()
  const accessToken = await insertSession(db, account.id, input, now)
  return { accessToken, minutes: loginRules.sessionMinutes, certSign: account.certSign, auditStatus: account.auditStatus }
}

export async function insertSession(db: Db, accountId: number, from: { address: string; agent: string }, now: Date): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db
    .insertInto('session')
    .values({
      tokenHash: hashToken(token),
      accountId,
      createdAt: now,
      expiresAt: new Date(now.getTime() + loginRules.sessionMinutes * 60_000),
      address: from.address,
      agent: from.agent.slice(0, 200),
    })
    .execute()
  return token
}

export async function deleteSession(db: Db, token: string): Promise<void> {
  await db.deleteFrom('session').where('tokenHash', '=', hashToken(token)).execute()
}

/** The current user on the wire; before certification with the names the specification gives. */
export async function getUserInfo(db: Read, actor: Actor, siteName: string, text: Text): Promise<UserInfo> {
  const row = await db
    .selectFrom('account')
    .leftJoin('dept', 'dept.id', 'account.deptId')
    .leftJoin('company', (join) => join.on('company.id', '=', sql`coalesce(dept.company_id, account.company_id)`))
    .where('account.id', '=', actor.accountId)
    .select([
      'account.id as userId',
      'account.userName',
      'account.nickName',
      'account.name',
      'account.phonenumber',
      'account.deptId',
      'account.createTime',
      'account.userType',
      'account.isAdmin',
      'account.certSign',
      'account.auditStatus',
      'dept.deptName',
      'dept.projectName',
      'dept.leader',
      'company.id as companyId',
      'company.enterpriseName',
    ])
    .executeTakeFirstOrThrow()
  const depts = await db
    .selectFrom('accountDept')
    .innerJoin('dept', 'dept.id', 'accountDept.deptId')
    .where('accountDept.accountId', '=', actor.accountId)
    .where('dept.delFlag', '=', '0')
    .orderBy('dept.id')
    .select(['dept.id as deptId', 'dept.deptName'])
    .execute()
  const { defaults } = text.account
  const certified = actor.role !== null
  // The platform's own people belong to no company, and are not waiting for a certification either.
  const nowhere = certified ? siteName : defaults.deptName
  const user: CurrentUser = {
    userId: row.userId,
    userName: row.userName,
    nickName: certified ? row.nickName || row.name : siteName,
    name: certified ? row.name : defaults.name,
    phonenumber: row.phonenumber ?? '',
    deptId: row.deptId,
    dept: {
      deptId: row.deptId,
      deptName: row.deptName ?? row.enterpriseName ?? nowhere,
      name: certified ? (row.projectName ?? row.deptName ?? row.enterpriseName ?? nowhere) : defaults.deptName,
      leader: row.leader ?? '',
    },
    createTime: row.createTime,
    userType: row.userType,
    isAdmin: row.isAdmin,
    companyId: row.companyId,
    companyName: row.enterpriseName ?? '',
    certSign: row.certSign,
    auditStatus: Number(row.auditStatus),
    deptList: depts,
  }
  return { permissions: [...actor.permissions], roles: actor.role ? [actor.role] : [], user }
}

export async function updateNickname(db: Db, accountId: number, nickName: string): Promise<void> {
  await db.updateTable('account').set({ nickName }).where('id', '=', accountId).execute()
}

/** What has run out: sessions, picture codes, old failures. */
export async function deleteExpired(db: Db, now: Date): Promise<void> {
  const at = now.toISOString()
  await db.deleteFrom('session').where('expiresAt', '<', at).execute()
  await db.deleteFrom('imageCode').where('expiresAt', '<', at).execute()
  await db
    .deleteFrom('loginFailure')
    .where('at', '<', new Date(now.getTime() - 3_600_000).toISOString())
    .execute()
}
