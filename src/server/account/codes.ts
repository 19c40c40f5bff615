import { randomInt, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { imageCodeLength, signCodesFrom, smsRules, type codeTypes, type SmsType } from '#shared/account/rules.ts'
import { dayMs, fromMoment, minuteMs } from '#shared/calendar.ts'
import { delFlag } from '#shared/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { keyedHash } from '../actor/keyed-hash.ts'
import type { Read } from '../db/connect.ts'
import { transact, type Caller, type Context, type Work } from '../deed.ts'
import { networkOf } from '../http/limits.ts'
import { Refusal } from '../http/refusal.ts'
import { sendSms } from '../outbox/queries.ts'
import { countAttempt, uncountAttempt, type Counter } from './attempts.ts'
import { isOwnDevice } from './devices.ts'
import { codeLetters } from './image-code.ts'

type CodeType = (typeof codeTypes)[number]
/** A code is used up, or a try counted, on the pool: a refusal must not undo that. */
type Checking = { db: Read; now: Date; secret: string }

const imageCodeMinutes = 2

export async function insertImageCode({ db, now, secret }: Checking, type: CodeType): Promise<{ uuid: string; answer: string }> {
  const answer = Array.from({ length: imageCodeLength }, () => codeLetters[randomInt(codeLetters.length)]).join('')
  const uuid = randomUUID()
  await db
    .insertInto('imageCode')
    .values({
      uuid,
      type,
      answerHash: keyedHash(secret, 'picture code', answer),
      expiresAt: new Date(now.getTime() + imageCodeMinutes * minuteMs),
    })
    .execute()
  return { uuid, answer }
}

/** Uses the code up: right or wrong, it serves once. */
export async function redeemImageCode(
  { db, now, secret }: Checking,
  { type, uuid, code }: { type: CodeType; uuid: string; code: string },
): Promise<boolean> {
  if (!/^[0-9a-f-]{36}$/.test(uuid)) return false
  const row = await db.deleteFrom('imageCode').where('uuid', '=', uuid).returning(['type', 'answerHash', 'expiresAt']).executeTakeFirst()
  if (!row || row.type !== type || fromMoment(row.expiresAt) < now) return false
  return row.answerHash.equals(keyedHash(secret, 'picture code', code.toUpperCase()))
}

/**
 * Makes an SMS code and sends it. Only the phone itself learns whether its number is known to the platform: an unknown one gets no code to
 * sign in with, a known one gets a hint when it registers again.
 */
export async function sendSmsCode(
  context: Context<Actor | null>,
  { phonenumber, type, signing }: { phonenumber: string; type: SmsType; signing?: Signing | undefined },
): Promise<void> {
  const { db, actor, now, secret, log } = context
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const owner = await findAccountOfPhone(db, phonenumber)
  const until = signing && owner ? signCodesFrom(owner.phoneChangedAt, now) : null
  if (until !== null) throw new Refusal('sign_code_waits', { until })
  const byOwner = (await isOwnDevice(db, secret, owner?.id, context)) || (owner !== undefined && actor?.accountId === owner.id)
  const id = await transact(context, { now }, (work) => insertSmsCode(work, { phonenumber, type, code, byOwner, signing, caller: context }))
  if (type === 'login' || type === 'forget') {
    // The answer neither waits for the provider nor repeats its refusal: both would tell that an account has the number.
    if (owner)
      void sendSms(context, { phonenumber, template: 'code', code }, now).catch((error: unknown) =>
        log.error({ err: error }, 'an SMS was not recorded'),
      )
    return
  }
  const letter =
    type === 'register' && owner
      ? ({ phonenumber, template: 'registered' } as const)
      : signing
        ? ({ phonenumber, template: 'signCode', code, title: signing.title } as const)
        : ({ phonenumber, template: 'code', code } as const)
  if (!(await sendSms(context, letter, now))) {
    // Nothing was sent, so the person may try again at once.
    await db.deleteFrom('smsCode').where('id', '=', id).execute()
    for (const counter of countersOf(context, { type, byOwner, signing })) await uncountAttempt(context, counter)
    throw new Refusal('sms_failed')
  }
}

/** The account that has the number, where one has it. */
export const findAccountOfPhone = (db: Read, phonenumber: string) =>
  db
    .selectFrom('account')
    .where('phonenumber', '=', phonenumber)
    .where('delFlag', '=', delFlag.present)
    .select(['id', 'phoneChangedAt'])
    .executeTakeFirst()

/** A code for signing: `place` is the contract, `about` all that the code is good for, and `title` names it in the SMS. */
type Signing = { place: string; about: string; title: string }

/** Codes that strangers ask for by address, and those that somebody signed in asks for: they name any number they like. */
const countersOf = ({ actor, address }: Caller, { type, byOwner, signing }: Pick<NewCode, 'type' | 'byOwner' | 'signing'>): Counter[] => [
  ...(byOwner ? [] : [{ scope: 'sms at address', place: networkOf(address), limit: smsRules.perAddressHour, minutes: 60 }]),
  ...(type === 'phone'
    ? [{ scope: 'sms by account', place: String(actor?.accountId), limit: smsRules.perDay, minutes: dayMs / minuteMs }]
    : []),
  ...(signing
    ? [
        { scope: 'sign codes', place: `${actor?.accountId} ${signing.place}`, limit: smsRules.signPerContract, minutes: dayMs / minuteMs },
        { scope: 'sign codes of all', place: String(actor?.accountId), limit: smsRules.signPerDay, minutes: dayMs / minuteMs },
      ]
    : []),
]

type NewCode = { phonenumber: string; type: SmsType; code: string; byOwner: boolean; signing: Signing | undefined; caller: Caller }

/**
 * Refuses too many codes of a phone, of an address or of somebody signed in. Those that the owner of a number asks for are counted apart: strangers
 * cannot use them up.
 */
async function insertSmsCode(work: Work, { phonenumber, type, code, byOwner, signing, caller }: NewCode): Promise<number> {
  const { db, now, secret } = work
  const address = networkOf(caller.address)
  const phoneHash = keyedHash(secret, 'phone', phonenumber)
  const ago = (ms: number) => new Date(now.getTime() - ms).toISOString()
  // Two clicks at once are one after the other here.
  await sql`select pg_advisory_xact_lock(hashtextextended(${phoneHash.toString('hex')}, 0))`.execute(db)
  const sent = await db
    .selectFrom('smsCode')
    .where('phoneHash', '=', phoneHash)
    .where('createdAt', '>', ago(dayMs))
    .where('byOwner', '=', byOwner)
    .select([
      // Codes for signing have bounds of their own: whoever signs many contracts may still want a new password.
      sql<number>`count(*) filter (where about is null)`.as('today'),
      sql<number>`count(*) filter (where address = ${address})`.as('todayFromHere'),
      sql<boolean>`coalesce(bool_or(created_at > ${ago(smsRules.resendAfter * 1000)}), false)`.as('lately'),
    ])
    .executeTakeFirstOrThrow()
  if (sent.lately) throw new Refusal('sms_too_soon')
  if ((!signing && sent.today >= smsRules.perDay) || (!byOwner && sent.todayFromHere >= smsRules.perAddressDay))
    throw new Refusal('sms_day_limit')
  for (const counter of countersOf(caller, { type, byOwner, signing }))
    if (!(await countAttempt(work, counter)).isAllowed) throw new Refusal(signing ? 'sms_day_limit' : 'too_many')
  const { id } = await db
    .insertInto('smsCode')
    .values({
      phoneHash,
      type,
      answerHash: answerHash(secret, { phonenumber, type, code, about: signing?.about }),
      requester: requesterOf(secret, caller),
      byOwner,
      about: aboutHash(secret, signing?.about),
      address,
      createdAt: now,
      expiresAt: new Date(now.getTime() + smsRules.minutes * minuteMs),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** `about`: what a code for signing is to sign. */
type Answer = { type: SmsType; phonenumber: string; code: string; about?: string | undefined }

const answerHash = (secret: string, { phonenumber, type, code, about }: Answer) =>
  keyedHash(secret, 'sms code', `${type} ${phonenumber} ${code}${about === undefined ? '' : ` ${about}`}`)

const aboutHash = (secret: string, about: string | undefined) =>
  about === undefined ? null : keyedHash(secret, 'sms code', `about ${about}`)

/** A code belongs to the browser that asked for it. All clients without an id share one. */
const requesterOf = (secret: string, { device = '' }: Pick<Caller, 'device'>) => keyedHash(secret, 'device', device)

/**
 * Tries the newest code that this device asked for; it is right once, in time and within five tries, which are counted before the comparison. A
 * try that is not compared is `refused`.
 */
export async function tryCode(
  { db, now, secret, device }: Checking & Pick<Caller, 'device'>,
  answer: Answer,
): Promise<'right' | 'wrong' | 'refused'> {
  const { type, phonenumber, about } = answer
  const newest = await db
    .updateTable('smsCode')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('id', '=', (eb) =>
      eb
        .selectFrom('smsCode as c')
        .where('c.phoneHash', '=', keyedHash(secret, 'phone', phonenumber))
        .where('c.type', '=', type)
        .where('c.about', 'is not distinct from', aboutHash(secret, about))
        .where('c.requester', '=', requesterOf(secret, { device }))
        .where('c.expiresAt', '>', now.toISOString())
        .where('c.usedAt', 'is', null)
        .orderBy('c.id', 'desc')
        .limit(1)
        .select('c.id'),
    )
    .returning(['id', 'answerHash', 'tries'])
    .executeTakeFirst()
  if (!newest || newest.tries > smsRules.tries) return 'refused'
  if (!newest.answerHash.equals(answerHash(secret, answer))) return 'wrong'
  const { numUpdatedRows } = await db
    .updateTable('smsCode')
    .set({ usedAt: now })
    .where('id', '=', newest.id)
    .where('usedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 0n ? 'refused' : 'right'
}

/** Takes back the use of a code that was redeemed at this moment, after which something else was refused. Its tries stay counted. */
export async function reopenSmsCode({ db, now, secret }: Checking, { type, phonenumber }: Omit<Answer, 'code' | 'about'>): Promise<void> {
  await db
    .updateTable('smsCode')
    .set({ usedAt: null })
    .where('phoneHash', '=', keyedHash(secret, 'phone', phonenumber))
    .where('type', '=', type)
    .where('usedAt', '=', now.toISOString())
    .execute()
}

/** Uses a code up. Refuses any that is not right. */
export async function redeemSmsCode(checking: Checking & Pick<Caller, 'device'>, answer: Answer): Promise<void> {
  if ((await tryCode(checking, answer)) !== 'right') throw new Refusal('sms_code_wrong')
}
