import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import { addDays, addMonths, startOfDay } from '#shared/calendar.ts'
import { awardedDemands, demandStatus, unpublishedDemands } from '#shared/demand/rules.ts'
import type { Received, Returned } from '#shared/endpoint.ts'
import { delFlag } from '#shared/rules.ts'
import type * as contract from '#shared/statistics/report.ts'
import { mostGroups, type ReportGroup } from '#shared/statistics/report.ts'
import type { Actor } from '../actor/actor.ts'
import { hasScopeInCompany, inScope, staysInScope } from '../actor/scope.ts'
import type { Db, Read, Tx } from '../db/connect.ts'
import { literals } from '../db/literals.ts'
import { alongOwner, listOf, listPage, mostFound, pageId, type List, type OrderKey, type Paging } from '../db/paging.ts'
import type { DB } from '../db/tables.generated.ts'
import { inOneSnapshot } from '../deed.ts'
import { withCard } from '../demand/queries.ts'
import { Refusal } from '../http/refusal.ts'
import { Semaphore } from '../http/semaphore.ts'

/** Reports that run at once in a process, which leaves the other connections to everybody else; a few of one account wait. */
const turns = new Semaphore({ total: 3, waiting: 30, waitingOfOne: 3, refusal: 'crowded' })

/**
 * Runs the queries of a report in one repeatable-read snapshot with a larger `work_mem` and parallel plans made for its period, so that all sheets
 * of an export agree (decision 21). Refuses `crowded` where too many wait.
 */
export const inSnapshot = <T>({ db, actor }: { db: Db; actor: Actor }, run: (tx: Tx) => Promise<T>): Promise<T> =>
  turns.run(1, () => snapshotOf(db, run), String(actor.accountId))

const snapshotOf = <T>(db: Db, run: (tx: Tx) => Promise<T>): Promise<T> =>
  inOneSnapshot(db, async (tx) => {
    await sql`select set_config('work_mem', '32MB', true), set_config('statement_timeout', '120s', true), set_config('plan_cache_mode', 'force_custom_plan', true),
      set_config('max_parallel_workers_per_gather', '2', true), set_config('parallel_setup_cost', '100', true),
      set_config('parallel_tuple_cost', '0.01', true), set_config('min_parallel_table_scan_size', '64kB', true),
      set_config('min_parallel_index_scan_size', '64kB', true)`.execute(tx)
    return run(tx)
  })

export type Figures = Returned<typeof contract.getReport>
export type Group = Returned<typeof contract.getReportGroups>[number]
export type ReportQuery = Received<typeof contract.getReport>['query']

/** The demands of the period that the viewer may count, as a condition on `demand`. */
function inReport(actor: Actor, { from, to, deptId }: ReportQuery): RawBuilder<boolean> {
  return sql<boolean>`(${publishedWithin({ from, to })} and ${inScope('demand.dept_id', actor)} and ${isBelow('demand.dept_id', deptId)})`
}

function publishedWithin({ from, to }: Pick<ReportQuery, 'from' | 'to'>): RawBuilder<boolean> {
  const start = startOfDay(from)
  const end = startOfDay(addDays(to, 1))
  return sql<boolean>`(demand.status not in (${literals(unpublishedDemands)})
    and demand.del_flag = ${sql.lit(delFlag.present)} and demand.publish_time >= ${start} and demand.publish_time < ${end})`
}

const isBelow = (column: string, deptId: number | undefined) =>
  deptId ? sql`${sql.ref(column)} in (select id from dept where id = ${deptId} or ancestors @> array[${deptId}]::bigint[])` : sql`true`

/** (mean − award) ÷ mean, over the awards whose mean is known. */
const savedOnMean = sql`round((sum(w.mean_net_fen) - sum(w.net_fen) filter (where w.mean_net_fen is not null))::numeric
  / nullif(sum(w.mean_net_fen), 0), 4)::float`

/**
 * What a figure is, wherever one is shown: on the statistics page, in a workbook, on a work panel. Of `demand` and its award `w`, of which no machine is
 * left where every winner gave up or lapsed.
 */
