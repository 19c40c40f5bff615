import { sql } from 'kysely'
import { fromMoment, hourMs } from '#shared/calendar.ts'
import { demandMoves } from '#shared/demand/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { giveUpHours, quoteMoves } from '#shared/quote/rules.ts'
import { companyOf } from '../actor/scope.ts'
import { nextVersion } from '../db/version.ts'
import type { Deed } from '../deed.ts'
import { insertEvent, tellOwner } from '../demand/events.ts'
import { Refusal } from '../http/refusal.ts'

/**
 * A winner steps back within `giveUpHours` of the award: their lines leave it, their machines are free, and the demand has a rest that may be
 * published anew. The events of the demand still name the whole award.
 */
export async function giveUpQuote(deed: Deed, { id: quoteId, reason }: { id: number; reason: string }): Promise<void> {
  const { db, actor, now } = deed
  const known = await db
    .selectFrom('quote')
    .where('id', '=', quoteId)
    .where('companyId', '=', companyOf(actor))
    .select('demandId')
    .executeTakeFirst()
  if (!known) throw new Refusal('not_found')
  // The demand is locked before its quotes, in the order of all its moves, so none of them wait for each other in a circle.
  const demand = await db
    .selectFrom('demand')
    .where('id', '=', known.demandId)
    .select(['id', 'status', 'deptId', 'title', 'demandCode'])
    .forUpdate()
    .executeTakeFirstOrThrow()
  const award = await db.selectFrom('award').where('demandId', '=', demand.id).select(['id', 'at']).executeTakeFirst()
  if (!award || !isAmong(demand.status, demandMoves.giveUp.from)) throw new Refusal('quote_changed')
  if (now.getTime() > fromMoment(award.at).getTime() + giveUpHours * hourMs) throw new Refusal('give_up_late')
  const { numUpdatedRows } = await db
    .updateTable('quote')
    .set({
      status: quoteMoves.giveUp.to,
      wonMachines: 0,
      wonNetFen: 0,
      wonRentFen: 0,
      wonMeanFen: null,
      updateTime: now,
      version: nextVersion,
    })
    .where('id', '=', quoteId)
    .where('status', 'in', quoteMoves.giveUp.from)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Refusal('quote_changed')
  const lines = sql`(select l.id from award_line l join quote_line q on q.id = l.quote_line_id where q.quote_id = ${quoteId})`
  await sql`delete from equipment_booking where award_line_id in ${lines}`.execute(db)
  await sql`delete from award_line where id in ${lines}`.execute(db)
  await sql`update award set (machines, net_fen, rent_fen, mean_net_fen, ceiling_fen, under_ceiling_fen) = (
    select coalesce(sum(l.qty), 0), coalesce(sum(l.net_fen), 0), coalesce(sum(l.rent_fen), 0), sum(l.mean_net_fen),
      coalesce(sum(i.price_ceiling_fen * l.qty) filter (where i.rent_unit = q.rent_unit), 0),
      coalesce(sum(q.unit_price_fen * l.qty) filter (where i.rent_unit = q.rent_unit and i.price_ceiling_fen is not null), 0)
    from award_line l join quote_line q on q.id = l.quote_line_id join demand_item i on i.id = l.demand_item_id where l.award_id = award.id)
    where id = ${award.id}`.execute(db)
  await db
    .updateTable('demand')
    .set({ status: demandMoves.giveUp.to, updateTime: now, version: nextVersion })
    .where('id', '=', demand.id)
    .execute()
  const event = { demandId: demand.id, quoteId, accountId: actor.accountId, fromStatus: demand.status, toStatus: demandMoves.giveUp.to }
  await insertEvent(deed, { ...event, move: 'giveUp', note: reason })
  const params = { title: demand.title, code: demand.demandCode ?? '', reason }
  await tellOwner(deed, { deptId: demand.deptId, demandId: demand.id, kind: 'quoteGivenUp', params })
}
