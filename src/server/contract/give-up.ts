import { fromMoment, hourMs } from '#shared/calendar.ts'
import { demandMoves } from '#shared/demand/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { giveUpHours } from '#shared/quote/rules.ts'
import { companyOf } from '../actor/scope.ts'
import { nextVersion } from '../db/version.ts'
import type { Deed } from '../deed.ts'
import { insertEvent, notifyOwner } from '../demand/events.ts'
import { completeDemand, lapseAward, voidDraft } from './lapse.ts'
import { Refusal } from '../http/refusal.ts'
import { endWonQuote, releaseLines } from '../award/release.ts'

/**
 * A winner steps back within `giveUpHours` of the award: their lines leave it, their machines are free, and the demand has a rest that may be
 * published anew. The events of the demand still name the whole award.
 */
export async function giveUpQuote(deed: Deed, { id: quoteId, reason }: { id: number; reason: string }): Promise<void> {
  const { db, actor, now } = deed
  const known = await db
    .selectFrom('quote')
    .where('id', '=', quoteId)
    .where('companyId', '=', companyOf(actor))
    .select('demandId')
    .executeTakeFirst()
  if (!known) throw new Refusal('not_found')
  // The demand is locked before its quotes, in the order of all its moves, so none of them wait for each other in a circle.
  const demand = await db
    .selectFrom('demand')
    .where('id', '=', known.demandId)
    .select(['id', 'status', 'deptId', 'title', 'demandCode'])
    .forUpdate()
    .executeTakeFirstOrThrow()
  const award = await db.selectFrom('award').where('demandId', '=', demand.id).select(['id', 'at']).executeTakeFirst()
  if (!award || !isAmong(demand.status, demandMoves.giveUp.from)) throw new Refusal('quote_changed')
  const by = { accountId: actor.accountId, side: 'lessor' } as const
  // Read under the lock: a colleague may have accepted meanwhile, or the lessee given more time.
  const { acceptedAt, putOffAt } = await db
    .selectFrom('quote')
    .where('id', '=', quoteId)
    .select(['acceptedAt', 'putOffAt'])
    .executeTakeFirstOrThrow()
  // Who was promised a contract in time and has to wait longer may leave without blame.
  if (putOffAt !== null) {
    if (!(await lapseAward(deed, { demandId: demand.id, quoteId, blame: 'none', reason, by }))) throw new Refusal('quote_changed')
    return
  }
  if (acceptedAt !== null) throw new Refusal('give_up_accepted')
  if (now.getTime() > fromMoment(award.at).getTime() + giveUpHours * hourMs) throw new Refusal('give_up_late')
  if (!(await endWonQuote(deed, { quoteId, move: 'giveUp' }))) throw new Refusal('quote_changed')
  await releaseLines(db, { awardId: award.id, quoteId })
  await voidDraft(deed, { awardId: award.id, companyId: companyOf(actor), reason, by })
  await db
    .updateTable('demand')
    .set({ status: demandMoves.giveUp.to, updateTime: now, version: nextVersion })
    .where('id', '=', demand.id)
    .execute()
  const event = { demandId: demand.id, quoteId, accountId: actor.accountId, fromStatus: demand.status, toStatus: demandMoves.giveUp.to }
  await insertEvent(deed, { ...event, move: 'giveUp', note: reason })
  const params = { title: demand.title, code: demand.demandCode ?? '', reason }
  await notifyOwner(deed, { deptId: demand.deptId, demandId: demand.id, kind: 'quoteGivenUp', params })
  await completeDemand(deed, demand.id)
}
