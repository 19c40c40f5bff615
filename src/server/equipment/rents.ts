import { sql } from 'kysely'
import type { Returned } from '#shared/endpoint.ts'
import type * as contract from '#shared/equipment/contract.ts'
import { leastOfMarket, sizesAround, standardMachines } from '#shared/equipment/rents.ts'
import type { Read } from '../db/connect.ts'
import { isOnShelf } from './shelf.ts'

/** A median is taken over this many machines at the most. */
const marketSample = 500

/**
 * The median rents of the standard machines of which there are enough on the shelf, each over machines of its size that are let with a
 * driver, or without one. They are found by the index equipment_like.
 */
export async function findStandardRents(db: Read): Promise<Returned<typeof contract.listStandardRents>> {
  const wanted = standardMachines.map(({ categoryId, size, withOperator }) => ({ categoryId, withOperator, ...sizesAround(size) }))
  const { rows } = await sql<{ categoryId: number; median: number; machines: number }>`
    select w."categoryId", round(percentile_cont(0.5) within group (order by found.month_price_fen))::bigint as median, count(*)::int as machines
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as w ("categoryId" integer, min numeric, max numeric, "withOperator" boolean),
      lateral (select e.month_price_fen from equipment e
        where ${isOnShelf('e')} and e.category_id = w."categoryId" and e.main_value between w.min and w.max and e.month_price_fen is not null
          and exists (select from equipment_price p where p.equipment_id = e.id and p.with_operator = w."withOperator")
        limit ${sql.lit(marketSample)}) found
    group by 1 having count(*) >= ${sql.lit(leastOfMarket)}`.execute(db)
  return standardMachines.flatMap(({ categoryId }) => rows.find((row) => row.categoryId === categoryId) ?? [])
}
