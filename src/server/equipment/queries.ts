import { sql, type SelectQueryBuilder } from 'kysely'
import type { z } from 'zod'
import type { EquipmentFilter } from '#shared/equipment/contract.ts'
import type { DocumentKind, RentUnit } from '#shared/equipment/rules.ts'
import { compiledOnce } from '../db/compiled.ts'
import type { Read } from '../db/connect.ts'
import { listed, mostCounted, mostFound, pageOf } from '../db/paging.ts'
import type { DB } from '../db/tables.generated.ts'
import { regionNameOf } from '../region/queries.ts'
import { holdsMachineWords, machineWords, meaningOf, pageOfWord, shapeOf, type Meaning, type Shape, type Word } from './words.ts'

type Filter = z.output<typeof EquipmentFilter>

// In the text and not as parameters: a prepared plan may use the indexes that hold only these.
const shelved = (db: Read) =>
  db
    .selectFrom('equipment')
    .where('equipment.auditStatus', '=', sql.lit('2'))
    .where('equipment.shelfStatus', '=', sql.lit('1'))
    .where('equipment.delFlag', '=', sql.lit('0'))

/** Out of use as stored; otherwise from the bookings: on hire today, reserved for later, free. */
const rentStatusToday = sql<string>`case when equipment.rent_status in ('3', '4') then equipment.rent_status
  when equipment.is_lot then '0'
  else coalesce((select case when bool_or(b.period @> (now() at time zone 'Asia/Shanghai')::date) then '2' else '1' end from equipment_booking b
    where b.equipment_id = equipment.id and upper(b.period) > (now() at time zone 'Asia/Shanghai')::date having count(*) > 0), '0') end`

const distanceFrom = (cityId: number | undefined) =>
  cityId === undefined
    ? sql<number | null>`null::integer`
    : sql<
        number | null
      >`(select distance_km(o.lat, o.lng, r.lat, r.lng) from region o, region r where o.code = ${cityId} and r.code = equipment.city_id)`

/** The card of a machine, in the shape of the wire. Amounts are fen; the contract writes them out in yuan. */
export function withCard<O>(query: SelectQueryBuilder<DB, 'equipment', O>, nearCityId?: number) {
  return query
    .innerJoin('category', 'category.id', 'equipment.categoryId')
    .innerJoin('company', 'company.id', 'equipment.companyId')
    .select([
      'equipment.id',
      'equipment.equipmentCode',
      'equipment.name',
      'equipment.brand',
      'equipment.model',
      'equipment.fatherCategoryId',
      'equipment.categoryId',
      'category.name as categoryName',
      'category.nameEn as categoryNameEn',
      'equipment.specs',
      'equipment.outFactoryDate',
      'equipment.workHours',
      'equipment.emissionStage',
      'equipment.provinceId',
      'equipment.cityId',
      regionNameOf('equipment').as('regionName'),
      'equipment.isLot',
      'equipment.totalQty',
      rentStatusToday.as('rentStatus'),
      'equipment.monthPriceFen as monthPrice',
      'equipment.companyId',
      'company.enterpriseName as companyName',
      'company.grade as companyGrade',
      'equipment.confirmedAt',
      distanceFrom(nearCityId).as('distanceKm'),
      sql<
        string | null
      >`(select '/prod-api/file/' || file_id || '?thumb=1' from equipment_image where equipment_id = equipment.id order by order_num limit 1)`.as(
        'cover',
      ),
      sql<
        { rentUnit: RentUnit; price: number | null; withOperator: boolean; fuelBy: 'lessor' | 'lessee' | 'none'; taxRate: number }[]
      >`coalesce((
        select json_agg(json_build_object('rentUnit', rent_unit, 'price', price_fen, 'withOperator', with_operator, 'fuelBy', fuel_by, 'taxRate', tax_rate)
          order by array_position(array['M','S','D','H','V','L','P'], rent_unit))
        from equipment_price p where p.equipment_id = equipment.id), '[]')`.as('prices'),
    ])
}

