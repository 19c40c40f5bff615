import { randomInt } from 'node:crypto'
import { verify } from '@node-rs/argon2'
import { toMoment } from '#shared/calendar.ts'
import type { SignedIn } from '#shared/account/contract.ts'
import { maskPhone, passwordsRemembered } from '#shared/account/rules.ts'
import type { Db, Read } from '../db/connect.ts'
import { Refusal, refuseField } from '../http/refusal.ts'
import { sendMessages } from '../message/queries.ts'
import type { Services } from '../services.ts'
import { findSetting } from '../setting/queries.ts'
import type { Actor } from '../actor/actor.ts'
import { redeemSmsCode } from './codes.ts'
import { hashPassword } from '../actor/hash.ts'
import { endSessionsOf, type From } from './sessions.ts'
import { countFailure, enter } from './sign-in.ts'

const isUniqueViolation = (error: unknown) => (error as { code?: string }).code === '23505'

/** A new account of kind "1". Its phone has proved itself by the code, so being registered already may be told. */
export async function register(
  services: Services,
  { phonenumber, smsCode, password }: { phonenumber: string; smsCode: string; password: string },
  from: From,
  now: Date,
): Promise<SignedIn> {
  const { db } = services
  await redeemSmsCode(db, 'register', phonenumber, smsCode, now)
  const passwordHash = await hashPassword(password)
  try {
    const account = await db
      .insertInto('account')
      .values({
        userName: `u${Array.from({ length: 10 }, () => randomInt(36).toString(36)).join('')}`,
        phonenumber,
        passwordHash,
        passwordUpdatedAt: now,
        termsAt: now,
        createTime: now,
      })
      .returning(['id', 'status', 'certSign', 'auditStatus', 'failedLogins', 'lockedUntil'])
      .executeTakeFirstOrThrow()
    return await enter(services, account, 'register', from, now)
  } catch (error) {
    if (isUniqueViolation(error)) throw new Refusal('phone_taken')
    throw error
  }
}

/** Stores a new password, unless it is one of the last three. */
async function setPassword(db: Read, accountId: number, password: string, now: Date): Promise<void> {
  const present = await db.selectFrom('account').where('id', '=', accountId).select('passwordHash').executeTakeFirstOrThrow()
  const earlier = await db
    .selectFrom('passwordHistory')
    .where('accountId', '=', accountId)
    .orderBy('id', 'desc')
    .limit(passwordsRemembered - 1)
    .select('passwordHash')
    .execute()
  for (const { passwordHash } of [present, ...earlier])
    if (passwordHash.startsWith('$argon2') && (await verify(passwordHash, password))) refuseField(['password'], 'password_used')
  await db.insertInto('passwordHistory').values({ accountId, passwordHash: present.passwordHash, at: now }).execute()
  await db
    .updateTable('account')
    .set({
      passwordHash: await hashPassword(password),
      passwordUpdatedAt: now,
      mustChangePassword: false,
      failedLogins: 0,
      lockedUntil: null,
    })
    .where('id', '=', accountId)
    .execute()
}

async function passwordChanged({ hub }: Services, tx: Read, accountId: number, now: Date): Promise<void> {
  await sendMessages(
    { db: tx, hub, now },
    {
      to: { accounts: [accountId] },
      kind: 'passwordChanged',
      params: { time: toMoment(now).slice(0, 16) },
      bizType: 'account',
      bizId: accountId,
      link: '/personal/safety',
    },
  )
}

/** By SMS code; every session ends. An unknown number is told the same as a wrong code. */
export async function forgetPassword(
  services: Services,
  { phonenumber, smsCode, password }: { phonenumber: string; smsCode: string; password: string },
  now: Date,
): Promise<void> {
  const { db, hub } = services
  await redeemSmsCode(db, 'forget', phonenumber, smsCode, now)
  const account = await db
    .selectFrom('account')
    .where('phonenumber', '=', phonenumber)
    .where('delFlag', '=', '0')
    .select('id')
    .executeTakeFirst()
  if (!account) throw new Refusal('sms_code_wrong')
  await db.transaction().execute(async (tx) => {
    await setPassword(tx, account.id, password, now)
    await endSessionsOf(tx, hub, account.id, null)
    await passwordChanged(services, tx, account.id, now)
  })
}

/** Whether this is the person's present password; wrong ones count towards the lock. */
async function confirmPassword(db: Db, accountId: number, password: string, field: string, address: string, now: Date): Promise<void> {
  const account = await db
    .selectFrom('account')
    .where('id', '=', accountId)
    .select(['passwordHash', 'lockedUntil'])
    .executeTakeFirstOrThrow()
  if (account.lockedUntil && account.lockedUntil > toMoment(now)) throw new Refusal('account_locked')
  if (await verify(account.passwordHash, password)) return
  await countFailure(db, accountId, address, now)
  refuseField([field], 'old_password')
}

export async function changePassword(
  services: Services,
  actor: Actor,
  { oldPassword, password }: { oldPassword: string; password: string },
  { token, address }: { token: string | null; address: string },
  now: Date,
): Promise<void> {
  const { db, hub } = services
  await confirmPassword(db, actor.accountId, oldPassword, 'oldPassword', address, now)
  await db.transaction().execute(async (tx) => {
    await setPassword(tx, actor.accountId, password, now)
    await endSessionsOf(tx, hub, actor.accountId, token)
    await passwordChanged(services, tx, actor.accountId, now)
  })
}

export async function changePhone(
  services: Services,
  actor: Actor,
  { password, phonenumber, smsCode }: { password: string; phonenumber: string; smsCode: string },
  address: string,
  now: Date,
): Promise<void> {
  const { db, hub } = services
  await confirmPassword(db, actor.accountId, password, 'password', address, now)
  await redeemSmsCode(db, 'phone', phonenumber, smsCode, now)
  try {
    await db.transaction().execute(async (tx) => {
      await tx.updateTable('account').set({ phonenumber }).where('id', '=', actor.accountId).execute()
      await sendMessages(
        { db: tx, hub, now },
        {
          to: { accounts: [actor.accountId] },
          kind: 'phoneChanged',
          params: { phone: maskPhone(phonenumber) },
          bizType: 'account',
          bizId: actor.accountId,
          link: '/personal/safety',
        },
      )
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw new Refusal('phone_taken')
    throw error
  }
}

/** Whether the password is older than the operator allows; switched off unless the setting says a number of days. */
export async function isPasswordExpired(db: Read, passwordUpdatedAt: string, now: Date): Promise<boolean> {
  const { passwordDays: days } = await findSetting(db, 'security')
  return days > 0 && passwordUpdatedAt < toMoment(new Date(now.getTime() - days * 86_400_000))
}
