import { sql } from 'kysely'
import { dayOf, fromMoment } from '#shared/calendar.ts'
import { publicStatuses, type DemandStatus } from '#shared/demand/rules.ts'
import { quoteBar, type QuoteBar, type QuoteStatus } from '#shared/quote/rules.ts'
import type { Read } from '../db/connect.ts'
import { holdsWords } from '../db/search.ts'
import { findItemsOf, withCard as withDemandCard } from '../demand/queries.ts'
import { findCandidates } from './candidates.ts'

/** A shelved machine `e` that fits a line `i`: category, main parameter, emission, not wholly taken in the period. */
const fits = sql<boolean>`e.category_id = i.category_id and e.audit_status = '2' and e.shelf_status = '1' and e.del_flag = '0' and e.rent_status <> '4'
  and (i.main_rule is null or (i.main_rule = 'ge' and e.main_value >= i.main_value) or (i.main_rule = 'le' and e.main_value <= i.main_value)
    or (i.main_rule = 'eq' and e.main_value = i.main_value))
  and (i.min_emission is null or e.emission_stage in ('none', 'electric') or e.emission_stage >= i.min_emission)
  and (not exists (select from equipment_booking b where b.equipment_id = e.id and b.period && daterange(i.plan_start, i.plan_end))
    or (select count(distinct b.slot) from equipment_booking b where b.equipment_id = e.id and b.period && daterange(i.plan_start, i.plan_end)) < e.total_qty)`

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

async function companyFacts(db: Read, companyId: number): Promise<{ certified: boolean; blacklisted: boolean }> {
  const row = await db
    .selectFrom('company')
    .where('id', '=', companyId)
    .select([sql<boolean>`lessor_audit = '2' and is_lessor`.as('certified'), sql<boolean>`blacklisted_at is not null`.as('blacklisted')])
    .executeTakeFirst()
  return row ?? { certified: false, blacklisted: false }
}

type Which = { id: number; companyId: number; today: string }

/** A demand that a lessor may see at all (public, invited, or one he has quoted), with how he stands towards it. */
export function selectDemandHead(db: Read, { id, companyId, today }: Which) {
  return db
    .selectFrom('demand')
    .leftJoin('company as lessor', (join) => join.on('lessor.id', '=', companyId))
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
      sql<boolean>`coalesce(lessor.lessor_audit = '2' and lessor.is_lessor, false)`.as('certified'),
      sql<boolean>`lessor.blacklisted_at is not null or coalesce(blacklist_level(${companyId}, demand.dept_id, ${today}::date), 0) >= 2`.as(
        'blacklisted',
      ),
    ])
}

export const findDemandHead = (db: Read, id: number, companyId: number, now: Date) =>
  selectDemandHead(db, { id, companyId, today: dayOf(now) }).executeTakeFirst()

type Head = NonNullable<Awaited<ReturnType<typeof findDemandHead>>>

export function barFor(head: Head, companyId: number, machines: number, now: Date): QuoteBar | null {
  return quoteBar({
    certified: head.certified,
    blacklisted: head.blacklisted,
    ownCompany: head.companyId === companyId,
    invitedOnly: head.demandType === '2',
    invited: head.invited,
    status: head.status,
    deadlinePassed: head.quoteDeadline === null || fromMoment(head.quoteDeadline) <= now,
    machines,
  })
}
