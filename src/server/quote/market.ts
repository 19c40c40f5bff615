import { sql, type SelectQueryBuilder } from 'kysely'
import { dayOf, fromMoment } from '#shared/calendar.ts'
import { demandStatus, demandType } from '#shared/demand/rules.ts'
import type { Received } from '#shared/endpoint.ts'
import { equipmentAudit, rentStatus } from '#shared/equipment/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import type * as contract from '#shared/quote/contract.ts'
import type { countMatching } from '#shared/quote/matching.ts'
import {
  liveQuotes,
  lostQuotes,
  mostCompared,
  quoteBar,
  quoteStatus,
  replaceableQuotes,
  type QuoteBar,
  type QuoteStatus,
} from '#shared/quote/rules.ts'
import { delFlag } from '#shared/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { companyOf } from '../actor/scope.ts'
import { isRestricted } from '../blacklist/restricted.ts'
import type { Read } from '../db/connect.ts'
import { literals } from '../db/literals.ts'
import { isUnfiltered, listOf, listPage, mostFound, pageId, type List, type OrderKey } from '../db/paging.ts'
import { areFrequent, beginsWith, holdsWords, textHoldsWords } from '../db/search.ts'
import type { DB } from '../db/tables.generated.ts'
import { findItemsOf, withCard as withDemandCard } from '../demand/queries.ts'
import { isOpenTo, isReadableBy } from '../demand/scope.ts'
import { ownProject } from '../dept/project.ts'
import { fitsEmission, fitsMain, isFree, isOnShelf } from '../equipment/shelf.ts'
import { Refusal } from '../http/refusal.ts'
import { isCertifiedLessor, mayLet } from '../public-lessors.ts'
import { findCandidates } from './candidates.ts'
import { findWon } from './won.ts'

/** A shelved machine `e` that fits a line `i`: category, main parameter, emission, not wholly taken in the period. */
const fits = sql<boolean>`e.category_id = i.category_id and ${isOnShelf('e')} and e.rent_status <> ${sql.lit(rentStatus.retired)}
  and ${fitsMain(sql`e.main_value`, { rule: sql`i.main_rule`, required: sql`i.main_value` })}
  and ${fitsEmission(sql`e.emission_stage`, sql`i.min_emission`)}
  and ${isFree('e', sql`daterange(i.plan_start, i.plan_end)`)}`

