import { sql, type RawBuilder } from 'kysely'
import { LRUCache } from 'lru-cache'
import { dayOf } from '#shared/calendar.ts'
import type { Category } from '#shared/category/contract.ts'
import type { DemandItem } from '#shared/demand/contract.ts'
import {
  emissionAtLeast,
  equipmentAudit,
  meets,
  documentsEndingBefore,
  rentStatus,
  shelfStatus,
  type EmissionStage,
} from '#shared/equipment/rules.ts'
import { grouped, isOneNumber } from '#shared/equipment/size.ts'
import { unitsTaken, type Taken } from '#shared/equipment/taken.ts'
import { ageInYears } from '#shared/equipment/upload.ts'
import type { Miss } from '#shared/quote/contract.ts'
import { matchScore } from '#shared/quote/match.ts'
import { standingMisses, type MachineStanding, type Paper } from '#shared/quote/offer.ts'
import { delFlag } from '#shared/rules.ts'
import { isMachineRestricted } from '../blacklist/restricted.ts'
import { findCategories } from '../category/queries.ts'
import type { Read } from '../db/connect.ts'
import { takenBy } from '../equipment/bookings.ts'
import { nameColumns } from '../equipment/names.ts'
import { outFactoryDay, withCard as withMachineCard } from '../equipment/queries.ts'
import { isOnShelf } from '../equipment/shelf.ts'

type Item = DemandItem & { demandId?: number }
type Demand = { id: number; companyId: number; cityId: number | null }
/** A lessor, and the department for which their machines are considered; 0 for none, whose list of restrictions then does not count. */
type Lessor = { companyId: number; deptId: number; now: Date }

type Candidacy = Lessor & { items: readonly Item[]; demands: readonly Demand[]; which?: Which }

/** Machines of the lessor that suit the lines, each compared with its line and scored, the fitting ones first; without `which` the newest of all. */
export async function findCandidates(db: Read, { items, demands, which = newestOfAll, ...lessor }: Candidacy) {
  const categories = new Map((await findCategories(db, categoriesOf(items))).map((category) => [category.id, category]))
  const found = await findMachines(db, { ...lessor, items, categories, which })
  const machines = Object.values(found).flat()
  const scoreOf = await readScores(db, { companyId: lessor.companyId, items, machines, demands, today: dayOf(lessor.now) })
  return Object.fromEntries(
    items.map((item) => [
      String(item.id),
      (found[String(item.id)] ?? [])
        .map(({ papers, ...machine }) => ({ ...machine, match: scoreOf(item, machine, papers) }))
        .toSorted(
          (a, b) => a.misses.length - b.misses.length || a.shortPapers.length - b.shortPapers.length || b.match.score - a.match.score,
        ),
    ]),
  )
}

/** As `findCandidates`, each machine with its card, for a person to choose from: the newest of each category and those that are `named` already. */
export async function findCandidateCards(db: Read, { named = [], ...wish }: Omit<Candidacy, 'which'> & { named?: readonly number[] }) {
  const candidates = await findCandidates(db, { ...wish, which: newestOfEach(named) })
  const ids = [...new Set(Object.values(candidates).flatMap((machines) => machines.map(({ id }) => id)))]
  const cards = ids.length === 0 ? [] : await withMachineCard(db.selectFrom('equipment').where('equipment.id', 'in', ids)).execute()
  const cardOf = new Map(cards.map((card) => [card.id, card]))
  return Object.fromEntries(
    Object.entries(candidates).map(([item, machines]) => [
      item,
      machines.flatMap((machine) => {
        const card = cardOf.get(machine.id)
        return card ? [{ ...machine, ...card }] : []
      }),
    ]),
  )
}

type Facts = Pick<Category, 'params' | 'flags'>
/** The part of a line that a machine is compared with. */
type Wanted = Pick<DemandItem, 'id' | 'categoryId' | 'specRequirements' | 'maxAgeYears' | 'minEmission' | 'qty' | 'planStart' | 'planEnd'>
/** A line with everything an offer for it is checked against: its ceiling where lessors see it, and the facts of its category. */
export type OfferItem = Wanted & Facts & Pick<DemandItem, 'rentUnit' | 'estQuantity' | 'shiftMode'> & { ceilingFen: number | null }

