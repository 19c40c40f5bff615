import { sql } from 'kysely'
import { allotMachines, findShortPick } from '#shared/award/allot.ts'
import { AwardInput } from '#shared/award/contract.ts'
import {
  awardRequestStatus,
  passesOverCheaper,
  standingOffer,
  usualLoseReason,
  type AwardRequestStatus,
  type Offer,
  type Pick,
} from '#shared/award/rules.ts'
import { dayMs } from '#shared/calendar.ts'
import { lapseDays, maxPositions } from '#shared/contract/rules.ts'
import { demandMoves, demandStatus } from '#shared/demand/rules.ts'
import { paths } from '#shared/paths.ts'
import { mayBeAwarded } from '#shared/quote/lowest.ts'
import { otherDuties, quoteMoves, quoteStatus } from '#shared/quote/rules.ts'
import type { Tx } from '../db/connect.ts'
import { nextVersion } from '../db/version.ts'
import { violates } from '../db/violations.ts'
import type { Deed } from '../deed.ts'
import { insertEvent, lockDemand, notifyApprovers, notifyOwner, notifyProject, refuseMany } from '../demand/events.ts'
import { takeAwardBack } from '../demand/moves.ts'
import { findItems, linesOf } from '../demand/queries.ts'
import { isApproved, mayApprove } from '../demand/scope.ts'
import { awaitsApproval } from '../demand/todo.ts'
import { bookSlots, freeSlots, lockMachines, refuseCrowded } from '../equipment/bookings.ts'
import { FieldRefusal, Refusal, refuseField } from '../http/refusal.ts'
import { sendMessages } from '../message/queries.ts'
import { compareQuotes } from '../quote/compare.ts'

type Compared = Awaited<ReturnType<typeof compareQuotes>>

/**
 * Awards once, all of it or nothing: one move of the locked demand, the award with its lines, the bookings (guarded by the exclusion
 * constraint), all quotes settled, everybody notified. Where a unit above approves awards, the choice is checked and stored until somebody
 * there decides.
 */
export async function awardDemand(deed: Deed, { id, ...input }: AwardInput & { id: number }) {
  return refusingConflicts(async () => {
    const { db, actor, now } = deed
    const demand = await lockReviewing(deed, id)
    const request = await findWaitingRequest(db, id)
    // Whoever may award without asking decides on the request first.
    if (request?.isAwaited) throw new Refusal('award_waiting')
    if (request) await takeAwardBack(deed, id)
    const choice = await checkChoice(deed, id, input)
    if (await isApproved(db, actor, demand.deptId, 'approves_awards')) {
      const awarded = await carryOut(deed, demand, { ...choice, accountId: actor.accountId })
      const params = { title: demand.title, code: demand.demandCode ?? '' }
      await notifyProject(deed, { deptId: demand.deptId, demandId: id, kind: 'demandAwarded', params })
      return awarded
    }
    await refuseMany(deed, { demandId: id, step: 'submitAward' })
    await db
      .insertInto('awardRequest')
      .values({ demandId: id, accountId: actor.accountId, input: JSON.stringify(input), netFen: choice.netFen, requestTime: now })
      .execute()
    await insertEvent(deed, { demandId: id, accountId: actor.accountId, move: 'awardSubmit', note: noteOf(choice) })
    await notifyApprovers(deed, id, 'awardSubmitted')
    return { awardId: null, status: demand.status }
  })
}

/** Awards what was submitted. The choice is checked anew, because a machine may be gone or a lessor blocked since then. */
export async function approveAward(deed: Deed, { id, requestId }: { id: number; requestId: number }) {
  return refusingConflicts(async () => {
    const demand = await lockReviewing(deed, id)
    const request = await getWaitingRequest(deed, demand, requestId)
    const choice = await checkChoice(deed, id, AwardInput.parse(request.input))
    await decide(deed, request.id, { status: awardRequestStatus.approved, reason: '' })
    // The award itself is recorded under whoever chose.
    await insertEvent(deed, { demandId: id, accountId: deed.actor.accountId, move: 'awardApprove' })
    const awarded = await carryOut(deed, demand, { ...choice, accountId: request.accountId })
    const params = { title: demand.title, code: demand.demandCode ?? '' }
    await notifyOwner(deed, { deptId: demand.deptId, demandId: id, kind: 'awardApproved', params })
    return awarded
  })
}