/** The filter as a where, shared by the count and the page. */
function filtered(db: Read, filter: Filter) {
  let query = shelved(db)
  if (filter.provinceId) query = query.where('equipment.provinceId', '=', filter.provinceId)
  if (filter.cityId) query = query.where('equipment.cityId', '=', filter.cityId)
  if (filter.fatherCategoryId) query = query.where('equipment.fatherCategoryId', '=', filter.fatherCategoryId)
  if (filter.categoryId) query = query.where('equipment.categoryId', '=', filter.categoryId)
  if (filter.companyId) query = query.where('equipment.companyId', '=', filter.companyId)
  if (filter.brand) query = query.where('equipment.brand', '=', filter.brand)
  if (filter.beginFen !== undefined) query = query.where('equipment.monthPriceFen', '>=', filter.beginFen)
  if (filter.endFen !== undefined) query = query.where('equipment.monthPriceFen', '<=', filter.endFen)
  if (filter.name) query = query.where(holdsMachineWords(machineWords(filter.name)))
  for (const { key, min, max } of filter.specs) {
    // A value that is no number (an attachment, say) never lies in a range.
    const value = sql`case when equipment.specs ->> ${key} ~ '^-?[0-9]+([.][0-9]+)?$' then (equipment.specs ->> ${key})::numeric end`
    if (min !== undefined) query = query.where(sql<boolean>`${value} >= ${min}`)
    if (max !== undefined) query = query.where(sql<boolean>`${value} <= ${max}`)
  }
  if (filter.freeFrom && filter.freeTo && filter.freeFrom < filter.freeTo)
    query = query.where(
      sql<boolean>`(select count(distinct slot) from equipment_booking b where b.equipment_id = equipment.id
        and b.period && daterange(${filter.freeFrom}::date, ${filter.freeTo}::date)) < equipment.total_qty`,
    )
  return query
}

/** The ids in the order asked for; each order and the usual filters have an index that holds it. */
function orderedIds(db: Read, filter: Filter) {
  const ids = filtered(db, filter).select('equipment.id')
  switch (filter.sort) {
    case 'priceUp':
      return ids.orderBy('equipment.monthPriceFen', (by) => by.asc().nullsLast()).orderBy('equipment.id', 'desc')
    case 'priceDown':
      return ids.orderBy('equipment.monthPriceFen', (by) => by.desc().nullsLast()).orderBy('equipment.id', 'desc')
    case 'distance':
      // From one city to the next, the nearest first.
      if (filter.nearCityId)
        return ids
          .innerJoin(
            (eb) =>
              eb
                .selectFrom('region as o')
                .innerJoin('region as r', 'r.level', 'o.level')
                .where('o.code', '=', filter.nearCityId ?? 0)
                .select(['r.code', sql<number | null>`distance_km(o.lat, o.lng, r.lat, r.lng)`.as('km')])
                .as('away'),
            (join) => join.onRef('away.code', '=', 'equipment.cityId'),
          )
          .orderBy('away.km', (by) => by.asc().nullsLast())
          .orderBy('equipment.id', 'desc')
  }
  return ids.orderBy('equipment.id', 'desc')
}

/** The page of the shelf as one statement. */
export const shelvedPage = (db: Read, filter: Filter) =>
  withCard(db.selectFrom('equipment'), filter.nearCityId)
    .innerJoin(pageOf(orderedIds(db, filter), filter), 'page.id', 'equipment.id')
    .select('page.total')
    .orderBy('page.at')

/** What the usual questions differ in; their statements are built once. */
const usual = ['provinceId', 'cityId', 'fatherCategoryId', 'categoryId', 'companyId', 'brand', 'beginFen', 'endFen', 'nearCityId'] as const
type Usual = Pick<Filter, (typeof usual)[number]> & { offset: number }

function usualOf(filter: Filter): Omit<Usual, 'offset'> {
  const given: Record<string, unknown> = {}
  for (const key of usual) if (filter[key] !== undefined && filter[key] !== '') given[key] = filter[key]
  return given as Omit<Usual, 'offset'>
}

const isUsual = ({ specs, freeFrom, freeTo, exact, pageNum, pageSize }: Filter, most: number) =>
  specs.length === 0 && !(freeFrom && freeTo) && !exact && pageNum * pageSize <= most

