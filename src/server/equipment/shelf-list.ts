import { sql, type Expression } from 'kysely'
import type { z } from 'zod'
import type { EquipmentFilter } from '#shared/equipment/contract.ts'
import { equipmentAudit, shelfStatus } from '#shared/equipment/rules.ts'
import { delFlag } from '#shared/rules.ts'
import type { SizeRange } from '#shared/search/understand.ts'
import type { Read } from '../db/connect.ts'
import { isUnfiltered, mostFound, orderedBy, type List, type OrderKey, type Paging } from '../db/paging.ts'
import { isFree } from './shelf.ts'
import {
  besideMeans,
  boundOf,
  branchesOf,
  holdsLead,
  holdsMachineWords,
  isOfKinds,
  kindsOf,
  rowHoldsLead,
  type Lead,
  type Word,
} from './words.ts'

export type Filter = z.output<typeof EquipmentFilter>
/** A page of the shelf as its statement takes it; `lead`: the word that it is found by, the newest first. */
export type Page = Omit<Filter, 'name'> &
  Pick<Paging, 'most'> & { words?: readonly Word[]; ranges?: readonly SizeRange[]; lead?: Lead | undefined; size?: Size | undefined }
/** A range of the main parameter. */
type Size = { min: number | undefined; max: number | undefined }

// In the text and not as parameters: a prepared plan may use the indexes that hold only these.
export const shelved = (db: Read) =>
  db
    .selectFrom('equipment')
    .where('equipment.auditStatus', '=', sql.lit(equipmentAudit.passed))
    .where('equipment.shelfStatus', '=', sql.lit(shelfStatus.on))
    .where('equipment.delFlag', '=', sql.lit(delFlag.present))

type Shelf = ReturnType<typeof shelved>

/**
 * Within a range of prices. A prepared plan takes any range for narrow, so beside another filter only its lower end is left for an index: the planner
 * then comes by the other filter. Beside a word neither end is, because the indexes of categories, brands and grams find fewer rows than a range does.
 */
function priced(query: Shelf, { beginFen, endFen, ...page }: Omit<Page, 'name'>) {
  const beside = page.provinceId ?? page.cityId ?? page.fatherCategoryId ?? page.categoryId ?? page.brand
  const unindexed = sql<number>`(equipment.month_price_fen + 0)`
  const begin = page.lead ? unindexed : price
  const end = page.lead || (beside !== undefined && beginFen !== undefined) ? unindexed : price
  return query
    .$if(beginFen !== undefined, (dear) => dear.where(sql<boolean>`${begin} >= ${beginFen}`))
    .$if(endFen !== undefined, (cheap) => cheap.where(sql<boolean>`${end} <= ${endFen}`))
}

/** The filter as a where, shared by the count and the page. */
export function filtered(db: Read, filter: Page, source = shelved(db)) {
  let query = priced(source, filter)
  if (filter.provinceId) query = query.where('equipment.provinceId', '=', filter.provinceId)
  if (filter.cityId) query = query.where('equipment.cityId', '=', filter.cityId)
  if (filter.fatherCategoryId) query = query.where('equipment.fatherCategoryId', '=', filter.fatherCategoryId)
  if (filter.categoryId) query = query.where('equipment.categoryId', '=', filter.categoryId)
  if (filter.companyId) query = query.where('equipment.companyId', '=', filter.companyId)
  if (filter.brand) query = query.where('equipment.brand', '=', filter.brand)
  // "is true" keeps the other words from an index of each of their meanings: the leading word has found the machines.
  if (filter.words?.length)
    query = query.where(filter.lead ? sql<boolean>`${holdsMachineWords(filter.words)} is true` : holdsMachineWords(filter.words))
  if (filter.ranges?.length) query = query.where(liesIn(filter.ranges))
  if (filter.size?.min !== undefined) query = query.where('equipment.mainValue', '>=', filter.size.min)
  if (filter.size?.max !== undefined) query = query.where('equipment.mainValue', '<=', filter.size.max)
  for (const { key, min, max } of filter.specs) {
    // A value that is no number (an attachment, say) never lies in a range.
    const value = sql`case when equipment.specs ->> ${key} ~ '^-?[0-9]+([.][0-9]+)?$' then (equipment.specs ->> ${key})::numeric end`
    if (min !== undefined) query = query.where(sql<boolean>`${value} >= ${min}`)
    if (max !== undefined) query = query.where(sql<boolean>`${value} <= ${max}`)
  }
  if (filter.free) query = query.where(isFree('equipment', sql`daterange(${filter.free.from}::date, ${filter.free.to}::date, '[]')`))
  return query
}

/** Whether a machine is of the categories and the size of one of the ranges; an index finds it by the categories of all of them. */
const liesIn = (ranges: readonly SizeRange[]) =>
  sql<boolean>`(equipment.category_id = any(${sql.join(
    ranges.map(({ categoryIds }) => sql`${categoryIds}::integer[]`),
    sql` || `,
  )}) and (${sql.join(
    ranges.map(({ categoryIds, min, max }) =>
      min === undefined || max === undefined
        ? sql`equipment.category_id = any(${categoryIds}::integer[])`
        : sql`(equipment.category_id = any(${categoryIds}::integer[]) and equipment.main_value between ${min}::numeric and ${max}::numeric)`,
    ),
    sql` or `,
  )}))`

const newest: OrderKey = { by: sql.ref('equipment.id'), direction: 'desc' }
const price = sql.ref('equipment.month_price_fen')
const size = sql.ref('equipment.main_value')

