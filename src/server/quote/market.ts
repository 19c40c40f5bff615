import { sql } from 'kysely'
import { ageInYears, dayOf, fromMoment } from '#shared/calendar.ts'
import type { Category } from '#shared/category/contract.ts'
import type { DemandItem } from '#shared/demand/contract.ts'
import { publicStatuses, type DemandStatus } from '#shared/demand/rules.ts'
import { emissionAtLeast, meets, papersEndingBefore, requiredDocuments, type DocumentKind } from '#shared/equipment/rules.ts'
import { matchScore } from '#shared/quote/match.ts'
import { quoteBar, type QuoteBar, type QuoteStatus } from '#shared/quote/rules.ts'
import { findCategories } from '../category/queries.ts'
import type { Read } from '../db/connect.ts'
import { holdsWords } from '../db/search.ts'
import { findItemsOf, withCard as withDemandCard } from '../demand/queries.ts'
import { withCard as withMachineCard } from '../equipment/queries.ts'

/** A shelved machine `e` that fits a line `i`: category, main parameter, emission, not wholly taken in the period. */
const fits = sql<boolean>`e.category_id = i.category_id and e.audit_status = '2' and e.shelf_status = '1' and e.del_flag = '0' and e.rent_status <> '4'
  and (i.main_rule is null or (i.main_rule = 'ge' and e.main_value >= i.main_value) or (i.main_rule = 'le' and e.main_value <= i.main_value)
    or (i.main_rule = 'eq' and e.main_value = i.main_value))
  and (i.min_emission is null or e.emission_stage in ('none', 'electric') or e.emission_stage >= i.min_emission)
  and (select count(distinct b.slot) from equipment_booking b where b.equipment_id = e.id and b.period && daterange(i.plan_start, i.plan_end)) < e.total_qty`

/** So many lessors are told of a demand, those with the nearest fitting machines. */
const mostTold = 500

/** Certified lessors with fitting machines, the nearest first, and how many they have. */
export async function findMatchingCompanies(db: Read, demandId: number, now: Date): Promise<{ companyId: number; machines: number }[]> {
  const { rows } = await sql<{ companyId: number; machines: number }>`
    with place as materialized (
      select r.code, distance_km(o.lat, o.lng, r.lat, r.lng) as km
      from demand d join region o on o.code = d.city_id join region r on r.level = 2 where d.id = ${demandId}),
    fleet as materialized (
      select e.company_id, count(distinct e.id)::int as machines, min(p.km) as km
      from demand_item i join equipment e on ${fits} left join place p on p.code = e.city_id
      where i.demand_id = ${demandId} group by 1),
    nearest as (select company_id, machines from fleet order by km nulls last, company_id offset 0)
    select n.company_id as "companyId", n.machines from nearest n join demand d on d.id = ${demandId} and d.company_id <> n.company_id,
      lateral (select from company c where c.id = n.company_id and c.lessor_audit = '2' and c.blacklisted_at is null offset 0) certified
    where coalesce(blacklist_level(n.company_id, d.dept_id, ${dayOf(now)}::date), 0) < 2 limit ${sql.lit(mostTold)}`.execute(db)
  return rows
}

type Scope = 'recommended' | 'near' | 'open' | 'quoted' | 'won' | 'lost'

const scopeStatuses: Record<'quoted' | 'won' | 'lost', string[]> = { quoted: ['1', '3', '4'], won: ['6'], lost: ['8', '9', '10', '7'] }

function scoped(db: Read, companyId: number, scope: Scope, now: Date) {
  const base = db.selectFrom('demand').where('demand.delFlag', '=', '0')
  if (scope === 'recommended' || scope === 'near' || scope === 'open') {
    const open = base
      .where('demand.status', '=', '3')
      .where('demand.quoteDeadline', '>', now.toISOString())
      .where(
        sql<boolean>`(demand.demand_type = '1' or exists (select 1 from demand_invite v where v.demand_id = demand.id and v.company_id = ${companyId}))`,
      )
    if (scope === 'open') return open
    return open
      .where('demand.companyId', '<>', companyId)
      .where(
        sql<boolean>`${scope === 'near' ? sql`not` : sql``} exists (select 1 from demand_item i join equipment e on ${fits} where i.demand_id = demand.id and e.company_id = ${companyId})`,
      )
      .$if(scope === 'near', (query) =>
        query.where(
          sql<boolean>`exists (select 1 from demand_item i join equipment e on e.category_id = i.category_id and e.audit_status = '2' and e.del_flag = '0'
            and e.rent_status <> '4' where i.demand_id = demand.id and e.company_id = ${companyId})`,
        ),
      )
      .where(
        sql<boolean>`not exists (select 1 from quote q where q.demand_id = demand.id and q.company_id = ${companyId} and q.status not in ('2', '9'))`,
      )
  }
  return base.where(
    sql<boolean>`exists (select 1 from quote q where q.demand_id = demand.id and q.company_id = ${companyId} and q.status = any(${scopeStatuses[scope]}))`,
  )
}