/** How many lessors hear of a new demand at most: those with the nearest fitting machines. */
const maxMatching = 500

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
      lateral (select from company c where c.id = n.company_id and ${mayLet('c')} offset 0) certified
    where not ${isRestricted(sql.ref('n.company_id'), { deptId: sql.ref('d.dept_id'), today: dayOf(now) })} limit ${sql.lit(maxMatching)}`.execute(
    db,
  )
  return rows
}

/** Counts those that `findMatchingCompanies` would find for lines that are still being typed. */
export async function countMatchingCompanies(
  { db, actor, now }: { db: Read; actor: Actor; now: Date },
  { deptId, items }: Received<typeof countMatching>['body'],
): Promise<{ lessors: number }> {
  await ownProject(db, actor, deptId)
  const lines = items.map((item) => ({
    category_id: item.categoryId,
    main_rule: item.mainRule,
    main_value: item.mainValue,
    min_emission: item.minEmission,
    plan_start: item.planStart,
    plan_end: item.planEnd,
  }))
  const { rows } = await sql<{ lessors: number }>`
    with fleet as materialized (
      select distinct e.company_id
      from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as i(category_id integer, main_rule text, main_value numeric, min_emission text,
        plan_start date, plan_end date) join equipment e on ${fits})
    select count(*)::int as lessors from (select from fleet n join company c on c.id = n.company_id
      where ${mayLet('c')} and c.id <> ${companyOf(actor)}
        and not ${isRestricted(sql.ref('c.id'), { deptId, today: dayOf(now) })} limit ${sql.lit(maxMatching)}) found`.execute(db)
  return rows[0] ?? { lessors: 0 }
}

type Filter = Received<typeof contract.listDemandsForLessor>['query']
type Scope = Filter['scope']
/** A lessor at a moment. */
type Lessor = { companyId: number; now: Date }

/** Scopes of demands that still take quotes; the others hold those that the lessor has quoted. */
const openScopes = ['recommended', 'near', 'open'] as const satisfies readonly Scope[]
/** Of these each is compared with the machines of the lessor. */
const comparedScopes = ['recommended', 'near'] as const satisfies readonly Scope[]
const scopeStatuses = { quoted: liveQuotes, won: [quoteStatus.won], lost: lostQuotes } as const

type Demands = SelectQueryBuilder<DB, 'demand', object>

function inMarketScope(db: Read, scope: Scope, { companyId, now }: Lessor): Demands {
  const base = db.selectFrom('demand').where('demand.delFlag', '=', sql.lit(delFlag.present))
  if (!isAmong(scope, openScopes))
    return base.where(
      sql<boolean>`exists (select 1 from quote q where q.demand_id = demand.id and q.company_id = ${companyId}
        and q.status in (${literals(scopeStatuses[scope])}))`,
    )
  return base
    .where('demand.status', '=', sql.lit(demandStatus.quoting))
    .where('demand.quoteDeadline', '>', now.toISOString())
    .where(isOpenTo(companyId))
}

/**
 * The open demands of the fleet's categories that its machines fit, or do not ("near"). Each is compared with the machines, so only the
 * `mostCompared` of them that close first are. `filtered` comes before.
 */
function comparedDemands(db: Read, scope: (typeof comparedScopes)[number], lessor: Lessor, filtered: (demands: Demands) => Demands) {
  const { companyId } = lessor
  // The categories of the fleet are read once, and compared before the machines are: a line fits no machine of another category.
  const kinds = sql`array(select distinct e.category_id from equipment e where e.company_id = ${companyId} and e.audit_status = ${sql.lit(equipmentAudit.passed)}
    and e.del_flag = ${sql.lit(delFlag.present)} and e.rent_status <> ${sql.lit(rentStatus.retired)})`
  const first = filtered(inMarketScope(db, scope, lessor))
    .where('demand.companyId', '<>', companyId)
    // "is true" keeps it a condition along the deadlines: a fleet of many categories has most demands in the index of categories.
    .where(sql<boolean>`(demand.kinds && ${kinds}) is true`)
    .where(
      // "is not true" keeps it a condition on each demand: as a join, all quotes of the lessor would be compared with each.
      sql<boolean>`exists (select 1 from quote q where q.demand_id = demand.id and q.company_id = ${companyId}
        and q.status not in (${literals(replaceableQuotes)})) is not true`,
    )
    .orderBy('demand.quoteDeadline')
    .orderBy('demand.id', 'desc')
    .limit(sql.lit(mostCompared))
    .select(['demand.id', 'demand.quoteDeadline'])
    .as('demand')
  // Offset 0 has each demand and each line looked up: the planner, which knows no values, would sort them for a merge.
  const fitsMachine = sql<boolean>`exists (select from demand_item i where i.demand_id = demand.id
    and exists (select from equipment e where e.company_id = ${companyId} and ${fits} offset 0) offset 0)`
  return db.selectFrom(first).where(scope === 'near' ? sql<boolean>`not ${fitsMachine}` : fitsMachine)
}

/** The open demands that the lessor's machines fit, those that close first, each with the number of all of them. */
export function findRecommended(db: Read, lessor: Lessor, most: number) {
  return db
    .with('recommended', () =>
      comparedDemands(db, 'recommended', lessor, (demands) => demands).select([
        'demand.id',
        sql<number>`count(*) over ()::int`.as('total'),
      ]),
    )
    .selectFrom('recommended')
    .innerJoin('demand', 'demand.id', 'recommended.id')
    .select(['demand.id', 'demand.title', 'demand.projectName', 'demand.quoteDeadline', 'recommended.total'])
    .orderBy('demand.quoteDeadline')
    .orderBy('demand.id')
    .limit(most)
    .execute()
}

export async function listDemandsForLessor(db: Read, lessor: Lessor, filter: Filter) {
  const { companyId, now } = lessor
  const { scope, ...others } = filter
  const isOpen = isAmong(scope, openScopes)
  const { projectName } = filter
  const isFrequent = isOpen && projectName !== undefined && (await areFrequent(db, 'demand', projectName))
  const filtered = (demands: Demands) => {
    let query = demands
    if (filter.status) query = query.where('demand.status', '=', filter.status)
    if (filter.demandCode) query = query.where(beginsWith('demand.demand_code', filter.demandCode.toUpperCase()))
    // Demands that hold frequent words are found by their deadline, and their texts are compared.
    if (projectName) query = query.where((isFrequent ? textHoldsWords : holdsWords)('demand', projectName))
    return query
  }
  const order: OrderKey[] = [
    // All of the open scopes take quotes, so the index of the deadlines has their order.
    ...(isOpen ? [] : [{ by: sql`(demand.status = ${sql.lit(demandStatus.quoting)})`, direction: 'desc' } as const]),
    { by: sql.ref('demand.quote_deadline'), direction: isOpen ? 'asc' : 'desc' },
    { by: sql.ref('demand.id'), direction: 'desc' },
  ]
  const list: List = isAmong(scope, comparedScopes)
    ? { ...listOf(comparedDemands(db, scope, lessor, filtered), 'demand.id', order), isDear: true }
    : {
        ...listOf(filtered(inMarketScope(db, scope, lessor)), 'demand.id', order),
        isWhole: isOpen && isUnfiltered(others),
        isAlong: isFrequent,
      }
  const paging = isFrequent ? { ...filter, most: mostFound } : filter
  const card = withDemandCard(db.selectFrom('demand').where('demand.id', '=', pageId)).select([
    'demand.companyId',
    ...standingOf(companyId, dayOf(now)),
  ])
  const { rows, ...counted } = await listPage(db, { list, paging, card })
  const company = await companyFacts(db, companyId)
  const won = scope === 'won' ? await findWon(db, { companyId, demandIds: rows.map(({ id }) => id) }) : undefined
  const best = isOpen && rows.length > 0 ? await bestOf(db, lessor, rows) : undefined
  return {
    ...counted,
    rows: rows.map(({ mine, sameKind, restricted, companyId: ownerId, ...row }) => ({
      ...row,
      best: best?.get(row.id) ?? null,
      won: won?.get(row.id) ?? null,
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

/** How a lessor stands towards a demand, as columns: restricted, with fitting machines, with any of the kind, with a quote. */
const standingOf = (companyId: number, today: string) =>
  [
    isRestricted(companyId, { deptId: sql.ref('demand.dept_id'), today }).as('restricted'),
    sql<number>`(select count(distinct e.id)::int from demand_item i join equipment e on ${fits}
      where i.demand_id = demand.id and e.company_id = ${companyId})`.as('matching'),
    sql<number>`(select count(*)::int from demand_item i join equipment e on e.category_id = i.category_id and ${isOnShelf('e')}
      where i.demand_id = demand.id and e.company_id = ${companyId})`.as('sameKind'),
    sql<{ id: number; status: QuoteStatus } | null>`(select json_build_object('id', q.id, 'status', q.status) from quote q
      where q.demand_id = demand.id and q.company_id = ${companyId} order by q.id desc limit 1)`.as('mine'),
  ] as const

type Listed = { id: number; companyId: number; cityId: number | null }

/** For demands that may still be quoted: the own machine that suits a line best, with its score or its misses. */
async function bestOf(db: Read, lessor: Lessor, demands: readonly Listed[]) {
  const items = await findItemsOf(
    db,
    demands.map(({ id }) => id),
  )
  const candidates = await findCandidates(db, { ...lessor, deptId: 0, items, demands })
  return new Map(
    demands.flatMap((demand) => {
      const lines = items.filter(({ demandId }) => demandId === demand.id)
      const [first] = lines
        .flatMap((item) => (candidates[String(item.id)] ?? []).map((machine) => ({ item, machine })))
        .toSorted((a, b) => a.machine.misses.length - b.machine.misses.length || b.machine.match.score - a.machine.match.score)
      if (!first) return []
      const { machine, item } = first
      const { name, brand, brandEn, model, categoryNameEn, misses } = machine
      return [[demand.id, { name, brand, brandEn, model, categoryNameEn, lineNo: item.lineNo, ...machine.match, misses }] as const]
    }),
  )
}

function companyFacts(db: Read, companyId: number): Promise<{ certified: boolean; blacklisted: boolean }> {
  return db
    .selectFrom('company')
    .where('id', '=', companyId)
    .select([isCertifiedLessor('company').as('certified'), sql<boolean>`blacklisted_at is not null`.as('blacklisted')])
    .executeTakeFirstOrThrow()
}

type Which = { id: number; companyId: number; today: string }

/** Whether the company is on the list of the invited. */
const isListed = (companyId: number) =>
  sql<boolean>`exists (select 1 from demand_invite v where v.demand_id = demand.id and v.company_id = ${companyId})`

/** A demand that a lessor may read, with how they stand towards it. */
export function selectDemandHead(db: Read, { id, companyId, today }: Which) {
  return db
    .selectFrom('demand')
    .leftJoin('company as lessor', (join) => join.on('lessor.id', '=', companyId))
    .where('demand.id', '=', id)
    .where('demand.delFlag', '=', delFlag.present)
    .where(isReadableBy(companyId))
    .select([
      'demand.id',
      'demand.companyId',
      'demand.cityId',
      'demand.demandType',
      'demand.status',
      'demand.quoteDeadline',
      'demand.clarifyDeadline',
      'demand.deptId',
      'demand.title',
      'demand.demandCode',
      'demand.sealed',
      'demand.revision',
      isListed(companyId).as('isListed'),
      // Whoever has quoted stays in the running when the list of the invited is changed (`src/server/demand/invites.ts`).
      sql<boolean>`${isListed(companyId)} or exists (select 1 from quote q where q.demand_id = demand.id and q.company_id = ${companyId} and q.status in (${literals(liveQuotes)}))`.as(
        'invited',
      ),
      sql<boolean>`coalesce(${isCertifiedLessor('lessor')}, false)`.as('certified'),
      sql<boolean>`lessor.blacklisted_at is not null or ${isRestricted(companyId, { deptId: sql.ref('demand.dept_id'), today })}`.as(
        'blacklisted',
      ),
    ])
}

export async function getDemandHead(db: Read, { id, companyId, now }: Lessor & { id: number }) {
  const head = await selectDemandHead(db, { id, companyId, today: dayOf(now) }).executeTakeFirst()
  if (!head) throw new Refusal('not_found')
  return head
}

type Head = Awaited<ReturnType<typeof getDemandHead>>

/** Why a lessor with so many machines of the kind may not quote the demand, or null. */
export function barFor(head: Head, { companyId, machines, now }: Lessor & { machines: number }): QuoteBar | null {
  return quoteBar({
    certified: head.certified,
    blacklisted: head.blacklisted,
    ownCompany: head.companyId === companyId,
    invitedOnly: head.demandType === demandType.invited,
    invited: head.invited,
    status: head.status,
    deadlinePassed: head.quoteDeadline === null || fromMoment(head.quoteDeadline) <= now,
    machines,
  })
}
