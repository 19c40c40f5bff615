import { sql } from 'kysely'
import { dayOf } from '#shared/calendar.ts'
import { blacklistMoves } from '#shared/blacklist/rules.ts'
import { workThrough, type Queue } from '../queue/queue.ts'
import type { Services } from '../services.ts'
import { insertEvent, release } from './moves.ts'
import { tellSubject } from './notices.ts'

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
  async run({ db: tx, now, hub }, { id }) {
    const entry = await tx
      .updateTable('blacklist')
      .set((eb) => ({ status: blacklistMoves.expire.to, updateTime: now, version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .where('status', 'in', blacklistMoves.expire.from)
      .where('toDay', '<=', dayOf(now))
      .returning(['id', 'companyId', 'blacklistCode'])
      .executeTakeFirst()
    if (!entry) return false
    await insertEvent({ db: tx, now }, { blacklistId: id, accountId: null, move: 'expire' })
    await release(tx, entry)
    await tellSubject(tx, hub, entry, 'blacklistExpired', {}, now)
    return true
  },
}

/** How many ended. */
export const expireBlacklist = (services: Services, signal?: AbortSignal) => workThrough(services, entriesThatEnd, signal)
