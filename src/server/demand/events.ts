import { sql } from 'kysely'
import { dayOf, startOfDay } from '#shared/calendar.ts'
import { demandStatus, invitingMoves, ownerSteps, stepLimits, type DemandStep, type OwnerStep } from '#shared/demand/rules.ts'
import type { MessageKind } from '#shared/message/kinds.ts'
import { paths } from '#shared/paths.ts'
import { liveQuotes } from '#shared/quote/rules.ts'
import { delFlag } from '#shared/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { inScope, seesDept } from '../actor/scope.ts'
import type { Read } from '../db/connect.ts'
import { literals } from '../db/literals.ts'
import type { Deed } from '../deed.ts'
import { Refusal } from '../http/refusal.ts'
import { sendMessages, type Sending } from '../message/queries.ts'
import { findApprovers } from './scope.ts'
import { isToldShort } from './todo.ts'

/** Steps by which the platform let somebody at the sealed quotes of a bidder. Unlike a bidder's own, they name who took them. */
export const accessMoves = ['passwordReset', 'bidderJoined'] as const
export type AccessMove = (typeof accessMoves)[number]

type Event = {
  demandId: number
  quoteId?: number
  accountId: number | null
  move: DemandStep
  fromStatus?: string
  toStatus?: string
  note?: string
  /** The receipt of a quote, open to everybody concerned. */
  digest?: string
}

export async function insertEvent({ db, now }: { db: Read; now: Date }, event: Event): Promise<void> {
  await db.insertInto('demandEvent').values(eventRow(event, now)).execute()
}

/** An event as a row of demand_event. */
export const eventRow = <E extends Omit<Event, 'demandId'>>(event: E, now: Date) => ({ note: '', ...event, at: now })

/** Refuses a step that the owner's side has taken as often as it may. Exact where the demand is locked. */
export async function refuseMany(
  { db, now }: { db: Read; now: Date },
  { demandId, step }: { demandId: number; step: OwnerStep },
): Promise<void> {
  const today = startOfDay(dayOf(now))
  const { steps, stepsToday } = await db
    .selectFrom('demandEvent')
    .where('demandId', '=', demandId)
    .where('move', 'in', ownerSteps[step])
    .select([
      sql<number>`count(*)::int`.as('steps'),
      sql<number>`(count(*) filter (where at >= ${today} and move not in (${literals(invitingMoves)})))::int`.as('stepsToday'),
    ])
    .executeTakeFirstOrThrow()
  if (steps >= stepLimits.inAll) throw new Refusal('demand_full')
  if (stepsToday >= stepLimits.aDay) throw new Refusal('demand_day')
}

/** Locks an own demand that has left the draft until the transaction ends. Refuses `not_found` for anybody else's. */
export async function lockDemand({ db, actor }: Pick<Deed, 'db' | 'actor'>, id: number) {
  const demand = await db
    .selectFrom('demand')
    .where('id', '=', id)
    .where('status', '<>', demandStatus.draft)
    .where('delFlag', '=', delFlag.present)
    .where(inScope('demand.dept_id', actor))
    .select([
      'id',
      'deptId',
      'status',
      'title',
      'demandCode',
      'sealed',
      'urgent',
      'demandType',
      'method',
      'methodReason',
      'projectName',
      'quoteDeadline',
      'clarifyDeadline',
      'quoteCount',
      'minQuotes',
      isToldShort.as('isToldShort'),
      'budgetFen',
      'operatorBy',
      'fuelBy',
      'revision',
      'version',
    ])
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!demand) throw new Refusal('not_found')
  return demand
}

export type News = { demandId: number; kind: MessageKind; params: Record<string, string> }

/** Sends the news to every lessor with a live quote. */
export async function notifyBidders(work: Sending, { demandId, kind, params }: News): Promise<void> {
  const quotes = await work.db
    .selectFrom('quote')
    .where('demandId', '=', demandId)
    .where('status', 'in', liveQuotes)
    .select('companyId')
    .execute()
  const companies = quotes.map(({ companyId }) => companyId)
  const link = paths.marketDemand(demandId)
  await sendMessages(work, { to: { companies }, kind, params, bizType: 'demand', bizId: demandId, link, biddersOf: demandId })
}

/** Sends the news to everybody in the project department of the demand, and to its publisher beside them. */
export async function notifyOwner(
  work: Sending & { actor?: Actor },
  { deptId, demandId, kind, params }: News & { deptId: number },
): Promise<void> {
  const link = kind === 'questionAsked' ? paths.ownDemandQuestions(demandId) : paths.ownDemand(demandId)
  const to = { dept: deptId, named: publisherBeside(demandId, work.actor) }
  await sendMessages(work, { to, kind, params, bizType: 'demand', bizId: demandId, link })
}

/**
 * Tells the project, and the publisher beside it, what somebody of another unit did with its demand; `unit` of the parameters names that unit. What the
 * project's own people do is told to nobody, not even to a publisher in a unit above.
 */
export async function notifyProject(deed: Deed, { params, ...news }: News & { deptId: number }): Promise<void> {
  const { db, actor } = deed
  if (actor.deptId === null || actor.deptId === news.deptId) return
  const unit = await db.selectFrom('dept').where('id', '=', actor.deptId).select('deptName').executeTakeFirstOrThrow()
  await notifyOwner(deed, { ...news, params: { ...params, unit: unit.deptName } })
}

/**
 * Whoever published the demand, unless they act now or its department is theirs no more: somebody of a unit above publishes for a project without being
 * of it.
 */
const publisherBeside = (demandId: number, actor: Actor | undefined) =>
  sql<number[]>`array(select p.id from demand o join account p on p.id = o.account_id
    where o.id = ${demandId} and p.id <> ${actor?.accountId ?? 0} and ${seesDept('p', sql`o.dept_id`)})`

/** Asks those who may approve what the demand or its award waits for. */
export async function notifyApprovers(work: Sending, demandId: number, kind: 'demandSubmitted' | 'awardSubmitted'): Promise<void> {
  const demand = await work.db
    .selectFrom('demand')
    .where('id', '=', demandId)
    .select(['deptId', 'title', 'demandCode', 'projectName'])
    .executeTakeFirstOrThrow()
  await sendMessages(work, {
    to: { accounts: await findApprovers(work.db, demand.deptId, kind === 'demandSubmitted' ? 'approves_demands' : 'approves_awards') },
    kind,
    params: { title: demand.title, code: demand.demandCode ?? '', project: demand.projectName },
    bizType: 'demand',
    bizId: demandId,
    link: paths.ownDemand(demandId),
  })
}

/** Lessors whose machines fit are told by the clock, a moment after the demand is published (decision 19). */
export async function queueNotice({ db, now }: Pick<Deed, 'db' | 'now'>, demandId: number): Promise<void> {
  await db
    .insertInto('demandNotice')
    .values({ demandId, due: now })
    .onConflict((conflict) => conflict.column('demandId').doUpdateSet({ due: now }))
    .execute()
}
