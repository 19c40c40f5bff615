import { sql } from 'kysely'
import { dayOf, fromMoment } from '#shared/calendar.ts'
import { demandStatus } from '#shared/demand/rules.ts'
import type { QuoteInput } from '#shared/quote/contract.ts'
import { changeableQuotes, maxOffers, quoteMoves, quoteStatus, type QuoteBar } from '#shared/quote/rules.ts'
import type { RefusalCode } from '#shared/refusals.ts'
import { delFlag, yesNo } from '#shared/rules.ts'
import { holdOwnAccount, type Actor } from '../actor/actor.ts'
import { companyOf } from '../actor/scope.ts'
import { randomCode } from '../db/codes.ts'
import { nextVersion } from '../db/version.ts'
import { violates } from '../db/violations.ts'
import type { Deed } from '../deed.ts'
import { insertEvent, notifyOwner } from '../demand/events.ts'
import { Refusal } from '../http/refusal.ts'
import { contactOf, sealContact } from '../seal/contacts.ts'
import { seal, unseal } from '../seal/offer.ts'
import { offerItems } from './candidates.ts'
import { barFor, selectDemandHead } from './market.ts'
import { checkOffer } from './offer-check.ts'

const refusalOfBar: Record<QuoteBar, RefusalCode> = {
  not_certified: 'not_certified',
  blacklisted: 'blacklisted',
  own_company: 'own_company',
  not_invited: 'not_invited',
  demand_not_open: 'demand_not_open',
  deadline_passed: 'deadline_passed',
  no_machine: 'shelf_blocked',
}

type Receipt = { id: number; quoteCode: string; sealHash: string }

/** Quotes a demand: the offer is stored sealed, and the lessor gets the SHA-256 of its text as a receipt. */
export async function submitQuote(deed: Deed, input: QuoteInput): Promise<Receipt> {
  const { demandId } = input
  const head = await openDemandOf(deed, demandId)
  refuseOtherRevision(head, input)
  await checkOffer(deed, head, input)
  const quoteCode = randomCode('BJ', deed.now)
  const { sealed, hash } = seal(deed.secret, demandId, { note: input.note, lines: input.lines })
  const { revision, quoteDeadline } = head
  const quote = await storeQuote(deed, input, { quoteCode, sealed, hash, revision, quoteDeadline })
  if (!quote) {
    await openDemandOf(deed, demandId)
    await holdOwnAccount(deed.db, deed.actor.accountId)
    throw new Refusal('demand_changed')
  }
  if (quote.offers > maxOffers) throw new Refusal('offer_limit')
  const sealedFlag = head.sealed ? yesNo.yes : yesNo.no
  const params = { title: head.title, code: head.demandCode ?? '', count: String(quote.count), sealed: sealedFlag }
  await notifyOwner(deed, { deptId: head.deptId, demandId, kind: 'quoteReceived', params })
  return { id: quote.id, quoteCode, sealHash: hash }
}

type Stored = { quoteCode: string; sealed: Buffer; hash: string; revision: number; quoteDeadline: string | null }

/**
 * Stores the quote, its event and the demand's new count, if the demand is still open at the revision and with the deadline that were checked: a
 * later one asks quotes to bind longer. The demand is locked only by this statement, so the check of an offer keeps nobody else from quoting. After the
 * demand it holds the caller's account, as `holdOwnAccount` does.
 * Refuses `quote_exists` for a second live quote.
 */
