import { sql, type RawBuilder } from 'kysely'
import { staffTypes } from '#shared/account/rules.ts'
import { addDays, dayOf, daysBetween } from '#shared/calendar.ts'
import { equipmentAudit, rentStatus } from '#shared/equipment/rules.ts'
import { paths } from '#shared/paths.ts'
import { lostQuotes, quoteStatus } from '#shared/quote/rules.ts'
import { delFlag } from '#shared/rules.ts'
import { courseWeeks, panelDays, type PanelFigure, type WorkFigure } from '#shared/statistics/panel.ts'
import { isComparable, periodBefore } from '#shared/statistics/period.ts'
import { rowsOfFigure, type Figures } from '#shared/statistics/report.ts'
import type { Actor } from '../actor/actor.ts'
import type { Read } from '../db/connect.ts'
import { literals } from '../db/literals.ts'
import { isInUse } from '../equipment/expiry.ts'
import { findCourse, findFigures } from './report.ts'

/** The figures of a person's panel, as many for each kind of user. Those of demands are the figures of the statistics page. */
export async function findWorkFigures(db: Read, actor: Actor, now: Date): Promise<WorkFigure[]> {
  const today = dayOf(now)
  switch (actor.role) {
    case 'leaseholder':
    case 'projectUser':
    case 'auditor':
      return findDemandFigures(db, actor, { today, keys: ['demands', 'quotesPerDemand', 'savedOnMean', 'daysToAward'] })
    case 'operator':
      return [
        await findReviewHours(db, actor, today),
        ...(await findDemandFigures(db, actor, { today, keys: ['demands', 'quotesPerDemand', 'daysToAward'] })),
      ]
    case 'leaser':
      return findLessorFigures(db, actor.companyId ?? 0, today)
    default:
      return []
  }
}

type DemandFigure = PanelFigure & keyof Figures

async function findDemandFigures(
  db: Read,
  actor: Actor,
  { today, keys }: { today: string; keys: readonly DemandFigure[] },
): Promise<WorkFigure[]> {
  const period = { from: addDays(today, 1 - panelDays), to: today }
  const figures = await findFigures(db, actor, period)
  const before = await findFigures(db, actor, periodBefore(period))
  const course = await findCourse(db, actor, { to: today, weeks: courseWeeks })
  return keys.map((key) => ({
    key,
    value: figures[key],
    before: isComparable(before.demands) ? before[key] : null,
    course: course.map((week) => (week ? week[key] : key === 'demands' ? 0 : null)),
    link: paths.statisticsOf({ ...period, figure: rowsOfFigure[key] }),
  }))
}

/** The last days, as many before, and each week of the course: `n` numbers them, `until` is not part of a span. */
const spansOf = (today: string) => {
  const tomorrow = addDays(today, 1)
  const span = (n: number, until: string, days: number) => sql`(${sql.lit(n)}, ${addDays(until, -days)}::date, ${until}::date)`
  return sql`(values ${sql.join([
    span(0, tomorrow, panelDays),
    span(1, addDays(tomorrow, -panelDays), panelDays),
    ...Array.from({ length: courseWeeks }, (_, week) => span(2 + week, addDays(tomorrow, -7 * (courseWeeks - 1 - week)), 7)),
  ])}) span (n, since, until)`
}

/** A figure of each span. `measured` selects it as `value` from `span`. */
async function measure(
  db: Read,
  spans: RawBuilder<unknown>,
  { key, value, link }: { key: PanelFigure; value: RawBuilder<unknown>; link: string | null },
): Promise<WorkFigure> {
  const { rows } = await sql<{ value: number | null }>`select (${value})::float as value from ${spans} order by n`.execute(db)
  const [now, before, ...course] = rows.map((row) => row.value)
  return { key, value: now ?? null, before: before ?? null, course, link }
}

