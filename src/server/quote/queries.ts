import { sql } from 'kysely'
import { addDays, dayOf, fromMoment } from '#shared/calendar.ts'
import type { OwnQuote, QuoteInput } from '#shared/quote/contract.ts'
import { canBeQuoted, giveUpHours, type QuoteBar } from '#shared/quote/rules.ts'
import type { z } from 'zod'
import type { Actor } from '../actor/actor.ts'
import { companyOf } from '../actor/scope.ts'
import type { Db, Read, Tx } from '../db/connect.ts'
import { nextCode } from '../db/codes.ts'
import { insertEvent, tellOwner } from '../demand/events.ts'
import { FieldRefusal, Refusal } from '../http/refusal.ts'
import type { RefusalCode } from '#shared/refusals.ts'
import type { Hub } from '../message/hub.ts'
import { findMachines, offerItems, type OfferItem } from './candidates.ts'
import { barFor, selectDemandHead } from './market.ts'
import { seal, unseal } from './seal.ts'

/** Days past the deadline for which a quote must bind. */
export const validDays = 15

const refusalOfBar: Record<QuoteBar, RefusalCode> = {
  not_certified: 'not_certified',
  blacklisted: 'blacklisted',
  own_company: 'own_company',
  not_invited: 'not_invited',
  demand_not_open: 'demand_not_open',
  deadline_passed: 'deadline_passed',
  no_machine: 'shelf_blocked',
}

type Outside = { hub: Hub; secret: string }
type Problem = { path: (string | number)[]; rule: string }

export async function submitQuote(db: Db, outside: Outside, actor: Actor, input: QuoteInput, now: Date) {
  const companyId = companyOf(actor)
  const head = await openDemandOf(db, input.demandId, companyId, now)
  await checkOffer(db, companyId, head, input, now)
  const quoteCode = await nextCode(db, 'BJ', dayOf(now))
  const { sealed, hash } = seal(outside.secret, input.demandId, { note: input.note, lines: input.lines })
  try {
    return await db.transaction().execute(async (tx) => {
      // What was checked before still holds, or nothing is stored.
      const { rows } = await sql<{ id: number; count: number }>`
        with moment as (select ${now.toISOString()}::timestamptz as at),
        counted as (
          update demand set quote_count = quote_count + 1
          where id = ${input.demandId} and status = '3' and quote_deadline > (select at from moment) and revision = ${head.revision}
          returning id, quote_count),
        stored as (
          insert into quote (demand_id, demand_revision, quote_code, company_id, account_id, contact_name, contact_phone, valid_until, status,
            sealed_offer, seal_hash, submit_time, create_time, update_time)
          select id, ${head.revision}, ${quoteCode}, ${companyId}, ${actor.accountId}, ${input.contactName}, ${input.contactPhone},
            ${input.validUntil}::date, '1', ${sealed}::bytea, ${hash}, at, at, at from counted, moment
          returning id, demand_id),
        chained as (
          insert into demand_event (demand_id, quote_id, account_id, move, note, digest, at)
          select demand_id, id, ${actor.accountId}, 'quote', '', ${hash}, at from stored, moment)
        select stored.id, quote_count as count from stored, counted`.execute(tx)
      const [quote] = rows
      if (!quote) {
        await openDemandOf(tx, input.demandId, companyId, now)
        throw new Refusal('demand_changed')
      }
      await tellOwner(
        { db: tx, hub: outside.hub, now },
        {
          deptId: head.deptId,
          demandId: input.demandId,
          kind: 'quoteReceived',
          params: { title: head.title, code: head.demandCode ?? '', count: String(quote.count), sealed: head.sealed ? '1' : '0' },
        },
      )
      return { id: quote.id, quoteCode, sealHash: hash }
    })
  } catch (error) {
    if ((error as { constraint?: string }).constraint === 'quote_live') throw new Refusal('quote_exists')
    throw error
  }
}

