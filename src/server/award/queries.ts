import { sql } from 'kysely'
import { dayOf } from '#shared/calendar.ts'
import { AwardInput } from '#shared/award/contract.ts'
import { passesOverCheaper, type Offer, type Pick } from '#shared/award/rules.ts'
import { demandMoves } from '#shared/demand/rules.ts'
import type { Actor } from '../actor/actor.ts'
import type { Db, Tx } from '../db/connect.ts'
import { insertEvent, lockDemand, tellApprovers, tellOwner } from '../demand/events.ts'
import { findItems } from '../demand/queries.ts'
import { isApproved, mayApprove } from '../demand/scope.ts'
import { freeSlots } from '../equipment/blocks.ts'
import { FieldRefusal, Refusal } from '../http/refusal.ts'
import type { Hub } from '../message/hub.ts'
import { sendMessages } from '../message/queries.ts'
import { compareQuotes } from '../quote/compare.ts'

type Compared = Awaited<ReturnType<typeof compareQuotes>>

/**
 * Awards once: one move of the locked demand, the award with its lines, the bookings (guarded by the exclusion
 * constraint), all quotes settled, everybody told. All of it or nothing. Where a unit above approves awards, the
 * choice is checked and kept until somebody there decides.
 */
export async function awardDemand(db: Db, hub: Hub, actor: Actor, id: number, input: AwardInput, now: Date) {
  return guarded(() =>
    db.transaction().execute(async (tx) => {
      const demand = await judged(tx, actor, id)
      const choice = await checkChoice(tx, id, input, now)
      if (await isApproved(tx, actor, demand.deptId, 'approves_awards')) return carryOut(tx, hub, demand, choice, actor.accountId, now)
      await tx
        .insertInto('awardRequest')
        .values({ demandId: id, accountId: actor.accountId, input: JSON.stringify(input), netFen: choice.netFen, requestTime: now })
        .execute()
      await insertEvent({ db: tx, now }, { demandId: id, accountId: actor.accountId, move: 'awardSubmit', note: noteOf(choice) })
      await tellApprovers({ db: tx, hub, now }, id, 'awardSubmitted')
      return { awardId: null, status: demand.status }
    }),
  )
}

/** The choice is checked anew: a machine may be gone, a lessor blocked, since it was submitted. */
export async function approveAward(db: Db, hub: Hub, actor: Actor, id: number, now: Date) {
  return guarded(() =>
    db.transaction().execute(async (tx) => {
      const demand = await judged(tx, actor, id)
      const request = await waitingRequest(tx, actor, demand)
      const choice = await checkChoice(tx, id, AwardInput.parse(request.input), now)
      await decide(tx, actor, request.id, '2', '', now)
      return carryOut(tx, hub, demand, choice, request.accountId, now)
    }),
  )
}

export async function rejectAward(db: Db, hub: Hub, actor: Actor, id: number, reason: string, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const demand = await judged(tx, actor, id)
    const request = await waitingRequest(tx, actor, demand)
    await decide(tx, actor, request.id, '3', reason, now)
    await insertEvent({ db: tx, now }, { demandId: id, accountId: actor.accountId, move: 'awardReject', note: reason })
    await tellOwner(
      { db: tx, hub, now },
      {
        deptId: demand.deptId,
        demandId: id,
        kind: 'awardRejected',
        params: { title: demand.title, code: demand.demandCode ?? '', reason },
      },
    )
  })
}

async function judged(tx: Tx, actor: Actor, id: number) {
  const demand = await lockDemand({ db: tx, actor }, id)
  if (demand.status !== demandMoves.award.from[0]) throw new Refusal(demand.status === '3' ? 'demand_not_judging' : 'demand_changed')
  return demand
}
type Judged = Awaited<ReturnType<typeof judged>>

async function waitingRequest(tx: Tx, actor: Actor, demand: Judged) {
  if (!(await mayApprove(tx, actor, demand.deptId, 'approves_awards'))) throw new Refusal('forbidden')
  const request = await tx
    .selectFrom('awardRequest')
    .where('demandId', '=', demand.id)
    .where('status', '=', '1')
    .select(['id', 'input', 'accountId'])
    .executeTakeFirst()
  if (!request) throw new Refusal('demand_changed')
  return request
}

async function decide(tx: Tx, actor: Actor, id: number, status: '2' | '3', reason: string, now: Date): Promise<void> {
  await tx.updateTable('awardRequest').set({ status, reason, decidedBy: actor.accountId, decideTime: now }).where('id', '=', id).execute()
}

