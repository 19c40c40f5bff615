import { sql } from 'kysely'
import { fromMoment } from '#shared/calendar.ts'
import { demandMoves } from '#shared/demand/rules.ts'
import { giveUpHours, quoteMoves } from '#shared/quote/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { companyOf } from '../actor/scope.ts'
import type { Db } from '../db/connect.ts'
import { insertEvent, tellOwner } from '../demand/events.ts'
import { Refusal } from '../http/refusal.ts'
import type { Hub } from '../message/hub.ts'

/**
 * A winner steps back within two days: his lines leave the award, their machines are free, the demand has a rest to ask
 * for again. What was awarded stays written in the demand's events.
 */
export async function giveUp(db: Db, hub: Hub, actor: Actor, quoteId: number, reason: string, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const known = await tx
      .selectFrom('quote')
      .where('id', '=', quoteId)
      .where('companyId', '=', companyOf(actor))
      .select('demandId')
      .executeTakeFirst()
    if (!known) throw new Refusal('not_found')
    // The demand first, as everybody who moves it does.
    const demand = await tx
      .selectFrom('demand')
      .where('id', '=', known.demandId)
      .select(['id', 'status', 'deptId', 'title', 'demandCode'])
      .forUpdate()
      .executeTakeFirstOrThrow()
    const award = await tx.selectFrom('award').where('demandId', '=', demand.id).select(['id', 'at']).executeTakeFirst()
    if (!award || !(demandMoves.giveUp.from as readonly string[]).includes(demand.status)) throw new Refusal('quote_changed')
    if (now.getTime() > fromMoment(award.at).getTime() + giveUpHours * 3_600_000) throw new Refusal('give_up_late')
    const { numUpdatedRows } = await tx
      .updateTable('quote')
      .set((eb) => ({
        status: quoteMoves.giveUp.to,
        wonMachines: 0,
        wonNetFen: 0,
        wonMeanFen: null,
        updateTime: now,
        version: eb('version', '+', 1),
      }))
      .where('id', '=', quoteId)
      .where('status', 'in', quoteMoves.giveUp.from)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new Refusal('quote_changed')
    const lines = sql`(select l.id from award_line l join quote_line q on q.id = l.quote_line_id where q.quote_id = ${quoteId})`
    await sql`delete from equipment_booking where award_line_id in ${lines}`.execute(tx)
    await sql`delete from award_line where id in ${lines}`.execute(tx)
    await sql`update award set (machines, net_fen, mean_net_fen, ceiling_fen, under_ceiling_fen) = (
      select coalesce(sum(l.qty), 0), coalesce(sum(l.net_fen), 0), sum(l.mean_net_fen),
        coalesce(sum(i.price_ceiling_fen * l.qty) filter (where i.rent_unit = q.rent_unit), 0),
        coalesce(sum(q.unit_price_fen * l.qty) filter (where i.rent_unit = q.rent_unit and i.price_ceiling_fen is not null), 0)
      from award_line l join quote_line q on q.id = l.quote_line_id join demand_item i on i.id = l.demand_item_id where l.award_id = award.id)
      where id = ${award.id}`.execute(tx)
    await tx
      .updateTable('demand')
      .set((eb) => ({ status: demandMoves.giveUp.to, updateTime: now, version: eb('version', '+', 1) }))
      .where('id', '=', demand.id)
      .execute()
    const event = { demandId: demand.id, quoteId, accountId: actor.accountId, fromStatus: demand.status, toStatus: demandMoves.giveUp.to }
    await insertEvent({ db: tx, now }, { ...event, move: 'giveUp', note: reason })
    const params = { title: demand.title, code: demand.demandCode ?? '', reason }
    await tellOwner({ db: tx, hub, now }, { deptId: demand.deptId, demandId: demand.id, kind: 'quoteGivenUp', params })
  })
}
