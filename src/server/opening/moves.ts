import { sql } from 'kysely'
import { dayMs, fromMoment, minuteOf, toMoment } from '#shared/calendar.ts'
import { canMoveDemand, hasFewQuotes, isShort, openWait, type DemandFacts } from '#shared/demand/guards.ts'
import { decisionDays, demandMoves, demandStatus, fewDays, ownerSteps } from '#shared/demand/rules.ts'
import { paths } from '#shared/paths.ts'
import { quoteMoves, quoteStatus } from '#shared/quote/rules.ts'
import type { Actor } from '../actor/actor.ts'
import type { Tx } from '../db/connect.ts'
import { nextVersion } from '../db/version.ts'
import type { Work } from '../deed.ts'
import { insertEvent, lockDemand, notifyOwner, notifyBidders } from '../demand/events.ts'
import { isToldShort } from '../demand/todo.ts'
import { Refusal, refuseField } from '../http/refusal.ts'
import { sendMessages } from '../message/queries.ts'
import { keyOf } from '../seal/cipher.ts'
import { findSetting } from '../setting/queries.ts'
import { openQuotes } from './offers.ts'

/**
 * How many quotes of a `demand` count towards its least number at the deadline. What waits to be confirmed does not: it ends with the opening. What a
 * restriction has disqualified does until then, or the number would tell who has quoted. Nobody is told the number (decision 35).
 */
export const confirmedQuotes = sql<number>`demand.quote_count - (select count(*)::int from quote q
  where q.demand_id = demand.id and q.status = ${sql.lit(quoteStatus.toConfirm)})`

/**
 * Opens the quotes; `false` when the clock leaves them closed. The clock opens what is due; where fewer are confirmed than were asked for, it notifies
 * the owner first and waits `fewDays` from then on. The owner opens what is not sealed, or what is short, with a reason where too few have quoted. The row is
 * locked, so two instances, or the clock and a click, cannot both open it.
 */
export async function openDemand(work: Work, id: number, by: { actor: Actor; reason: string } | 'clock'): Promise<boolean> {
  const { db, now, secret } = work
  const demand = by === 'clock' ? await lockDue(db, id, now) : await lockDemand({ db, actor: by.actor }, id)
  if (!demand) return false
  const { deptId, title, demandCode, quoteCount, minQuotes } = demand
  const params = { title, code: demandCode ?? '', count: String(quoteCount), min: String(minQuotes) }
  if (by === 'clock') {
    const { confirmed, fewToldAt } = await db
      .selectFrom('demand')
      .where('id', '=', id)
      .select([confirmedQuotes.as('confirmed'), 'fewToldAt'])
      .executeTakeFirstOrThrow()
    const isFew = confirmed < minQuotes
    if (isFew && fewToldAt !== null && now.getTime() < fromMoment(fewToldAt).getTime() + fewDays * dayMs) return false
    if (isFew && fewToldAt === null) {
      await db.updateTable('demand').set({ fewToldAt: now }).where('id', '=', id).execute()
      await notifyOwner(work, { deptId, demandId: id, kind: 'demandShort', params })
      return false
    }
  } else {
    if (demand.status !== demandStatus.quoting) throw new Refusal('demand_changed')
    if (!canMoveDemand(demand, 'open', 'owner', toMoment(now))) throw new Refusal('demand_sealed')
    if (!isShort(demand, toMoment(now))) await refuseHaste(work, demand)
    if (hasFewQuotes(demand) && by.reason.length < 2) refuseField(['reason'], 'reason_needed')
  }
  await db
    .updateTable('demand')
    .set({
      status: demandMoves.open.to,
      // The key of the offers is released here, and never before.
      sealKey: keyOf(secret, id),
      openTime: now,
      // Its landed costs are those of this day, whatever the setting becomes.
      costAssumptions: JSON.stringify(await findSetting(db, 'cost')),
      // Those that a restriction disqualified, and those that lapse unconfirmed below, were counted until now: a number that falls would name them.
      quoteCount: (eb) =>
        eb
          .selectFrom('quote')
          .where('demandId', '=', id)
          .where('quote.status', 'in', quoteMoves.open.from)
          .select((count) => count.fn.countAll<number>().as('n')),
      updateTime: now,
      version: nextVersion,
    })
    .where('id', '=', id)
    .execute()
  await lapseUnconfirmed(work, demand)
  const companies = await openQuotes(work, id)
  const [accountId, note] = by === 'clock' ? [null, ''] : [by.actor.accountId, by.reason]
  await insertEvent(work, { demandId: id, accountId, move: 'open', fromStatus: demand.status, toStatus: demandMoves.open.to, note })
  const opened = { ...params, count: String(companies.length), days: String(decisionDays) }
  await notifyOwner(work, { deptId, demandId: id, kind: 'demandOpened', params: opened })
  await notifyBidders(work, { demandId: id, kind: 'quoteOpened', params: opened })
  return true
}

/** Refuses to open by hand what was changed lately: its quotes would end before anybody could confirm them. */
async function refuseHaste({ db, now }: Work, demand: DemandFacts & { id: number }): Promise<void> {
  const events = await db
    .selectFrom('demandEvent')
    .where('demandId', '=', demand.id)
    .where('move', 'in', ownerSteps.extend)
    .orderBy('id')
    .select(['move', 'at'])
    .execute()
  const wait = openWait({ ...demand, events }, toMoment(now))
  if (wait?.from === null) throw new Refusal('demand_opens_itself')
  if (wait) throw new Refusal('demand_open_waits', { from: minuteOf(wait.from) })
}

/** Locks a demand that the clock may open; `undefined` when somebody else has opened it meanwhile. */
const lockDue = (tx: Tx, id: number, now: Date) =>
  tx
    .selectFrom('demand')
    .where('id', '=', id)
    .where('status', '=', sql.lit(demandStatus.quoting))
    .where('quoteDeadline', '<=', now.toISOString())
    .select([
      'id',
      'deptId',
      'status',
      'title',
      'demandCode',
      'sealed',
      'quoteDeadline',
      'quoteCount',
      'minQuotes',
      isToldShort.as('isToldShort'),
    ])
    .forNoKeyUpdate()
    .executeTakeFirst()

/** Quotes that nobody confirmed after the terms changed bind nobody, so they end here. */
async function lapseUnconfirmed(work: Work, demand: { id: number; title: string }): Promise<void> {
  const lapsed = await work.db
    .updateTable('quote')
    .set({ status: quoteMoves.lapse.to, updateTime: work.now })
    .where('demandId', '=', demand.id)
    .where('status', '=', quoteStatus.toConfirm)
    .returning(['companyId', 'quoteCode'])
    .execute()
  for (const { companyId, quoteCode } of lapsed)
    await sendMessages(work, {
      to: { companies: [companyId] },
      kind: 'quoteLapsed',
      params: { title: demand.title, code: quoteCode },
      bizType: 'demand',
      bizId: demand.id,
      link: paths.marketDemand(demand.id),
    })
}
