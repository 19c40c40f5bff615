import { randomInt } from 'node:crypto'
import type * as contract from '#shared/account/contract.ts'
import { passwordsRemembered } from '#shared/account/rules.ts'
import { toMinute } from '#shared/calendar.ts'
import type { Answered, Received } from '#shared/endpoint.ts'
import type { Actor } from '../actor/actor.ts'
import { hashPassword, hashToken } from '../actor/hash.ts'
import type { Read } from '../db/connect.ts'
import { violatedUnique } from '../db/violations.ts'
import { transact, type Context, type Work } from '../deed.ts'
import { Refusal, refuseField } from '../http/refusal.ts'
import { countAttempt, forgetAttempts } from './attempts.ts'
import { findAccountOfPhone, redeemSmsCode, reopenSmsCode } from './codes.ts'
import { forgetDevices } from './devices.ts'
import { ownPasswordCounter } from './guessing.ts'
import { sendAccountNotice } from './notice.ts'
import { refuseWeakPassword } from './password-quality.ts'
import { endSessionsOf } from './sessions.ts'
import { columnsOfEntry, enter, isPassword } from './sign-in.ts'

/** A sign-in name for an account whose person chose none. */
export const randomUserName = () => `u${Array.from({ length: 10 }, () => randomInt(36).toString(36)).join('')}`

/** Makes an ordinary account and signs it in. Its phone has proved itself by the code, so its owner may learn that it is registered already. */
export async function register(
  context: Context<Actor | null>,
  { phonenumber, smsCode, password }: Received<typeof contract.foregroundRegister>['body'],
): Promise<Answered<typeof contract.foregroundRegister>> {
  const { now, address, agent, device } = context
  // First, so that a refusal uses up no code.
  await refuseWeakPassword(qualityOf(context), { password, phonenumber })
  await redeemSmsCode(context, { type: 'register', phonenumber, code: smsCode })
  const passwordHash = await hashPassword(password)
  return transact(context, { now, address, agent, device }, async (work) => {
    const account = await work.db
      .insertInto('account')
      .values({ userName: randomUserName(), phonenumber, passwordHash, passwordUpdatedAt: now, termsAt: now, createTime: now })
      .returning(columnsOfEntry)
      .executeTakeFirstOrThrow()
    return enter(work, { account, way: 'register' })
  }).catch(refuseTakenPhone)
}

/** Sets a new password by SMS code and ends every session. An unknown number gets the refusal of a wrong code. */
export async function forgetPassword(
  context: Context<Actor | null>,
  { phonenumber, smsCode, password }: Received<typeof contract.forgetPassword>['body'],
): Promise<void> {
  const { db, now } = context
  await refuseWeakPassword(qualityOf(context), { password, phonenumber })
  await redeemSmsCode(context, { type: 'forget', phonenumber, code: smsCode })
  const account = await findAccountOfPhone(db, phonenumber)
  if (!account) throw new Refusal('sms_code_wrong')
  const accountId = account.id
  const passwords = await newPassword(context, { accountId, before: await getPasswordHash(db, accountId), password }).catch(
    async (error: unknown) => {
      // Only whoever has the code may learn that a password was used before, so it is asked late; the refusal uses up no code all the same.
      await reopenSmsCode(context, { type: 'forget', phonenumber })
      throw error
    },
  )
  await transact(context, { now }, (work) => setPassword(work, { accountId, ...passwords }))
}

/** Changes the own password; the other sessions end. */
export async function changePassword(
  context: Context,
  { oldPassword, password }: Received<typeof contract.resetPassword>['body'],
): Promise<void> {
  const { actor, now, token } = context
  const { accountId } = actor
  const before = await confirmPassword(context, { password: oldPassword, field: 'oldPassword' })
  const passwords = await newPassword(context, { accountId, before, password })
  await transact(context, { now }, async (work) => {
    await setPassword(work, { accountId, ...passwords, exceptToken: token })
    await context.claimAnswer?.(work.db, null)
  })
}