/** The lines of the demand of another query, as a column of it. */
export const offerItems = sql<OfferItem[]>`coalesce((select json_agg(json_build_object('id', i.id, 'categoryId', i.category_id,
  'specRequirements', i.spec_requirements, 'maxAgeYears', i.max_age_years, 'minEmission', i.min_emission, 'qty', i.qty, 'planStart', i.plan_start,
  'planEnd', i.plan_end, 'rentUnit', i.rent_unit, 'estQuantity', i.est_quantity, 'shiftMode', i.shift_mode, 'ceilingFen', case when demand.show_ceiling then i.price_ceiling_fen end,
  'params', c.params, 'flags', c.flags) order by i.line_no)
  from demand_item i join category c on c.id = i.category_id where i.demand_id = demand.id), '[]')`

const categoriesOf = (items: readonly Wanted[]) => [...new Set(items.map(({ categoryId }) => categoryId))]

/** From the first start of the lines to their last end. */
const periodOf = (items: readonly Wanted[]) =>
  sql`daterange(${items.map(({ planStart }) => planStart).toSorted()[0]}::date, ${items
    .map(({ planEnd }) => planEnd)
    .toSorted()
    .at(-1)}::date)`

type OfLessor = { companyId: number; categoryIds: number[] }
/** A condition on the machines of a lessor that are of some categories. */
type Which = (lessor: OfLessor) => RawBuilder<boolean>

/** How many machines are compared at once; an offer may name others. */
const mostMachines = 300

const mayBeOffered = (
  companyId: number,
) => sql<boolean>`equipment.company_id = ${companyId} and equipment.audit_status = ${equipmentAudit.passed}
  and equipment.rent_status <> ${rentStatus.retired} and equipment.del_flag = ${delFlag.present}`

const newestMost = sql`order by (equipment.shelf_status = ${shelfStatus.on}) desc, equipment.id desc limit ${sql.lit(mostMachines)}`

/** Those on the shelf before others, and the newest of them: enough to find one that suits, on a page with hundreds of lines. */
const newestOfAll: Which = ({ companyId, categoryIds }) => sql<boolean>`equipment.id = any(array(
  select equipment.id from equipment where equipment.category_id = any(${categoryIds}::integer[]) and ${mayBeOffered(companyId)} ${newestMost}))`

/** As many of each category, so that one does not crowd out another, and these beside them. */
const newestOfEach =
  (named: readonly number[]): Which =>
  ({ companyId, categoryIds }) =>
    sql<boolean>`(equipment.id = any(array(
  select newest.id from unnest(${categoryIds}::integer[]) wanted(category_id), lateral (
    select equipment.id from equipment where equipment.category_id = wanted.category_id and ${mayBeOffered(companyId)} ${newestMost}) newest)
  || ${named}::bigint[]) and equipment.category_id = any(${categoryIds}::integer[]))`

/** The machines that an offer names. */
export const machinesOf = ({ lines }: { lines: readonly { machines: readonly { equipmentId: number }[] }[] }): number[] =>
  lines.flatMap(({ machines }) => machines.map(({ equipmentId }) => equipmentId))

/** Only these, which an offer names. */
export const namedMachines =
  (ids: readonly number[]): Which =>
  ({ categoryIds }) =>
    sql<boolean>`(equipment.id = any(${ids}::bigint[]) and equipment.category_id = any(${categoryIds}::integer[]))`

/** What a machine is compared and scored by, and its name. */
const readMachines = (
  db: Read,
  {
    companyId,
    categoryIds,
    deptId,
    today,
    which,
    period,
  }: OfLessor & {
    deptId: number
    today: string
    which: Which
    period: RawBuilder<unknown>
  },
) =>
  db
    .selectFrom('equipment')
    .innerJoin('category', 'category.id', 'equipment.categoryId')
    .innerJoin('company', 'company.id', 'equipment.companyId')
    .where(mayBeOffered(companyId))
    .where(which({ companyId, categoryIds }))
    .select([
      'equipment.id',
      ...nameColumns,
      'equipment.categoryId',
      'equipment.specs',
      'equipment.mainValue',
      outFactoryDay.as('outFactoryDate'),
      'equipment.emissionStage',
      'equipment.cityId',
      'equipment.totalQty',
      'equipment.monthPriceFen',
      'company.grade as companyGrade',
      'equipment.rentStatus',
      'equipment.auditStatus',
      'equipment.delFlag',
      'equipment.shelfStatus',
      isMachineRestricted(sql.ref('equipment.id'), { deptId, today }).as('blocked'),
      sql<
        Paper[]
      >`coalesce((select json_agg(json_build_object('kind', kind, 'validTo', valid_to)) from equipment_document d where d.equipment_id = equipment.id), '[]')`.as(
        'papers',
      ),
      // Bookings are read only of machines that are taken then.
      sql<
        Taken[]
      >`case when equipment.taken && ${period} then ${takenBy(sql`b.equipment_id = equipment.id and b.period && ${period}`)} else '[]' end`.as(
        'bookings',
      ),
    ])
    .orderBy('equipment.id')
    .execute()