async function storeQuote({ db, actor, now, secret }: Deed, input: QuoteInput, stored: Stored) {
  const { quoteCode, sealed, hash, revision, quoteDeadline } = stored
  try {
    const { rows } = await sql<{ id: number; count: number; offers: number }>`
      with moment as (select ${now.toISOString()}::timestamptz as at),
      counted as (
        update demand set quote_count = quote_count + 1
        where id = ${input.demandId} and status = ${sql.lit(demandStatus.quoting)} and quote_deadline > (select at from moment)
          and revision = ${revision} and date_trunc('second', quote_deadline) = ${quoteDeadline && fromMoment(quoteDeadline).toISOString()}
        returning id, quote_count),
      held as (
        select id from account where id = ${actor.accountId} and del_flag = ${sql.lit(delFlag.present)}
          and (select count(*) from counted) > 0 for share),
      stored as (
        insert into quote (demand_id, demand_revision, quote_code, company_id, account_id, sealed_contact, status,
          sealed_offer, seal_hash, submit_time, create_time, update_time)
        select counted.id, ${revision}, ${quoteCode}, ${companyOf(actor)}, held.id, ${sealContact(secret, input.demandId, input)}::bytea,
          ${sql.lit(quoteStatus.quoted)}, ${sealed}::bytea, ${hash}, at, at, at from counted, held, moment
        returning id, demand_id),
      chained as (
        insert into demand_event (demand_id, quote_id, account_id, move, note, digest, at)
        select demand_id, id, ${actor.accountId}, 'quote', '', ${hash}, at from stored, moment)
      select stored.id, quote_count as count, 1 + (${offersOf(actor, input.demandId)}) as offers from stored, counted`.execute(db)
    return rows[0]
  } catch (error) {
    if (violates(error, 'quote_live')) throw new Refusal('quote_exists')
    throw error
  }
}

/** Replaces the own quote with a new offer, which gets a receipt of its own. */
export async function changeQuote(deed: Deed, input: QuoteInput & { id: number; version: number }): Promise<Receipt> {
  const { db, actor, now, secret } = deed
  const { id, demandId } = input
  const own = await getOwnQuote(deed, id)
  if (own.demandId !== demandId) throw new Refusal('not_found')
  const head = await lockOpenDemand(deed, demandId)
  refuseOtherRevision(head, input)
  await checkOffer(deed, head, input)
  // Read under the lock of the demand, which an amendment takes as well.
  const before = await db.selectFrom('quote').where('id', '=', id).select('status').executeTakeFirstOrThrow()
  const { sealed, hash } = seal(secret, demandId, { note: input.note, lines: input.lines })
  const quote = await db
    .updateTable('quote')
    .set({
      demandRevision: head.revision,
      contactName: null,
      contactPhone: null,
      validUntil: null,
      sealedContact: sealContact(secret, demandId, input),
      status: quoteMoves.change.to,
      sealedOffer: sealed,
      sealHash: hash,
      submitTime: now,
      updateTime: now,
      version: nextVersion,
    })
    .where('id', '=', id)
    .where('version', '=', input.version)
    .where('status', 'in', quoteMoves.change.from)
    .returning(['id', 'quoteCode'])
    .executeTakeFirst()
  if (!quote) throw new Refusal('quote_changed')
  await insertEvent(deed, { demandId, quoteId: id, accountId: actor.accountId, move: 'change', digest: hash })
  // What the owner's own change asks for is never one too many: unanswered, the quote would lapse.
  if (before.status !== quoteStatus.toConfirm) await refuseTooMany(deed, demandId)
  return { ...quote, sealHash: hash }
}

/** An offer is for the lines and terms that its lessor read, so one for another revision is refused. A client that offers may leave it out. */
function refuseOtherRevision(head: { revision: number }, { demandRevision = head.revision }: Pick<QuoteInput, 'demandRevision'>): void {
  if (demandRevision !== head.revision) throw new Refusal('demand_amended')
}

/**
 * Refuses the offer that is one too many for this lessor and demand, once it is stored: from then on the demand is locked, so that offers sent
 * at once are all counted.
 */
async function refuseTooMany({ db, actor }: Deed, demandId: number): Promise<void> {
  const { rows } = await offersOf(actor, demandId).execute(db)
  if ((rows[0]?.offers ?? 0) > maxOffers) throw new Refusal('offer_limit')
}

/**
 * How many offers the caller's company has made for a demand, changed ones included. Beside a new quote it counts those that were there when
 * the statement began, which are all: a second live quote of the company is refused.
 */
const offersOf = (actor: Actor, demandId: number) =>
  sql<{ offers: number }>`select count(*)::int as offers from demand_event where demand_id = ${demandId}
    and move in ('quote', 'change') and quote_id in (select id from quote where demand_id = ${demandId} and company_id = ${companyOf(actor)})`