/**
 * Refuses unless this is the person's present password. Each try is counted before it is checked, for this session's owner alone: it neither is
 * stopped by strangers who try to sign in, nor stops anybody from signing in. Gives the hash that was compared.
 */
export async function confirmPassword(context: Context, { password, field }: { password: string; field: string }): Promise<string> {
  const { db, actor } = context
  const counter = ownPasswordCounter(actor.accountId)
  if (!(await countAttempt(context, counter)).isAllowed) throw new Refusal('account_locked')
  const passwordHash = await getPasswordHash(db, actor.accountId)
  if (!(await isPassword(passwordHash, password))) refuseField([field], 'old_password')
  await forgetAttempts(context, counter)
  return passwordHash
}

async function getPasswordHash(db: Read, accountId: number): Promise<string> {
  const { passwordHash } = await db.selectFrom('account').where('id', '=', accountId).select('passwordHash').executeTakeFirstOrThrow()
  return passwordHash
}

const qualityOf = ({ db, config }: Pick<Context, 'db' | 'config'>) => ({ db, siteNames: [config.site.name, config.site.nameEn] })

/**
 * The hash of a new password in place of `before`, made before a transaction holds a connection. Refuses one of the last three. `before` is the hash
 * that whoever asks has proved to know or may replace: read later, it could be one that somebody else has just set.
 */
async function newPassword(
  context: Pick<Context, 'db' | 'config'>,
  { accountId, before, password }: { accountId: number; before: string; password: string },
): Promise<{ before: string; passwordHash: string }> {
  const { db } = context
  await refuseWeakPassword(qualityOf(context), { password, accountId })
  const earlier = await db
    .selectFrom('passwordHistory')
    .where('accountId', '=', accountId)
    .orderBy('id', 'desc')
    .limit(passwordsRemembered - 1)
    .select('passwordHash')
    .execute()
  for (const hash of [before, ...earlier.map(({ passwordHash }) => passwordHash)])
    if (await isPassword(hash, password)) refuseField(['password'], 'password_used')
  return { before, passwordHash: await hashPassword(password) }
}

/** Stores a new password in place of `before`, ends the sessions but the one of `exceptToken`, and sends a notice. */
async function setPassword(
  work: Work,
  {
    accountId,
    before,
    passwordHash,
    exceptToken = null,
  }: { accountId: number; before: string; passwordHash: string; exceptToken?: string | null },
): Promise<void> {
  const { db, now } = work
  const { numUpdatedRows } = await db
    .updateTable('account')
    .set({ passwordHash, passwordUpdatedAt: now, mustChangePassword: false })
    .where('id', '=', accountId)
    .where('passwordHash', '=', before)
    .executeTakeFirst()
  // Somebody else with the same code or password was faster.
  if (numUpdatedRows === 0n) throw new Refusal('changed')
  await db.insertInto('passwordHistory').values({ accountId, passwordHash: before, at: now }).execute()
  await forgetDevices(db, accountId, exceptToken === null ? null : hashToken(exceptToken))
  await endSessionsOf(work, accountId, exceptToken)
  await sendAccountNotice(work, { accountId, kind: 'passwordChanged', params: { time: toMinute(now) } })
}

/** The columns of a password that somebody else gives: it is good for one sign-in, then its person chooses their own. */
export const givenPassword = (passwordHash: string, now: Date) => ({
  passwordHash,
  passwordUpdatedAt: now,
  mustChangePassword: true,
})

/** Refuses the field of a new or changed account whose value another account has. */
export function refuseTaken(error: unknown): never {
  const constraint = violatedUnique(error)
  if (constraint === undefined) throw error
  refuseField([constraint.includes('phonenumber') ? 'phonenumber' : 'userName'], 'taken')
}

export function refuseTakenPhone(error: unknown): never {
  if (violatedUnique(error) === undefined) throw error
  throw new Refusal('phone_taken')
}