type Wish = { items: readonly Wanted[]; categories: ReadonlyMap<number, Facts>; which: Which }

/** The lessor's machines of the categories of the lines, each compared with its line. */
export async function findMachines(db: Read, { companyId, deptId, now, items, categories, which }: Lessor & Wish) {
  const today = dayOf(now)
  const machines = await readMachines(db, { companyId, categoryIds: categoriesOf(items), deptId, today, which, period: periodOf(items) })
  return Object.fromEntries(
    items.map((item) => [
      String(item.id),
      machines
        .filter(({ categoryId }) => categoryId === item.categoryId)
        .map(({ papers, bookings, auditStatus, delFlag: deletion, shelfStatus, rentStatus: letting, blocked, mainValue, ...machine }) => {
          const taken = bookings.filter(({ from, to }) => from < item.planEnd && item.planStart < to)
          const freeQty = Math.max(0, machine.totalQty - unitsTaken(taken))
          const standing = { auditStatus, delFlag: deletion, shelfStatus, rentStatus: letting, blocked, mainValue, freeQty, taken, papers }
          return {
            ...machine,
            papers,
            freeQty,
            misses: missesOf(item, { ...machine, ...standing }, categories.get(item.categoryId), today),
            shortPapers: documentsEndingBefore(papers, item.planEnd).map(({ kind, validTo }) => ({ kind, validTo: validTo ?? '' })),
          }
        }),
    ]),
  )
}

type Suited = {
  categoryId: number
  cityId: number
  specs: Record<string, string | number>
  monthPriceFen: number | null
  outFactoryDate: string
  companyGrade: string | null
}

type Scoring = { companyId: number; items: readonly Item[]; machines: readonly Suited[]; demands: readonly Demand[]; today: string }

/** How many of the newest machines on the shelf give the median price of a category. */
const medianOfNewest = 100

/** The medians of the categories as they were within the last minute. */
const readMedians = (db: Read, categoryIds: readonly number[]): Promise<Map<number, number | null>> =>
  remembered(memoryOf(db).medians, categoryIds, async (ids) => {
    const { rows } = await sql<{ categoryId: number; median: number | null }>`select c.id as "categoryId", m.median
      from unnest(${ids}::integer[]) c(id), lateral (select percentile_cont(0.5) within group (order by month_price_fen) as median
        from (select e.month_price_fen from equipment e where e.category_id = c.id and ${isOnShelf('e')} and e.month_price_fen is not null
          order by e.id desc limit ${sql.lit(medianOfNewest)}) newest) m`.execute(db)
    return rows.map(({ categoryId, median }) => [categoryId, median] as const)
  })

/** The kilometres between the cities of machines and of the demands whose lines they may fit. Cities do not move. */
async function readDistances(db: Read, { items, machines, demands }: Pick<Scoring, 'items' | 'machines' | 'demands'>) {
  const pairs = new Map<string, [number, number]>()
  for (const { categoryId, demandId } of items) {
    const cityId = (demands.find(({ id }) => id === demandId) ?? demands[0])?.cityId
    if (!cityId) continue
    for (const machine of machines)
      if (machine.categoryId === categoryId) pairs.set(`${machine.cityId}-${cityId}`, [machine.cityId, cityId])
  }
  return remembered(memoryOf(db).distances, [...pairs.keys()], async (keys) => {
    const unknown = keys.flatMap((key) => [pairs.get(key) ?? []])
    const { rows } = await sql<{
      a: number
      b: number
      km: number | null
    }>`select a.code as a, b.code as b, distance_km(a.lat, a.lng, b.lat, b.lng) as km
      from unnest(${unknown.map(([a]) => a)}::integer[], ${unknown.map(([, b]) => b)}::integer[]) pair(a, b)
        join region a on a.code = pair.a join region b on b.code = pair.b`.execute(db)
    return rows.map(({ a, b, km }) => [`${a}-${b}`, km] as const)
  })
}

type Memory<Key extends string | number> = LRUCache<Key, { value: number | null }>
type Memories = { medians: Memory<number>; distances: Memory<string> }

const medianMs = 60_000
const memories = new WeakMap<Read, Memories>()

function memoryOf(db: Read): Memories {
  let memory = memories.get(db)
  if (!memory)
    memories.set(db, (memory = { medians: new LRUCache({ max: 1000, ttl: medianMs }), distances: new LRUCache({ max: 20_000 }) }))
  return memory
}

