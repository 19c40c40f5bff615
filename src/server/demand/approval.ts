import { dayOf, fromMoment, toMoment } from '#shared/calendar.ts'
import { demandMoves, timingProblems } from '#shared/demand/rules.ts'
import type { Actor } from '../actor/actor.ts'
import type { Db, Tx } from '../db/connect.ts'
import { FieldRefusal, Refusal } from '../http/refusal.ts'
import type { Hub } from '../message/hub.ts'
import { insertEvent, lockDemand, tellOwner } from './events.ts'
import { findItems } from './queries.ts'
import { mayApprove } from './scope.ts'

/** Publishes what was submitted. The deadline must still leave the time that lessors are promised. */
export async function approveDemand(db: Db, hub: Hub, actor: Actor, id: number, quoteDeadline: string | null, now: Date): Promise<void> {
  const { from, to } = demandMoves.approve
  await db.transaction().execute(async (tx) => {
    const demand = await lockDemand(tx, actor, id)
    if (!(await mayApprove(tx, actor, demand.deptId, 'approves_demands'))) throw new Refusal('forbidden')
    if (!from.some((status) => status === demand.status)) throw new Refusal('demand_changed')
    const deadline = quoteDeadline ?? demand.quoteDeadline ?? toMoment(now)
    const clarify = demand.clarifyDeadline && demand.clarifyDeadline < deadline ? demand.clarifyDeadline : null
    const problems = timingProblems(
      { quoteDeadline: fromMoment(deadline), clarifyDeadline: clarify ? fromMoment(clarify) : null, urgent: demand.urgent, items: [] },
      now,
      dayOf(now),
    )
    // A hire whose start has passed while it waited cannot be published; it goes back to the project.
    const late = (await findItems(tx, id)).some(({ planStart }) => planStart < dayOf(now))
    if (problems.length > 0) throw new FieldRefusal(problems)
    if (late) throw new FieldRefusal([{ path: ['quoteDeadline'], rule: 'start_past' }])
    await tx
      .updateTable('demand')
      .set((eb) => ({
        status: to,
        quoteDeadline: fromMoment(deadline),
        clarifyDeadline: clarify ? fromMoment(clarify) : null,
        publishTime: now,
        updateTime: now,
        version: eb('version', '+', 1),
      }))
      .where('id', '=', id)
      .execute()
    await insertEvent(tx, { demandId: id, accountId: actor.accountId, move: 'approve', fromStatus: demand.status, toStatus: to }, now)
    await tellOwner(tx, hub, demand.deptId, 'demandApproved', { title: demand.title, code: demand.demandCode ?? '' }, id, now)
    await queueNotice(tx, id, now)
  })
}

/** Within the transaction that publishes; the clock tells the lessors when it has committed. */
async function queueNotice(tx: Tx, demandId: number, now: Date): Promise<void> {
  await tx
    .insertInto('demandNotice')
    .values({ demandId, due: now })
    .onConflict((conflict) => conflict.column('demandId').doUpdateSet({ due: now }))
    .execute()
}

export async function rejectDemand(db: Db, hub: Hub, actor: Actor, id: number, reason: string, now: Date): Promise<void> {
  const { from, to } = demandMoves.reject
  await db.transaction().execute(async (tx) => {
    const demand = await lockDemand(tx, actor, id)
    if (!(await mayApprove(tx, actor, demand.deptId, 'approves_demands'))) throw new Refusal('forbidden')
    if (!from.some((status) => status === demand.status)) throw new Refusal('demand_changed')
    await tx
      .updateTable('demand')
      .set((eb) => ({ status: to, statusReason: reason, updateTime: now, version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .execute()
    await insertEvent(
      tx,
      { demandId: id, accountId: actor.accountId, move: 'reject', fromStatus: demand.status, toStatus: to, note: reason },
      now,
    )
    await tellOwner(tx, hub, demand.deptId, 'demandRejected', { title: demand.title, code: demand.demandCode ?? '', reason }, id, now)
  })
}
