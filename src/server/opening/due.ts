import { sql } from 'kysely'
import { dayMs } from '#shared/calendar.ts'
import { demandStatus, fewDays } from '#shared/demand/rules.ts'
import { workThrough, type Queue } from '../queue/queue.ts'
import type { Services } from '../services.ts'
import { confirmedQuotes, openDemand } from './moves.ts'

/** Demands whose deadline has passed and whose owner is not deciding, oldest first. */
const dueDemands: Queue<{ key: string; id: number }> = {
  job: 'openDemands',
  find: (db, now, ready) =>
    db
      .selectFrom('demand')
      .where('status', '=', sql.lit(demandStatus.quoting))
      .where('quoteDeadline', '<=', now.toISOString())
      .where((eb) =>
        eb.or([
          eb('fewToldAt', 'is', null),
          // A quote that was being submitted or confirmed when the owner was notified completes the number.
          eb(confirmedQuotes, '>=', eb.ref('minQuotes')),
          eb('fewToldAt', '<=', new Date(now.getTime() - fewDays * dayMs).toISOString()),
        ]),
      )
      .where(ready(sql.ref('demand.id')))
      .orderBy('quoteDeadline')
      .limit(100)
      .select(['id', sql<string>`id::text`.as('key')])
      .execute(),
  run: (work, { id }) => openDemand(work, id, 'clock'),
}

/** Opens the demands that are due. Gives how many. */
export const openDueDemands = (services: Services, signal?: AbortSignal) => workThrough(services, dueDemands, signal)
