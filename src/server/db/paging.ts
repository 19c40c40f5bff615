import {
  sql,
  type AliasedExpression,
  type AliasedRawBuilder,
  type Expression,
  type RawBuilder,
  type SelectQueryBuilder,
  type Simplify,
} from 'kysely'
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
  /** So many are sorted at the most; where more are found the order is followed. */
  bound?: number
  /** Nothing narrows the list beyond the range of its order, so every row along it fits. */
  isWhole?: boolean
  /** No index finds the rows before their order does, so they are counted along it and the page is one of those counted. */
  isAlong?: boolean
  /** To find the rows is dear, so those that are counted are kept for the page. */
  isDear?: boolean
}

/** Whether nothing narrows a list: every field of its filter but those of the page and its order is blank. */
export function isUnfiltered({
  pageNum: _n,
  pageSize: _s,
  exact: _e,
  most: _m,
  sort: _o,
  ...filters
}: Paging & { sort?: unknown }): boolean {
  return Object.values(filters).every((value) => value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
}

/** The list of a query whose order the database finds its own way along. */
export const listOf = <D, T extends keyof D>(query: SelectQueryBuilder<D, T, object>, id: string, order: readonly OrderKey[]): List => ({
  id,
  order,
  found: (columns) => query.select([...columns]),
  inOrder: query.select(sql.ref(id).as('id')).orderBy(orderedBy(order)),
})

/**
 * The ids of a page, in order, to read the rows by (decision 50). The rows that fit are counted in no order, up to a bound. If these are all, the
 * page is sorted out of them; offset 0 keeps the planner from looking for them along the order. If there are more, so many rows fit that reading
 * along the order soon comes upon a page of them. A page that is empty is one row without an id, which has the total.
 */
function pageOf(list: List, paging: Paging) {
  const { found, inOrder, id, order, bound = mostCounted, isWhole = false, isAlong = false, isDear = false } = list
  const { pageNum, pageSize, exact } = paging
  const limit = limitOf(paging)
  const skipped = (pageNum - 1) * pageSize
  const rows = sql`limit ${sql.lit(pageSize)} offset ${skipped}`
  // Far along a whole list the rows before the page are passed once: that they are there counts them.
  if (!exact && (isAlong || (isWhole && skipped > limit / 2))) {
    const passed = sql`passed as materialized (select id from (${inOrder}) many limit ${sql.lit(limit)})`
    return pageWith(sql`${passed}, counted as (select count(*) as total from passed)`, sql`select id from passed ${rows}`)
  }
  const most = Math.max(bound, pageNum * pageSize)
  const counting = sql.lit(Math.max(limit, most + 1))
  const total = exact ? sql`(select count(*) from (${found([])}) every)` : sql`least(count(*), ${sql.lit(limit)})`
  const few = sql`(select from (${found([])}) fits limit ${counting}) few`
  if (isWhole) {
    const counted = exact ? total : sql`(select ${total} from ${few})`
    return pageWith(sql`counted as materialized (select ${counted} as total)`, sql`select id from (${inOrder}) many ${rows}`)
  }

  const columns = [sql.ref(id).as('id'), ...order.map(({ by }, at) => by.as(`k${at}`))]
  const keys = order.map(({ direction }, at) => ({ by: sql.ref(`k${at}`), direction }))
  const counted = (from: Expression<unknown>) => sql`counted as materialized (select count(*) as size, ${total} as total from ${from})`
  const [first, sorted] = isDear
    ? [sql`found as materialized (select * from (${found(columns)}) fits limit ${counting}), ${counted(sql`found`)}`, sql`found`]
    : [counted(few), sql`(select * from (${found(columns)}) fits offset 0)`]
  const size = sql`(select size from counted)`
  return pageWith(
    first,
    sql`(select id from ${sorted} few where ${size} <= ${sql.lit(most)} order by ${orderedBy(keys)} ${rows})
      union all (select id from (${inOrder}) many where ${size} > ${sql.lit(most)} ${rows})`,
  )
}

type PageRow = { id: number | null; position: number | null; total: number }

/** `counted` is one of the queries before it and has the total. */
const pageWith = (before: RawBuilder<unknown>, ids: RawBuilder<unknown>) =>
  sql<PageRow>`(with ${before} select page.id, page.position, counted.total from counted
    left join (select id, row_number() over () as position from (${ids}) ids) page on true)`.as('page')

/** The id of a row of the page, by which its card is read. */
export const pageId = sql.ref<number>('page.id')

type Cards<Row> = { offset: (skipped: RawBuilder<number>) => { as: (name: 'card') => AliasedExpression<Row, 'card'> } }
type OnPage<Row> = Row & Pick<PageRow, 'position' | 'total'>

/**
 * A page of a list as one statement. Each row is read by `card`, a query for `pageId`; offset 0 keeps the planner from weighing it against the search
 * for the page.
 */
export const selectPage = <Row>(db: Read, { list, paging, card }: { list: List; paging: Paging; card: Cards<Row> }) =>
  db
    .selectFrom(pageOf(list, paging))
    .leftJoinLateral(card.offset(sql.lit(0)).as('card') as AliasedExpression<object, 'card'>, (join) => join.onTrue())
    .selectAll('card')
    .select(['page.position', 'page.total'])
    .orderBy('page.position')
    .$castTo<OnPage<Row>>()

/** The rows of a page with the number of all, which is `capped` where it is only counted up to the bound. */
export async function listPage<Row>(db: Read, page: { list: List; paging: Paging; card: Cards<Row> }) {
  return listed(await selectPage(db, page).execute(), page.paging)
}

/** What `selectPage` has selected. */
export function listed<Row>(rows: readonly OnPage<Row>[], paging: Paging): { rows: Row[]; total: number; capped: boolean } {
  const counted = rows[0]?.total ?? 0
  const capped = !paging.exact && counted === limitOf(paging)
  return {
    rows: rows.flatMap(({ position, total: _, ...row }) => (position === null ? [] : [row as Row])),
    total: capped ? counted - 1 : counted,
    capped,
  }
}

/** Counts one row beyond the bound, so the caller knows whether there are more. */
const limitOf = ({ pageNum, pageSize, most = mostCounted }: Paging) => Math.max(most, pageNum * pageSize) + 1

type Owned<T extends keyof DB> = SelectQueryBuilder<DB, T, object>

/**
 * The ids of an owner's rows along the index of the owner and the order, `filtered` afterwards; offset 0 keeps the planner, which knows no values, on that
 * index. Of a first column that may be empty come the rows with a value, then those without, so one index serves both directions.
 */
export function alongOwner<T extends keyof DB>(
  db: Read,
  owned: Owned<T>,
  { table, order, filtered }: { table: T; order: readonly OrderKey[]; filtered: (rows: Owned<T>) => Owned<T> },
): Expression<unknown> {
  const first = order[0]
  const by = orderedBy(order.map((key) => ({ ...key, direction: key.direction.startsWith('asc') ? ('asc' as const) : ('desc' as const) })))
  const part = (rows: Owned<T>) => {
    const along = rows.selectAll(table).orderBy(by).offset(sql.lit(0)).as(table)
    return filtered(db.selectFrom(along) as unknown as Owned<T>)
      .select([sql.ref(`${table}.id`).as('id')])
      .orderBy(by)
  }
  if (!first?.direction.endsWith('nulls last')) return part(owned)
  const [some, none] = [sql<boolean>`${first.by} is not null`, sql<boolean>`${first.by} is null`]
  return sql`(${part(owned.where(some))}) union all (${part(owned.where(none))})`
}