const usualPage = compiledOnce((db, { sort, pageSize }: Pick<Filter, 'sort' | 'pageSize'>, values: Usual) =>
  shelvedPage(db, { specs: [], pageNum: 1, sort, pageSize, ...values } as unknown as Filter),
)

type Range = { offset: number; need: number; most: number | null }
type Meant = { word: Word; meaning: Omit<Meaning, 'frequent'>; has: Shape }

/** Found by a word, the newest first; `need` is read of each thing that it means. */
const foundPage = (db: Read, filter: Filter, { word, meaning, has }: Meant, range: Range, others: readonly Word[] = []) =>
  withCard(db.selectFrom('equipment'), filter.nearCityId)
    .innerJoin(
      pageOfWord(filtered(db, filter).where(holdsMachineWords(others)), word, meaning, has, { ...range, size: filter.pageSize }),
      'page.id',
      'equipment.id',
    )
    .select('page.total')
    .orderBy('page.at')

type FoundValues = Usual & Pick<Word, 'grams' | 'pattern'> & Omit<Meaning, 'frequent'>

const usualFoundPage = compiledOnce(
  (
    db,
    { pageSize, sort, short, need, has }: Pick<Filter, 'sort' | 'pageSize'> & { short: boolean; need: number; has: Shape },
    { grams, pattern, kinds, makers, strange, offset, ...values }: FoundValues,
  ) =>
    foundPage(
      db,
      { specs: [], pageNum: 1, sort, pageSize, ...values } as unknown as Filter,
      { word: { grams, pattern, short }, meaning: { kinds, makers, strange }, has },
      { offset, need, most: mostFound + 1 },
    ),
)

/** By the word that means a category, or else by the last; the others are asked of what it finds. */
async function findByWords(db: Read, filter: Filter, words: readonly Word[]) {
  const { pageNum, pageSize, sort, exact } = filter
  const meanings = await Promise.all(words.map((one) => meaningOf(db, one)))
  const kind = meanings.findIndex(({ kinds }) => kinds.length > 0)
  const lead = kind < 0 ? words.length - 1 : kind
  const [word, meaning] = [words[lead], meanings[lead]]
  if (!word || !meaning) return []
  const offset = (pageNum - 1) * pageSize
  // In steps, so that the statements are few.
  const need = pageSize * 2 ** Math.ceil(Math.log2(pageNum))
  const has = shapeOf(meaning)
  if (words.length === 1 && isUsual(filter, mostFound)) {
    const { short, grams, pattern } = word
    const { kinds, makers, strange } = meaning
    return usualFoundPage(db, { sort, pageSize, short, need, has }, { ...usualOf(filter), offset, grams, pattern, kinds, makers, strange })
  }
  const most = exact ? null : Math.max(mostFound, pageNum * pageSize) + 1
  const others = words.filter((other) => other !== word)
  return foundPage(db, { ...filter, name: '' }, { word, meaning, has }, { offset, need, most }, others).execute()
}

export async function findShelvedEquipment(db: Read, filter: Filter) {
  const { pageNum, pageSize, sort } = filter
  const words = machineWords(filter.name ?? '')
  const bounded = words.length > 0 ? { ...filter, most: mostFound } : filter
  const rows =
    words.length > 0 && sort === 'newest'
      ? await findByWords(db, filter, words)
      : words.length === 0 && isUsual(filter, mostCounted)
        ? await usualPage(db, { sort, pageSize }, { ...usualOf(filter), offset: (pageNum - 1) * pageSize })
        : await shelvedPage(db, bounded).execute()
  return listed(db, rows, () => orderedIds(db, filter), bounded)
}

/** Names for a box that completes what is typed. */
export async function suggestMachines(db: Read, words: string, limit: number) {
  const filter = { specs: [], sort: 'newest', pageNum: 1, pageSize: limit } as unknown as Filter
  return (await findByWords(db, filter, machineWords(words))).map(({ id, name, regionName }) => ({ id, name, regionName }))
}

/** Those of the ids that are on the shelf. */
export function findShelvedByIds(db: Read, ids: readonly number[]) {
  return ids.length === 0 ? Promise.resolve([]) : withCard(shelved(db).where('equipment.id', 'in', ids)).execute()
}

