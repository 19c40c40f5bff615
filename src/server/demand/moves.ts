import { sql } from 'kysely'
import { awardRequestStatus } from '#shared/award/rules.ts'
import { toMoment } from '#shared/calendar.ts'
import { canMoveDemand } from '#shared/demand/guards.ts'
import { decisionDays, demandMoves, demandStatus, type DemandStatus } from '#shared/demand/rules.ts'
import { quoteMoves } from '#shared/quote/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { nextVersion } from '../db/version.ts'
import type { Deed, Work } from '../deed.ts'
import { Refusal } from '../http/refusal.ts'
import { withdrawAsked } from '../internal/moves.ts'
import { insertEvent, lockDemand, notifyOwner, notifyBidders, notifyProject } from './events.ts'
import { notifyInvited } from './invites.ts'

type Ending = { id: number; reason: string }

/** Cancels the demand or lets it fail: its live quotes end with it; everybody who quoted, and before the opening everybody invited, is told why. */
export async function endDemand(deed: Deed, { id, move, reason }: Ending & { move: 'cancel' | 'fail' }): Promise<void> {
  const demand = await lockDemand(deed, id)
  if (!canMoveDemand(demand, move, 'owner', toMoment(deed.now))) throw new Refusal('demand_changed')
  // What failed outside may still be had within the group.
  if (move === 'cancel') await withdrawAsked(deed, id)
  const kind = move === 'cancel' ? 'demandCancelled' : 'demandFailed'
  await end(deed, demand, { move, kind, reason })
  const params = { title: demand.title, code: demand.demandCode ?? '', reason }
  await notifyProject(deed, { deptId: demand.deptId, demandId: id, kind, params })
}

/**
 * The platform withdraws what should not be there, with its requests for own machines; the owner, everybody who quoted, and before the opening everybody
 * invited, are told why.
 */
export async function takeDemandDown(deed: Deed, { id, reason }: Ending): Promise<void> {
  const demand = await lockDemand(deed, id)
  if (!canMoveDemand(demand, 'takeDown', 'operator', toMoment(deed.now))) throw new Refusal('demand_changed')
  await withdrawAsked(deed, id)
  await end(deed, demand, { move: 'takeDown', kind: 'demandTakenDown', reason })
  const params = { title: demand.title, code: demand.demandCode ?? '', reason }
  await notifyOwner(deed, { deptId: demand.deptId, demandId: id, kind: 'demandTakenDown', params })
}

/** The clock lets a demand fail that nobody decided; the owner and everybody who quoted are told. The demand must be locked. */
export async function endUndecided(work: Work, demand: Locked & { deptId: number }): Promise<void> {
  const { id, deptId, title, demandCode } = demand
  await end(work, demand, { move: 'fail', kind: 'demandUndecided', reason: '' })
  const params = { title, code: demandCode ?? '', days: String(decisionDays) }
  await notifyOwner(work, { deptId, demandId: id, kind: 'demandUndecided', params })
}

/** Takes a submitted award back that no unit wants to approve any more (`awaitsNobody`). The demand must be locked. */
export async function takeAwardBack(work: Pick<Work, 'db' | 'now'>, demandId: number): Promise<void> {
  await work.db
    .updateTable('awardRequest')
    .set({ status: awardRequestStatus.rejected, decideTime: work.now })
    .where('demandId', '=', demandId)
    .where('status', '=', sql.lit(awardRequestStatus.waiting))
    .execute()
  await insertEvent(work, { demandId, accountId: null, move: 'awardApprovalOff' })
}

/** Sends a submitted demand back that no unit wants to approve any more (`isSubmittedToNobody`). The demand must be locked. */
export async function sendBackUnasked({ db, now }: Pick<Work, 'db' | 'now'>, demandId: number): Promise<void> {
  const { to } = demandMoves.reject
  await db
    .updateTable('demand')
    .set({ status: to, statusReason: '', updateTime: now, version: nextVersion })
    .where('id', '=', demandId)
    .execute()
  await insertEvent({ db, now }, { demandId, accountId: null, move: 'approvalOff', fromStatus: demandStatus.submitted, toStatus: to })
}

type Locked = { id: number; title: string; demandCode: string | null; status: DemandStatus }
type End = {
  move: 'cancel' | 'fail' | 'takeDown'
  kind: 'demandCancelled' | 'demandFailed' | 'demandTakenDown' | 'demandUndecided'
  reason: string
}

async function end(work: Work & { actor?: Actor }, { id, title, demandCode, status }: Locked, { move, kind, reason }: End): Promise<void> {
  const { db, actor, now } = work
  const { to } = demandMoves[move]
  await db
    .updateTable('demand')
    .set({ status: to, statusReason: reason, updateTime: now, version: nextVersion })
    .where('id', '=', id)
    .execute()
  const news = { demandId: id, kind, params: { title, code: demandCode ?? '', reason, days: String(decisionDays) } }
  await notifyBidders(work, news)
  if (status === demandStatus.quoting) await notifyInvited(work, news)
  await db
    .updateTable('awardRequest')
    .set({ status: awardRequestStatus.rejected, decideTime: now, reason })
    .where('demandId', '=', id)
    .where('status', '=', sql.lit(awardRequestStatus.waiting))
    .execute()
  await db
    .updateTable('quote')
    .set({ status: quoteMoves.lapse.to, updateTime: now })
    .where('demandId', '=', id)
    .where('status', 'in', quoteMoves.lapse.from)
    .execute()
  await insertEvent(work, { demandId: id, accountId: actor?.accountId ?? null, move, fromStatus: status, toStatus: to, note: reason })
}
