import { sql, type RawBuilder, type SelectQueryBuilder, type Simplify } from 'kysely'
import type { Read } from './connect.ts'
import type { DB } from './tables.generated.ts'

/** Lists that may be long are counted up to here; `exact` asks for the true number. */
export const mostCounted = 10_000
/** Found by words: what no index holds in order is counted less far. */
export const mostFound = 1000

export type Paging = { pageNum: number; pageSize: number; exact?: boolean | undefined; most?: number | undefined }

/**
 * A page of a list that is short enough to be counted whole. `query` has the filters, `select` adds the order (a unique column last) and the
 * columns.
 */
export async function paged<D, T extends keyof D, D2, T2 extends keyof D2, Row>(
  query: SelectQueryBuilder<D, T, object>,
  { pageNum, pageSize }: Pick<Paging, 'pageNum' | 'pageSize'>,
  select: (query: SelectQueryBuilder<D, T, object>) => SelectQueryBuilder<D2, T2, Row>,
): Promise<{ total: number; rows: Simplify<Row>[] }> {
  const { total } = await query
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .$castTo<{ total: number }>()
    .executeTakeFirstOrThrow()
  const rows = await select(query)
    .limit(pageSize)
    .offset((pageNum - 1) * pageSize)
    .execute()
  return { total, rows }
}

/** A column of a list that may be sorted by; rows that have no value in an `optional` one come last in both directions. */
type SortColumn = { column: RawBuilder<unknown>; optional?: true }

/**
 * Orders a list by the chosen one of its columns, then by `id` in the same direction, so an index over both serves both directions. Without a
 * choice the list has its `usual` order.
 */
export function sorted<D, T extends keyof D, Row, Name extends string>(
  query: SelectQueryBuilder<D, T, Row>,
  {
    sort,
    columns,
    id,
    usual,
  }: { sort: Name | `-${Name}` | undefined; columns: Record<Name, SortColumn>; id: string; usual: Usual<D, T, Row> },
): SelectQueryBuilder<D, T, Row> {
  if (!sort) return usual(query)
  const down = sort.startsWith('-')
  const { column, optional } = columns[(down ? sort.slice(1) : sort) as Name]
  const direction = sql.raw(down ? 'desc' : 'asc')
  return query
    .$if(optional === true, (some) => some.orderBy(sql`${column} is null`))
    .orderBy(sql`${column} ${direction}`)
    .orderBy(sql`${sql.ref(id)} ${direction}`)
}
type Usual<D, T extends keyof D, Row> = (query: SelectQueryBuilder<D, T, Row>) => SelectQueryBuilder<D, T, Row>

type Ids = SelectQueryBuilder<DB, never, { id: number }>

/**
 * The ids of a page, in order, to join the rows with. One pass over the ids of the list, which an index should hold in order, counts
 * them up to the bound and finds the page: a page far behind costs what the first does, and only its rows are read whole.
 * `ids` selects `id` in the order of the list.
 */
export function pageOf<D, T extends keyof D>(ids: SelectQueryBuilder<D, T, { id: number }>, paging: Paging) {
  const { pageNum, pageSize, exact } = paging
  return sql<{ id: number; at: number; total: number }>`(with found as materialized (${exact ? ids : bounded(ids, paging)})
    select id, row_number() over () as at, (select count(*) from found) as total
    from (select id from found offset ${(pageNum - 1) * pageSize} limit ${pageSize}) few)`.as('page')
}

/** The usual bound stands in the text: a prepared plan must know that the page is short. */
const bounded = <D, T extends keyof D>(ids: SelectQueryBuilder<D, T, { id: number }>, paging: Paging) =>
  ids.limit(paging.pageNum * paging.pageSize <= (paging.most ?? mostCounted) ? sql.lit(limitOf(paging)) : limitOf(paging))

/** One more than what is told, so that "there are more" is known. */
const limitOf = ({ pageNum, pageSize, most = mostCounted }: Paging) => Math.max(most, pageNum * pageSize) + 1

/** Rows of a page with the number of all; beyond the end there are none and they are counted alone. */
export async function listed<Row extends { total: number }>(
  db: Read,
  rows: Row[],
  idsOf: () => Ids,
  paging: Paging,
): Promise<{ rows: Omit<Row, 'total'>[]; total: number; capped: boolean }> {
  const limit = limitOf(paging)
  let counted = rows[0]?.total ?? 0
  if (rows.length === 0 && paging.pageNum > 1) {
    const ids = idsOf()
    counted = (
      await db
        .selectFrom((paging.exact ? ids : ids.limit(limit)).as('found'))
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
    ).total
  }
  const capped = !paging.exact && counted === limit
  return { rows, total: capped ? counted - 1 : counted, capped }
}
