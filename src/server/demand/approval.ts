import { dayOf, fromMoment, minuteOf, toMoment } from '#shared/calendar.ts'
import { canMoveDemand } from '#shared/demand/guards.ts'
import { deadlineProblems, demandMoves, demandType } from '#shared/demand/rules.ts'
import { yesNo } from '#shared/rules.ts'
import { nextVersion } from '../db/version.ts'
import type { Deed } from '../deed.ts'
import { FieldRefusal, Refusal, refuseField } from '../http/refusal.ts'
import { insertEvent, lockDemand, queueNotice, notifyOwner } from './events.ts'
import { findItems } from './queries.ts'
import { mayApprove } from './scope.ts'

/** Publishes what was submitted. The deadline must still leave the time that lessors are promised; a new one replaces it, and the project is told. */
export async function approveDemand(deed: Deed, { quoteDeadline, ...read }: ReadDemand & { quoteDeadline: string | null }): Promise<void> {
  const { db, now } = deed
  const { id } = read
  const demand = await lockSubmitted(deed, read, 'approve')
  const deadline = quoteDeadline ?? demand.quoteDeadline ?? toMoment(now)
  const { clarifyDeadline } = demand
  // Without an end of their own that lies ahead, questions are taken until the deadline.
  const clarify = clarifyDeadline && clarifyDeadline > toMoment(now) && clarifyDeadline < deadline ? fromMoment(clarifyDeadline) : null
  const times = { quoteDeadline: fromMoment(deadline), clarifyDeadline: clarify }
  const items = await findItems(db, id)
  const problems = deadlineProblems(times.quoteDeadline, { urgent: demand.urgent, items }, now)
  if (problems.length > 0) throw new FieldRefusal(problems)
  // A hire whose start has passed while it waited cannot be published; it goes back to the project.
  if (items.some(({ planStart }) => planStart < dayOf(now))) refuseField(['quoteDeadline'], 'start_past')
  const isMoved = deadline !== demand.quoteDeadline
  const note = isMoved ? `${demand.quoteDeadline} → ${deadline}` : ''
  const params = { ...(isMoved && { deadline: minuteOf(deadline) }), ...(clarifyDeadline && !clarify && { clarifyAtDeadline: yesNo.yes }) }
  await decide(deed, demand, 'approve', { values: { ...times, publishTime: now }, note, params })
  await queueNotice(deed, id)
}

/** Sends a submitted demand back to its project. */
export async function rejectDemand(deed: Deed, { reason, ...read }: ReadDemand & { reason: string }): Promise<void> {
  const demand = await lockSubmitted(deed, read, 'reject')
  await decide(deed, demand, 'reject', { values: { statusReason: reason }, note: reason, params: { reason } })
}

/** The demand as the approver has read it. */
type ReadDemand = { id: number; version: number }
type Submitted = Awaited<ReturnType<typeof lockDemand>>

async function lockSubmitted(deed: Deed, { id, version }: ReadDemand, move: keyof typeof decided): Promise<Submitted> {
  const demand = await lockDemand(deed, id)
  if (!(await mayApprove(deed.db, deed.actor, demand.deptId, 'approves_demands'))) throw new Refusal('forbidden')
  if (!canMoveDemand(demand, move, 'approver', toMoment(deed.now))) throw new Refusal('demand_changed')
  // Sent back, mended and submitted again since then, it is another demand.
  if (demand.version !== version) throw new Refusal('changed')
  return demand
}

type Values = { quoteDeadline: Date; clarifyDeadline: Date | null; publishTime: Date } | { statusReason: string }

const decided = { approve: 'demandApproved', reject: 'demandRejected' } as const

async function decide(
  deed: Deed,
  demand: Submitted,
  move: keyof typeof decided,
  { values, note, params }: { values: Values; note: string; params: Record<string, string> },
): Promise<void> {
  const { db, actor, now } = deed
  const { id, deptId, title, demandCode } = demand
  const { to } = demandMoves[move]
  await db
    .updateTable('demand')
    .set({ ...values, status: to, updateTime: now, version: nextVersion })
    .where('id', '=', id)
    .execute()
  await insertEvent(deed, { demandId: id, accountId: actor.accountId, move, fromStatus: demand.status, toStatus: to, note })
  const invited = demand.demandType === demandType.invited ? yesNo.yes : ''
  const about = { title, code: demandCode ?? '', invited }
  await notifyOwner(deed, { deptId, demandId: id, kind: decided[move], params: { ...about, ...params } })
}
