import { randomInt } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'
import { factorRules, needsSecondFactor } from '#shared/account/rules.ts'
import type * as contract from '#shared/account/second-factor.ts'
import { dayMs, minuteMs } from '#shared/calendar.ts'
import type { Answered, Received } from '#shared/endpoint.ts'
import { lockAccountRow, type Actor } from '../actor/actor.ts'
import { hashToken } from '../actor/hash.ts'
import { decrypt, encrypt, keyedHash } from '../actor/keyed-hash.ts'
import type { Read } from '../db/connect.ts'
import { transact, type Context, type Work } from '../deed.ts'
import { Refusal, refuseField } from '../http/refusal.ts'
import { countAttempt, forgetAttempts, type Counting } from './attempts.ts'
import { sendAccountNotice } from './notice.ts'
import { confirmPassword } from './passwords.ts'
import { endSessionsOf, insertSignIn } from './sessions.ts'
import { enter, lockEntering } from './sign-in.ts'
import { findFactor } from './tickets.ts'

const recoveryLetters = 'abcdefghjkmnpqrstuvwxyz23456789'

export async function getSecondFactor({ db, actor, config }: Context): Promise<Answered<typeof contract.getSecondFactor>> {
  const factor = await findFactor(db, actor.accountId)
  const { left } = await db
    .selectFrom('recoveryCode')
    .where('accountId', '=', actor.accountId)
    .select((eb) => eb.fn.countAll<number>().as('left'))
    .executeTakeFirstOrThrow()
  return { isOn: factor?.confirmedAt != null, isRequired: !config.demo && needsSecondFactor(actor), recoveryCodes: left }
}

/** Makes a secret that waits for its first code; one that waits already is replaced, one that holds is not. */
export async function startSecondFactor(
  context: Context,
  { password }: Received<typeof contract.startSecondFactor>['body'],
): Promise<Answered<typeof contract.startSecondFactor>> {
  const { db, actor, now, secret, config } = context
  await confirmPassword(context, { password, field: 'password' })
  if (!(await countAttempt(context, startCounter(actor.accountId))).isAllowed) throw new Refusal('day_limit')
  const made = new Secret({ size: 20 })
  const values = { secretSealed: encrypt(secret, 'second factor', made.base32), createdAt: now, lastStep: 0 }
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('secondFactor')
    .values({ accountId: actor.accountId, ...values })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(values).where('secondFactor.confirmedAt', 'is', null))
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 0n) throw new Refusal('changed')
  const uri = totpOf(made.base32, { issuer: config.site.name, label: actor.userName }).toString()
  return { secret: made.base32, uri, qr: renderSVG(uri) }
}

/** Switches the factor on with its first code. Gives the recovery codes, of which only keyed hashes are stored. */
export async function confirmSecondFactor(
  context: Context,
  { code }: Received<typeof contract.confirmSecondFactor>['body'],
): Promise<Answered<typeof contract.confirmSecondFactor>> {
  const { actor, now, token } = context
  const { accountId } = actor
  await refuseManyCodes(context, accountId)
  return transact(context, { now }, async (work) => {
    // A sign-in that found no second step has its session by now, which ends with the others, or finds this one.
    await lockAccountRow(work.db, accountId)
    if (!(await redeemTotp(work, { accountId, code, isConfirmed: false }))) refuseField(['code'], 'factor_code')
    const codes = Array.from({ length: factorRules.recoveryCodes }, newRecoveryCode)
    await work.db.deleteFrom('recoveryCode').where('accountId', '=', accountId).execute()
    await work.db
      .insertInto('recoveryCode')
      .values(codes.map((recovery) => ({ accountId, codeHash: recoveryHash(work.secret, accountId, recovery) })))
      .execute()
    await forgetAttempts(work, codeCounter(accountId))
    await endSessionsOf(work, accountId, token)
    await sendAccountNotice(work, { accountId, kind: 'secondFactorOn' })
    return { recoveryCodes: codes }
  })
}

/** Switches the factor off, with both of what signs in. */
export async function endSecondFactor(
  context: Context,
  { password, code }: Received<typeof contract.endSecondFactor>['body'],
): Promise<void> {
  const { actor, now } = context
  const { accountId } = actor
  await confirmPassword(context, { password, field: 'password' })
  await refuseManyCodes(context, accountId)
  await transact(context, { now }, async (work) => {
    // A change of the number locks the account before the factor as well, so neither waits for the other in a ring.
    await lockAccountRow(work.db, accountId)
    await redeemFactor(work, accountId, code)
    await removeSecondFactor(work.db, accountId)
    await sendAccountNotice(work, { accountId, kind: 'secondFactorOff' })
  })
}

/** Counts one code of the person's second factor, on the pool, before `redeemFactor` compares it. Refuses too many. */
export const countFactorTry = (context: Context) => refuseManyCodes(context, context.actor.accountId)

