import { sql } from 'kysely'
import { quoteMoves } from '#shared/quote/rules.ts'
import type { Tx } from '../db/connect.ts'
import { nextVersion } from '../db/version.ts'

/** Takes the lines of one quote out of its award: their machines are free, and the sums of the award are those of what is left. */
export async function releaseLines(db: Tx, { awardId, quoteId }: { awardId: number; quoteId: number }): Promise<{ qty: number }> {
  const lines = sql`(select l.id from award_line l join quote_line q on q.id = l.quote_line_id where q.quote_id = ${quoteId})`
  await sql`delete from equipment_booking where award_line_id in ${lines}`.execute(db)
  const { rows } = await sql<{ qty: number }>`delete from award_line where id in ${lines} returning qty`.execute(db)
  await sql`update award set (machines, net_fen, rent_fen, mean_net_fen, ceiling_fen, under_ceiling_fen) = (
    select coalesce(sum(l.qty), 0), coalesce(sum(l.net_fen), 0), coalesce(sum(l.rent_fen), 0), sum(l.mean_net_fen),
      coalesce(sum(i.price_ceiling_fen * l.qty) filter (where l.against_ceiling and i.rent_unit = q.rent_unit), 0),
      coalesce(sum(q.unit_price_fen * l.qty) filter (where l.against_ceiling and i.rent_unit = q.rent_unit and i.price_ceiling_fen is not null), 0)
    from award_line l join quote_line q on q.id = l.quote_line_id join demand_item i on i.id = l.demand_item_id where l.award_id = award.id)
    where id = ${awardId}`.execute(db)
  return { qty: rows.reduce((sum, { qty }) => sum + qty, 0) }
}

/** Ends a won quote by this move, with nothing won any more. Gives whether it was still won. */
export async function endWonQuote(
  { db, now }: { db: Tx; now: Date },
  { quoteId, move }: { quoteId: number; move: 'giveUp' | 'lapseAward' },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('quote')
    .set({
      status: quoteMoves[move].to,
      wonMachines: 0,
      wonNetFen: 0,
      wonRentFen: 0,
      wonMeanFen: null,
      updateTime: now,
      version: nextVersion,
    })
    .where('id', '=', quoteId)
    .where('status', 'in', quoteMoves[move].from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
