import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { ageInYears, dayOf } from '#shared/calendar.ts'
import type { Category } from '#shared/category/contract.ts'
import type { DemandItem } from '#shared/demand/contract.ts'
import { emissionAtLeast, equipmentAudit, meets, documentsEndingBefore, rentStatus, type EmissionStage } from '#shared/equipment/rules.ts'
import { unitsTaken } from '#shared/equipment/taken.ts'
import { matchScore } from '#shared/quote/match.ts'
import { standingMisses, type MachineStanding, type Paper } from '#shared/quote/offer.ts'
import type { MissKind } from '#shared/quote/rules.ts'
import { delFlag } from '#shared/rules.ts'
import { isMachineRestricted } from '../blacklist/restricted.ts'
import { findCategories } from '../category/queries.ts'
import type { Read } from '../db/connect.ts'
import { takenBy } from '../equipment/bookings.ts'
import { withCard as withMachineCard } from '../equipment/queries.ts'
import { isOnShelf } from '../equipment/shelf.ts'

export type Miss = { kind: MissKind; detail: string }

type Item = DemandItem & { demandId?: number }
type Demand = { id: number; companyId: number; cityId: number | null }
/** A lessor, and the department for which their machines are considered; 0 for none, whose list of restrictions then does not count. */
type Lessor = { companyId: number; deptId: number; now: Date }