/** Stands by the own quote after the demand was amended; the offer is checked against the demand as it is now, which its lessor has read. */
export async function confirmQuote(
  deed: Deed,
  { id, version, demandRevision }: { id: number; version: number; demandRevision: number },
): Promise<void> {
  const { db, actor, now, secret } = deed
  const { demandId, sealedOffer, ...quote } = await getOwnQuote(deed, id)
  const { validUntil } = contactOf(secret, { demandId, ...quote })
  const head = await lockOpenDemand(deed, demandId)
  refuseOtherRevision(head, { demandRevision })
  await checkOffer(deed, head, { validUntil, ...unseal(secret, demandId, sealedOffer) })
  const { numUpdatedRows } = await db
    .updateTable('quote')
    .set({ status: quoteMoves.confirm.to, demandRevision: head.revision, updateTime: now, version: nextVersion })
    .where('id', '=', id)
    .where('status', 'in', quoteMoves.confirm.from)
    .where('version', '=', version)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Refusal('quote_changed')
  await insertEvent(deed, { demandId, quoteId: id, accountId: actor.accountId, move: 'confirm' })
}

/** Takes the own quote back until the deadline. */
export async function withdrawQuote(deed: Deed, id: number): Promise<void> {
  const { db, actor, now } = deed
  const { demandId } = await getOwnQuote(deed, id)
  const head = await db
    .selectFrom('demand')
    .where('id', '=', demandId)
    .select(['status', 'quoteDeadline', 'deptId', 'title', 'demandCode'])
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  if (head.status !== demandStatus.quoting || head.quoteDeadline === null || fromMoment(head.quoteDeadline) <= now)
    throw new Refusal('deadline_passed')
  const { numUpdatedRows } = await db
    .updateTable('quote')
    .set({ status: quoteMoves.withdraw.to, updateTime: now, version: nextVersion })
    .where('id', '=', id)
    .where('status', 'in', changeableQuotes)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Refusal('quote_changed')
  const { quoteCount } = await db
    .updateTable('demand')
    .set((eb) => ({ quoteCount: eb('quoteCount', '-', 1) }))
    .where('id', '=', demandId)
    .returning('quoteCount')
    .executeTakeFirstOrThrow()
  await insertEvent(deed, { demandId, quoteId: id, accountId: actor.accountId, move: 'withdraw' })
  const params = { title: head.title, code: head.demandCode ?? '', count: String(quoteCount) }
  await notifyOwner(deed, { deptId: head.deptId, demandId, kind: 'quoteWithdrawn', params })
}

/** A quote of the caller's company. A quote never leaves its company or its demand, so later statements need only its id. */
async function getOwnQuote({ db, actor }: Deed, id: number) {
  const quote = await db
    .selectFrom('quote')
    .where('id', '=', id)
    .where('companyId', '=', companyOf(actor))
    .select(['demandId', 'sealedOffer', 'sealedContact', 'contactName', 'contactPhone', 'validUntil'])
    .executeTakeFirst()
  if (!quote) throw new Refusal('not_found')
  return quote
}

/** Locks the demand, so that an opening and a quote cannot cross: a quote that was acknowledged is opened. */
async function lockOpenDemand(deed: Deed, demandId: number) {
  await deed.db.selectFrom('demand').where('id', '=', demandId).select('id').forNoKeyUpdate().executeTakeFirst()
  return openDemandOf(deed, demandId)
}

/** A demand that the caller's company may quote now, with its lines; refuses for the first reason against it. */
async function openDemandOf({ db, actor, now }: Deed, demandId: number) {
  const companyId = companyOf(actor)
  const head = await selectDemandHead(db, { id: demandId, companyId, today: dayOf(now) })
    .select(offerItems.as('items'))
    .executeTakeFirst()
  if (!head) throw new Refusal('not_found')
  // The offer's machines are checked line by line afterwards, so here it counts as having one.
  const bar = barFor(head, { companyId, machines: 1, now })
  if (bar) throw new Refusal(refusalOfBar[bar])
  return head
}