const figureColumns = sql`count(*)::int as demands, coalesce(sum(line_count), 0)::int as lines,
  count(*) filter (where status in (${literals(awardedDemands)}) and w.machines > 0)::int as awarded,
  count(*) filter (where status = ${sql.lit(demandStatus.failed)})::int as failed,
  count(*) filter (where status = ${sql.lit(demandStatus.cancelled)})::int as cancelled,
  round(avg(quote_count) filter (where open_time is not null), 2)::float as "quotesPerDemand",
  round((percentile_cont(0.5) within group (order by date_part('epoch', open_time - publish_time)) / 86400)::numeric, 1)::float as "daysToOpen",
  round((percentile_cont(0.5) within group (order by date_part('epoch', w.at - publish_time)) filter (where w.machines > 0) / 86400)::numeric, 1)::float as "daysToAward",
  coalesce(sum(w.machines), 0)::int as machines, coalesce(sum(quote_count), 0)::int as quotes,
  coalesce(sum(w.rent_fen), 0)::bigint as rent, coalesce(sum(w.net_fen), 0)::bigint as net,
  round((sum(w.ceiling_fen) - sum(w.under_ceiling_fen))::numeric / nullif(sum(w.ceiling_fen), 0), 4)::float as "savedOnCeiling",
  ${savedOnMean} as "savedOnMean"`

export async function findFigures(db: Read, actor: Actor, period: ReportQuery): Promise<Figures> {
  const { rows } = await sql<Figures>`
    select ${figureColumns} from demand left join award w on w.demand_id = demand.id where ${inReport(actor, period)}`.execute(db)
  const [row] = rows
  if (!row) throw new Error('an aggregate always has a row')
  // Of a single demand the figure tells its ceiling, which may be hidden, and the platform reads every award.
  return actor.role === 'operator' ? { ...row, savedOnCeiling: null } : row
}

/** The figures of each of the weeks that end with a day, the oldest first; null where nothing was published. */
export async function findCourse(db: Read, actor: Actor, { to, weeks }: { to: string; weeks: number }): Promise<(Figures | null)[]> {
  const from = addDays(to, 1 - weeks * 7)
  const { rows } = await sql<Figures & { week: number }>`
    select floor(date_part('epoch', publish_time - ${startOfDay(from)}::timestamptz) / 604800)::int as week, ${figureColumns}
    from demand left join award w on w.demand_id = demand.id where ${inReport(actor, { from, to })} group by 1`.execute(db)
  return Array.from({ length: weeks }, (_, week) => rows.find((row) => row.week === week) ?? null)
}

/** A midnight in Shanghai, from which the days of a report are counted. */
const midnight = startOfDay('2020-01-01')

/** The unit a demand is counted under: the child of the viewer's node (or of the chosen department) that holds it. */
const unitOf = (node: number | null) =>
  node === null
    ? sql`p.id`
    : sql`case when p.id = ${node} then p.id else coalesce((p.ancestors || p.id)[array_position(p.ancestors, ${node}::bigint) + 1], p.id) end`

const nodeOf = (actor: Actor, { deptId }: ReportQuery) => deptId ?? (actor.role === 'leaseholder' ? actor.deptId : null)

