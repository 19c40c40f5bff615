import { sql } from 'kysely'
import { dayOf } from '#shared/calendar.ts'
import { blacklistMoves } from '#shared/blacklist/rules.ts'
import { nextVersion } from '../db/version.ts'
import { workThrough, type Queue } from '../queue/queue.ts'
import type { Services } from '../services.ts'
import { insertEvent, releaseCompany } from './moves.ts'
import { notifySubject } from './notices.ts'

/** Entries whose last day has passed, by the move that ends them. `named`: the beginning of their keys. */
const entriesThatEnd = (move: 'expire' | 'lapse', named: string): Queue<{ key: string; id: number }> => ({
  job: 'blacklist',
  find: (db, now, ready) =>
    db
      .selectFrom('blacklist')
      .where('status', 'in', blacklistMoves[move].from)
      .where('toDay', '<=', dayOf(now))
      .where(ready(sql`${sql.lit(named)} || blacklist.id`))
      .orderBy('toDay')
      .limit(1000)
      .select(['id', sql<string>`${sql.lit(named)} || id`.as('key')])
      .execute(),
  async run(work, { id }) {
    const { db, now } = work
    const entry = await db
      .updateTable('blacklist')
      .set({ status: blacklistMoves[move].to, updateTime: now, version: nextVersion })
      .where('id', '=', id)
      .where('status', 'in', blacklistMoves[move].from)
      .where('toDay', '<=', dayOf(now))
      .returning(['id', 'companyId', 'blacklistCode'])
      .executeTakeFirst()
    if (!entry) return false
    await insertEvent(work, { blacklistId: id, accountId: null, move })
    // What was never in force has barred nobody.
    if (move === 'expire') await releaseCompany(work, entry.companyId)
    await notifySubject(work, entry, { kind: move === 'expire' ? 'blacklistExpired' : 'blacklistDropped' })
    return true
  },
})

const entriesInForceThatEnd = entriesThatEnd('expire', '')
/** Nobody has decided them within the period: such an entry can take effect no more, and would keep its subject from cancelling an account. */
const hearingsThatLapse = entriesThatEnd('lapse', 'lapse:')

/** Ends the entries whose last day is over. Gives how many. */
export const expireBlacklist = (services: Services, signal?: AbortSignal) => workThrough(services, entriesInForceThatEnd, signal)

/** Drops the entries whose period is over before anybody has decided. Gives how many. */
export const lapseHearings = (services: Services, signal?: AbortSignal) => workThrough(services, hearingsThatLapse, signal)