/** Sends the choice back to its project. */
export async function rejectAward(deed: Deed, { id, requestId, reason }: { id: number; requestId: number; reason: string }): Promise<void> {
  const demand = await lockReviewing(deed, id)
  const request = await getWaitingRequest(deed, demand, requestId)
  await decide(deed, request.id, { status: awardRequestStatus.rejected, reason })
  await insertEvent(deed, { demandId: id, accountId: deed.actor.accountId, move: 'awardReject', note: reason })
  const params = { title: demand.title, code: demand.demandCode ?? '', reason }
  await notifyOwner(deed, { deptId: demand.deptId, demandId: id, kind: 'awardRejected', params })
}

async function lockReviewing(deed: Deed, id: number) {
  const demand = await lockDemand(deed, id)
  if (demand.status !== demandStatus.reviewing)
    throw new Refusal(demand.status === demandStatus.quoting ? 'demand_not_reviewing' : 'demand_changed')
  return demand
}
type Reviewing = Awaited<ReturnType<typeof lockReviewing>>

/**
 * The request that waits for this person's decision; refuses `changed` where it is not the one that they read. Every move of a request holds the demand's
 * lock, so it needs none of its own.
 */
async function getWaitingRequest({ db, actor }: Deed, demand: Reviewing, requestId: number) {
  if (!(await mayApprove(db, actor, demand.deptId, 'approves_awards'))) throw new Refusal('forbidden')
  const request = await findWaitingRequest(db, demand.id)
  if (!request) throw new Refusal('demand_changed')
  if (request.id !== requestId) throw new Refusal('changed')
  return request
}

const findWaitingRequest = (db: Tx, demandId: number) =>
  db
    .selectFrom('awardRequest')
    .innerJoin('demand', 'demand.id', 'demandId')
    .where('demandId', '=', demandId)
    .where('awardRequest.status', '=', sql.lit(awardRequestStatus.waiting))
    .select(['awardRequest.id', 'input', 'awardRequest.accountId', awaitsApproval.as('isAwaited')])
    .executeTakeFirst()

type Decision = { status: AwardRequestStatus; reason: string }

async function decide({ db, actor, now }: Deed, requestId: number, decision: Decision): Promise<void> {
  await db
    .updateTable('awardRequest')
    .set({ ...decision, decidedBy: actor.accountId, decideTime: now })
    .where('id', '=', requestId)
    .execute()
}

/** Checks a choice against the opened offers as they stand today, and computes what it costs. */
async function checkChoice({ db, now }: Deed, demandId: number, input: AwardInput) {
  await lockOffered(db, demandId, input)
  const items = await findItems(db, demandId)
  const compared = await compareQuotes(db, demandId, now)
  const offers = offersOf(compared.quotes.filter(({ status, blocked }) => status === quoteStatus.reviewing && !blocked))
  const picks = checkPicks(input, { items, offers, compared })
  const net = (pick: Pick) => {
    const offer = offers.find(({ quoteLineId }) => quoteLineId === pick.quoteLineId)
    return offer ? Math.round((offer.netFen / offer.qty) * pick.qty) : 0
  }
  const rent = (pick: Pick) => {
    const line = lineOf(pick, compared)
    return line ? Math.round((line.rentFen / line.qty) * pick.qty) : 0
  }
  return { input, items, compared, offers, picks, net, rent, netFen: picks.reduce((sum, pick) => sum + net(pick), 0) }
}
type Choice = Awaited<ReturnType<typeof checkChoice>>

