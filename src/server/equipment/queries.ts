import { sql, type SelectQueryBuilder } from 'kysely'
import { LRUCache } from 'lru-cache'
import { dayOf } from '#shared/calendar.ts'
import type { Received } from '#shared/endpoint.ts'
import { EquipmentFilter, MachineTerms, type listBrands } from '#shared/equipment/contract.ts'
import {
  equipmentAudit,
  rentStatus,
  rentUnits,
  shelfStatus,
  type DocumentKind,
  type FuelPayer,
  type RentStatus,
  type RentUnit,
} from '#shared/equipment/rules.ts'
import { isCityOf } from '#shared/region/rules.ts'
import { delFlag } from '#shared/rules.ts'
import { mainKeyOf, understandSearch } from '../category/vocabulary.ts'
import { compiledOnce } from '../db/driver/compiled.ts'
import type { Read } from '../db/connect.ts'
import { listed, mostFound, pageId, selectPage } from '../db/paging.ts'
import type { DB } from '../db/tables.generated.ts'
import { Refusal } from '../http/refusal.ts'
import { regionNamesOf } from '../region/queries.ts'
import { brandEnOf, nameColumns } from './names.ts'
import { filtered, listOf, shelved, type Filter, type Page } from './shelf-list.ts'
import { leadOf, machineWords } from './words.ts'

const { available, reserved, onHire, inRepair, retired } = rentStatus

/** Today by the clock of the database, because statements are compiled once for all days. */
const day = sql`(now() at time zone 'Asia/Shanghai')::date`

/**
 * Out of use as stored; otherwise from the bookings: in repair or on hire today, reserved for later, free. A lot is free while one of its units is;
 * each booking takes one.
 */
const rentStatusToday = sql<RentStatus>`case when equipment.rent_status in (${sql.lit(inRepair)}, ${sql.lit(retired)}) then equipment.rent_status
  when equipment.taken is null or equipment.is_lot and not equipment.taken @> ${day} then ${sql.lit(available)}
  when equipment.is_lot then (select case when count(*) < equipment.total_qty then ${sql.lit(available)}
      when bool_and(b.reason = 'repair') then ${sql.lit(inRepair)} else ${sql.lit(onHire)} end
    from equipment_booking b where b.equipment_id = equipment.id and b.period @> ${day})
  else coalesce((select case when bool_or(b.period @> ${day} and b.reason = 'repair') then ${sql.lit(inRepair)}
      when bool_or(b.period @> ${day}) then ${sql.lit(onHire)} else ${sql.lit(reserved)} end
    from equipment_booking b where b.equipment_id = equipment.id and upper(b.period) > ${day}
    having count(*) > 0), ${sql.lit(available)}) end`

/** Only a draft has no day. */
export const outFactoryDay = sql<string>`coalesce(equipment.out_factory_date::text, '')`

const distanceFrom = (cityId: number | undefined) =>
  cityId === undefined
    ? sql<number | null>`null::integer`
    : sql<
        number | null
      >`(select distance_km(o.lat, o.lng, r.lat, r.lng) from region o, region r where o.code = ${cityId} and r.code = equipment.city_id)`

type Price = { rentUnit: RentUnit; price: number | null; withOperator: boolean; fuelBy: FuelPayer; taxRate: number }

/** The place of a price among those of its machine. */
export const unitOrder = sql`array_position(array[${sql.join(rentUnits.map((unit) => sql.lit(unit)))}], rent_unit)`

/** The amount of a price `p` of a machine; null where it is to be agreed or has ended. */
const amountToday = sql`case when p.valid_to < ${day} then null else p.price_fen end`

/** The card of a machine, in the shape of the wire. Amounts are fen; the contract writes them out in yuan. */
export function withCard<O>(query: SelectQueryBuilder<DB, 'equipment', O>, nearCityId?: number) {
  return query
    .innerJoin('category', 'category.id', 'equipment.categoryId')
    .innerJoin('company', 'company.id', 'equipment.companyId')
    .select([
      'equipment.id',
      'equipment.equipmentCode',
      ...nameColumns,
      'equipment.fatherCategoryId',
      'equipment.categoryId',
      'category.name as categoryName',
      'equipment.specs',
      outFactoryDay.as('outFactoryDate'),
      'equipment.workHours',
      'equipment.emissionStage',
      'equipment.provinceId',
      'equipment.cityId',
      ...regionNamesOf('equipment'),
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
      sql<Price[]>`coalesce((
        select json_agg(json_build_object('rentUnit', rent_unit, 'price', ${amountToday}, 'withOperator', with_operator, 'fuelBy', fuel_by, 'taxRate', tax_rate)
          order by ${unitOrder})
        from equipment_price p where p.equipment_id = equipment.id), '[]')`.as('prices'),
    ])
}