/** The lessor's machines of the categories of the lines, each compared with its line and scored, the fitting ones first. */
export async function findCandidates(
  db: Read,
  { items, demands, ...lessor }: Lessor & { items: readonly Item[]; demands: readonly Demand[] },
) {
  const categories = new Map((await findCategories(db, categoriesOf(items))).map((category) => [category.id, category]))
  const found = await findMachines(db, { ...lessor, items, categories })
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

type Facts = Pick<Category, 'params' | 'flags'>
/** The part of a line that a machine is compared with. */
type Wanted = Pick<DemandItem, 'id' | 'categoryId' | 'specRequirements' | 'maxAgeYears' | 'minEmission' | 'qty' | 'planStart' | 'planEnd'>
/** A line with everything an offer for it is checked against: its ceiling where lessors see it (fen), and the facts of its category. */
export type OfferItem = Wanted & Facts & Pick<DemandItem, 'rentUnit' | 'estQuantity'> & { ceiling: number | null }

/** The lines of the demand of another query, as a column of it. */
export const offerItems = sql<OfferItem[]>`coalesce((select json_agg(json_build_object('id', i.id, 'categoryId', i.category_id,
  'specRequirements', i.spec_requirements, 'maxAgeYears', i.max_age_years, 'minEmission', i.min_emission, 'qty', i.qty, 'planStart', i.plan_start,
  'planEnd', i.plan_end, 'rentUnit', i.rent_unit, 'estQuantity', i.est_quantity, 'ceiling', case when demand.show_ceiling then i.price_ceiling_fen end,
  'params', c.params, 'flags', c.flags) order by i.line_no)
  from demand_item i join category c on c.id = i.category_id where i.demand_id = demand.id), '[]')`

const categoriesOf = (items: readonly Wanted[]) => [...new Set(items.map(({ categoryId }) => categoryId))]

type OfLessor = { companyId: number; categoryIds: number[]; deptId: number; today: string; only: readonly number[] | undefined }

const readMachines = (db: Read, { companyId, categoryIds, deptId, today, only }: OfLessor) =>
  withMachineCard(
    db
      .selectFrom('equipment')
      .where('equipment.companyId', '=', companyId)
      .$if(only !== undefined, (query) => query.where(sql<boolean>`equipment.id = any(${only}::bigint[])`))
      .where(sql<boolean>`equipment.category_id = any(${categoryIds}::integer[])`)
      .where('equipment.auditStatus', '=', equipmentAudit.passed)
      .where('equipment.rentStatus', '<>', rentStatus.retired)
      .where('equipment.delFlag', '=', delFlag.present),
  )
    .select([
      'equipment.auditStatus',
      'equipment.delFlag',
      'equipment.shelfStatus',
      isMachineRestricted(sql.ref('equipment.id'), { deptId, today }).as('blocked'),
      sql<
        Paper[]
      >`coalesce((select json_agg(json_build_object('kind', kind, 'validTo', valid_to)) from equipment_document d where d.equipment_id = equipment.id), '[]')`.as(
        'papers',
      ),
      takenBy(sql`b.equipment_id = equipment.id and upper(b.period) > ${today}::date`).as('bookings'),
    ])
    .orderBy('equipment.id')
    .limit(300)
    .execute()

type Wish = { items: readonly Wanted[]; categories: ReadonlyMap<number, Facts>; only?: readonly number[] }

/** The lessor's machines of the categories of the lines, each compared with its line; `only` these where an offer names them. */
export async function findMachines(db: Read, { companyId, deptId, now, items, categories, only }: Lessor & Wish) {
  const today = dayOf(now)
  const machines = await readMachines(db, { companyId, categoryIds: categoriesOf(items), deptId, today, only })
  return Object.fromEntries(
    items.map((item) => [
      String(item.id),
      machines
        .filter(({ categoryId }) => categoryId === item.categoryId)
        .map(({ papers, bookings, auditStatus, delFlag: deletion, shelfStatus, blocked, ...machine }) => {
          const taken = bookings.filter(({ from, to }) => from < item.planEnd && item.planStart < to)
          const freeQty = Math.max(0, machine.totalQty - unitsTaken(taken))
          const standing = { auditStatus, delFlag: deletion, shelfStatus, rentStatus: machine.rentStatus, blocked, freeQty, taken, papers }
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
  monthPrice: number | null
  outFactoryDate: string
  companyGrade: string | null
}

type Scoring = { companyId: number; items: readonly Item[]; machines: readonly Suited[]; demands: readonly Demand[]; today: string }

const medianMs = 60_000
const mediansOf = new WeakMap<Read, LRUCache<number, { median: number | null }>>()

/** The median prices of categories, as they were within the last minute: each is counted from all machines of the market. */
async function readMediansLately(db: Read, categoryIds: readonly number[]): Promise<Map<number, number | null>> {
  let lately = mediansOf.get(db)
  if (!lately) mediansOf.set(db, (lately = new LRUCache({ max: 1000, ttl: medianMs })))
  const medianOf = new Map<number, number | null>()
  const unknown = categoryIds.filter((id) => {
    const known = lately.get(id)
    if (known) medianOf.set(id, known.median)
    return !known
  })
  if (unknown.length === 0) return medianOf
  const { rows } = await sql<{ categoryId: number; median: number }>`select category_id as "categoryId",
      percentile_cont(0.5) within group (order by month_price_fen) as median
    from equipment where category_id = any(${unknown}) and ${isOnShelf('equipment')} and month_price_fen is not null group by 1`.execute(db)
  for (const id of unknown) {
    const median = rows.find(({ categoryId }) => categoryId === id)?.median ?? null
    lately.set(id, { median })
    medianOf.set(id, median)
  }
  return medianOf
}

/** Reads once what all scores are made of; the function that it gives scores one machine for one line. */
async function readScores(db: Read, { companyId, items, machines, demands, today }: Scoring) {
  const cities = [...new Set([...machines.map(({ cityId }) => cityId), ...demands.flatMap(({ cityId }) => cityId ?? [])])]
  const [distances, medianOf, record] = [
    await sql<{ a: number; b: number; km: number | null }>`select a.code as a, b.code as b, distance_km(a.lat, a.lng, b.lat, b.lng) as km
      from region a, region b where a.code = any(${cities}) and b.code = any(${demands.flatMap(({ cityId }) => cityId ?? [])})`.execute(db),
    await readMediansLately(db, categoriesOf(items)),
    await sql<{ invited: number; quoted: number; partners: number[] }>`select
      (select count(*)::int from demand_invite where company_id = ${companyId}) as invited,
      (select count(*)::int from demand_invite v where v.company_id = ${companyId}
        and exists (select 1 from quote q where q.demand_id = v.demand_id and q.company_id = ${companyId})) as quoted,
      coalesce((select json_agg(distinct d.company_id) from award_line l join award w on w.id = l.award_id join demand d on d.id = w.demand_id
        where l.company_id = ${companyId}), '[]') as partners`.execute(db),
  ]
  const kmOf = new Map(distances.rows.map(({ a, b, km }) => [`${a}-${b}`, km]))
  const [own] = record.rows
  return (item: Item, machine: Suited, papers: readonly Paper[]) => {
    const demand = demands.find(({ id }) => id === item.demandId) ?? demands[0]
    const [wanted] = item.specRequirements.filter(({ rule }) => rule === 'ge' || rule === 'eq')
    const size = wanted ? Number(machine.specs[wanted.key]) / Number(wanted.value) : Number.NaN
    const median = medianOf.get(item.categoryId)
    return matchScore({
      distanceKm: demand?.cityId ? (kmOf.get(`${machine.cityId}-${demand.cityId}`) ?? null) : null,
      sizeRatio: Number.isFinite(size) ? size : null,
      priceRatio: median && machine.monthPrice ? machine.monthPrice / median : null,
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

function missesOf(item: Wanted, machine: Machine, category: Facts | undefined, today: string): Miss[] {
  const misses: Miss[] = standingMisses(machine, category?.flags, today)
  for (const wanted of item.specRequirements) {
    const param = category?.params.find(({ key }) => key === wanted.key)
    if (meets(machine.specs[wanted.key], wanted)) continue
    const sign = { ge: '<', le: '>', eq: '≠', in: '∉' }[wanted.rule]
    misses.push({
      kind: 'spec',
      detail: `${param?.label ?? wanted.key} ${machine.specs[wanted.key] ?? '—'} ${sign} ${wanted.value} ${param?.unit ?? ''}`.trim(),
    })
  }
  if (item.maxAgeYears !== null && ageInYears(machine.outFactoryDate, today) > item.maxAgeYears)
    misses.push({ kind: 'age', detail: machine.outFactoryDate.slice(0, 7) })
  if (!emissionAtLeast(machine.emissionStage, item.minEmission)) misses.push({ kind: 'emission', detail: machine.emissionStage })
  return misses
}
