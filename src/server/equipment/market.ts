import { sql } from 'kysely'
import type { Returned } from '#shared/endpoint.ts'
import type * as market from '#shared/equipment/market.ts'
import { leastSimilar, priceSteps } from '#shared/equipment/market.ts'
import type { Read } from '../db/connect.ts'
import { mostCounted } from '../db/paging.ts'
import { Refusal } from '../http/refusal.ts'
import { isOnShelf } from './shelf.ts'

type Market = Returned<typeof market.getMarketPrices>

/**
 * Gives where the month rent of a machine of the shelf stands among similar ones: the same category, a main parameter from 0.8 to 1.25 of its own, as in the
 * comparison of quotes.
 */
export async function getMarketPrices(db: Read, id: number): Promise<Market> {
  const { rows } = await sql<{
    own: number | null
    count: number
    median: number | null
    low: number
    high: number
    counts: number[] | null
  }>`
    with own as materialized (select e.category_id, e.main_value, e.month_price_fen as fen from equipment e where e.id = ${id} and ${isOnShelf('e')}),
    alike as materialized (
      select e.month_price_fen as fen from own o join equipment e on e.category_id = o.category_id and ${isOnShelf('e')}
        and e.month_price_fen is not null and (o.main_value is null or e.main_value between o.main_value * 0.8 and o.main_value * 1.25)
      limit ${sql.lit(mostCounted)}),
    measured as (
      select count(*)::int as count, percentile_cont(0.5) within group (order by fen) as median,
        percentile_cont(0.02) within group (order by fen) as low, percentile_cont(0.98) within group (order by fen) as high from alike)
    select o.fen as own, m.count, m.median, m.low, m.high,
      case when m.high > m.low then array(select (select count(*)::int from alike
        where least(greatest(width_bucket(fen, m.low, m.high, ${sql.lit(priceSteps)}), 1), ${sql.lit(priceSteps)}) = step)
        from generate_series(1, ${sql.lit(priceSteps)}) step order by step) end as counts
    from own o, measured m`.execute(db)
  const [row] = rows
  if (!row) throw new Refusal('not_found')
  const { own, count, median, low, high, counts } = row
  if (count < leastSimilar || median === null) return null
  const edge = (step: number) => Math.round(low + ((high - low) * step) / priceSteps)
  const steps = counts
    ? counts.map((machines, step) => ({ from: edge(step), to: edge(step + 1), count: machines }))
    : [{ from: Math.round(low), to: Math.round(high), count }]
  return { own, median: Math.round(median), count, steps }
}