/** A page of the shelf as one statement. */
const shelvedPage = (db: Read, page: Page) =>
  selectPage(db, {
    list: listOf(db, page),
    paging: page,
    card: withCard(db.selectFrom('equipment').where('equipment.id', '=', pageId), page.nearCityId),
  })

const askPage = compiledOnce(shelvedPage, 'sort', 'pageSize', 'pageNum', 'most')

/** The filter with what its words were understood as. */
async function understood(db: Read, { name = '', ...filter }: Filter): Promise<Page> {
  if (name.trim() === '') return withSize(db, filter)
  const { words, ranges, specs, ...typed } = await understandSearch(db, name)
  return withSize(db, {
    ...filter,
    ...placeOf(filter, typed),
    specs: [...filter.specs, ...specs],
    words: machineWords(words),
    ranges,
    most: mostFound,
  })
}

type Place = Pick<Page, 'provinceId' | 'cityId'>

/** A place chosen in the fields goes before one that was typed, whose city may only narrow a province that is chosen. */
function placeOf({ provinceId, cityId }: Place, typed: Place): Place {
  if (cityId !== undefined) return { provinceId, cityId }
  if (provinceId === undefined) return { provinceId: typed.provinceId, cityId: typed.cityId }
  return { provinceId, cityId: typed.cityId !== undefined && isCityOf(provinceId, typed.cityId) ? typed.cityId : undefined }
}

/** A range of the category's main parameter is one of the column that indexes hold. */
async function withSize(db: Read, page: Page): Promise<Page> {
  const { categoryId, specs } = page
  if (!categoryId || specs.length === 0) return page
  const main = await mainKeyOf(db, categoryId)
  const size = specs.find(({ key }) => key === main)
  return size ? { ...page, size: { min: size.min, max: size.max }, specs: specs.filter((spec) => spec !== size) } : page
}

export async function listShelvedEquipment(db: Read, filter: Filter) {
  const page = await pageOfShelf(db, filter)
  return listed(await askPage(db, page), page)
}

/** A page of the shelf, with what its words mean and the one that leads. */
export async function pageOfShelf(db: Read, filter: Filter): Promise<Page> {
  const page = await understood(db, filter)
  const { words = [] } = page
  return words.length > 0 ? { ...page, ...(await leadOf(db, words)) } : page
}

/** Machines for a box that completes what is typed. */
export async function suggestMachines(db: Read, text: string, limit: number) {
  const { rows } = await listShelvedEquipment(db, EquipmentFilter.parse({ name: text, pageSize: limit }))
  return rows
}

/** The machines of the ids that are on the shelf. */
export function findShelvedByIds(db: Read, ids: readonly number[]) {
  return ids.length === 0 ? Promise.resolve([]) : withCard(shelved(db).where('equipment.id', 'in', ids)).execute()
}

/** Those of the ids that are on the shelf, each once and in the order of the ids. */
export async function compareMachines(db: Read, ids: readonly number[]) {
  const found = new Map((await findShelvedByIds(db, ids)).map((machine) => [machine.id, machine]))
  return [...new Set(ids)].flatMap((id) => found.get(id) ?? [])
}

/** What came on the shelf, or was confirmed again, in (since, until] and fits. */
export async function countNewEquipment(db: Read, filter: Filter, since: string, until: Date): Promise<number> {
  const { n } = await filtered(db, await understood(db, filter))
    .where('equipment.confirmedAt', '>', since)
    .where('equipment.confirmedAt', '<=', until.toISOString())
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return n
}

/** Brands are counted over this many of the newest machines that fit. */
const brandSample = 20_000

