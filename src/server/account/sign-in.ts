import { randomBytes } from 'node:crypto'
import { verify } from '@node-rs/argon2'
import type * as contract from '#shared/account/contract.ts'
import { accountStatus, cancellationStatus, loginRules, userType, type AccountStatus, type SignInWay } from '#shared/account/rules.ts'
import { toMinute } from '#shared/calendar.ts'
import type { CertificationStatus } from '#shared/certification/rules.ts'
import { companyStatus } from '#shared/company/rules.ts'
import type { Answered, Received } from '#shared/endpoint.ts'
import { delFlag } from '#shared/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { hashPassword } from '../actor/hash.ts'
import { companyOfAccount } from '../actor/scope.ts'
import type { Read, Tx } from '../db/connect.ts'
import { transact, type Context, type Deed, type Work } from '../deed.ts'
import { Refusal } from '../http/refusal.ts'
import { countAttempt } from './attempts.ts'
import { findAccountOfPhone, redeemImageCode, tryCode } from './codes.ts'
import { isOwnDevice, rememberDevice, type Client } from './devices.ts'
import { beginGuess, endGuess, failGuess, withdrawGuess } from './guessing.ts'
import { sendAccountNotice } from './notice.ts'
import { endOldestSessions, insertSession, insertSignIn, replaceSession, type Entry } from './sessions.ts'
import { insertTicket } from './tickets.ts'

type SignedIn = Answered<typeof contract.webLogin>
type Account = {
  id: number
  status: AccountStatus
  certSign: number
  auditStatus: CertificationStatus
}

export const columnsOfEntry = ['account.id', 'account.status', 'account.certSign', 'account.auditStatus'] as const

// Verified where there is no password to compare with, so that the answer takes as long either way.
const hashOfNobody = hashPassword(randomBytes(16).toString('hex'))

/** Whether the password is the account's. Takes as long where there is no account, or one without a password. */
export async function isPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  const isSet = passwordHash?.startsWith('$argon2') ?? false
  const isRight = await verify(isSet && passwordHash ? passwordHash : await hashOfNobody, password)
  return isSet && isRight
}

/**
 * With a password. Each try is counted before it is checked (decision 38). The refusal of a wrong password is the same whether the name exists or
 * not: in words, shape, count and time.
 */
export async function signIn(context: Context<Actor | null>, credentials: Received<typeof contract.webLogin>['body']): Promise<SignedIn> {
  const { db, actor, address, secret } = context
  const { username, phonenumber, password, code, uuid } = credentials
  const name = username ?? phonenumber ?? ''
  const account = await db
    .selectFrom('account')
    .where((eb) => eb.or([eb('userName', '=', name), eb('phonenumber', '=', name)]))
    .where('delFlag', '=', delFlag.present)
    .select(['id', 'passwordHash'])
    .executeTakeFirst()
  const guess = await beginGuess(context, {
    name,
    address,
    isOwnDevice: await isOwnDevice(db, secret, account?.id, context),
    ownAccountId: account !== undefined && actor?.accountId === account.id ? account.id : null,
    client: context,
  })
  if (guess.needsImageCode) {
    const refused = !code || !uuid ? 'image_code_required' : 'image_code_wrong'
    if (!code || !uuid || !(await redeemImageCode(context, { type: 'login', uuid, code }))) {
      await withdrawGuess(context, guess)
      throw new Refusal(refused, { captcha: true })
    }
  }
  const isRight = await isPassword(account?.passwordHash, password)
  if (!account || !isRight) {
    const captcha = await failGuess(context, guess)
    await insertSignIn(context, { accountId: account?.id ?? 0, way: 'password', succeeded: false })
    if (!guess.isLast) throw new Refusal('login_failed', { captcha })
    if (account) await sendLockNotice(context, account.id)
    throw new Refusal('account_locked', { captcha })
  }
  await endGuess(context, guess)
  return takeFirstStep(context, { accountId: account.id, way: 'password', proof: { passwordHash: account.passwordHash } })
}

/** Sends the owner of an account a notice, once an hour at most, that somebody has used up the tries of its password. */
async function sendLockNotice(context: Context<Actor | null>, accountId: number): Promise<void> {
  const { now, address } = context
  const { isAllowed } = await countAttempt(context, {
    scope: 'notice',
    place: String(accountId),
    limit: 1,
    minutes: loginRules.noticeMinutes,
  })
  if (!isAllowed) return
  await transact(context, { now }, (work) =>
    sendAccountNotice(work, { accountId, kind: 'passwordGuessed', params: { time: toMinute(now), address } }),
  )
}