export async function findGroups(db: Read, actor: Actor, period: ReportQuery, by: ReportGroup): Promise<Group[]> {
  const scope = inReport(actor, period)
  if (by === 'lessor') {
    // A lessor has one opened quote for a demand, so a count of quotes counts demands. Lessors that won most come first; the quotes of the others are
    // counted only where fewer than the bound have won anything.
    const { rows } = await sql<Group>`
      with won as materialized (
        select q.company_id, count(*)::int as awarded, sum(q.won_machines)::int as machines, sum(q.won_rent_fen)::bigint as rent,
          sum(q.won_net_fen)::bigint as net,
          round((sum(q.won_mean_fen) - sum(q.won_net_fen) filter (where q.won_mean_fen is not null))::numeric / nullif(sum(q.won_mean_fen), 0), 4)::float as saved
        from demand join quote q on q.demand_id = demand.id and q.won_machines > 0 where ${scope} group by 1
        order by net desc, 1 limit ${sql.lit(mostGroups.lessor)}),
      asked as (
        select q.company_id, count(*)::int as demands
        from won join quote q on q.company_id = won.company_id and q.open_time is not null join demand on demand.id = q.demand_id where ${scope} group by 1),
      lost as (
        select q.company_id, count(*)::int as demands
        from demand join quote q on q.demand_id = demand.id and q.open_time is not null
        where ${scope} and (select count(*) from won) < ${sql.lit(mostGroups.lessor)} and q.company_id not in (select company_id from won) group by 1 order by 2 desc, 1 limit ${sql.lit(mostGroups.lessor)}),
      g as (
        select * from won join asked using (company_id)
        union all select company_id, 0, 0, 0, 0, null, demands from lost)
      select c.id::text as key, c.enterprise_name as name, c.enterprise_name as "nameEn", g.demands, g.awarded, g.machines, g.demands as quotes, g.rent, g.net,
        g.saved as "savedOnMean"
      from g join company c on c.id = g.company_id order by g.net desc, g.demands desc, c.id limit ${sql.lit(mostGroups.lessor)}`.execute(
      db,
    )
    return rows
  }
  if (by === 'category') {
    const { rows } = await sql<Group>`
      with g as (
        select k.category_id, count(*)::int as demands, count(k.won_qty)::int as awarded, coalesce(sum(k.won_qty), 0)::int as machines,
          coalesce(sum(k.won_rent_fen), 0)::bigint as rent, coalesce(sum(k.won_net_fen), 0)::bigint as net,
          round((sum(k.won_mean_fen) - sum(k.measured_net_fen))::numeric / nullif(sum(k.won_mean_fen), 0), 4)::float as saved
        from demand join demand_category k on k.demand_id = demand.id where ${scope} group by 1)
      select c.id::text as key, c.name, c.name_en as "nameEn", g.demands, g.awarded, g.machines, null::int as quotes, g.rent, g.net, g.saved as "savedOnMean"
      from g join category c on c.id = g.category_id order by g.demands desc, c.id limit ${sql.lit(mostGroups.category)}`.execute(db)
    return rows
  }
  // Rows are counted by their own column (a day or a unit) first; only the few resulting groups are then named and added up.
  const named = (name: RawBuilder<unknown>) => sql`${name} as name, ${name} as "nameEn"`
  const [raw, key, names] = {
    month: [
      sql`date_bin('1 day', demand.publish_time, ${midnight}::timestamptz)`,
      sql`to_char(raw at time zone 'Asia/Shanghai', 'YYYY-MM')`,
      named(sql`key`),
    ],
    unit: [
      sql`demand.dept_id`,
      sql`(select ${unitOf(nodeOf(actor, period))} from dept p where p.id = raw)`,
      named(sql`(select dept_name from dept where id = key::bigint)`),
    ],
    region: [
      sql`demand.province_id`,
      sql`raw`,
      sql`(select r.name from region r where r.code = key::int) as name, (select r.name_en from region r where r.code = key::int) as "nameEn"`,
    ],
  }[by]
  const { rows } = await sql<Group>`
    with counted as (
      select ${raw} as raw, count(*) as demands, count(*) filter (where w.machines > 0) as awarded, sum(w.machines) as machines, sum(demand.quote_count) as quotes,
        sum(w.rent_fen) as rent, sum(w.net_fen) as net, sum(w.mean_net_fen) as mean, sum(w.net_fen) filter (where w.mean_net_fen is not null) as measured
      from demand left join award w on w.demand_id = demand.id where ${scope} group by 1),
    g as (
      select (${key})::text as key, sum(demands)::int as demands, sum(awarded)::int as awarded, coalesce(sum(machines), 0)::int as machines,
        sum(quotes)::int as quotes, coalesce(sum(rent), 0)::bigint as rent, coalesce(sum(net), 0)::bigint as net,
        round((sum(mean) - sum(measured)) / nullif(sum(mean), 0), 4)::float as "savedOnMean"
      from counted group by 1)
    select g.*, ${names} from g order by ${by === 'month' ? sql`key` : sql`demands desc, key`} limit ${sql.lit(mostGroups[by])}`.execute(db)
  return rows
}

type RowsFilter = Pick<Received<typeof contract.listReportRows>['query'], 'from' | 'to' | 'deptId' | 'figure' | 'by' | 'key'>

/** The group that a row of the report stands for: a unit, province, category or lessor. */
const idOf = (key: string) => Number(key.slice(0, 15)) || 0

/**
 * Whether a figure counts the demands of a department: of one below the chosen one and, where a unit was chosen, of that unit. It is asked of departments,
 * of which there are fewer than demands.
 */
function countsDept(column: string, actor: Actor, filter: RowsFilter): RawBuilder<boolean> {
  const { by, key, deptId } = filter
  const below = isBelow(column, deptId)
  if (by !== 'unit' || !key) return sql<boolean>`(${below})`
  const unit = idOf(key)
  return sql<boolean>`(${below} and ${sql.ref(column)} in (select p.id from dept p
    where (p.id = ${unit} or p.ancestors @> array[${unit}]::bigint[]) and ${unitOf(nodeOf(actor, filter))} = ${unit}))`
}

/** The days that a figure counts: those of the chosen month where one was chosen, which may be none of the period. */
function daysOf({ from, to, by, key }: RowsFilter): Pick<ReportQuery, 'from' | 'to'> {
  if (by !== 'month' || !key) return { from, to }
  const first = `${key}-01`
  const last = key.includes('-') ? addDays(addMonths(first, 1), -1) : ''
  return first > to || last < from ? { from, to: addDays(from, -1) } : { from: first > from ? first : from, to: last < to ? last : to }
}

