import { sql } from 'kysely'
import { blacklistLevel, entriesInForce } from '#shared/blacklist/rules.ts'
import { dayOf } from '#shared/calendar.ts'
import type { Read } from '../db/connect.ts'
import { workThrough, type Queue } from '../queue/queue.ts'
import type { Services } from '../services.ts'
import { enforce, insertEvent } from './moves.ts'

/**
 * Entries about a company, and those that bar a machine on the whole platform, that were decided before the day on which they begin, and have begun. The
 * event says which were carried out.
 */
const begun = (db: Read, now: Date) =>
  db
    .selectFrom('blacklist')
    .where('status', 'in', entriesInForce)
    .where((eb) =>
      eb.or([
        eb('subjectKind', '=', 'company').and('level', '>', blacklistLevel.watched),
        eb('subjectKind', '=', 'machine').and('level', '=', blacklistLevel.barred).and('scopeDeptId', 'is', null),
      ]),
    )
    .where('fromDay', '<=', dayOf(now))
    .where('toDay', '>', dayOf(now))
    .where(sql<boolean>`(blacklist.decide_time at time zone 'Asia/Shanghai')::date < blacklist.from_day`)
    .where(sql<boolean>`not exists (select from blacklist_event e where e.blacklist_id = blacklist.id and e.move = 'enforce')`)

const entriesThatBegin: Queue<{ key: string; id: number }> = {
  job: 'blacklist',
  find: (db, now, ready) =>
    begun(db, now)
      .where(ready(sql`'begin:' || blacklist.id`))
      .orderBy('fromDay')
      .limit(1000)
      .select(['id', sql<string>`'begin:' || id`.as('key')])
      .execute(),
  async run(work, { id }) {
    const { db, now } = work
    const entry = await begun(db, now)
      .where('id', '=', id)
      .select(['subjectKind', 'companyId', 'equipmentId', 'scopeDeptId', 'level', 'blacklistCode'])
      .forUpdate()
      .executeTakeFirst()
    if (!entry) return false
    await enforce(work, entry)
    await insertEvent(work, { blacklistId: id, accountId: null, move: 'enforce' })
    return true
  },
}

/** Carries out the entries whose first day has come. Gives how many. */
export const enforceBegun = (services: Services, signal?: AbortSignal) => workThrough(services, entriesThatBegin, signal)
