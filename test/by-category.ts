import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'

/** Compares the stored sums of every demand by category with its lines; the statistics rely on their being equal. */
export async function byCategory(db: Db) {
  const stored =
    await sql`select demand_id, category_id, won_qty, won_net_fen, won_mean_fen, measured_net_fen, won_rent_fen from demand_category
        order by 1, 2`.execute(db)
  const said = await sql<{
    demandId: number
    categoryId: number
    wonQty: number | null
  }>`select i.demand_id, i.category_id, sum(l.qty)::int as won_qty, sum(l.net_fen)::bigint as won_net_fen,
          sum(l.mean_net_fen)::bigint as won_mean_fen, sum(l.net_fen) filter (where l.mean_net_fen is not null)::bigint as measured_net_fen,
          sum(l.rent_fen)::bigint as won_rent_fen
        from demand_item i left join award_line l on l.demand_item_id = i.id group by 1, 2 order by 1, 2`.execute(db)
  return { kept: stored.rows, said: said.rows }
}