/** Locks the lessors and machines of a choice, so that what is checked holds until it is booked. The order is that of a revocation. */
async function lockOffered(db: Tx, demandId: number, { lines }: AwardInput): Promise<void> {
  const lineIds = lines.map(({ quoteLineId }) => quoteLineId)
  const chosen = sql`quote_line l join quote q on q.id = l.quote_id and q.demand_id = ${demandId} where l.id = any(${lineIds}::bigint[])`
  await sql`select id from company where id in (select q.company_id from ${chosen}) order by id for share`.execute(db)
  await lockMachines(db, sql`any(select m.equipment_id from quote_line_equipment m where m.quote_line_id in (select l.id from ${chosen}))`)
}

const noteOf = ({ picks, items, compared }: Choice) =>
  picks
    .map((pick) => `${items.find((item) => item.id === pick.demandItemId)?.lineNo}：${companyNameOf(compared, pick)} ×${pick.qty}`)
    .join('；')

/** `accountId`: the person who chose, whoever approved it. */
async function carryOut(deed: Deed, demand: Reviewing, choice: Choice & { accountId: number }) {
  const { db, now } = deed
  const { id, title, status } = demand
  const { input, items, compared, offers, picks, net, rent, netFen, accountId } = choice
  const isComplete = items.every((item) => chosenOf(item.id, picks) === item.qty)
  const { to } = isComplete ? demandMoves.award : demandMoves.awardPart
  const award = await db
    .insertInto('award')
    .values({
      demandId: id,
      accountId,
      at: now,
      contractDue: new Date(now.getTime() + lapseDays.unsent * dayMs),
      netFen,
      rentFen: picks.reduce((sum, pick) => sum + rent(pick), 0),
      machines: picks.reduce((sum, { qty }) => sum + qty, 0),
      meanNetFen: picks.reduce((sum, pick) => sum + meanOf(pick, offers), 0),
      ...againstCeilings(choice, demand),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const lines = await db
    .insertInto('awardLine')
    .values(
      input.lines.map((line) => ({
        ...line,
        awardId: award.id,
        companyId: offers.find(({ quoteLineId }) => quoteLineId === line.quoteLineId)?.companyId ?? 0,
        netFen: net(line),
        rentFen: rent(line),
        meanNetFen: meanOf(line, offers),
        againstCeiling: isAgainstCeiling(line, choice, demand),
      })),
    )
    .returning(['id', 'quoteLineId', 'demandItemId', 'qty'])
    .execute()
  await refuseCrowded(
    db,
    lines.reduce((sum, { qty }) => sum + qty, 0),
  )
  const allotted = allotMachines(lines, items, compared.quotes)
  for (const [index, line] of lines.entries()) {
    const item = items.find((one) => one.id === line.demandItemId)
    if (item) await book(deed, line, { item, machines: allotted[index] ?? [] })
  }
  await refuseManyPositions(db, award.id)
  await db.updateTable('demand').set({ status: to, updateTime: now, version: nextVersion }).where('id', '=', id).execute()
  const move = isComplete ? 'award' : 'awardPart'
  await insertEvent(deed, { demandId: id, accountId, move, fromStatus: status, toStatus: to, note: noteOf(choice) })
  await settle(deed, { id, title }, choice)
  return { awardId: award.id, status: to }
}

/** Turns the database's guards against two who want the same at once into refusals; the transaction is lost either way. */
async function refusingConflicts<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (violates(error, 'equipment_booking_overlap')) throw new Refusal('machine_taken')
    if (violates(error, 'award_demand_id_key')) throw new Refusal('demand_changed')
    throw error
  }
}

/**
 * Refuses a choice of a line whose hire is over, or of more machines than an offer still has: since the quote its lessor, its machines or its
 * validity may have changed. The first machine that dropped out gives the reason.
 */
function checkStanding(picks: readonly Pick[], compared: Compared): void {
  for (const { quoteLineId, qty } of picks) {
    const quote = compared.quotes.find(({ lines }) => lines.some(({ id }) => id === quoteLineId))
    const line = quote?.lines.find(({ id }) => id === quoteLineId)
    if (!quote || !line) continue
    if (line.isOver) throw new Refusal('award_hire_over')
    if (quote.bars.length > 0) throw new Refusal('offer_changed')
    if (qty <= line.availableQty) continue
    const out = line.machines.find(({ problem }) => problem !== null)
    if (out?.problem === 'machine_taken') throw new Refusal('machine_taken')
    throw new Refusal(out?.misses.some(({ kind }) => kind === 'papers') ? 'papers_expired' : 'offer_changed')
  }
}

