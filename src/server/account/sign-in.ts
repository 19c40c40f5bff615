import { randomBytes } from 'node:crypto'
import { verify } from '@node-rs/argon2'
import { sql } from 'kysely'
import type * as contract from '#shared/account/contract.ts'
import { accountStatus, cancellationStatus, loginRules, userType, type AccountStatus, type SignInWay } from '#shared/account/rules.ts'
import { fromMoment, minuteMs } from '#shared/calendar.ts'
import type { CertificationStatus } from '#shared/certification/rules.ts'
import { companyStatus } from '#shared/company/rules.ts'
import type { Answered, Received } from '#shared/endpoint.ts'
import { delFlag } from '#shared/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { hashPassword } from '../actor/hash.ts'
import type { Read } from '../db/connect.ts'
import { transact, type Context, type Work } from '../deed.ts'
import { Refusal } from '../http/refusal.ts'
import { redeemImageCode, redeemSmsCode } from './codes.ts'
import { sendAccountNotice } from './notice.ts'
import { insertSession, insertSignIn, type Entry } from './sessions.ts'

type SignedIn = Answered<typeof contract.webLogin>
type Account = {
  id: number
  status: AccountStatus
  certSign: number
  auditStatus: CertificationStatus
  failedLogins: number
  lockedUntil: string | null
}

export const columnsOfEntry = [
  'account.id',
  'account.status',
  'account.certSign',
  'account.auditStatus',
  'account.failedLogins',
  'account.lockedUntil',
] as const

// Verified when there is no such account, so that the answer takes as long either way.
const hashOfNobody = hashPassword(randomBytes(16).toString('hex'))

/** With a password: several wrong ones ask for a picture code, more of them lock the account and the address for a while. */
export async function signIn(context: Context<Actor | null>, credentials: Received<typeof contract.webLogin>['body']): Promise<SignedIn> {
  const { db, now } = context
  const { username, phonenumber, password, code, uuid } = credentials
  const login = username ?? phonenumber ?? ''
  await refuseGuessers(context)
  const account = await db
    .selectFrom('account')
    .where((eb) => eb.or([eb('userName', '=', login), eb('phonenumber', '=', login)]))
    .where('delFlag', '=', delFlag.present)
    .select([...columnsOfEntry, 'passwordHash'])
    .executeTakeFirst()
  if (isLocked(account, now)) throw new Refusal('account_locked')
  if (account && account.failedLogins >= loginRules.captchaAfter) {
    if (!code || !uuid) throw new Refusal('image_code_required', { captcha: true })
    if (!(await redeemImageCode(context, { type: 'login', uuid, code }))) throw new Refusal('image_code_wrong', { captcha: true })
  }
  const isRight = await verify(account?.passwordHash ?? (await hashOfNobody), password)
  if (!account) {
    await insertFailure(context)
    throw new Refusal('login_failed')
  }
  if (!isRight) {
    const failures = await countFailure(context, account.id)
    await insertSignIn(context, { accountId: account.id, way: 'password', succeeded: false })
    if (failures >= loginRules.failures) throw new Refusal('account_locked')
    throw new Refusal('login_failed', { captcha: failures >= loginRules.captchaAfter })
  }
  return enterAlone(context, { account, way: 'password' })
}

export async function signInBySms(
  context: Context<Actor | null>,
  { phonenumber, smsCode }: Received<typeof contract.messageLogin>['body'],
): Promise<SignedIn> {
  const { db, now } = context
  await refuseGuessers(context)
  const account = await db
    .selectFrom('account')
    .where('phonenumber', '=', phonenumber)
    .where('delFlag', '=', delFlag.present)
    .select(columnsOfEntry)
    .executeTakeFirst()
  try {
    await redeemSmsCode(context, { type: 'login', phonenumber, code: smsCode })
  } catch (error) {
    await insertFailure(context)
    if (account) await insertSignIn(context, { accountId: account.id, way: 'sms', succeeded: false })
    throw error
  }
  if (!account) throw new Refusal('sms_code_wrong')
  if (isLocked(account, now)) throw new Refusal('account_locked')
  return enterAlone(context, { account, way: 'sms' })
}

