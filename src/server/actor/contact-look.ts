import { dayMs } from '#shared/calendar.ts'
import type { Deed } from '../deed.ts'
import { Refusal } from '../http/refusal.ts'
import { lockAccountRow } from './actor.ts'

/** Records that somebody looks at the contact of a demand or of a company. Throws look_limit beyond `limit` looks in 24 hours. */
export async function recordContactLook(
  { db, actor, now }: Deed,
  target: { demandId: number } | { companyId: number },
  limit: number,
): Promise<void> {
  await lockAccountRow(db, actor.accountId)
  const { looks } = await db
    .selectFrom('contactLook')
    .where('accountId', '=', actor.accountId)
    .where('at', '>', new Date(now.getTime() - dayMs).toISOString())
    .select((eb) => eb.fn.countAll<number>().as('looks'))
    .executeTakeFirstOrThrow()
  if (looks >= limit) throw new Refusal('look_limit')
  await db
    .insertInto('contactLook')
    .values({ ...target, accountId: actor.accountId, at: now })
    .execute()
}
