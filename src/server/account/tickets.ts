import { randomBytes } from 'node:crypto'
import { factorRules } from '#shared/account/rules.ts'
import { minuteMs } from '#shared/calendar.ts'
import { hashToken } from '../actor/hash.ts'
import type { Read } from '../db/connect.ts'
import { Refusal } from '../http/refusal.ts'

export const findFactor = (db: Read, accountId: number) =>
  db.selectFrom('secondFactor').where('accountId', '=', accountId).select(['secretSealed', 'confirmedAt']).executeTakeFirst()

/** Refuses the first step of signing in where the account has a second, with a ticket for it, which is good for some minutes. */
export async function demandSecondFactor(
  { db, now }: { db: Read; now: Date },
  { accountId, way }: { accountId: number; way: 'password' | 'sms' },
): Promise<void> {
  const factor = await findFactor(db, accountId)
  if (!factor?.confirmedAt) return
  const ticket = randomBytes(32).toString('base64url')
  await db
    .insertInto('signInTicket')
    .values({ tokenHash: hashToken(ticket), accountId, way, expiresAt: new Date(now.getTime() + factorRules.minutes * minuteMs) })
    .execute()
  throw new Refusal('factor_needed', { ticket })
}
