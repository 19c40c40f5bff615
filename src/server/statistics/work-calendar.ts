import { sql, type RawBuilder } from 'kysely'
import { addDays, dayOf, fromMoment } from '#shared/calendar.ts'
import { awardedDemands, demandStatus } from '#shared/demand/rules.ts'
import { shelfStatus } from '#shared/equipment/rules.ts'
import { paths } from '#shared/paths.ts'
import { liveQuotes, quoteStatus } from '#shared/quote/rules.ts'
import { delFlag } from '#shared/rules.ts'
import { calendarDays, maxDates, type CalendarDate, type CalendarKind } from '#shared/statistics/panel.ts'
import type { Actor } from '../actor/actor.ts'
import { inScope } from '../actor/scope.ts'
import type { Read } from '../db/connect.ts'
import { literals } from '../db/literals.ts'

type Row = { day: string; at: string | null; kind: CalendarKind; id: number; title: string }
/** The first day and the first after the last. */
type Span = { from: string; until: string }

/** The deadlines, entries, exits and papers of the next two weeks that concern the person. */
export async function findDates(db: Read, actor: Actor, now: Date): Promise<CalendarDate[]> {
  const from = dayOf(now)
  const span = { from, until: addDays(from, calendarDays) }
  if (actor.role === null || actor.role === 'driver') return []
  const isLessor = actor.role === 'leaser'
  const dates = isLessor ? datesOfLessor(actor.companyId ?? 0, span) : datesOfOwner(actor, span)
  const { rows } = await sql<Row>`select * from (${dates}) w order by day, at nulls last, id limit ${sql.lit(maxDates)}`.execute(db)
  const demand = isLessor ? paths.marketDemand : paths.ownDemand
  return rows.map(({ day, at, kind, id, title }) => ({
    day,
    time: at?.slice(11, 16) ?? null,
    kind,
    title,
    link: kind === 'papers' ? paths.editMachine(id) : demand(id),
  }))
}

const isWithin = (day: RawBuilder<unknown>, { from, until }: Span) => sql`${day} >= ${from}::date and ${day} < ${until}::date`

const beginsBefore = (moment: RawBuilder<unknown>, { from, until }: Span) =>
  sql`${moment} >= ${fromMoment(`${from} 00:00:00`).toISOString()} and ${moment} < ${fromMoment(`${until} 00:00:00`).toISOString()}`

const deadline = sql`(d.quote_deadline at time zone 'Asia/Shanghai')::date as day, d.quote_deadline as at, 'deadline' as kind, d.id, d.title`
const isQuoting = sql`d.status = ${sql.lit(demandStatus.quoting)} and d.del_flag = ${sql.lit(delFlag.present)}`

/** The beginning or the end of hires: `joined` names their lines as `i` and their demands as `d`. */
const hires = (kind: 'entry' | 'exit', joined: RawBuilder<unknown>, span: Span) => {
  const day = kind === 'entry' ? sql`i.plan_start` : sql`i.plan_end`
  return sql`select distinct ${day} as day, null::timestamptz as at, ${sql.lit(kind)} as kind, d.id, d.title ${joined} and ${isWithin(day, span)}`
}

function datesOfOwner(actor: Actor, span: Span): RawBuilder<unknown> {
  const isMine = inScope('d.dept_id', actor)
  const awarded = sql`from demand_item i join demand d on d.id = i.demand_id
    where d.status in (${literals(awardedDemands)}) and d.del_flag = ${sql.lit(delFlag.present)} and ${isMine}
      and exists (select 1 from award_line l where l.demand_item_id = i.id)`
  const deadlines = sql`select ${deadline} from demand d where ${isQuoting} and ${beginsBefore(sql`d.quote_deadline`, span)} and ${isMine}`
  // The platform's operators look after deadlines; whether machines arrive is between the parties.
  return actor.role === 'operator'
    ? deadlines
    : sql`${deadlines} union all ${hires('entry', awarded, span)} union all ${hires('exit', awarded, span)}`
}

function datesOfLessor(companyId: number, span: Span): RawBuilder<unknown> {
  const won = sql`from quote q join quote_line o on o.quote_id = q.id join award_line l on l.quote_line_id = o.id
    join demand_item i on i.id = l.demand_item_id join demand d on d.id = i.demand_id
    where q.company_id = ${companyId} and q.status = ${sql.lit(quoteStatus.won)}`
  return sql`select ${deadline} from quote q join demand d on d.id = q.demand_id
      where q.company_id = ${companyId} and q.status in (${literals(liveQuotes)}) and ${isQuoting} and ${beginsBefore(sql`d.quote_deadline`, span)}
    union all ${hires('entry', won, span)} union all ${hires('exit', won, span)}
    union all select p.valid_to, null::timestamptz, 'papers', e.id, e.name from equipment e join equipment_document p on p.equipment_id = e.id
      where e.company_id = ${companyId} and e.del_flag = ${sql.lit(delFlag.present)} and e.shelf_status = ${sql.lit(shelfStatus.on)}
        and ${isWithin(sql`p.valid_to`, span)}`
}