/** Of the demands of the days those that a figure counts, or those of one group; a month is asked for by `daysOf`, a unit by `countsDept`. */
function countedBy(demands: Demands, { figure, by, key }: RowsFilter): Demands {
  let query = demands
  if (figure === 'awarded') query = query.where('demand.status', 'in', awardedDemands).where('demand.awardedNetFen', '>', 0)
  if (figure === 'failed' || figure === 'cancelled') query = query.where('demand.status', '=', demandStatus[figure])
  if (figure === 'opened') query = query.where('demand.openTime', 'is not', null)
  if (figure === 'onCeiling') query = query.where('demand.awardedOnCeiling', '=', true)
  if (figure === 'onMean') query = query.where('demand.awardedOnMean', '=', true)
  if (!by || !key) return query
  const id = idOf(key)
  switch (by) {
    case 'month':
    case 'unit':
      return query
    case 'region':
      return query.where('demand.provinceId', '=', id)
    case 'category':
      return query.where(sql<boolean>`exists (select 1 from demand_item i where i.demand_id = demand.id and i.category_id = ${id})`)
    case 'lessor':
      return query.where(
        sql<boolean>`exists (select 1 from quote q where q.demand_id = demand.id and q.company_id = ${id} and q.open_time is not null)`,
      )
  }
}

type Demands = SelectQueryBuilder<DB, 'demand', object>

/**
 * The demands that a figure counts: those of one category or lessor found by it, the others unit by unit within the period, and all in order along the
 * index of the company. Compared with an array of all its units, each demand would be compared with every unit.
 */
function listOfFigure(db: Read, actor: Actor, filter: RowsFilter): List {
  const order: OrderKey[] = [
    { by: sql.ref('demand.publish_time'), direction: 'desc' },
    { by: sql.ref('demand.id'), direction: 'desc' },
  ]
  const demands: Demands = db.selectFrom('demand')
  const days = daysOf(filter)
  if (!hasScopeInCompany(actor)) {
    const counted = demands.where(inReport(actor, { ...filter, ...days })).where(countsDept('demand.dept_id', actor, filter))
    return listOf(countedBy(counted, filter), 'demand.id', order)
  }
  const units = sql<{
    id: number
  }>`(select id from dept where ${inScope('dept.id', actor)} and ${countsDept('dept.id', actor, filter)})`.as('unit')
  const ofUnit = countedBy(demands.where(publishedWithin(days)).where('demand.deptId', '=', sql.ref<number>('unit.id')), filter)
    .selectAll('demand')
    .offset(sql.lit(0))
    .as('demand')
  // The period is asked of the index alone: asked again of its rows, each of them would be read from the table.
  const inUnits = (some: Demands) =>
    countedBy(some, filter)
      .where(staysInScope('demand.dept_id', actor))
      .where(sql<boolean>`${countsDept('demand.dept_id', actor, filter)} is true`)
  const found = filter.by === 'category' || filter.by === 'lessor' ? inUnits(demands.where(publishedWithin(days))) : null
  return {
    id: 'demand.id',
    order,
    // All that were published are counted faster than they are kept, and many are found soon along their order.
    isDear: filter.figure !== 'demands' || found !== null,
    bound: mostFound,
    found: (columns) => (found ?? db.selectFrom(units).crossJoinLateral(ofUnit)).select([...columns]),
    inOrder: alongOwner(db, demands.where('demand.companyId', '=', actor.companyId ?? 0).where(publishedWithin(days)), {
      table: 'demand',
      order,
      filtered: inUnits,
    }),
  }
}

/** Lists the demands that a figure counts. Which of them have a ceiling is not read by the platform's people (domain 1.19). */
export async function listRows(db: Read, actor: Actor, filter: RowsFilter & Paging) {
  if (actor.role === 'operator' && filter.figure === 'onCeiling') throw new Refusal('forbidden')
  const list = listOfFigure(db, actor, filter)
  // The figure itself says how many; of all that were published the index of the order tells more.
  const paging = filter.figure === 'demands' ? filter : { ...filter, most: mostFound }
  const card = withCard(db.selectFrom('demand').where('demand.id', '=', pageId))
    .leftJoin('award', 'award.demandId', 'demand.id')
    .select([
      'demand.quoteCount',
      sql<number | null>`nullif(award.rent_fen, 0)`.as('rent'),
      sql<number | null>`nullif(award.net_fen, 0)`.as('net'),
      sql<number | null>`round(1 - award.net_fen::numeric / nullif(award.mean_net_fen, 0), 4)::float`.as('savedOnMean'),
      'award.at as awardTime',
    ])
  return listPage(db, { list, paging, card })
}