/**
 * Refuses unless this is a code of the person's second factor, and uses it up in the transaction of what it confirms, so that another refusal of that
 * transaction keeps it. The caller has counted the try.
 */
export async function redeemFactor(work: Work, accountId: number, code: string): Promise<void> {
  if (!(await redeemCode(work, accountId, code))) refuseField(['code'], 'factor_code')
  await forgetAttempts(work, codeCounter(accountId))
}

export async function removeSecondFactor(db: Read, accountId: number): Promise<void> {
  for (const table of ['secondFactor', 'recoveryCode', 'signInTicket'] as const)
    await db.deleteFrom(table).where('accountId', '=', accountId).execute()
}

/** The second step of signing in. A ticket takes five codes, an account ten in ten minutes from whoever knows its first factor. */
export async function signInByFactor(
  context: Context<Actor | null>,
  { ticket, code }: Received<typeof contract.signInByFactor>['body'],
): Promise<Answered<typeof contract.signInByFactor>> {
  const { db, now, address, agent, device } = context
  const tokenHash = hashToken(ticket)
  const row = await db
    .updateTable('signInTicket')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', now.toISOString())
    .where('tries', '<', factorRules.tries)
    .returning(['accountId', 'way'])
    .executeTakeFirst()
  if (!row) throw new Refusal('ticket_over')
  const { accountId, way } = row
  await refuseManyCodes(context, accountId)
  if (!(await redeemCode(context, accountId, code))) {
    await insertSignIn(context, { accountId, way, succeeded: false })
    refuseField(['code'], 'factor_code')
  }
  await forgetAttempts(context, codeCounter(accountId))
  return transact(context, { now, address, agent, device }, async (work) => {
    const account = await lockEntering(work.db, accountId)
    // Under the lock: a new password ends the tickets of the old one.
    const { numDeletedRows } = await work.db.deleteFrom('signInTicket').where('tokenHash', '=', tokenHash).executeTakeFirst()
    if (!account || numDeletedRows === 0n) throw new Refusal('ticket_over')
    return enter(work, { account, way })
  })
}

const codeCounter = (accountId: number) => ({
  scope: 'second factor',
  place: String(accountId),
  limit: factorRules.triesPerAccount,
  minutes: factorRules.minutes,
})

const startCounter = (accountId: number) => ({
  scope: 'second factor begun',
  place: String(accountId),
  limit: factorRules.startsADay,
  minutes: dayMs / minuteMs,
})

async function refuseManyCodes(counting: Counting, accountId: number): Promise<void> {
  if (!(await countAttempt(counting, codeCounter(accountId))).isAllowed) throw new Refusal('too_many')
}

/** Uses up a code of the app or a recovery code. */
async function redeemCode(work: Counting, accountId: number, code: string): Promise<boolean> {
  if (/^\d{6}$/.test(code)) return redeemTotp(work, { accountId, code, isConfirmed: true })
  const { numDeletedRows } = await work.db
    .deleteFrom('recoveryCode')
    .where('accountId', '=', accountId)
    .where('codeHash', '=', recoveryHash(work.secret, accountId, code.toLowerCase().replaceAll(/[\s-]/g, '')))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** A code of this step or the one before or after it (RFC 6238, 5.2), each step once. Confirms a factor that waits for its first. */
async function redeemTotp(
  { db, now, secret }: Counting,
  { accountId, code, isConfirmed }: { accountId: number; code: string; isConfirmed: boolean },
): Promise<boolean> {
  const factor = await findFactor(db, accountId)
  if (!factor || (factor.confirmedAt !== null) !== isConfirmed) return false
  const totp = totpOf(decrypt(secret, 'second factor', factor.secretSealed))
  const delta = totp.validate({ token: code, timestamp: now.getTime(), window: 1 })
  if (delta === null) return false
  const step = totp.counter({ timestamp: now.getTime() }) + delta
  const { numUpdatedRows } = await db
    .updateTable('secondFactor')
    .set({ lastStep: step, ...(!isConfirmed && { confirmedAt: now }) })
    .where('accountId', '=', accountId)
    // Another start may have replaced the secret since it was read.
    .where('secretSealed', '=', factor.secretSealed)
    .where('lastStep', '<', step)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

const totpOf = (base32: string, names: { issuer: string; label: string } = { issuer: '', label: '' }) =>
  new TOTP({ ...names, algorithm: 'SHA1', digits: 6, period: 30, secret: Secret.fromBase32(base32) })

/** Twelve letters, 59 bits, in groups that are easy to copy by hand. */
function newRecoveryCode(): string {
  const letters = Array.from({ length: 12 }, () => recoveryLetters[randomInt(recoveryLetters.length)] ?? '')
  return [letters.slice(0, 4), letters.slice(4, 8), letters.slice(8)].map((group) => group.join('')).join('-')
}

const recoveryHash = (secret: string, accountId: number, code: string): Buffer =>
  keyedHash(secret, 'recovery code', `${accountId} ${code.replaceAll('-', '')}`)