export function findBrands(db: Read, { fatherCategoryId, categoryId }: Received<typeof listBrands>['query']) {
  let query = shelved(db)
  if (categoryId) query = query.where('equipment.categoryId', '=', categoryId)
  else if (fatherCategoryId) query = query.where('equipment.fatherCategoryId', '=', fatherCategoryId)
  return db
    .selectFrom(query.orderBy('equipment.id', 'desc').limit(brandSample).select('equipment.brand').as('newest'))
    .where('brand', '<>', '')
    .groupBy('brand')
    .orderBy(sql`count(*)`, 'desc')
    .orderBy('brand')
    .limit(40)
    .select(['brand', (eb) => eb.fn.countAll<number>().as('count'), brandEnOf(sql.ref('brand')).as('brandEn')])
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
    where audit_status = ${sql.lit(equipmentAudit.passed)} and shelf_status = ${sql.lit(shelfStatus.on)} and del_flag = ${sql.lit(delFlag.present)}
      and category_id = ${categoryId} and id <> ${id}
      ${here ? sql`and province_id = ${provinceId}` : sql``} and main_value ${above ? sql`>= ${value}` : sql`< ${value}`}
    order by main_value ${above ? sql`asc` : sql`desc`} limit ${sql.lit(likeness)})`
  return sql<{ id: number; at: number }>`(
    select id, row_number() over (order by province_id = ${provinceId} desc, abs(main_value - ${value}), id desc) as at
    from (${side(true, true)} union ${side(true, false)} union ${side(false, true)} union ${side(false, false)}) found
    order by at limit ${sql.lit(likeness)})`
}

/** The columns that everybody reads of a machine beyond its card. */
export const machineTermColumns = MachineTerms.keyof().options.map((name) => `equipment.${name}` as const)

/** A machine of the shelf, whole. */
export const machinePage = (db: Read, { id, today }: { id: number; today: string }) =>
  withCard(shelved(db).where('equipment.id', '=', id)).select([
    'equipment.mainValue',
    ...machineTermColumns,
    documentsOf.as('documents'),
    sql<(Price & { validTo: string | null })[]>`coalesce((
      select json_agg(json_build_object('rentUnit', rent_unit, 'price', ${amountToday}, 'withOperator', with_operator, 'fuelBy', fuel_by,
        'taxRate', tax_rate, 'validTo', valid_to) order by ${unitOrder})
      from equipment_price p where p.equipment_id = equipment.id), '[]')`.as('prices'),
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

/** The cards of those of the machines that are on the shelf, in the order of the ids. */
export const cardsOf = (db: Read, { ids }: { ids: readonly number[] }) =>
  withCard(shelved(db).where(sql<boolean>`equipment.id = any(${ids}::bigint[])`)).orderBy(
    sql`array_position(${ids}::bigint[], equipment.id)`,
  )

const findMachine = compiledOnce(machinePage)
const findSimilar = compiledOnce(similarTo)

const findCards = compiledOnce(cardsOf)

/** How long the machines that were found alike are taken for it (decision 14). */
export const similarMs = 60_000
const similarOf = new WeakMap<Read, LRUCache<string, number[]>>()

/**
 * The likest machines: which they are within the last minute, and their cards as they are now, without those that have left the shelf (decision 14). A
 * machine that changes itself is asked anew.
 */
async function findSimilarLately(db: Read, machine: Machine) {
  let lately = similarOf.get(db)
  if (!lately) similarOf.set(db, (lately = new LRUCache({ max: 1000, ttl: similarMs })))
  const key = JSON.stringify(machine)
  const ids = lately.get(key)
  if (ids) return ids.length === 0 ? [] : findCards(db, { ids })
  const similar = await findSimilar(db, machine)
  lately.set(
    key,
    similar.map((card) => card.id),
  )
  return similar
}

/** A machine of the shelf with those that are most like it. */
export async function getShelvedMachine(db: Read, id: number, now: Date) {
  const [machine] = await findMachine(db, { id, today: dayOf(now) })
  if (!machine) throw new Refusal('not_found')
  const { categoryId, provinceId, mainValue } = machine
  return { ...machine, similar: await findSimilarLately(db, { id, categoryId, provinceId, mainValue: mainValue ?? 0 }) }
}
