import { randomBytes } from 'node:crypto'
import { factorRules } from '#shared/account/rules.ts'
import { minuteMs } from '#shared/calendar.ts'
import { hashToken } from '../actor/hash.ts'
import type { Read, Tx } from '../db/connect.ts'

export const findFactor = (db: Read, accountId: number) =>
  db.selectFrom('secondFactor').where('accountId', '=', accountId).select(['secretSealed', 'confirmedAt']).executeTakeFirst()

/** Stores a ticket for the second step of signing in, which is good for some minutes. Gives null where the account has no second step. */
export async function insertTicket(
  { db, now }: { db: Tx; now: Date },
  { accountId, way }: { accountId: number; way: 'password' | 'sms' },
): Promise<string | null> {
  const factor = await findFactor(db, accountId)
  if (!factor?.confirmedAt) return null
  const ticket = randomBytes(32).toString('base64url')
  await db
    .insertInto('signInTicket')
    .values({ tokenHash: hashToken(ticket), accountId, way, expiresAt: new Date(now.getTime() + factorRules.minutes * minuteMs) })
    .execute()
  return ticket
}