/** What came on the shelf, or was confirmed again, in (since, until] and fits. */
export async function countNewEquipment(db: Read, filter: Filter, since: string, until: Date): Promise<number> {
  const { n } = await filtered(db, filter)
    .where('equipment.confirmedAt', '>', since)
    .where('equipment.confirmedAt', '<=', until.toISOString())
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return n
}

/** Brands are counted over this many of the newest machines that fit. */
const mostBranded = 20_000

export function findBrands(
  db: Read,
  { fatherCategoryId, categoryId }: { fatherCategoryId?: number | undefined; categoryId?: number | undefined },
) {
  let query = shelved(db)
  if (categoryId) query = query.where('equipment.categoryId', '=', categoryId)
  else if (fatherCategoryId) query = query.where('equipment.fatherCategoryId', '=', fatherCategoryId)
  return db
    .selectFrom(query.orderBy('equipment.id', 'desc').limit(mostBranded).select('equipment.brand').as('newest'))
    .where('brand', '<>', '')
    .groupBy('brand')
    .orderBy(sql`count(*)`, 'desc')
    .orderBy('brand')
    .limit(40)
    .select(['brand', (eb) => eb.fn.countAll<number>().as('count')])
    .execute()
}

export const documentsOf = sql<
  { kind: DocumentKind; validTo: string | null }[]
>`coalesce((select json_agg(json_build_object('kind', kind, 'validTo', valid_to) order by id)
  from equipment_document d where d.equipment_id = equipment.id), '[]')`

const likeness = 4

type Machine = { id: number; categoryId: number; provinceId: number; mainValue: number }

/** The ids of the likest machines of the category: of the same province first, then by the distance of the main parameter. */
function nearestTo({ id, categoryId, provinceId, mainValue: value }: Machine) {
  const side = (here: boolean, above: boolean) => sql`(select id, province_id, main_value from equipment
    where audit_status = '2' and shelf_status = '1' and del_flag = '0' and category_id = ${categoryId} and id <> ${id}
      ${here ? sql`and province_id = ${provinceId}` : sql``} and main_value ${above ? sql`>= ${value}` : sql`< ${value}`}
    order by main_value ${above ? sql`asc` : sql`desc`} limit ${sql.lit(likeness)})`
  return sql<{ id: number; at: number }>`(
    select id, row_number() over (order by province_id = ${provinceId} desc, abs(main_value - ${value}), id desc) as at
    from (${side(true, true)} union ${side(true, false)} union ${side(false, true)} union ${side(false, false)}) found
    order by at limit ${sql.lit(likeness)})`
}

/** A machine of the shelf, whole. */
export const machinePage = (db: Read, id: number, today: string) =>
  withCard(shelved(db).where('equipment.id', '=', id)).select([
    'equipment.mainValue',
    'equipment.manufacturer',
    'equipment.description',
    documentsOf.as('documents'),
    sql<
      string[]
    >`coalesce((select json_agg('/prod-api/file/' || file_id order by order_num) from equipment_image i where i.equipment_id = equipment.id), '[]')`.as(
      'images',
    ),
    sql<
      { from: string; to: string }[]
    >`coalesce((select json_agg(json_build_object('from', lower(period), 'to', upper(period)) order by period)
      from equipment_booking b where b.equipment_id = equipment.id and upper(b.period) > ${today}::date and not equipment.is_lot), '[]')`.as(
      'taken',
    ),
  ])

export const similarTo = (db: Read, machine: Machine) =>
  withCard(db.selectFrom('equipment')).innerJoin(nearestTo(machine).as('near'), 'near.id', 'equipment.id').orderBy('near.at')

const oneMachine = compiledOnce((db, _, { id, today }: { id: number; today: string }) => machinePage(db, id, today))
const oneSimilar = compiledOnce((db, _, machine: Machine) => similarTo(db, machine))

export async function findShelvedMachine(db: Read, id: number, today: string) {
  const [machine] = await oneMachine(db, {}, { id, today })
  if (!machine) return undefined
  const { categoryId, provinceId, mainValue } = machine
  return { ...machine, similar: await oneSimilar(db, {}, { id, categoryId, provinceId, mainValue: mainValue ?? 0 }) }
}
