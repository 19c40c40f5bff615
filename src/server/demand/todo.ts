import { sql, type RawBuilder } from 'kysely'
import { awardRequestStatus } from '#shared/award/rules.ts'
import { hourMs } from '#shared/calendar.ts'
import { decisionDays, decisionReminder, demandStatus } from '#shared/demand/rules.ts'
import { closingHours, type DemandTodo } from '#shared/demand/todo.ts'
import type { Actor } from '../actor/actor.ts'
import { approvedFor, wantsApproval } from './scope.ts'

/** So many days, as a text of an interval. */
export const intervalOfDays = (count: number) => sql.lit(`${count} days`)

const isAwardWanted = wantsApproval(sql.ref('demand.dept_id'), 'approves_awards')

/** Whether an award of a `demand` was submitted and nobody has decided on it. */
export const isAwardSubmitted = sql<boolean>`exists (select 1 from award_request r
  where r.demand_id = demand.id and r.status = ${sql.lit(awardRequestStatus.waiting)})`

/** Whether an award of a `demand` waits for the unit above: until it answers, nobody else decides. */
export const awaitsApproval = sql<boolean>`(${isAwardSubmitted} and ${isAwardWanted})`

/** Whether no unit wants to approve the submitted award of a `demand` any more. The clock or its project's own award takes it back. */
export const awaitsNobody = sql<boolean>`(${isAwardSubmitted} and not ${isAwardWanted})`

/** Whether the owner of a `demand` was told of too few quotes since its deadline moved last. */
export const isToldShort = sql<boolean>`(demand.few_told_at is not null)`

/** Whether no unit wants to approve a submitted `demand` any more. The clock sends it back to its project, which publishes it. */
export const isSubmittedToNobody = sql<boolean>`(demand.status = ${sql.lit(demandStatus.submitted)}
  and not ${wantsApproval(sql.ref('demand.dept_id'), 'approves_demands')})`

/** The end of the time to decide about a `demand`. An award that was sent back leaves at least the days of the reminder. */
export const decisionEnds = sql<string>`greatest(demand.open_time + ${intervalOfDays(decisionDays)}::interval,
  (select max(r.decide_time) from award_request r where r.demand_id = demand.id) + ${intervalOfDays(decisionReminder)}::interval)`

/** What each demand in the person's scope waits for them to do, as conditions on `demand`. */
export function todosOf(actor: Actor, now: Date): Record<DemandTodo, RawBuilder<boolean>> {
  const { submitted, rejected, quoting, reviewing } = demandStatus
  const at = now.toISOString()
  const soon = new Date(now.getTime() + closingHours * hourMs).toISOString()
  const isIn = (status: string) => sql`demand.status = ${sql.lit(status)}`
  const approves = (what: 'approves_demands' | 'approves_awards') =>
    actor.role === 'leaseholder' && actor.isAdmin ? approvedFor(actor, sql.ref('demand.dept_id'), what) : sql<boolean>`false`
  return {
    short: sql<boolean>`(${isIn(quoting)} and demand.quote_deadline <= ${at}
      and (demand.quote_count < demand.min_quotes or ${isToldShort}))`,
    judge: sql<boolean>`(${isIn(reviewing)} and not ${awaitsApproval})`,
    approveAward: sql<boolean>`(${isIn(reviewing)} and ${awaitsApproval} and ${approves('approves_awards')})`,
    approve: sql<boolean>`(${isIn(submitted)} and ${approves('approves_demands')})`,
    question: sql<boolean>`(${isIn(quoting)} and exists (select 1 from demand_question x where x.demand_id = demand.id and x.answer = ''))`,
    closing: sql<boolean>`(${isIn(quoting)} and demand.quote_deadline > ${at} and demand.quote_deadline < ${soon})`,
    // The unit above sees it as well, but it is the project that corrects it.
    rejected: sql<boolean>`(${isIn(rejected)} and (demand.account_id = ${actor.accountId} or demand.dept_id = ${actor.deptId}))`,
  }
}