/** With an SMS code, which no number of wrong passwords stands in the way of. An unknown number gets the refusal of a wrong code. */
export async function signInBySms(
  context: Context<Actor | null>,
  { phonenumber, smsCode }: Received<typeof contract.messageLogin>['body'],
): Promise<SignedIn> {
  const account = await findAccountOfPhone(context.db, phonenumber)
  const redeemed = await tryCode(context, { type: 'login', phonenumber, code: smsCode })
  if (redeemed === 'wrong') await insertSignIn(context, { accountId: account?.id ?? 0, way: 'sms', succeeded: false })
  if (redeemed !== 'right' || !account) throw new Refusal('sms_code_wrong')
  return takeFirstStep(context, { accountId: account.id, way: 'sms', proof: { phonenumber } })
}

type FirstStep =
  | { accountId: number; way: 'password'; proof: { passwordHash: string } }
  | { accountId: number; way: 'sms'; proof: { phonenumber: string } }

/**
 * Signs in whoever has proved themselves by password or code, or refuses with a ticket where the account has a second step. Neither comes of a password or
 * number that was replaced since it was checked: whoever replaces it ends the sessions and tickets that they find.
 */
async function takeFirstStep(context: Context<Actor | null>, { accountId, way, proof }: FirstStep): Promise<SignedIn> {
  const { now, address, agent, device } = context
  const entered = await transact(context, { now, address, agent, device }, async (work) => {
    const account = await lockEntering(work.db, accountId)
    const isProved =
      account && ('passwordHash' in proof ? account.passwordHash === proof.passwordHash : account.phonenumber === proof.phonenumber)
    if (!isProved) throw way === 'password' ? new Refusal('login_failed', { captcha: false }) : new Refusal('sms_code_wrong')
    const ticket = await insertTicket(work, { accountId, way })
    return ticket === null ? enter(work, { account, way }) : { ticket }
  })
  // After the commit, which the ticket needs.
  if ('ticket' in entered) throw new Refusal('factor_needed', entered)
  return entered
}

/** Locks the account of somebody who signs in, so that a new password, a lock or another sign-in comes before or after them. */
export const lockEntering = (db: Tx, accountId: number) =>
  db
    .selectFrom('account')
    .where('id', '=', accountId)
    .where('delFlag', '=', delFlag.present)
    .forNoKeyUpdate()
    .select([...columnsOfEntry, 'passwordHash', 'phonenumber'])
    .executeTakeFirst()

type Entering = { account: Account; way: Exclude<SignInWay, 'switch'> }
/** What signing in needs of its work. */
type EnteringWork = Work & Entry & Client

/**
 * Signs somebody in who has proved themselves: a session, its record, and a cancellation that was waiting is taken back. The caller has locked the
 * account, or has made it.
 */
export async function enter(work: EnteringWork, { account, way }: Entering): Promise<SignedIn> {
  const { db, now, address } = work
  const { id: accountId, status, certSign, auditStatus } = account
  if (status !== accountStatus.active) throw new Refusal('account_disabled')
  if (await isCompanyLocked(db, accountId)) throw new Refusal('company_locked')
  const device = await rememberDevice(work, accountId, work)
  if (device.isNew) await sendAccountNotice(work, { accountId, kind: 'newDevice', params: { time: toMinute(now), address } })
  const cancellationWithdrawn = await withdrawCancellation(work, accountId)
  await insertSignIn(work, { accountId, way, succeeded: true })
  const token = await insertSession(work, { accountId, deviceHash: device.hash })
  await endOldestSessions(work, accountId)
  return {
    access_token: token,
    expires_in: loginRules.sessionMinutes,
    certSign,
    auditStatus: Number(auditStatus),
    cancellationWithdrawn,
  }
}

/** Moves whoever is signed in to another of their project departments, within the time that their sign-in gives them. */
export async function switchProject(
  deed: Deed & Entry & Pick<Context, 'token'>,
  { account, deptId }: { account: Account; deptId: number },
): Promise<SignedIn> {
  const { id: accountId, certSign, auditStatus } = account
  await insertSignIn(deed, { accountId, way: 'switch', succeeded: true })
  const { token, minutesLeft } = await replaceSession(deed, { accountId, token: deed.token ?? '', deptId })
  return { access_token: token, expires_in: minutesLeft, certSign, auditStatus: Number(auditStatus), cancellationWithdrawn: false }
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

/** An auditor only reads their organisation, so its lock does not concern them. */
async function isCompanyLocked(db: Read, accountId: number): Promise<boolean> {
  const locked = await db
    .selectFrom('account')
    .leftJoin('dept', 'dept.id', 'account.deptId')
    .innerJoin('company', (join) => join.on('company.id', '=', companyOfAccount))
    .where('account.id', '=', accountId)
    .where('account.userType', '<>', userType.auditor)
    .where('company.status', '=', companyStatus.locked)
    .select('company.id')
    .executeTakeFirst()
  return locked !== undefined
}