export async function changeQuote(db: Db, outside: Outside, actor: Actor, input: QuoteInput & { id: number; version: number }, now: Date) {
  const companyId = companyOf(actor)
  return db.transaction().execute(async (tx) => {
    const known = await tx
      .selectFrom('quote')
      .where('id', '=', input.id)
      .where('companyId', '=', companyId)
      .where('demandId', '=', input.demandId)
      .select('id')
      .executeTakeFirst()
    if (!known) throw new Refusal('not_found')
    const head = await lockedDemand(tx, input.demandId, companyId, now)
    await checkOffer(tx, companyId, head, input, now)
    const { sealed, hash } = seal(outside.secret, input.demandId, { note: input.note, lines: input.lines })
    const quote = await tx
      .updateTable('quote')
      .set((eb) => ({
        demandRevision: head.revision,
        contactName: input.contactName,
        contactPhone: input.contactPhone,
        validUntil: input.validUntil,
        status: '1',
        sealedOffer: sealed,
        sealHash: hash,
        submitTime: now,
        updateTime: now,
        version: eb('version', '+', 1),
      }))
      .where('id', '=', input.id)
      .where('companyId', '=', companyId)
      .where('version', '=', input.version)
      .where('status', 'in', ['1', '3'])
      .returning(['id', 'quoteCode'])
      .executeTakeFirst()
    if (!quote) throw new Refusal('quote_changed')
    await insertEvent(
      { db: tx, now },
      { demandId: input.demandId, quoteId: quote.id, accountId: actor.accountId, move: 'change', digest: hash },
    )
    return { id: quote.id, quoteCode: quote.quoteCode, sealHash: hash }
  })
}

