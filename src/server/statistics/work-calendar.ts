import { sql, type RawBuilder } from 'kysely'
import { addDays, dayOf, startOfDay } from '#shared/calendar.ts'
import { boundContracts, confirmedContracts, filledPositions } from '#shared/contract/rules.ts'
import { awardedDemands, demandStatus } from '#shared/demand/rules.ts'
import { paths } from '#shared/paths.ts'
import { liveQuotes, quoteStatus } from '#shared/quote/rules.ts'
import { delFlag } from '#shared/rules.ts'
import { calendarDays, maxDates, type CalendarDate, type CalendarKind } from '#shared/statistics/panel.ts'
import type { Actor } from '../actor/actor.ts'
import { byDeptsInScope, inScope } from '../actor/scope.ts'
import type { Read } from '../db/connect.ts'
import { literals } from '../db/literals.ts'
import { isInUse } from '../equipment/expiry.ts'
import { findMachineNamesEn } from '../equipment/names.ts'

/** `of`: the object that `id` names and the person is led to. */
type Row = { day: string; at: string | null; kind: CalendarKind; of: 'demand' | 'contract' | 'machine'; id: number; title: string }
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
  const link = { demand: isLessor ? paths.marketDemand : paths.ownDemand, contract: paths.contract, machine: paths.editMachine }
  const machines = rows.filter(({ of }) => of === 'machine').map(({ id }) => id)
  const names = await findMachineNamesEn(db, machines)
  return rows.map(({ day, at, kind, of, id, title }) => {
    const titleEn = of === 'machine' ? names.get(id) : undefined
    return { day, time: at?.slice(11, 16) ?? null, kind, title, ...(titleEn && { titleEn }), link: link[of](id) }
  })
}

const isWithin = (day: RawBuilder<unknown>, { from, until }: Span) => sql`${day} >= ${from}::date and ${day} < ${until}::date`

const beginsBefore = (moment: RawBuilder<unknown>, { from, until }: Span) =>
  sql`${moment} >= ${startOfDay(from)} and ${moment} < ${startOfDay(until)}`

const deadline = sql`(d.quote_deadline at time zone 'Asia/Shanghai')::date as day, d.quote_deadline as at, 'deadline' as kind, 'demand' as of, d.id, d.title`
const isQuoting = sql`d.status = ${sql.lit(demandStatus.quoting)} and d.del_flag = ${sql.lit(delFlag.present)}`

/** Until a contract holds, the hire is what was awarded; from then on the positions of the contract say its days, whatever became of it. */
const hasNoContract = sql`not exists (select from contract_line t join contract c on c.id = t.contract_id
  where t.award_line_id = l.id and c.status in (${literals(confirmedContracts)}))`

type Hires = { awarded: RawBuilder<unknown>; contracts: RawBuilder<unknown> }

/** Entries and exits: of the awarded lines `i` of demands `d`, and of the contracts `c` that bind both sides. */
function hires({ awarded, contracts }: Hires, span: Span): RawBuilder<unknown> {
  const columns = (kind: 'entry' | 'exit', day: RawBuilder<unknown>, of: Row['of'], object: 'c' | 'd') =>
    sql`select distinct ${day} as day, null::timestamptz as at, ${sql.lit(kind)} as kind, ${sql.lit(of)} as of,
      ${sql.ref(`${object}.id`)}, ${sql.ref(`${object}.title`)}`
  const both = (['entry', 'exit'] as const).flatMap((kind) => {
    const [planned, agreed] = kind === 'entry' ? [sql`i.plan_start`, sql`p.plan_start`] : [sql`i.plan_end`, sql`p.plan_end`]
    return [
      sql`${columns(kind, planned, 'demand', 'd')} ${awarded} and ${isWithin(planned, span)}`,
      sql`${columns(kind, agreed, 'contract', 'c')} from contract c join contract_line p on p.contract_id = c.id
        where c.status in (${literals(boundContracts)}) and ${contracts} and p.status in (${literals(filledPositions)}) and ${isWithin(agreed, span)}`,
    ]
  })
  return sql.join(both, sql` union all `)
}

function datesOfOwner(actor: Actor, span: Span): RawBuilder<unknown> {
  const isMine = inScope('d.dept_id', actor)
  const awarded = sql`from demand_item i join demand d on d.id = i.demand_id
    where d.status in (${literals(awardedDemands)}) and d.del_flag = ${sql.lit(delFlag.present)} and ${isMine}
      and exists (select 1 from award_line l where l.demand_item_id = i.id and ${hasNoContract})`
  const deadlines = sql`select ${deadline} from demand d where ${isQuoting} and ${beginsBefore(sql`d.quote_deadline`, span)} and ${isMine}`
  // The platform's operators look after deadlines; whether machines arrive is between the parties.
  return actor.role === 'operator'
    ? deadlines
    : sql`${deadlines} union all ${hires({ awarded, contracts: byDeptsInScope('c.dept_id', actor) }, span)}`
}

function datesOfLessor(companyId: number, span: Span): RawBuilder<unknown> {
  const awarded = sql`from quote q join quote_line o on o.quote_id = q.id join award_line l on l.quote_line_id = o.id
    join demand_item i on i.id = l.demand_item_id join demand d on d.id = i.demand_id
    where q.company_id = ${companyId} and q.status = ${sql.lit(quoteStatus.won)} and ${hasNoContract}`
  return sql`select ${deadline} from quote q join demand d on d.id = q.demand_id
      where q.company_id = ${companyId} and q.status in (${literals(liveQuotes)}) and ${isQuoting} and ${beginsBefore(sql`d.quote_deadline`, span)}
    union all ${hires({ awarded, contracts: sql`c.lessor_company_id = ${companyId}` }, span)}
    union all select p.valid_to, null::timestamptz, 'papers', 'machine', e.id, e.name from equipment e join equipment_document p on p.equipment_id = e.id
      where e.company_id = ${companyId} and e.del_flag = ${sql.lit(delFlag.present)} and ${isInUse('e')}
        and ${isWithin(sql`p.valid_to`, span)}`
}