/** The average price of the line's offers, in fen, for as many machines. */
function meanOf(pick: Pick, offers: readonly Offer[]): number {
  const rates = offers.filter(({ demandItemId }) => demandItemId === pick.demandItemId).map(({ netFen, qty }) => netFen / qty)
  return Math.round((rates.reduce((sum, rate) => sum + rate, 0) / Math.max(1, rates.length)) * pick.qty)
}

/** Whether the rent of a choice is held against the ceiling of its line: one for the same unit of time and the same duties. */
function isAgainstCeiling(pick: Pick, { items, compared }: Choice, demand: Reviewing): boolean {
  const line = lineOf(pick, compared)
  const item = items.find(({ id }) => id === pick.demandItemId)
  if (!line || !item || line.ceilingFen === null || line.rentUnit !== item.rentUnit) return false
  const wanted = { operatorWanted: compared.operatorWanted[item.id] ?? false, litresPerShift: compared.litresPerShift[item.id] ?? 0 }
  return otherDuties(line, wanted, demand).length === 0
}

/** The rents awarded that are held against a ceiling, and these ceilings, for one unit of time. */
function againstCeilings(choice: Choice, demand: Reviewing) {
  let [ceilingFen, underCeilingFen] = [0, 0]
  for (const pick of choice.picks) {
    if (!isAgainstCeiling(pick, choice, demand)) continue
    const line = lineOf(pick, choice.compared)
    ceilingFen += (line?.ceilingFen ?? 0) * pick.qty
    underCeilingFen += (line?.unitPriceFen ?? 0) * pick.qty
  }
  return { ceilingFen, underCeilingFen }
}

const lineOf = ({ quoteLineId }: Pick, { quotes }: Compared) => quotes.flatMap(({ lines }) => lines).find(({ id }) => id === quoteLineId)

const chosenOf = (itemId: number, picks: readonly Pick[]) =>
  picks.filter(({ demandItemId }) => demandItemId === itemId).reduce((sum, { qty }) => sum + qty, 0)

/** The lines of these quotes as offers. `checkChoice` leaves out those of blocked lessors before. */
const offersOf = (quotes: Compared['quotes']): Offer[] =>
  quotes.flatMap((quote) =>
    quote.lines.map((line) => ({
      quoteLineId: line.id,
      quoteId: quote.id,
      demandItemId: line.demandItemId,
      companyId: quote.companyId,
      qty: line.qty,
      netFen: line.netFen,
      earliestEntry: line.earliestEntry,
    })),
  )

type Available = {
  items: readonly { id: number; qty: number; planStart: string; planEnd: string }[]
  offers: readonly Offer[]
  compared: Compared
}

function checkPicks(input: AwardInput, { items, offers, compared }: Available): Pick[] {
  const problems = input.lines.flatMap((line, index) => {
    const offer = offers.find(({ quoteLineId }) => quoteLineId === line.quoteLineId)
    return offer?.demandItemId === line.demandItemId ? [] : [{ path: ['lines', index, 'quoteLineId'], rule: 'line_unknown' }]
  })
  if (problems.length > 0) throw new FieldRefusal(problems)
  const picks: Pick[] = input.lines
  const twice = new Set(picks.map(({ quoteLineId }) => quoteLineId)).size !== picks.length
  const tooMany =
    items.some((item) => chosenOf(item.id, picks) > item.qty) ||
    picks.some((pick) => pick.qty > (offers.find(({ quoteLineId }) => quoteLineId === pick.quoteLineId)?.qty ?? 0))
  if (twice || tooMany) throw new Refusal('award_exceeds')
  checkStanding(picks, compared)
  const short = findShortPick(picks, items, compared.quotes)
  if (short) refuseField(['lines', picks.indexOf(short), 'qty'], 'machine_taken')
  const standing = offers.flatMap((offer) => {
    const quote = compared.quotes.find(({ id }) => id === offer.quoteId)
    const line = quote?.lines.find(({ id }) => id === offer.quoteLineId)
    return quote && line && mayBeAwarded(quote, line) ? [standingOffer(offer, line.availableQty)] : []
  })
  // A price above the ceiling needs a reason as well (domain N11).
  const marked = new Set(compared.quotes.flatMap(({ lines }) => lines.filter(({ overCeiling }) => overCeiling).map(({ id }) => id)))
  if (input.lines.some((line) => !line.reason && (passesOverCheaper(line, picks, standing) || marked.has(line.quoteLineId))))
    throw new Refusal('award_reason_needed')
  return picks
}

