import { fromMoment, toMoment } from '#shared/calendar.ts'
import { canMoveDemand, demandMoves, fewDays, isShort } from '#shared/demand/rules.ts'
import type { Actor } from '../actor/actor.ts'
import type { Db, Read, Tx } from '../db/connect.ts'
import { insertEvent, lockDemand, tellOwner, tellQuoters } from '../demand/events.ts'
import { Refusal, refuseField } from '../http/refusal.ts'
import type { Hub } from '../message/hub.ts'
import { sendMessages } from '../message/queries.ts'
import { keyOf } from '../quote/seal.ts'
import { openQuotes } from './offers.ts'

/**
 * Opens the quotes. The clock opens what is due; where fewer quoted than were asked for it tells the owner first and
 * leaves him some days. The owner opens what is not sealed, or what is short, with a reason. The row is locked, so
 * that two instances, or the clock and a click, cannot both do it.
 */
export async function openDemand(
  db: Db,
  { hub, secret }: { hub: Hub; secret: string },
  id: number,
  by: { actor: Actor; reason: string } | 'clock',
  now: Date,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const demand = by === 'clock' ? await lockDue(tx, id, now) : await lockDemand(tx, by.actor, id)
    if (!demand) return false
    const about = { title: demand.title, code: demand.demandCode ?? '', count: String(demand.quoteCount), min: String(demand.minQuotes) }
    if (by === 'clock') {
      const waitsUntil = new Date(fromMoment(demand.quoteDeadline ?? '').getTime() + fewDays * 86_400_000)
      if (isShort(demand, toMoment(now)) && now < waitsUntil) {
        await tx.updateTable('demand').set({ fewToldAt: now }).where('id', '=', id).execute()
        await tellOwner(tx, hub, demand.deptId, 'demandShort', about, id, now)
        return false
      }
    } else {
      if (demand.status !== '3') throw new Refusal('demand_changed')
      if (!canMoveDemand(demand, 'open', 'owner', toMoment(now))) throw new Refusal('demand_sealed')
      if (isShort(demand, toMoment(now)) && by.reason.length < 2) refuseField(['reason'], 'reason_needed')
    }
    await tx
      .updateTable('demand')
      // The key of the offers is released here, and never before.
      .set((eb) => ({
        status: demandMoves.open.to,
        sealKey: keyOf(secret, id),
        openTime: now,
        updateTime: now,
        version: eb('version', '+', 1),
      }))
      .where('id', '=', id)
      .execute()
    await lapseUnconfirmed(tx, hub, demand, now)
    const companies = await openQuotes(tx, secret, id, now)
    await insertEvent(
      tx,
      {
        demandId: id,
        accountId: by === 'clock' ? null : by.actor.accountId,
        move: 'open',
        fromStatus: '3',
        toStatus: '4',
        note: by === 'clock' ? '' : by.reason,
      },
      now,
    )
    const opened = { ...about, count: String(companies.length) }
    await tellOwner(tx, hub, demand.deptId, 'demandOpened', opened, id, now)
    await tellQuoters(tx, hub, id, 'quoteOpened', opened, now)
    return true
  })
}

/** What the clock may open, and nobody else is opening. */
const lockDue = (tx: Tx, id: number, now: Date) =>
  tx
    .selectFrom('demand')
    .where('id', '=', id)
    .where('status', '=', '3')
    .where('quoteDeadline', '<=', now.toISOString())
    .select(['id', 'deptId', 'status', 'title', 'demandCode', 'sealed', 'quoteDeadline', 'quoteCount', 'minQuotes'])
    .forNoKeyUpdate()
    .executeTakeFirst()

/** Quotes for terms that have changed since, and that nobody confirmed, bind nobody. */
async function lapseUnconfirmed(tx: Tx, hub: Hub, demand: { id: number; title: string }, now: Date): Promise<void> {
  const lapsed = await tx
    .updateTable('quote')
    .set({ status: '9', updateTime: now })
    .where('demandId', '=', demand.id)
    .where('status', '=', '3')
    .returning(['companyId', 'quoteCode'])
    .execute()
  for (const { companyId, quoteCode } of lapsed)
    await sendMessages(
      tx,
      hub,
      {
        to: { companies: [companyId] },
        kind: 'quoteLapsed',
        params: { title: demand.title, code: quoteCode },
        bizType: 'demand',
        bizId: demand.id,
        link: `/workbench/crequirement/detail?id=${demand.id}`,
      },
      now,
    )
}

/** Demands whose deadline has passed and whose owner is not deciding, oldest first. */
export async function findDueDemands(db: Read, now: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('demand')
    .where('status', '=', '3')
    .where('quoteDeadline', '<=', now.toISOString())
    .where((eb) =>
      eb.or([
        eb('fewToldAt', 'is', null),
        // One that was on its way when the owner was told.
        eb('quoteCount', '>=', eb.ref('minQuotes')),
        eb('quoteDeadline', '<=', new Date(now.getTime() - fewDays * 86_400_000).toISOString()),
      ]),
    )
    .orderBy('quoteDeadline')
    .limit(100)
    .select('id')
    .execute()
  return rows.map(({ id }) => id)
}
