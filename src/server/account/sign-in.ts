import { randomBytes } from 'node:crypto'
import { verify } from '@node-rs/argon2'
import { sql } from 'kysely'
import type { SignedIn } from '#shared/account/contract.ts'
import { fromMoment } from '#shared/calendar.ts'
import { loginRules, type SignInWay } from '#shared/account/rules.ts'
import type { Db, Read } from '../db/connect.ts'
import { Refusal } from '../http/refusal.ts'
import { sendMessages } from '../message/queries.ts'
import type { Services } from '../services.ts'
import { redeemImageCode, redeemSmsCode } from './codes.ts'
import { hashPassword } from '../actor/hash.ts'
import { insertSession, insertSignIn, type From } from './sessions.ts'

type Found = { id: number; status: string; certSign: number; auditStatus: string; failedLogins: number; lockedUntil: string | null }

const columns = ['id', 'status', 'certSign', 'auditStatus', 'failedLogins', 'lockedUntil'] as const

// Checked when there is no such user, so that the answer takes as long either way.
const nobodysHash = hashPassword(randomBytes(16).toString('hex'))

async function refuseGuessers(db: Db, address: string, now: Date): Promise<void> {
  const since = new Date(now.getTime() - loginRules.lockMinutes * 60_000).toISOString()
  const { failures } = await db
    .selectFrom('loginFailure')
    .where('address', '=', address)
    .where('at', '>', since)
    .select((eb) => eb.fn.countAll<number>().as('failures'))
    .executeTakeFirstOrThrow()
  if (failures >= loginRules.addressFailures) throw new Refusal('too_many')
}

const isLocked = (account: Found | undefined, now: Date) => account?.lockedUntil && fromMoment(account.lockedUntil) > now

/** Counts a wrong password; the fifth locks the account. How many there are now. */
export async function countFailure(db: Db, accountId: number, address: string, now: Date): Promise<number> {
  await db.insertInto('loginFailure').values({ address, at: now }).execute()
  const { failedLogins } = await db
    .updateTable('account')
    .set((eb) => ({ failedLogins: eb('failedLogins', '+', 1) }))
    .where('id', '=', accountId)
    .returning('failedLogins')
    .executeTakeFirstOrThrow()
  if (failedLogins >= loginRules.failures)
    await db
      .updateTable('account')
      .set({ failedLogins: 0, lockedUntil: new Date(now.getTime() + loginRules.lockMinutes * 60_000) })
      .where('id', '=', accountId)
      .execute()
  return failedLogins
}

export async function signIn(
  services: Services,
  input: From & { login: string; password: string; code: string | undefined; uuid: string | undefined },
  now: Date,
): Promise<SignedIn> {
  const { db } = services
  await refuseGuessers(db, input.address, now)
  const account = await db
    .selectFrom('account')
    .where((eb) => eb.or([eb('userName', '=', input.login), eb('phonenumber', '=', input.login)]))
    .where('delFlag', '=', '0')
    .select([...columns, 'passwordHash'])
    .executeTakeFirst()
  if (isLocked(account, now)) throw new Refusal('account_locked')
  if (account && account.failedLogins >= loginRules.captchaAfter) {
    if (!input.code || !input.uuid) throw new Refusal('image_code_required', { captcha: true })
    if (!(await redeemImageCode(db, 'login', input.uuid, input.code, now))) throw new Refusal('image_code_wrong', { captcha: true })
  }
  const right = await verify(account?.passwordHash ?? (await nobodysHash), input.password)
  if (!account) {
    await db.insertInto('loginFailure').values({ address: input.address, at: now }).execute()
    throw new Refusal('login_failed')
  }
  if (!right) {
    const failures = await countFailure(db, account.id, input.address, now)
    await insertSignIn(db, account.id, 'password', false, input, now)
    if (failures >= loginRules.failures) throw new Refusal('account_locked')
    throw new Refusal('login_failed', { captcha: failures >= loginRules.captchaAfter })
  }
  return enter(services, account, 'password', input, now)
}

export async function signInBySms(
  services: Services,
  input: From & { phonenumber: string; smsCode: string },
  now: Date,
): Promise<SignedIn> {
  const { db } = services
  await refuseGuessers(db, input.address, now)
  const account = await db
    .selectFrom('account')
    .where('phonenumber', '=', input.phonenumber)
    .where('delFlag', '=', '0')
    .select(columns)
    .executeTakeFirst()
  try {
    await redeemSmsCode(db, 'login', input.phonenumber, input.smsCode, now)
  } catch (error) {
    await db.insertInto('loginFailure').values({ address: input.address, at: now }).execute()
    if (account) await insertSignIn(db, account.id, 'sms', false, input, now)
    throw error
  }
  if (!account) throw new Refusal('sms_code_wrong')
  if (isLocked(account, now)) throw new Refusal('account_locked')
  return enter(services, account, 'sms', input, now)
}

/** An auditor only reads his organisation, so that its lock does not concern him. */
async function isCompanyLocked(db: Read, accountId: number): Promise<boolean> {
  const locked = await db
    .selectFrom('account')
    .leftJoin('dept', 'dept.id', 'account.deptId')
    .innerJoin('company', (join) => join.on('company.id', '=', sql`coalesce(dept.company_id, account.company_id)`))
    .where('account.id', '=', accountId)
    .where('account.userType', '<>', '8')
    .where('company.status', '=', '1')
    .select('company.id')
    .executeTakeFirst()
  return locked !== undefined
}

/** Past the door: a session, its record, and a cancellation that was waiting is taken back. */
export async function enter(
  services: Services,
  account: Found,
  way: SignInWay,
  from: From,
  now: Date,
  deptId: number | null = null,
): Promise<SignedIn> {
  const { db, hub } = services
  if (account.status !== '0') throw new Refusal('account_disabled')
  if (await isCompanyLocked(db, account.id)) throw new Refusal('company_locked')
  const { token, withdrawn } = await db.transaction().execute(async (tx) => {
    if (account.failedLogins > 0 || account.lockedUntil)
      await tx.updateTable('account').set({ failedLogins: 0, lockedUntil: null }).where('id', '=', account.id).execute()
    const { numUpdatedRows } = await tx
      .updateTable('cancellation')
      .set({ status: '1', doneAt: now })
      .where('accountId', '=', account.id)
      .where('status', '=', '0')
      .executeTakeFirst()
    if (numUpdatedRows > 0n)
      await sendMessages(
        { db: tx, hub, now },
        {
          to: { accounts: [account.id] },
          kind: 'cancellationWithdrawn',
          params: {},
          bizType: 'account',
          bizId: account.id,
          link: '/personal/safety',
        },
      )
    await insertSignIn(tx, account.id, way, true, from, now)
    return { token: await insertSession(tx, account.id, from, now, deptId), withdrawn: numUpdatedRows > 0n }
  })
  return {
    access_token: token,
    expires_in: loginRules.sessionMinutes,
    certSign: account.certSign,
    auditStatus: Number(account.auditStatus),
    cancellationWithdrawn: withdrawn,
  }
}