export async function confirmQuote(db: Db, secret: string, actor: Actor, id: number, version: number, now: Date): Promise<void> {
  const companyId = companyOf(actor)
  await db.transaction().execute(async (tx) => {
    const known = await tx
      .selectFrom('quote')
      .where('id', '=', id)
      .where('companyId', '=', companyId)
      .select(['demandId', 'sealedOffer', 'contactName', 'contactPhone', 'validUntil'])
      .executeTakeFirst()
    if (!known) throw new Refusal('not_found')
    const head = await lockedDemand(tx, known.demandId, companyId, now)
    const { sealedOffer, ...quote } = known
    await checkOffer(tx, companyId, head, { ...quote, ...unseal(secret, known.demandId, sealedOffer) }, now)
    const { numUpdatedRows } = await tx
      .updateTable('quote')
      .set((eb) => ({ status: '1', demandRevision: head.revision, updateTime: now, version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .where('status', '=', '3')
      .where('version', '=', version)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new Refusal('quote_changed')
    await insertEvent({ db: tx, now }, { demandId: known.demandId, quoteId: id, accountId: actor.accountId, move: 'confirm' })
  })
}

export async function withdrawQuote(db: Db, outside: Outside, actor: Actor, id: number, now: Date): Promise<void> {
  const companyId = companyOf(actor)
  await db.transaction().execute(async (tx) => {
    const known = await tx.selectFrom('quote').where('id', '=', id).where('companyId', '=', companyId).select('demandId').executeTakeFirst()
    if (!known) throw new Refusal('not_found')
    const head = await tx
      .selectFrom('demand')
      .where('id', '=', known.demandId)
      .select(['status', 'quoteDeadline', 'deptId', 'title', 'demandCode'])
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    if (head.status !== '3' || head.quoteDeadline === null || fromMoment(head.quoteDeadline) <= now) throw new Refusal('deadline_passed')
    const { numUpdatedRows } = await tx
      .updateTable('quote')
      .set((eb) => ({ status: '2', updateTime: now, version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .where('companyId', '=', companyId)
      .where('status', 'in', ['1', '3'])
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new Refusal('quote_changed')
    const { quoteCount } = await tx
      .updateTable('demand')
      .set((eb) => ({ quoteCount: eb('quoteCount', '-', 1) }))
      .where('id', '=', known.demandId)
      .returning('quoteCount')
      .executeTakeFirstOrThrow()
    await insertEvent({ db: tx, now }, { demandId: known.demandId, quoteId: id, accountId: actor.accountId, move: 'withdraw' })
    await tellOwner(
      { db: tx, hub: outside.hub, now },
      {
        deptId: head.deptId,
        demandId: known.demandId,
        kind: 'quoteWithdrawn',
        params: { title: head.title, code: head.demandCode ?? '', count: String(quoteCount) },
      },
    )
  })
}

/** Locks the demand, so that an opening and a quote cannot cross: a quote acknowledged is a quote opened. */
async function lockedDemand(tx: Tx, demandId: number, companyId: number, now: Date) {
  await tx.selectFrom('demand').where('id', '=', demandId).select('id').forNoKeyUpdate().executeTakeFirst()
  return openDemandOf(tx, demandId, companyId, now)
}

/** A demand that the company may quote now, with its lines. */
async function openDemandOf(db: Read, demandId: number, companyId: number, now: Date) {
  const head = await selectDemandHead(db, { id: demandId, companyId, today: dayOf(now) })
    .select(offerItems.as('items'))
    .executeTakeFirst()
  if (!head) throw new Refusal('not_found')
  // Machines are checked line by line below.
  const bar = barFor(head, companyId, 1, now)
  if (bar) throw new Refusal(refusalOfBar[bar])
  return head
}

async function checkOffer(
  tx: Read,
  companyId: number,
  head: { deptId: number; quoteDeadline: string | null; items: readonly OfferItem[] },
  input: QuoteInput,
  now: Date,
): Promise<void> {
  const problems: Problem[] = []
  const { items } = head
  const categories = new Map(items.map(({ categoryId, params, flags }) => [categoryId, { params, flags }]))
  const candidates = await findMachines(tx, companyId, head.deptId, items, categories, now)
  if (head.quoteDeadline && input.validUntil < addDays(head.quoteDeadline.slice(0, 10), validDays))
    problems.push({ path: ['validUntil'], rule: 'valid_until' })
  const seenItems = new Set<number>()
  const usedMachines = new Map<number, number>()
  input.lines.forEach((line, index) => {
    const at = (field: string): (string | number)[] => ['lines', index, field]
    const item = items.find(({ id }) => id === line.demandItemId)
    if (!item || seenItems.has(line.demandItemId)) {
      problems.push({ path: at('demandItemId'), rule: 'item_unknown' })
      return
    }
    seenItems.add(item.id)
    const known = candidates[String(item.id)] ?? []
    let qty = 0
    let papersShort = false
    for (const { equipmentId, qty: wanted } of line.machines) {
      const machine = known.find(({ id }) => id === equipmentId)
      if (!machine) problems.push({ path: at('machines'), rule: 'machine_unknown' })
      else if (machine.misses.some(({ kind }) => kind === 'taken') || wanted > machine.freeQty)
        problems.push({ path: at('machines'), rule: 'machine_taken' })
      else if (!canBeQuoted(machine.misses)) problems.push({ path: at('machines'), rule: 'machine_unfit' })
      else papersShort ||= machine.shortPapers.length > 0
      const used = (usedMachines.get(equipmentId) ?? 0) + wanted
      usedMachines.set(equipmentId, used)
      if (machine && used > machine.totalQty) problems.push({ path: at('machines'), rule: 'machine_twice' })
      qty += wanted
    }
    if (qty > item.qty) problems.push({ path: at('machines'), rule: 'machine_few' })
    if (papersShort && !line.promisesRenewal) problems.push({ path: at('promisesRenewal'), rule: 'papers_short' })
    if (line.rentUnit !== item.rentUnit && item.estQuantity === null && ['V', 'L', 'P'].includes(line.rentUnit))
      problems.push({ path: at('rentUnit'), rule: 'quantity_needed' })
    if (item.ceiling !== null && line.rentUnit === item.rentUnit && line.unitPrice > item.ceiling && !line.ceilingReason)
      problems.push({ path: at('ceilingReason'), rule: 'ceiling_reason' })
  })
  if (problems.length > 0) throw new FieldRefusal(problems)
}

/** `shown`: only where the demand shows its ceilings to lessors. */
export async function findCeilings(db: Read, demandId: number, shown = false): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('demandItem')
    .where('demandId', '=', demandId)
    .where('priceCeilingFen', 'is not', null)
    .innerJoin('demand', 'demand.id', 'demandItem.demandId')
    .$if(shown, (query) => query.where('demand.showCeiling', '=', true))
    .select(['demandItem.id', 'priceCeilingFen'])
    .execute()
  return Object.fromEntries(rows.map(({ id, priceCeilingFen }) => [String(id), Number(priceCeilingFen)]))
}

/** The own quote with its prices, sealed or not: the live one, else the latest. */
export async function findOwnQuote(
  db: Read,
  secret: string,
  companyId: number,
  demandId: number,
): Promise<z.input<typeof OwnQuote> | null> {
  const row = await db
    .selectFrom('quote')
    .where('demandId', '=', demandId)
    .where('companyId', '=', companyId)
    .orderBy(sql`status in ('2', '9')`)
    .orderBy('id', 'desc')
    .select([
      'id',
      'quoteCode',
      'demandId',
      'demandRevision',
      sql<
        string | null
      >`case when quote.status = '6' then (select to_char((w.at + make_interval(hours => ${giveUpHours})) at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI:SS')
        from award w where w.demand_id = quote.demand_id) end`.as('giveUpUntil'),
      'status',
      'loseReason',
      'submitTime',
      'version',
      'sealHash',
      'contactName',
      'contactPhone',
      'validUntil',
      'sealedOffer',
    ])
    .executeTakeFirst()
  if (!row) return null
  const { sealedOffer, ...quote } = row
  const offer = unseal(secret, demandId, sealedOffer)
  return { ...quote, note: offer.note, lines: offer.lines }
}
