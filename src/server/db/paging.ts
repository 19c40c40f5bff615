import { sql, type AliasedRawBuilder, type Expression, type RawBuilder, type SelectQueryBuilder, type Simplify } from 'kysely'
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

/** A column of the order of a list; the last one is unique. */
export type OrderKey = { by: RawBuilder<unknown>; direction: 'asc' | 'desc' | 'asc nulls last' | 'desc nulls last' }

/** The order of a page of ids by the chosen one of its columns, as `sorted` orders rows; without a choice the newest come first. */
export function orderOf<Name extends string>({
  sort,
  columns,
  id,
}: {
  sort: Name | `-${Name}` | undefined
  columns: Record<Name, SortColumn>
  id: string
}): OrderKey[] {
  if (!sort) return [{ by: sql.ref(id), direction: 'desc' }]
  const isDown = sort.startsWith('-')
  const { column, optional } = columns[(isDown ? sort.slice(1) : sort) as Name]
  const direction = isDown ? 'desc' : 'asc'
  return [
    { by: column, direction: optional ? `${direction} nulls last` : direction },
    { by: sql.ref(id), direction },
  ]
}

export const orderedBy = (order: readonly OrderKey[]) =>
  sql.join(
    order.map(({ by, direction }) => sql`${by} ${sql.raw(direction)}`),
    sql`, `,
  )

/** The order of a list that has the newest first and is sorted by one time, in which its ids are given as well. */
export function newestFirst(sort: string | undefined, time: string, id: string): OrderKey[] {
  const direction = !sort || sort.startsWith('-') ? 'desc' : 'asc'
  return [...(sort ? [{ by: sql.ref(time), direction } as const] : []), { by: sql.ref(id), direction }]
}

type Columns = readonly AliasedRawBuilder<unknown, string>[]

/**
 * `found` selects columns of the rows that fit, in no order: the index of their narrowest filter finds them. `inOrder` has their ids in the order of
 * the list, read along the index of that order.
 */
export type List = {
  found: (columns: Columns) => Expression<unknown>
  inOrder: Expression<unknown>
  id: string
  order: readonly OrderKey[]
  /** So many are found before the order is followed. */
  bound?: number
  /** Nothing narrows the list, so every row along its order fits. */
  isWhole?: boolean
  /** To find the rows is dear, so those that are counted are kept for the page. */
  isDear?: boolean
}

/** The list of a query whose order the database finds its own way along. */
export const listOf = <D, T extends keyof D>(query: SelectQueryBuilder<D, T, object>, id: string, order: readonly OrderKey[]): List => ({
  id,
  order,
  found: (columns) => query.select([...columns]),
  inOrder: query.select(sql.ref(id).as('id')).orderBy(orderedBy(order)),
})

/**
 * The ids of a page, in order, to join the rows with (decision 50). The rows that fit are counted in no order, up to a bound. If these are all, the
 * page is sorted out of them; offset 0 keeps the planner from looking for them along the order. If there are more, so many rows fit that reading along the order soon comes upon a page of them.
 */
export function pageOf(list: List, paging: Paging) {
  const { found, inOrder, id, order, bound: most = mostCounted, isWhole = false, isDear = false } = list
  const { pageNum, pageSize, exact } = paging
  const limit = limitOf(paging)
  const skipped = (pageNum - 1) * pageSize
  // Far along a whole list the rows before the page are passed once: that they are there counts them.
  if (isWhole && !exact && skipped > limit / 2) {
    const rest = sql`(select id from (${inOrder}) many limit ${Math.max(pageSize, limit - skipped)} offset ${skipped})`
    return sql<PageRow>`(with rest as materialized ${rest}
      select id, row_number() over () as at, (select count(*) from rest) + ${skipped} as total from (select id from rest limit ${sql.lit(pageSize)}) page)`.as(
      'page',
    )
  }
  const bound = sql.lit(Math.max(limit, most + 1))
  const columns = [sql.ref(id).as('id'), ...order.map(({ by }, at) => by.as(`k${at}`))]
  const keys = order.map(({ direction }, at) => ({ by: sql.ref(`k${at}`), direction }))
  const total = exact ? sql`(select count(*) from (${found([])}) every)` : sql`least(size, ${sql.lit(limit)})`
  const rows = sql`limit ${sql.lit(pageSize)} offset ${skipped}`
  const size = sql`(select size from counted)`
  const [first, few] = isDear
    ? [
        sql`found as materialized (select * from (${found(columns)}) fits limit ${bound}), counted as materialized (select count(*) as size from found)`,
        sql`found`,
      ]
    : [
        sql`counted as materialized (select count(*) as size from (select from (${found([])}) fits limit ${bound}) few)`,
        sql`(select * from (${found(columns)}) fits offset 0)`,
      ]
  return sql<PageRow>`(with ${first}
    select id, row_number() over () as at, ${total} as total from (
      (select id from ${few} few where ${size} < ${bound} order by ${orderedBy(keys)} ${rows})
      union all
      (select id from (${inOrder}) many where ${size} >= ${bound} ${rows})) page, counted)`.as('page')
}

type Owned<T extends keyof DB> = SelectQueryBuilder<DB, T, object>

/**
 * The ids of an owner's rows along the index of the owner and the order, `filtered` afterwards; offset 0 keeps the planner, which knows no values, on that
 * index. Of a first column that may be empty come the rows with a value, then those without, so one index serves both directions.
 */
export function alongOwner<T extends keyof DB>(
  db: Read,
  owned: Owned<T>,
  {
    table,
    order,
    filtered,
    columns = [sql.ref(`${table}.id`).as('id')],
  }: { table: T; order: readonly OrderKey[]; filtered: (rows: Owned<T>) => Owned<T>; columns?: Columns },
): Expression<unknown> {
  const first = order[0]
  const by = orderedBy(order.map((key) => ({ ...key, direction: key.direction.startsWith('asc') ? ('asc' as const) : ('desc' as const) })))
  const part = (rows: Owned<T>) => {
    const along = rows.selectAll(table).orderBy(by).offset(sql.lit(0)).as(table)
    return filtered(db.selectFrom(along) as unknown as Owned<T>)
      .select([...columns])
      .orderBy(by)
  }
  if (!first?.direction.endsWith('nulls last')) return part(owned)
  const [some, none] = [sql<boolean>`${first.by} is not null`, sql<boolean>`${first.by} is null`]
  return sql`(${part(owned.where(some))}) union all (${part(owned.where(none))})`
}

type PageRow = { id: number; at: number; total: number }

/** Counts one row beyond the bound, so the caller knows whether there are more. */
const limitOf = ({ pageNum, pageSize, most = mostCounted }: Paging) => Math.max(most, pageNum * pageSize) + 1

/** Rows of a page with the number of all; beyond the end there are none and they are counted alone. */
export async function listed<Row extends { total: number }>(
  db: Read,
  rows: Row[],
  list: () => List,
  paging: Paging,
): Promise<{ rows: Omit<Row, 'total'>[]; total: number; capped: boolean }> {
  const limit = limitOf(paging)
  let counted = rows[0]?.total ?? 0
  if (rows.length === 0 && paging.pageNum > 1) {
    const few = paging.exact ? sql`` : sql`limit ${limit}`
    const { rows: counts } = await sql<{
      total: number
    }>`select count(*) as total from (select from (${list().found([])}) fits ${few}) few`.execute(db)
    counted = counts[0]?.total ?? 0
  }
  const capped = !paging.exact && counted === limit
  return { rows: rows.map(({ total: _, ...row }) => row), total: capped ? counted - 1 : counted, capped }
}
