import { demandStatus, demandType } from '#shared/demand/rules.ts'
import { delFlag } from '#shared/rules.ts'
import { paths } from '#shared/paths.ts'
import { sql } from 'kysely'
import { minuteOf } from '#shared/calendar.ts'
import type { Tx } from '../db/connect.ts'
import { workThrough, type Queue } from '../queue/queue.ts'
import { sendMessages, type Sending } from '../message/queries.ts'
import { findMatchingCompanies } from './market.ts'
import { regionNamesOf } from '../region/queries.ts'
import type { Services } from '../services.ts'
import { findItems, linesOf } from '../demand/queries.ts'

/** Each demand leaves the queue in the transaction that stores its messages. */
const waitingDemands: Queue<{ key: string; demandId: number }> = {
  job: 'notifyLessors',
  // Whoever waits for an answer comes first: telling takes a ninth of the database's time, unless an item takes longer than a quarter of a second.
  restShare: 8,
  find: (db, now, ready) =>
    db
      .selectFrom('demandNotice')
      .where('due', '<=', now.toISOString())
      .where(ready(sql.ref('demandNotice.demandId')))
      .orderBy('due')
      .limit(20)
      .select(['demandId', sql<string>`demand_id::text`.as('key')])
      .execute(),
  async run(work, { demandId }) {
    const { db, now } = work
    const { numDeletedRows } = await db
      .deleteFrom('demandNotice')
      .where('demandId', '=', demandId)
      .where('due', '<=', now.toISOString())
      .executeTakeFirst()
    if (numDeletedRows === 0n) return false
    await notifyLessors(work, demandId)
    return true
  },
}

/** Tells the lessors of the demands that wait, the oldest first. Gives how many demands. */
export const notifyWaiting = (services: Services, signal?: AbortSignal): Promise<number> => workThrough(services, waitingDemands, signal)

/** The same without a rest, where nobody else waits for the database: the demo market and tests make hundreds of demands. */
export const notifyWithoutRest = (services: Services): Promise<number> => workThrough(services, { ...waitingDemands, restShare: 0 })

/** Tells the invited, and of a public demand the nearest other lessors with fitting machines; nobody of a demand that takes no quotes any more. */
async function notifyLessors(work: Sending, id: number): Promise<void> {
  const { db: tx, now } = work
  const demand = await tx
    .selectFrom('demand')
    .innerJoin('company', 'company.id', 'demand.companyId')
    .where('demand.id', '=', id)
    .where('demand.status', '=', demandStatus.quoting)
    .where('quoteDeadline', '>', now.toISOString())
    .where('demand.delFlag', '=', delFlag.present)
    .select(['title', 'demandType', 'quoteDeadline', 'enterpriseName', ...regionNamesOf('demand')])
    .executeTakeFirst()
  if (!demand) return
  const items = await findItems(tx, id)
  const about = {
    title: demand.title,
    ...linesOf(items),
    deadline: minuteOf(demand.quoteDeadline),
  }
  const send = (companies: readonly number[], kind: 'demandInvited' | 'demandMatched', params: Record<string, string>) =>
    sendMessages(work, {
      to: { companies },
      kind,
      params: { ...about, ...params },
      bizType: 'demand',
      bizId: id,
      link: paths.marketDemand(id),
    })
  const invited = (await tx.selectFrom('demandInvite').where('demandId', '=', id).select('companyId').execute()).map(
    ({ companyId }) => companyId,
  )
  await send(invited, 'demandInvited', { company: demand.enterpriseName })
  const others = demand.demandType === demandType.public ? await findMatchingCompanies(tx, id, now) : []
  const matching = others.filter(({ companyId }) => !invited.includes(companyId))
  // One insert for each number of fitting machines, not for each lessor.
  for (const [machines, companies] of Map.groupBy(matching, (one) => one.machines))
    await send(
      companies.map(({ companyId }) => companyId),
      'demandMatched',
      { place: demand.regionName, placeEn: demand.regionNameEn, machines: String(machines) },
    )
  await setNotifiedCount(tx, id, invited.length + matching.length)
}

/** Runs last, so that the row of the demand, which every quote updates, is locked for a moment only. */
async function setNotifiedCount(tx: Tx, id: number, notifiedCount: number): Promise<void> {
  await tx.updateTable('demand').set({ notifiedCount }).where('id', '=', id).execute()
}