/** Counts a wrong password; the fifth locks the account. Gives the number there are now. */
export async function countFailure(entry: Entry, accountId: number): Promise<number> {
  const { db, now } = entry
  await insertFailure(entry)
  const { failedLogins } = await db
    .updateTable('account')
    .set((eb) => ({ failedLogins: eb('failedLogins', '+', 1) }))
    .where('id', '=', accountId)
    .returning('failedLogins')
    .executeTakeFirstOrThrow()
  if (failedLogins >= loginRules.failures)
    await db
      .updateTable('account')
      .set({ failedLogins: 0, lockedUntil: new Date(now.getTime() + loginRules.lockMinutes * minuteMs) })
      .where('id', '=', accountId)
      .execute()
  return failedLogins
}

export type Entering = { account: Account; way: SignInWay; deptId?: number | null }
/** What signing in needs of its work. */
export type EnteringWork = Work & Entry

/** Signs somebody in who has proved themselves: a session, its record, and a cancellation that was waiting is taken back. */
export async function enter(work: EnteringWork, { account, way, deptId = null }: Entering): Promise<SignedIn> {
  const { db } = work
  const { id: accountId, status, certSign, auditStatus, failedLogins, lockedUntil } = account
  if (status !== accountStatus.active) throw new Refusal('account_disabled')
  if (await isCompanyLocked(db, accountId)) throw new Refusal('company_locked')
  if (failedLogins > 0 || lockedUntil)
    await db.updateTable('account').set({ failedLogins: 0, lockedUntil: null }).where('id', '=', accountId).execute()
  const cancellationWithdrawn = await withdrawCancellation(work, accountId)
  await insertSignIn(work, { accountId, way, succeeded: true })
  return {
    access_token: await insertSession(work, { accountId, deptId }),
    expires_in: loginRules.sessionMinutes,
    certSign,
    auditStatus: Number(auditStatus),
    cancellationWithdrawn,
  }
}

/** `enter` in a transaction of its own. */
function enterAlone(context: Context<Actor | null>, entering: Entering): Promise<SignedIn> {
  const { now, address, agent } = context
  return transact(context, { now, address, agent }, (work) => enter(work, entering))
}

async function withdrawCancellation(work: Work, accountId: number): Promise<boolean> {
  const { numUpdatedRows } = await work.db
    .updateTable('cancellation')
    .set({ status: cancellationStatus.withdrawn, doneAt: work.now })
    .where('accountId', '=', accountId)
    .where('status', '=', cancellationStatus.cooling)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await sendAccountNotice(work, { accountId, kind: 'cancellationWithdrawn' })
  return true
}

async function refuseGuessers({ db, now, address }: Entry): Promise<void> {
  const since = new Date(now.getTime() - loginRules.lockMinutes * minuteMs).toISOString()
  const { failures } = await db
    .selectFrom('loginFailure')
    .where('address', '=', address)
    .where('at', '>', since)
    .select((eb) => eb.fn.countAll<number>().as('failures'))
    .executeTakeFirstOrThrow()
  if (failures >= loginRules.addressFailures) throw new Refusal('too_many')
}

async function insertFailure({ db, now, address }: Entry): Promise<void> {
  await db.insertInto('loginFailure').values({ address, at: now }).execute()
}

const isLocked = (account: Account | undefined, now: Date): boolean =>
  Boolean(account?.lockedUntil && fromMoment(account.lockedUntil) > now)

/** An auditor only reads their organisation, so its lock does not concern them. */
async function isCompanyLocked(db: Read, accountId: number): Promise<boolean> {
  const locked = await db
    .selectFrom('account')
    .leftJoin('dept', 'dept.id', 'account.deptId')
    .innerJoin('company', (join) => join.on('company.id', '=', sql`coalesce(dept.company_id, account.company_id)`))
    .where('account.id', '=', accountId)
    .where('account.userType', '<>', userType.auditor)
    .where('company.status', '=', companyStatus.locked)
    .select('company.id')
    .executeTakeFirst()
  return locked !== undefined
}
