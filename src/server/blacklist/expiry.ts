import { sql } from 'kysely'
import { dayOf } from '#shared/calendar.ts'
import { blacklistMoves } from '#shared/blacklist/rules.ts'
import { nextVersion } from '../db/version.ts'
import { workThrough, type Queue } from '../queue/queue.ts'
import type { Services } from '../services.ts'
import { insertEvent, releaseCompany } from './moves.ts'
import { notifySubject } from './notices.ts'

/** Entries whose last day has passed. */
const entriesThatEnd: Queue<{ key: string; id: number }> = {
  job: 'blacklist',
  find: (db, now, ready) =>
    db
      .selectFrom('blacklist')
      .where('status', 'in', blacklistMoves.expire.from)
      .where('toDay', '<=', dayOf(now))
      .where(ready(sql.ref('blacklist.id')))
      .orderBy('toDay')
      .limit(1000)
      .select(['id', sql<string>`id::text`.as('key')])
      .execute(),
  async run(work, { id }) {
    const { db, now } = work
    const entry = await db
      .updateTable('blacklist')
      .set({ status: blacklistMoves.expire.to, updateTime: now, version: nextVersion })
      .where('id', '=', id)
      .where('status', 'in', blacklistMoves.expire.from)
      .where('toDay', '<=', dayOf(now))
      .returning(['id', 'companyId', 'blacklistCode'])
      .executeTakeFirst()
    if (!entry) return false
    await insertEvent(work, { blacklistId: id, accountId: null, move: 'expire' })
    await releaseCompany(work, entry.companyId)
    await notifySubject(work, entry, { kind: 'blacklistExpired' })
    return true
  },
}

/** Hearings that nobody has decided within the period: the entry can take effect no more, and would keep its subject from cancelling an account. */
const hearingsThatLapse: Queue<{ key: string; id: number }> = {
  job: 'blacklist',
  find: (db, now, ready) =>
    db
      .selectFrom('blacklist')
      .where('status', 'in', blacklistMoves.lapse.from)
      .where('toDay', '<=', dayOf(now))
      .where(ready(sql`'lapse:' || blacklist.id`))
      .orderBy('toDay')
      .limit(1000)
      .select(['id', sql<string>`'lapse:' || id`.as('key')])
      .execute(),
  async run(work, { id }) {
    const { db, now } = work
    const entry = await db
      .updateTable('blacklist')
      .set({ status: blacklistMoves.lapse.to, updateTime: now, version: nextVersion })
      .where('id', '=', id)
      .where('status', 'in', blacklistMoves.lapse.from)
      .where('toDay', '<=', dayOf(now))
      .returning(['id', 'companyId', 'blacklistCode'])
      .executeTakeFirst()
    if (!entry) return false
    await insertEvent(work, { blacklistId: id, accountId: null, move: 'lapse' })
    await notifySubject(work, entry, { kind: 'blacklistDropped' })
    return true
  },
}

/** Ends the entries whose last day is over. Gives how many. */
export const expireBlacklist = (services: Services, signal?: AbortSignal) => workThrough(services, entriesThatEnd, signal)

/** Drops the entries whose period is over before anybody has decided. Gives how many. */
export const lapseHearings = (services: Services, signal?: AbortSignal) => workThrough(services, hearingsThatLapse, signal)
