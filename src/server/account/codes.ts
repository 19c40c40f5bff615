import { randomInt, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { smsRules, type codeTypes, type SmsType } from '#shared/account/rules.ts'
import { dayMs, fromMoment, hourMs, minuteMs } from '#shared/calendar.ts'
import { delFlag } from '#shared/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { hashToken } from '../actor/hash.ts'
import type { Read } from '../db/connect.ts'
import { transact, type Context, type Work } from '../deed.ts'
import { Refusal } from '../http/refusal.ts'
import { sendSms } from '../outbox/queries.ts'

type CodeType = (typeof codeTypes)[number]
/** A code is used up, or a try counted, on the pool: a refusal must not undo that. */
type Checking = { db: Read; now: Date }

const imageCodeMinutes = 2

export async function insertImageCode({ db, now }: Checking, type: CodeType): Promise<{ uuid: string; answer: string }> {
  const letters = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
  const answer = Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('')
  const uuid = randomUUID()
  await db
    .insertInto('imageCode')
    .values({ uuid, type, answerHash: hashToken(answer), expiresAt: new Date(now.getTime() + imageCodeMinutes * minuteMs) })
    .execute()
  return { uuid, answer }
}

/** Uses the code up: right or wrong, it serves once. */
export async function redeemImageCode(
  { db, now }: Checking,
  { type, uuid, code }: { type: CodeType; uuid: string; code: string },
): Promise<boolean> {
  if (!/^[0-9a-f-]{36}$/.test(uuid)) return false
  const row = await db.deleteFrom('imageCode').where('uuid', '=', uuid).returning(['type', 'answerHash', 'expiresAt']).executeTakeFirst()
  if (!row || row.type !== type || fromMoment(row.expiresAt) < now) return false
  return row.answerHash.equals(hashToken(code.toUpperCase()))
}

/**
 * Makes an SMS code and sends it. Only the phone itself learns whether its number is known to the platform: an unknown one gets no code to
 * sign in with, a known one gets a hint when it registers again.
 */
export async function sendSmsCode(
  context: Context<Actor | null>,
  { phonenumber, type }: { phonenumber: string; type: SmsType },
): Promise<void> {
  const { db, now, address } = context
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  await transact(context, { now }, (work) => insertSmsCode(work, { phonenumber, type, code, address }))
  const known = await db
    .selectFrom('account')
    .where('phonenumber', '=', phonenumber)
    .where('delFlag', '=', delFlag.present)
    .select('id')
    .executeTakeFirst()
  if ((type === 'login' || type === 'forget') && !known) return
  const letter =
    type === 'register' && known ? ({ phonenumber, template: 'registered' } as const) : ({ phonenumber, template: 'code', code } as const)
  if (!(await sendSms(context, letter, now))) {
    // Nothing was sent, so the person may try again at once.
    await db.deleteFrom('smsCode').where('phonenumber', '=', phonenumber).where('createdAt', '=', now.toISOString()).execute()
    throw new Refusal('sms_failed')
  }
}

/** Refuses too many codes of a phone or an address. */
async function insertSmsCode(
  { db, now }: Work,
  { phonenumber, type, code, address }: { phonenumber: string; type: SmsType; code: string; address: string },
): Promise<void> {
  const ago = (ms: number) => new Date(now.getTime() - ms).toISOString()
  // Two clicks at once are one after the other here.
  await sql`select pg_advisory_xact_lock(hashtextextended(${phonenumber}, 0))`.execute(db)
  const sent = await db
    .selectFrom('smsCode')
    .where('phonenumber', '=', phonenumber)
    .where('createdAt', '>', ago(dayMs))
    .select((eb) => [
      eb.fn.countAll<number>().as('today'),
      sql<boolean>`coalesce(bool_or(created_at > ${ago(smsRules.resendAfter * 1000)}), false)`.as('lately'),
    ])
    .executeTakeFirstOrThrow()
  if (sent.lately) throw new Refusal('sms_too_soon')
  if (sent.today >= smsRules.perDay) throw new Refusal('sms_day_limit')
  const { fromHere } = await db
    .selectFrom('smsCode')
    .where('address', '=', address)
    .where('createdAt', '>', ago(hourMs))
    .select((eb) => eb.fn.countAll<number>().as('fromHere'))
    .executeTakeFirstOrThrow()
  if (fromHere >= smsRules.perAddressHour) throw new Refusal('too_many')
  await db
    .insertInto('smsCode')
    .values({
      phonenumber,
      type,
      answerHash: hashToken(code),
      address,
      createdAt: now,
      expiresAt: new Date(now.getTime() + smsRules.minutes * minuteMs),
    })
    .execute()
}

/** Uses up the newest code of its type, which is right once, in time and within five tries. Refuses any other. */
export async function redeemSmsCode(
  { db, now }: Checking,
  { type, phonenumber, code }: { type: SmsType; phonenumber: string; code: string },
): Promise<void> {
  const newest = await db
    .updateTable('smsCode')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('id', '=', (eb) =>
      eb
        .selectFrom('smsCode as c')
        .where('c.phonenumber', '=', phonenumber)
        .where('c.type', '=', type)
        .where('c.expiresAt', '>', now.toISOString())
        .where('c.usedAt', 'is', null)
        .orderBy('c.id', 'desc')
        .limit(1)
        .select('c.id'),
    )
    .returning(['id', 'answerHash', 'tries'])
    .executeTakeFirst()
  if (!newest || newest.tries > smsRules.tries || !newest.answerHash.equals(hashToken(code))) throw new Refusal('sms_code_wrong')
  const { numUpdatedRows } = await db
    .updateTable('smsCode')
    .set({ usedAt: now })
    .where('id', '=', newest.id)
    .where('usedAt', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Refusal('sms_code_wrong')
}
