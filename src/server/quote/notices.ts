import { demandStatus, demandType } from '#shared/demand/rules.ts'
import { delFlag } from '#shared/rules.ts'
import { paths } from '#shared/paths.ts'
import { sql } from 'kysely'
import type { Tx } from '../db/connect.ts'
import { workThrough, type Queue } from '../queue/queue.ts'
import { sendMessages, type Sending } from '../message/queries.ts'
import { findMatchingCompanies } from './market.ts'
import { regionNameOf } from '../region/queries.ts'
import type { Services } from '../services.ts'
import { findItems } from '../demand/queries.ts'

/** Each demand leaves the queue in the transaction that stores its messages. */
const waitingDemands: Queue<{ key: string; demandId: number }> = {
  job: 'notifyLessors',
  // Those who wait for an answer come first: telling takes a ninth of the database's time, however slow it is just now.
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

/** Tells the lessors of the demands that wait, the oldest first. How many demands. */
export const notifyWaiting = (services: Services, signal?: AbortSignal): Promise<number> => workThrough(services, waitingDemands, signal)

/** Tells the invited, or the nearest lessors with fitting machines; nobody of a demand that takes no quotes any more. */
async function notifyLessors(work: Sending, id: number): Promise<void> {
  const { db: tx, now } = work
  const link = paths.marketDemand(id)
  const demand = await tx
    .selectFrom('demand')
    .innerJoin('company', 'company.id', 'demand.companyId')
    .where('demand.id', '=', id)
    .where('demand.status', '=', demandStatus.quoting)
    .where('demand.delFlag', '=', delFlag.present)
    .select(['title', 'demandType', 'quoteDeadline', 'enterpriseName', regionNameOf('demand').as('place')])
    .executeTakeFirst()
  if (!demand) return
  const items = await findItems(tx, id)
  const about = {
    title: demand.title,
    lines: items.map((item) => `${item.categoryName} ×${item.qty}`).join('、'),
    deadline: (demand.quoteDeadline ?? '').slice(0, 16),
  }
  if (demand.demandType !== demandType.public) {
    const invited = await tx.selectFrom('demandInvite').where('demandId', '=', id).select('companyId').execute()
    await sendMessages(work, {
      to: { companies: invited.map(({ companyId }) => companyId) },
      kind: 'demandInvited',
      params: { ...about, company: demand.enterpriseName },
      bizType: 'demand',
      bizId: id,
      link,
    })
    await setNotifiedCount(tx, id, invited.length)
    return
  }
  // One insert for each number of fitting machines, not for each lessor.
  const matching = await findMatchingCompanies(tx, id, now)
  const byCount = Map.groupBy(matching, ({ machines }) => machines)
  for (const [machines, companies] of byCount)
    await sendMessages(work, {
      to: { companies: companies.map(({ companyId }) => companyId) },
      kind: 'demandMatched',
      params: { ...about, place: demand.place, machines: String(machines) },
      bizType: 'demand',
      bizId: id,
      link,
    })
  await setNotifiedCount(tx, id, matching.length)
}

/** Runs last, so that the row of the demand, which every quote updates, is locked for a moment only. */
async function setNotifiedCount(tx: Tx, id: number, notifiedCount: number): Promise<void> {
  await tx.updateTable('demand').set({ notifiedCount }).where('id', '=', id).execute()
}