/** Books the machines of one choice; of a lot, slots that are free in the period. */
async function book(
  { db }: Deed,
  line: { id: number; qty: number },
  { item, machines }: { item: { planStart: string; planEnd: string }; machines: readonly { equipmentId: number; qty: number }[] },
): Promise<void> {
  let open = line.qty
  for (const { equipmentId, qty } of machines) {
    const { totalQty } = await db.selectFrom('equipment').where('id', '=', equipmentId).select('totalQty').executeTakeFirstOrThrow()
    const slots = await freeSlots(db, { equipmentId, totalQty, from: item.planStart, to: item.planEnd, qty })
    if (slots.length < qty) throw new Refusal('machine_taken')
    await bookSlots(db, { equipmentId, slots, from: item.planStart, to: item.planEnd, reason: 'award', awardLineId: line.id })
    open -= qty
  }
  if (open > 0) throw new Refusal('award_exceeds')
}

/** The contract of a lessor has one position for each machine record, and takes so many of them. */
async function refuseManyPositions(db: Tx, awardId: number): Promise<void> {
  const { rows } = await sql`select 1 from award_line a join equipment_booking b on b.award_line_id = a.id
    where a.award_id = ${awardId} group by a.company_id having count(distinct (a.id, b.equipment_id)) > ${maxPositions}`.execute(db)
  if (rows.length > 0) throw new Refusal('award_positions')
}

const companyNameOf = (compared: Compared, pick: Pick) =>
  compared.quotes.find((quote) => quote.lines.some(({ id }) => id === pick.quoteLineId))?.companyName ?? ''

/** Settles all quotes at once, because accepting one offer declines the others, and notifies their lessors. */
async function settle(deed: Deed, demand: { id: number; title: string }, choice: Choice): Promise<void> {
  const { db, now } = deed
  const { input, compared, items, offers, net, rent } = choice
  const opened = offersOf(compared.quotes)
  for (const quote of compared.quotes.filter(({ status }) => status === quoteStatus.reviewing)) {
    const won = input.lines.filter(({ quoteLineId }) => quote.lines.some(({ id }) => id === quoteLineId))
    const reason = input.loseReasons[String(quote.id)] ?? usualLoseReason(quote.id, input.lines, opened)
    await db
      .updateTable('quote')
      .set({
        status: won.length > 0 ? quoteMoves.win.to : quoteMoves.lose.to,
        loseReason: won.length > 0 ? null : reason,
        wonMachines: won.reduce((sum, { qty }) => sum + qty, 0),
        wonNetFen: won.reduce((sum, line) => sum + net(line), 0),
        wonRentFen: won.reduce((sum, line) => sum + rent(line), 0),
        wonMeanFen: won.length > 0 ? won.reduce((sum, line) => sum + meanOf(line, offers), 0) : null,
        updateTime: now,
      })
      .where('id', '=', quote.id)
      .where('status', 'in', quoteMoves.win.from)
      .execute()
    const wonItems = won.flatMap(({ demandItemId, qty }) => items.filter(({ id }) => id === demandItemId).map((item) => ({ ...item, qty })))
    await sendMessages(deed, {
      to: { companies: [quote.companyId] },
      kind: won.length > 0 ? 'quoteWon' : 'quoteLost',
      params: { title: demand.title, code: quote.quoteCode, ...linesOf(wonItems), reason },
      bizType: 'demand',
      bizId: demand.id,
      link: paths.marketDemand(demand.id),
    })
  }
}
