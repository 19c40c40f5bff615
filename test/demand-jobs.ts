import { dayOf } from '#shared/calendar.ts'
import { awardRequestStatus } from '#shared/award/rules.ts'
import { demandStatus } from '#shared/demand/rules.ts'
import type { openWorld } from './world.ts'

type World = Awaited<ReturnType<typeof openWorld>>

/** What the clock does with demands that nobody decides: ten that are due each, what the database refuses of one, and whether one is done. */
export function demandJobCases({ clock, cast, db }: World, published: () => Promise<number[]>) {
  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * 86_400_000)
  const opened = async (openTime: Date) => {
    const ids = await published()
    await db.updateTable('demand').set({ status: demandStatus.reviewing, openTime }).where('id', 'in', ids).execute()
    return ids
  }
  const ends = (status: typeof demandStatus.failed | typeof demandStatus.rejected) => ({
    broken: (id: number) => ({ when: 'update' as const, table: 'demand', condition: `old.id = ${id} and new.status = '${status}'` }),
    isDone: async (id: number) =>
      (await db.selectFrom('demand').where('id', '=', id).select('status').executeTakeFirstOrThrow()).status === status,
  })
  return {
    failed: {
      given: async () => {
        const ids = await opened(daysAgo(30))
        const reminder = { subject: 'demand', paper: '', validTo: dayOf(clock.now()), threshold: 3, at: daysAgo(3) } as const
        await db
          .insertInto('reminder')
          .values(ids.map((subjectId) => ({ ...reminder, subjectId })))
          .execute()
        return ids
      },
      ...ends(demandStatus.failed),
    },
    sentBack: {
      given: async () => {
        const ids = await published()
        await db.updateTable('demand').set({ status: demandStatus.submitted }).where('id', 'in', ids).execute()
        return ids
      },
      ...ends(demandStatus.rejected),
    },
    takenBack: {
      given: async () => {
        const ids = await opened(daysAgo(1))
        const request = { accountId: cast.project.id, input: '{}', netFen: 1, requestTime: clock.now() }
        await db
          .insertInto('awardRequest')
          .values(ids.map((demandId) => ({ ...request, demandId })))
          .execute()
        return ids
      },
      broken: (id: number) => ({ when: 'update' as const, table: 'award_request', condition: `old.demand_id = ${id}` }),
      isDone: async (id: number) =>
        (await db.selectFrom('awardRequest').where('demandId', '=', id).select('status').executeTakeFirstOrThrow()).status ===
        awardRequestStatus.rejected,
    },
  }
}