/** Machines of several categories have no size or age to compare. */
function orderOf(db: Read, { sort, categoryId, nearCityId }: Page): OrderKey[] {
  if (sort === 'priceUp') return [{ by: price, direction: 'asc' }, newest]
  if (sort === 'priceDown') return [{ by: price, direction: 'desc nulls last' }, newest]
  if (sort === 'distance' && nearCityId) return [{ by: distanceOf(db, nearCityId), direction: 'asc' }, newest]
  if (!categoryId) return [newest]
  if (sort === 'sizeUp') return [{ by: size, direction: 'asc' }, newest]
  if (sort === 'sizeDown') return [{ by: size, direction: 'desc nulls last' }, newest]
  if (sort === 'youngest') return [{ by: sql.ref('equipment.out_factory_date'), direction: 'desc' }, newest]
  return [newest]
}

/** The cities with how far they are from a place, the nearest first; from a place that nobody knows none is nearer. */
const citiesFrom = (db: Read, code: number) =>
  db
    .selectFrom('region as r')
    .leftJoin('region as o', (join) => join.on('o.code', '=', code))
    .where('r.level', '=', sql.lit(2))
    .select(['r.code', sql<number | null>`distance_km(o.lat, o.lng, r.lat, r.lng)`.as('km')])
    .orderBy('km')
    .offset(sql.lit(0))
    .as('away')

/** The distance of each machine that is sorted by it is looked up, so fewer are sorted. */
const mostByDistance = 4000

/** Farther than any place; last are the cities whose place nobody knows. */
const unknownKm = 2_147_483_647

/**
 * How far a machine is, looked up in the distances of all cities in the order of their codes: of a join with the cities the planner, which knows no
 * values, compares each machine with each city.
 */
const distanceOf = (db: Read, code: number) => {
  const distances = db
    .selectFrom(citiesFrom(db, code))
    .select(sql`array_agg(coalesce(away.km, ${sql.lit(unknownKm)}) order by away.code)`.as('distances'))
  const codes = sql`array(select code from region where level = 2 order by code)`
  return sql<number>`(${distances})[width_bucket(equipment.city_id, ${codes})]`
}

/** The machines that fit, and the way along their order (decision 50). */
export function listOf(db: Read, page: Page): List {
  const { lead } = page
  const order = orderOf(db, page)
  const fits = (source?: Shelf) => (lead ? filtered(db, page, source).where(holdsLead(lead)) : filtered(db, page, source))
  const list: Omit<List, 'found' | 'inOrder'> = { id: 'equipment.id', order, ...(lead && { ...boundOf(lead), isDear: true }) }
  const branches = lead ? branchesOf(filtered(db, page), lead) : [filtered(db, page)]

  if (page.sort === 'distance' && page.nearCityId) {
    const here = (lead ? filtered(db, page).where(rowHoldsLead(lead)) : filtered(db, page))
      .whereRef('equipment.cityId', '=', sql.ref('away.code'))
      .orderBy('equipment.id', 'desc')
    return {
      ...list,
      bound: Math.min(list.bound ?? mostByDistance, mostByDistance),
      found: (columns) => foundIn(branches, columns),
      inOrder: db
        .selectFrom(citiesFrom(db, page.nearCityId))
        .crossJoinLateral(
          here
            .select('equipment.id')
            .limit(sql.lit(page.pageNum * page.pageSize))
            .as('equipment'),
        )
        .select('equipment.id')
        .orderBy('away.km')
        .orderBy('equipment.id', 'desc'),
    }
  }
  // Within a category its rows are few enough to be sorted.
  const byPrice = order[0]?.by === price
  const isNewest = order[0] === newest
  if (isNewest && lead && !lead.frequent && isOfKinds(lead))
    return { ...list, bound: mostFound, found: (columns) => foundIn(branches, columns), inOrder: newestOfLead(db, page, lead) }
  const { nearCityId: _, ...others } = page
  const isWhole = isUnfiltered(others)
  const inOrder = (byPrice || isNewest) && !isWhole ? fits(along(db, page, order)) : fits().orderBy(orderedBy(order))
  return { ...list, isWhole, found: (columns) => foundIn(branches, columns), inOrder: inOrder.select('equipment.id') }
}

const foundIn = (branches: readonly Shelf[], columns: Parameters<List['found']>[0]) =>
  sql`${sql.join(
    branches.map((query) => query.select([...columns])),
    sql` union all `,
  )}`

/** The shelf along the index of its order; offset 0 keeps the planner, which knows no values, on that index. */
function along(db: Read, page: Page, order: OrderKey[]): Shelf {
  const shelf = (order[0]?.by === price ? priced(shelved(db), { ...page, lead: undefined }) : shelved(db))
    .selectAll()
    .orderBy(orderedBy(order))
    .offset(sql.lit(0))
  return db.selectFrom(shelf.as('equipment')) as Shelf
}

/**
 * The newest machines that hold a word which means categories: of each category the newest, by its index, and the few whose own text
 * holds it.
 */
function newestOfLead(db: Read, page: Page, lead: Lead): Expression<unknown> {
  const need = sql.lit(page.pageNum * page.pageSize)
  const [, ...held] = branchesOf(filtered(db, page), lead)
  const ofKind = filtered(db, page)
    .where(sql<boolean>`equipment.category_id = kind`)
    .where(besideMeans(lead))
  const parts = [
    sql`select f.id from ${kindsOf(lead)} kinds, lateral (${ofKind.select('equipment.id').orderBy('equipment.id', 'desc').limit(need)}) f`,
    ...held.map((query) => query.select('equipment.id').offset(sql.lit(0))),
  ]
  return sql`select id from (${sql.join(parts, sql` union all `)}) newest order by id desc`
}