/** A column of moments lies in the span, whose days are those of Shanghai. */
const inSpan = (moment: RawBuilder<unknown>) =>
  sql`${moment} >= span.since::timestamp at time zone 'Asia/Shanghai' and ${moment} < span.until::timestamp at time zone 'Asia/Shanghai'`

/**
 * The hours within which the platform's people decided nine of ten applications: those that were handed in again count from then, and a revocation is
 * no decision about one.
 */
const findReviewHours = (db: Read, actor: Actor, today: string): Promise<WorkFigure> =>
  measure(db, spansOf(today), {
    key: 'reviewHours',
    value: sql`select round((percentile_cont(0.9) within group (order by date_part('epoch', e.at - s.at)) / 3600)::numeric, 1)
      from certification_event e join account a on a.id = e.account_id and a.user_type in (${literals(staffTypes)})
      cross join lateral (select max(at) as at from certification_event s
        where s.certification_id = e.certification_id and s.id < e.id and s.action = 'submit') s
      where e.action in ('pass', 'reject') and ${inSpan(sql`e.at`)}`,
    link: actor.permissions.includes('certification:review') ? paths.reviews() : null,
  })

/** No list of a lessor has exactly the rows of one of these figures, so none has a link. */
async function findLessorFigures(db: Read, companyId: number, today: string): Promise<WorkFigure[]> {
  const spans = spansOf(today)
  const own = sql`e.company_id = ${companyId} and e.del_flag = ${sql.lit(delFlag.present)}`
  const fleet = sql`${own} and e.audit_status = ${sql.lit(equipmentAudit.passed)} and e.rent_status <> ${sql.lit(rentStatus.retired)}`
  const decided = sql`from quote q where q.company_id = ${companyId} and ${inSpan(sql`q.open_time`)}
    and q.status in (${literals([quoteStatus.won, ...lostQuotes])})`
  const quotes = await measure(db, spans, {
    key: 'quotes',
    value: sql`select count(*) from quote q where q.company_id = ${companyId} and ${inSpan(sql`q.submit_time`)}`,
    link: null,
  })
  const winRate = await measure(db, spans, {
    key: 'winRate',
    value: sql`select round(count(*) filter (where q.status = ${sql.lit(quoteStatus.won)})::numeric / nullif(count(*), 0), 4) ${decided}`,
    link: null,
  })
  const before = (figure: WorkFigure) => (isComparable(quotes.before) ? figure.before : null)
  return [
    await measure(db, spans, {
      key: 'utilisation',
      // Days on hire of all units, of the days that they had.
      value: sql`select round((select coalesce(sum(upper(b.period * s.days) - lower(b.period * s.days)), 0)
          from equipment e join equipment_booking b on b.equipment_id = e.id and b.period && s.days and b.reason in ('award', 'contract') where ${fleet})::numeric
        / nullif((select sum(e.total_qty) from equipment e where ${fleet}) * (span.until - span.since), 0), 4)
        from (select daterange(span.since, span.until) as days) s`,
      link: null,
    }),
    { ...quotes, before: before(quotes) },
    { ...winRate, before: before(winRate) },
    await findExpiring(db, { own, today }),
  ]
}

/** Papers of machines on the shelf or on hire that end within the next days or have ended, and those of each week to come. */
async function findExpiring(db: Read, { own, today }: { own: RawBuilder<unknown>; today: string }): Promise<WorkFigure> {
  const { rows } = await sql<{ validTo: string }>`
    select d.valid_to as "validTo" from equipment e join equipment_document d on d.equipment_id = e.id
    where ${own} and ${isInUse('e')} and d.valid_to < ${addDays(today, 7 * courseWeeks)}::date`.execute(db)
  const weekOf = (day: string) => Math.max(0, Math.floor(daysBetween(today, day) / 7))
  return {
    key: 'papers',
    value: rows.filter(({ validTo }) => validTo <= addDays(today, panelDays)).length,
    before: null,
    course: Array.from({ length: courseWeeks }, (_, week) => rows.filter(({ validTo }) => weekOf(validTo) === week).length),
    link: null,
  }
}