/** The values of the keys; those that are not remembered are read. */
async function remembered<Key extends string | number>(
  memory: Memory<Key>,
  keys: readonly Key[],
  read: (unknown: Key[]) => Promise<(readonly [Key, number | null])[]>,
): Promise<Map<Key, number | null>> {
  const known = keys.flatMap((key) => {
    const found = memory.get(key)
    return found ? [[key, found.value] as const] : []
  })
  const values = new Map(known)
  const unknown = keys.filter((key) => !values.has(key))
  for (const [key, value] of unknown.length === 0 ? [] : await read(unknown)) {
    values.set(key, value)
    memory.set(key, { value })
  }
  return values
}

/** Reads once what all scores are made of; the function that it gives scores one machine for one line. */
async function readScores(db: Read, { companyId, items, machines, demands, today }: Scoring) {
  const [kmOf, medianOf, record] = [
    await readDistances(db, { items, machines, demands }),
    await readMedians(db, categoriesOf(items)),
    await sql<{ invited: number; quoted: number; partners: number[] }>`select
      (select count(*)::int from demand_invite where company_id = ${companyId}) as invited,
      (select count(*)::int from demand_invite v where v.company_id = ${companyId}
        and exists (select 1 from quote q where q.demand_id = v.demand_id and q.company_id = ${companyId})) as quoted,
      coalesce((select json_agg(distinct d.company_id) from award_line l join award w on w.id = l.award_id join demand d on d.id = w.demand_id
        where l.company_id = ${companyId}), '[]') as partners`.execute(db),
  ]
  const [own] = record.rows
  return (item: Item, machine: Suited, papers: readonly Paper[]) => {
    const demand = demands.find(({ id }) => id === item.demandId) ?? demands[0]
    const [wanted] = item.specRequirements.filter(({ rule }) => rule === 'ge' || rule === 'eq')
    const size = wanted ? Number(machine.specs[wanted.key]) / Number(wanted.value) : Number.NaN
    const median = medianOf.get(item.categoryId)
    return matchScore({
      distanceKm: demand?.cityId ? (kmOf.get(`${machine.cityId}-${demand.cityId}`) ?? null) : null,
      sizeRatio: Number.isFinite(size) ? size : null,
      priceRatio: median && machine.monthPriceFen ? machine.monthPriceFen / median : null,
      ageYears: ageInYears(machine.outFactoryDate, today),
      grade: machine.companyGrade,
      papersLast: documentsEndingBefore(papers, item.planEnd).length === 0,
      responseRate: own && own.invited > 0 ? own.quoted / own.invited : null,
      workedTogether: demand ? (own?.partners.includes(demand.companyId) ?? false) : false,
    })
  }
}

type Machine = MachineStanding & {
  specs: Record<string, string | number>
  outFactoryDate: string
  emissionStage: EmissionStage
}

const missesOf = (item: Wanted, machine: Machine, category: Facts | undefined, today: string): Miss[] => [
  ...standingMisses(machine, category?.flags, today),
  ...deviationsOf(item, machine, { params: category?.params ?? [], day: today }),
]

type Built = Pick<Machine, 'specs' | 'outFactoryDate' | 'emissionStage'>

/** How a machine does not meet what its line requires, on a day: a quote with it must name these. */
export function deviationsOf(
  item: Pick<Wanted, 'specRequirements' | 'maxAgeYears' | 'minEmission'>,
  machine: Built,
  { params, day }: { params: Facts['params']; day: string },
): Miss[] {
  const misses: Miss[] = []
  for (const wanted of item.specRequirements) {
    const param = params.find(({ key }) => key === wanted.key)
    if (meets(machine.specs[wanted.key], wanted)) continue
    const sign = { ge: '<', le: '>', eq: '≠', in: '∉' }[wanted.rule]
    const shown = (value: string | number) => (isOneNumber(param, wanted.rule) ? grouped(value) : value)
    const [has, wants] = [shown(machine.specs[wanted.key] ?? '—'), shown(wanted.value)]
    const detail = (label = wanted.key) => `${label} ${has} ${sign} ${wants} ${param?.unit ?? ''}`.trim()
    misses.push({ kind: 'spec', detail: detail(param?.label), detailEn: detail(param?.labelEn) })
  }
  if (item.maxAgeYears !== null && ageInYears(machine.outFactoryDate, day) > item.maxAgeYears)
    misses.push({ kind: 'age', detail: machine.outFactoryDate.slice(0, 7) })
  if (!emissionAtLeast(machine.emissionStage, item.minEmission)) misses.push({ kind: 'emission', detail: machine.emissionStage })
  return misses
}