export async function countDemandsForLessor(db: Read, companyId: number, now: Date): Promise<number> {
  const { total } = await scoped(db, companyId, 'recommended', now)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

export async function findDemandsForLessor(
  db: Read,
  companyId: number,
  filter: {
    scope: Scope
    projectName?: string | undefined
    demandCode?: string | undefined
    status?: DemandStatus | undefined
    pageNum: number
    pageSize: number
  },
  now: Date,
) {
  const filtered = () => {
    let query = scoped(db, companyId, filter.scope, now)
    if (filter.status) query = query.where('demand.status', '=', filter.status)
    if (filter.demandCode)
      query = query.where('demand.demandCode', 'like', `${filter.demandCode.toUpperCase().replace(/[\\%_]/g, '\\$&')}%`)
    if (filter.projectName) query = query.where(holdsWords('demand', filter.projectName))
    return query
  }
  const { total } = await filtered()
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await withDemandCard(filtered())
    .select([
      'demand.companyId',
      sql<boolean>`coalesce(blacklist_level(${companyId}, demand.dept_id, ${dayOf(now)}::date), 0) >= 2`.as('restricted'),
      sql<number>`(select count(distinct e.id)::int from demand_item i join equipment e on ${fits} where i.demand_id = demand.id and e.company_id = ${companyId})`.as(
        'matching',
      ),
      sql<number>`(select count(*)::int from demand_item i join equipment e on e.category_id = i.category_id and e.shelf_status = '1' and e.audit_status = '2' and e.del_flag = '0'
        where i.demand_id = demand.id and e.company_id = ${companyId})`.as('sameKind'),
      sql<{ id: number; status: QuoteStatus } | null>`(select json_build_object('id', q.id, 'status', q.status) from quote q
        where q.demand_id = demand.id and q.company_id = ${companyId} order by q.id desc limit 1)`.as('mine'),
    ])
    .orderBy(sql`(demand.status = '3') desc`)
    .orderBy('demand.quoteDeadline', ['recommended', 'near', 'open'].includes(filter.scope) ? 'asc' : 'desc')
    .orderBy('demand.id', 'desc')
    .limit(filter.pageSize)
    .offset((filter.pageNum - 1) * filter.pageSize)
    .execute()
  const company = await companyFacts(db, companyId)
  const best = await bestOf(db, companyId, filter.scope, rows, now)
  return {
    total,
    rows: rows.map(({ mine, sameKind, restricted, companyId: ownerId, ...row }) => ({
      ...row,
      best: best.get(row.id) ?? null,
      myQuoteId: mine?.id ?? null,
      myQuoteStatus: mine?.status ?? null,
      bar: quoteBar({
        ...company,
        blacklisted: company.blacklisted || restricted,
        ownCompany: ownerId === companyId,
        invitedOnly: false,
        invited: true,
        status: row.status,
        deadlinePassed: row.quoteDeadline === null || fromMoment(row.quoteDeadline) <= now,
        machines: sameKind,
      }),
    })),
  }
}

/** For demands that may still be quoted: the own machine that suits a line best, with its score or its misses. */
async function bestOf(
  db: Read,
  companyId: number,
  scope: Scope,
  demands: readonly { id: number; companyId: number; cityId: number | null; items: readonly { id: number }[] }[],
  now: Date,
) {
  if (demands.length === 0 || !['recommended', 'near', 'open'].includes(scope)) return new Map<number, never>()
  const items = await findItemsOf(
    db,
    demands.map(({ id }) => id),
  )
  const candidates = await findCandidates(db, companyId, 0, items, now, demands)
  return new Map(
    demands.flatMap((demand) => {
      const lines = items.filter(({ demandId }) => demandId === demand.id)
      const [first] = lines
        .flatMap((item) => (candidates[String(item.id)] ?? []).map((machine) => ({ item, machine })))
        .toSorted((a, b) => a.machine.misses.length - b.machine.misses.length || b.machine.match.score - a.machine.match.score)
      if (!first) return []
      const { machine, item } = first
      return [[demand.id, { name: machine.name, lineNo: item.lineNo, ...machine.match, misses: machine.misses }] as const]
    }),
  )
}

export async function companyFacts(db: Read, companyId: number): Promise<{ certified: boolean; blacklisted: boolean }> {
  const row = await db
    .selectFrom('company')
    .where('id', '=', companyId)
    .select([sql<boolean>`lessor_audit = '2' and is_lessor`.as('certified'), sql<boolean>`blacklisted_at is not null`.as('blacklisted')])
    .executeTakeFirst()
  return row ?? { certified: false, blacklisted: false }
}

/** A demand that a lessor may see at all: public, invited, or one he has quoted. */
export function findDemandHead(db: Read, id: number, companyId: number) {
  return db
    .selectFrom('demand')
    .where('demand.id', '=', id)
    .where('demand.delFlag', '=', '0')
    .where(
      sql<boolean>`((demand.status in (${sql.join(publicStatuses)}) and (demand.demand_type = '1' or exists (select 1 from demand_invite v where v.demand_id = demand.id and v.company_id = ${companyId})))
        or exists (select 1 from quote q where q.demand_id = demand.id and q.company_id = ${companyId}))`,
    )
    .select([
      'demand.id',
      'demand.companyId',
      'demand.cityId',
      'demand.demandType',
      'demand.status',
      'demand.quoteDeadline',
      'demand.clarifyDeadline',
      'demand.contactName',
      'demand.contactPhone',
      'demand.deptId',
      'demand.title',
      'demand.demandCode',
      'demand.sealed',
      'demand.revision',
      sql<boolean>`exists (select 1 from demand_invite v where v.demand_id = demand.id and v.company_id = ${companyId})`.as('invited'),
    ])
    .executeTakeFirst()
}

type Head = NonNullable<Awaited<ReturnType<typeof findDemandHead>>>

export async function barFor(db: Read, head: Head, companyId: number, machines: number, now: Date): Promise<QuoteBar | null> {
  const facts = await companyFacts(db, companyId)
  return quoteBar({
    ...facts,
    blacklisted: facts.blacklisted || (await levelOf(db, companyId, head.deptId, now)) >= 2,
    ownCompany: head.companyId === companyId,
    invitedOnly: head.demandType === '2',
    invited: head.invited,
    status: head.status,
    deadlinePassed: head.quoteDeadline === null || fromMoment(head.quoteDeadline) <= now,
    machines,
  })
}

/** The heaviest restriction in force for demands of a department; 0 when there is none. */
async function levelOf(db: Read, companyId: number, deptId: number, now: Date): Promise<number> {
  const { rows } = await sql<{
    level: number | null
  }>`select blacklist_level(${companyId}, ${deptId}, ${dayOf(now)}::date) as level`.execute(db)
  return rows[0]?.level ?? 0
}

type Paper = { kind: DocumentKind; validTo: string | null }
export type Miss = { kind: 'spec' | 'age' | 'emission' | 'shelf' | 'taken' | 'papers' | 'blocked'; detail: string }

/** The lessor's machines of the categories asked for, each against its line, the fitting ones first. */
export async function findCandidates(
  db: Read,
  companyId: number,
  deptId: number,
  items: readonly (DemandItem & { demandId?: number })[],
  now: Date,
  demands: readonly { id: number; companyId: number; cityId: number | null }[],
) {
  const categories = new Map(
    (
      await findCategories(
        db,
        items.map(({ categoryId }) => categoryId),
      )
    ).map((category) => [category.id, category]),
  )
  const machines = await withMachineCard(
    db
      .selectFrom('equipment')
      .where('equipment.companyId', '=', companyId)
      .where('equipment.categoryId', 'in', items.length > 0 ? items.map(({ categoryId }) => categoryId) : [0])
      .where('equipment.auditStatus', '=', '2')
      .where('equipment.rentStatus', '<>', '4')
      .where('equipment.delFlag', '=', '0'),
  )
    .select([
      'equipment.shelfStatus',
      sql<boolean>`coalesce(blacklist_machine_level(equipment.id, ${deptId}, ${dayOf(now)}::date), 0) >= 2`.as('blocked'),
      sql<
        Paper[]
      >`coalesce((select json_agg(json_build_object('kind', kind, 'validTo', valid_to)) from equipment_document d where d.equipment_id = equipment.id), '[]')`.as(
        'papers',
      ),
      sql<
        { from: string; to: string; slot: number }[]
      >`coalesce((select json_agg(json_build_object('from', lower(period), 'to', upper(period), 'slot', slot))
        from equipment_booking b where b.equipment_id = equipment.id and upper(b.period) > ${dayOf(now)}::date), '[]')`.as('bookings'),
    ])
    .orderBy('equipment.id')
    .limit(300)
    .execute()
  const today = dayOf(now)
  const suits = await matcher(db, companyId, items, machines, demands, today)
  return Object.fromEntries(
    items.map((item) => [
      String(item.id),
      machines
        .filter(({ categoryId }) => categoryId === item.categoryId)
        .map(({ papers, bookings, shelfStatus, blocked, ...machine }) => {
          const taken = bookings.filter(({ from, to }) => from < item.planEnd && item.planStart < to)
          const freeQty = Math.max(0, machine.totalQty - new Set(taken.map(({ slot }) => slot)).size)
          return {
            ...machine,
            freeQty,
            misses: missesOf(item, { ...machine, papers, shelfStatus, blocked, freeQty, taken }, categories.get(item.categoryId), today),
            shortPapers: papersEndingBefore(papers, item.planEnd).map(({ kind, validTo }) => ({ kind, validTo: validTo ?? '' })),
            match: suits(item, machine, papers),
          }
        })
        .toSorted(
          (a, b) => a.misses.length - b.misses.length || a.shortPapers.length - b.shortPapers.length || b.match.score - a.match.score,
        ),
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

/** What the score of a machine for a line is made of, read once for all of them. */
async function matcher(
  db: Read,
  companyId: number,
  items: readonly (DemandItem & { demandId?: number })[],
  machines: readonly Suited[],
  demands: readonly { id: number; companyId: number; cityId: number | null }[],
  today: string,
) {
  const cities = [...new Set([...machines.map(({ cityId }) => cityId), ...demands.flatMap(({ cityId }) => cityId ?? [])])]
  const categories = [...new Set(items.map(({ categoryId }) => categoryId))]
  const [distances, medians, record] = [
    await sql<{ a: number; b: number; km: number | null }>`select a.code as a, b.code as b, distance_km(a.lat, a.lng, b.lat, b.lng) as km
      from region a, region b where a.code = any(${cities}) and b.code = any(${demands.flatMap(({ cityId }) => cityId ?? [])})`.execute(db),
    await sql<{
      categoryId: number
      median: number
    }>`select category_id as "categoryId", percentile_cont(0.5) within group (order by month_price_fen) as median
      from equipment where category_id = any(${categories}) and shelf_status = '1' and del_flag = '0' and month_price_fen is not null group by 1`.execute(
      db,
    ),
    await sql<{ told: number; quoted: number; known: number[] }>`select
      (select count(*)::int from demand_invite where company_id = ${companyId}) as told,
      (select count(*)::int from demand_invite v where v.company_id = ${companyId}
        and exists (select 1 from quote q where q.demand_id = v.demand_id and q.company_id = ${companyId})) as quoted,
      coalesce((select json_agg(distinct d.company_id) from award_line l join award w on w.id = l.award_id join demand d on d.id = w.demand_id
        where l.company_id = ${companyId}), '[]') as known`.execute(db),
  ]
  const kmOf = new Map(distances.rows.map(({ a, b, km }) => [`${a}-${b}`, km]))
  const medianOf = new Map(medians.rows.map(({ categoryId, median }) => [categoryId, median]))
  const [own] = record.rows
  return (item: DemandItem & { demandId?: number }, machine: Suited, papers: readonly Paper[]) => {
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
      papersLast: papersEndingBefore(papers, item.planEnd).length === 0,
      responseRate: own && own.told > 0 ? own.quoted / own.told : null,
      workedTogether: demand ? (own?.known.includes(demand.companyId) ?? false) : false,
    })
  }
}

type Facts = {
  specs: Record<string, string | number>
  outFactoryDate: string
  emissionStage: '1' | '2' | '3' | '4' | 'electric' | 'none'
  shelfStatus: string
  blocked: boolean
  freeQty: number
  taken: { from: string; to: string }[]
  papers: Paper[]
}

function missesOf(item: DemandItem, machine: Facts, category: Category | undefined, today: string): Miss[] {
  const misses: Miss[] = []
  if (machine.blocked) misses.push({ kind: 'blocked', detail: '' })
  if (machine.shelfStatus !== '1') misses.push({ kind: 'shelf', detail: '' })
  if (machine.freeQty === 0) misses.push({ kind: 'taken', detail: machine.taken.map(({ from, to }) => `${from} – ${to}`).join(', ') })
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
  const held = new Set(machine.papers.filter(({ validTo }) => validTo === null || validTo >= today).map(({ kind }) => kind))
  const missing = category ? requiredDocuments(category.flags).filter((kind) => !held.has(kind)) : []
  if (missing.length > 0) misses.push({ kind: 'papers', detail: missing.join(',') })
  return misses
}

/** Misses with which a machine cannot be quoted at all; the others are deviations that the quote must name. */
export const hardMisses: readonly Miss['kind'][] = ['blocked', 'shelf', 'taken', 'papers']