async function checkChoice(tx: Tx, demandId: number, input: AwardInput, now: Date) {
  const items = await findItems(tx, demandId)
  const compared = await compareQuotes(tx, demandId, now)
  const offers = offersOf(compared)
  const picks = checkPicks(input, items, offers, compared)
  checkPapers(picks, compared, dayOf(now))
  const net = (pick: Pick) => {
    const offer = offers.find(({ quoteLineId }) => quoteLineId === pick.quoteLineId)
    return offer ? Math.round((offer.netFen / offer.qty) * pick.qty) : 0
  }
  return { input, items, compared, offers, picks, net, netFen: picks.reduce((sum, pick) => sum + net(pick), 0) }
}
type Choice = Awaited<ReturnType<typeof checkChoice>>

const noteOf = ({ picks, items, compared }: Choice) =>
  picks
    .map((pick) => `${items.find((item) => item.id === pick.demandItemId)?.lineNo}: ${companyNameOf(compared, pick)} ×${pick.qty}`)
    .join('; ')

async function carryOut(tx: Tx, hub: Hub, demand: Judged, choice: Choice, accountId: number, now: Date) {
  const { id } = demand
  const { input, items, compared, offers, picks, net, netFen } = choice
  const complete = items.every((item) => chosenOf(item.id, picks) === item.qty)
  const { to } = complete ? demandMoves.award : demandMoves.awardPart
  const award = await tx
    .insertInto('award')
    .values({
      demandId: id,
      accountId,
      at: now,
      netFen,
      machines: picks.reduce((sum, { qty }) => sum + qty, 0),
      meanNetFen: picks.reduce((sum, pick) => sum + meanOf(pick, offers), 0),
      ...againstCeilings(choice),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const lines = await tx
    .insertInto('awardLine')
    .values(
      input.lines.map((line) => ({
        ...line,
        awardId: award.id,
        companyId: offers.find(({ quoteLineId }) => quoteLineId === line.quoteLineId)?.companyId ?? 0,
        netFen: net(line),
        meanNetFen: meanOf(line, offers),
      })),
    )
    .returning(['id', 'quoteLineId', 'demandItemId', 'qty'])
    .execute()
  for (const line of lines) {
    const item = items.find((one) => one.id === line.demandItemId)
    if (item) await book(tx, line, item, compared)
  }
  await tx
    .updateTable('demand')
    .set((eb) => ({ status: to, updateTime: now, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
  await insertEvent(
    { db: tx, now },
    { demandId: id, accountId, move: complete ? 'award' : 'awardPart', fromStatus: '4', toStatus: to, note: noteOf(choice) },
  )
  await settle(tx, hub, { id, title: demand.title }, choice, now)
  return { awardId: award.id, status: to as string }
}

/** What the constraints say when two want the same at once. */
async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { constraint } = error as { constraint?: string }
    if (constraint === 'equipment_booking_overlap') throw new Refusal('machine_taken')
    if (constraint === 'award_demand_id_key') throw new Refusal('demand_changed')
    if (constraint === 'award_request_waiting') throw new Refusal('award_waiting')
    throw error
  }
}

/** Papers must last as long as the hire: one that has already ended lets nobody award the machine, promise or not. */
function checkPapers(picks: readonly Pick[], compared: Compared, today: string): void {
  const lines = compared.quotes.flatMap((quote) => quote.lines)
  const ended = picks.some((pick) =>
    lines.find(({ id }) => id === pick.quoteLineId)?.machines.some(({ papersTo }) => papersTo !== null && papersTo < today),
  )
  if (ended) throw new Refusal('papers_expired')
}

/** What the offers of the line cost on average, for as many machines. */
function meanOf(pick: Pick, offers: readonly Offer[]): number {
  const rates = offers.filter(({ demandItemId }) => demandItemId === pick.demandItemId).map(({ netFen, qty }) => netFen / qty)
  return Math.round((rates.reduce((sum, rate) => sum + rate, 0) / Math.max(1, rates.length)) * pick.qty)
}

/** The rents awarded and their ceilings, for one unit of time, of the lines that had one in the same unit. */
function againstCeilings({ picks, items, compared }: Choice) {
  let [ceilingFen, underCeilingFen] = [0, 0]
  for (const pick of picks) {
    const line = compared.quotes.flatMap(({ lines }) => lines).find(({ id }) => id === pick.quoteLineId)
    const item = items.find(({ id }) => id === pick.demandItemId)
    if (!line || !item || line.ceiling === null || line.rentUnit !== item.rentUnit) continue
    ceilingFen += line.ceiling * pick.qty
    underCeilingFen += line.unitPriceFen * pick.qty
  }
  return { ceilingFen, underCeilingFen }
}

const chosenOf = (itemId: number, picks: readonly Pick[]) =>
  picks.filter(({ demandItemId }) => demandItemId === itemId).reduce((sum, { qty }) => sum + qty, 0)

/** What may be chosen: opened offers of lessors who are not blocked. */
function offersOf(compared: Compared): Offer[] {
  return compared.quotes
    .filter(({ status, blocked }) => status === '4' && !blocked)
    .flatMap((quote) =>
      quote.lines.map((line) => ({
        quoteLineId: line.id,
        quoteId: quote.id,
        demandItemId: line.demandItemId,
        companyId: quote.companyId,
        qty: line.qty,
        netFen: line.netCost,
        earliestEntry: line.earliestEntry,
      })),
    )
}

function checkPicks(
  input: AwardInput,
  items: readonly { id: number; qty: number }[],
  offers: readonly Offer[],
  compared: Compared,
): Pick[] {
  const problems = input.lines.flatMap((line, index) => {
    const offer = offers.find(({ quoteLineId }) => quoteLineId === line.quoteLineId)
    if (!offer || offer.demandItemId !== line.demandItemId) return [{ path: ['lines', index, 'quoteLineId'], rule: 'line_unknown' }]
    return []
  })
  if (problems.length > 0) throw new FieldRefusal(problems)
  const picks: Pick[] = input.lines
  const twice = new Set(picks.map(({ quoteLineId }) => quoteLineId)).size !== picks.length
  const tooMany =
    items.some((item) => chosenOf(item.id, picks) > item.qty) ||
    picks.some((pick) => pick.qty > (offers.find(({ quoteLineId }) => quoteLineId === pick.quoteLineId)?.qty ?? 0))
  if (twice || tooMany) throw new Refusal('award_exceeds')
  // Above the ceiling needs a reason as well (domain N11).
  const marked = new Set(compared.quotes.flatMap(({ lines }) => lines.filter(({ overCeiling }) => overCeiling).map(({ id }) => id)))
  if (input.lines.some((line) => !line.reason && (passesOverCheaper(line, picks, offers) || marked.has(line.quoteLineId))))
    throw new Refusal('award_reason_needed')
  return picks
}

/** Books the first machines of the offer; of a lot, slots that are free in the period. */
async function book(
  tx: Tx,
  line: { id: number; quoteLineId: number; qty: number },
  item: { planStart: string; planEnd: string },
  compared: Compared,
): Promise<void> {
  const machines = compared.quotes.flatMap((quote) => quote.lines).find(({ id }) => id === line.quoteLineId)?.machines ?? []
  let open = line.qty
  for (const { equipmentId, qty } of machines) {
    const wanted = Math.min(open, qty)
    if (wanted === 0) break
    // Awards of the same machine wait here for each other, so that a lot's free slots are counted once.
    const { totalQty } = await tx
      .selectFrom('equipment')
      .where('id', '=', equipmentId)
      .select('totalQty')
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    const slots = await freeSlots(tx, { id: equipmentId, totalQty }, item.planStart, item.planEnd, wanted)
    if (slots.length < wanted) throw new Refusal('machine_taken')
    for (const slot of slots)
      await sql`insert into equipment_booking (equipment_id, slot, period, reason, award_line_id)
        values (${equipmentId}, ${slot}, daterange(${item.planStart}::date, ${item.planEnd}::date), 'award', ${line.id})`.execute(tx)
    open -= wanted
  }
  if (open > 0) throw new Refusal('award_exceeds')
}

const companyNameOf = (compared: Compared, pick: Pick) =>
  compared.quotes.find((quote) => quote.lines.some(({ id }) => id === pick.quoteLineId))?.companyName ?? ''

/** Winners and losers at once: accepting one offer settles the others. */
async function settle(tx: Tx, hub: Hub, demand: { id: number; title: string }, choice: Choice, now: Date): Promise<void> {
  const { input, compared, items, offers, net } = choice
  for (const quote of compared.quotes.filter(({ status }) => status === '4')) {
    const won = input.lines.filter(({ quoteLineId }) => quote.lines.some(({ id }) => id === quoteLineId))
    const reason = input.loseReasons[String(quote.id)] ?? 'price'
    await tx
      .updateTable('quote')
      .set({
        status: won.length > 0 ? '6' : '8',
        loseReason: won.length > 0 ? null : reason,
        wonMachines: won.reduce((sum, { qty }) => sum + qty, 0),
        wonNetFen: won.reduce((sum, line) => sum + net(line), 0),
        wonMeanFen: won.length > 0 ? won.reduce((sum, line) => sum + meanOf(line, offers), 0) : null,
        updateTime: now,
      })
      .where('id', '=', quote.id)
      .where('status', '=', '4')
      .execute()
    const lines = won.map(({ demandItemId, qty }) => `${items.find(({ id }) => id === demandItemId)?.categoryName} ×${qty}`).join('、')
    await sendMessages(
      { db: tx, hub, now },
      {
        to: { companies: [quote.companyId] },
        kind: won.length > 0 ? 'quoteWon' : 'quoteLost',
        params: { title: demand.title, code: quote.quoteCode, lines, reason },
        bizType: 'demand',
        bizId: demand.id,
        link: `/workbench/crequirement/detail?id=${demand.id}`,
      },
    )
  }
}
