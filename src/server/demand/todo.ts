import { sql, type RawBuilder } from 'kysely'
import { awardRequestStatus } from '#shared/award/rules.ts'
import { hourMs } from '#shared/calendar.ts'
import { decisionDays, decisionReminder, demandStatus } from '#shared/demand/rules.ts'
import { closingHours, type DemandTodo } from '#shared/demand/todo.ts'
import { delFlag } from '#shared/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { approvedFor } from './scope.ts'

const days = (count: number) => sql.lit(`${count} days`)

/**
 * Whether an award of a `demand` waits for the unit above: until it answers, nobody else decides. Where no unit wants to approve any more, a request
 * waits for nobody.
 */
export const awaitsApproval = sql<boolean>`exists (select 1 from award_request r join dept d on d.id = demand.dept_id
  join dept u on u.id = d.id or u.id = any(d.ancestors)
  where r.demand_id = demand.id and r.status = ${sql.lit(awardRequestStatus.waiting)}
    and u.del_flag = ${sql.lit(delFlag.present)} and u.approves_awards)`

/** The end of the time to decide about a `demand`. An award that was sent back leaves at least the days of the reminder. */
export const decisionEnds = sql<string>`greatest(demand.open_time + ${days(decisionDays)}::interval,
  (select max(r.decide_time) from award_request r where r.demand_id = demand.id) + ${days(decisionReminder)}::interval)`

/** What each demand in the person's scope waits for them to do, as conditions on `demand`. */
export function todosOf(actor: Actor, now: Date): Record<DemandTodo, RawBuilder<boolean>> {
  const { submitted, rejected, quoting, reviewing } = demandStatus
  const at = now.toISOString()
  const soon = new Date(now.getTime() + closingHours * hourMs).toISOString()
  const isIn = (status: string) => sql`demand.status = ${sql.lit(status)}`
  const approves = (what: 'approves_demands' | 'approves_awards') =>
    actor.role === 'leaseholder' && actor.isAdmin ? approvedFor(actor, sql.ref('demand.dept_id'), what) : sql<boolean>`false`
  return {
    short: sql<boolean>`(${isIn(quoting)} and demand.quote_deadline <= ${at} and demand.quote_count < demand.min_quotes)`,
    judge: sql<boolean>`(${isIn(reviewing)} and not ${awaitsApproval})`,
    approveAward: sql<boolean>`(${isIn(reviewing)} and ${awaitsApproval} and ${approves('approves_awards')})`,
    approve: sql<boolean>`(${isIn(submitted)} and ${approves('approves_demands')})`,
    question: sql<boolean>`(${isIn(quoting)} and exists (select 1 from demand_question x where x.demand_id = demand.id and x.answer = ''))`,
    closing: sql<boolean>`(${isIn(quoting)} and demand.quote_deadline > ${at} and demand.quote_deadline < ${soon})`,
    // The unit above sees it as well, but it is the project that corrects it.
    rejected: sql<boolean>`(${isIn(rejected)} and (demand.account_id = ${actor.accountId} or demand.dept_id = ${actor.deptId}))`,
  }
}
