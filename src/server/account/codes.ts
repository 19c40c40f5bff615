import { randomInt, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { fromMoment } from '#shared/calendar.ts'
import { smsRules, type SmsType } from '#shared/account/rules.ts'
import type { Db } from '../db/connect.ts'
import { Refusal } from '../http/refusal.ts'
import { sendSms } from '../outbox/queries.ts'
import type { Services } from '../services.ts'
import { hashToken } from '../actor/hash.ts'

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
  if (!row || row.type !== type || fromMoment(row.expiresAt) < now) return false
  return row.answerHash.equals(hashToken(code.toUpperCase()))
}

/**
 * Makes an SMS code and sends it. Whether the number is known to the platform is told to nobody but the phone itself: an
 * unknown one gets no code to sign in with, a known one is told so when it registers again.
 */
export async function sendSmsCode(
  services: Pick<Services, 'db' | 'sms' | 'say'>,
  { phonenumber, type, address }: { phonenumber: string; type: SmsType; address: string },
  now: Date,
): Promise<void> {
  const { db } = services
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000).toISOString()
  await db.transaction().execute(async (tx) => {
    // Two clicks at once are one after the other here.
    await sql`select pg_advisory_xact_lock(hashtextextended(${phonenumber}, 0))`.execute(tx)
    const sent = await tx
      .selectFrom('smsCode')
      .where('phonenumber', '=', phonenumber)
      .where('createdAt', '>', ago(86_400))
      .select((eb) => [
        eb.fn.countAll<number>().as('today'),
        sql<boolean>`coalesce(bool_or(created_at > ${ago(smsRules.resendAfter)}), false)`.as('lately'),
      ])
      .executeTakeFirstOrThrow()
    if (sent.lately) throw new Refusal('sms_too_soon')
    if (sent.today >= smsRules.perDay) throw new Refusal('sms_day_limit')
    const { fromHere } = await tx
      .selectFrom('smsCode')
      .where('address', '=', address)
      .where('createdAt', '>', ago(3600))
      .select((eb) => eb.fn.countAll<number>().as('fromHere'))
      .executeTakeFirstOrThrow()
    if (fromHere >= smsRules.perAddressHour) throw new Refusal('too_many')
    await tx
      .insertInto('smsCode')
      .values({
        phonenumber,
        type,
        answerHash: hashToken(code),
        address,
        createdAt: now,
        expiresAt: new Date(now.getTime() + smsRules.minutes * 60_000),
      })
      .execute()
  })
  const known = await db
    .selectFrom('account')
    .where('phonenumber', '=', phonenumber)
    .where('delFlag', '=', '0')
    .select('id')
    .executeTakeFirst()
  if ((type === 'login' || type === 'forget') && !known) return
  const letter =
    type === 'register' && known ? ({ phonenumber, template: 'registered' } as const) : ({ phonenumber, template: 'code', code } as const)
  if (!(await sendSms(services, letter, now))) {
    // Nothing came: the person may try again at once.
    await db.deleteFrom('smsCode').where('phonenumber', '=', phonenumber).where('createdAt', '=', now.toISOString()).execute()
    throw new Refusal('sms_failed')
  }
}

/** Right once: the newest code of its type, in time, within five tries. */
export async function redeemSmsCode(db: Db, type: SmsType, phonenumber: string, code: string, now: Date): Promise<void> {
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
