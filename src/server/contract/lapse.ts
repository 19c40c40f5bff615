import { sql } from 'kysely'
import { dayMs, dayOf, fromMoment, toMinute, toMoment } from '#shared/calendar.ts'
import {
  answerHours,
  contractStatus,
  endedContracts,
  dueReminders,
  lapseDays,
  lapseOf,
  unconfirmedContracts,
  type ContractSide,
  type LapseBlame,
} from '#shared/contract/rules.ts'
import { awardedDemands, demandMoves } from '#shared/demand/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { paths } from '#shared/paths.ts'
import { quoteMoves, quoteStatus } from '#shared/quote/rules.ts'
import { yesNo } from '#shared/rules.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { companyOf } from '../actor/scope.ts'
import { endWonQuote, releaseLines } from '../award/release.ts'
import type { Read, Tx } from '../db/connect.ts'
import { literals } from '../db/literals.ts'
import { nextVersion } from '../db/version.ts'
import type { Deed, Work } from '../deed.ts'
import { insertEvent as insertDemandEvent, lockDemand, notifyOwner } from '../demand/events.ts'
import { Refusal } from '../http/refusal.ts'
import { sendMessages } from '../message/queries.ts'
import { workThrough, type Queue } from '../queue/queue.ts'
import type { Services } from '../services.ts'
import { createDraft } from './draft.ts'
import { insertEvent, notifySide } from './events.ts'
import { isBarredOn, isSentByRevoked, wasRevokedSinceSent } from './scope.ts'

/** The lessor takes the award and gives up the time to step back; the draft is made at once. */
export async function acceptAward(deed: Deed, quoteId: number): Promise<void> {
  const { db, actor, now } = deed
  const quote = await db
    .selectFrom('quote')
    .innerJoin('demand', 'demand.id', 'quote.demandId')
    .innerJoin('company', 'company.id', 'quote.companyId')
    .where('quote.id', '=', quoteId)
    .where('quote.companyId', '=', companyOf(actor))
    .select(['quote.demandId', 'demand.deptId', 'demand.title', 'demand.demandCode', 'company.enterpriseName'])
    .executeTakeFirst()
  if (!quote) throw new Refusal('not_found')
  await db.selectFrom('demand').where('id', '=', quote.demandId).select('id').forNoKeyUpdate().executeTakeFirst()
  const { numUpdatedRows } = await db
    .updateTable('quote')
    .set({ acceptedAt: now, updateTime: now, version: nextVersion })
    .where('id', '=', quoteId)
    .where('status', 'in', quoteMoves.accept.from)
    .where('acceptedAt', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) {
    const { status } = await db.selectFrom('quote').where('id', '=', quoteId).select('status').executeTakeFirstOrThrow()
    throw new Refusal(isAmong(status, quoteMoves.accept.from) ? 'accepted_already' : 'quote_changed')
  }
  const { demandId, deptId, title, demandCode, enterpriseName } = quote
  await insertDemandEvent(deed, { demandId, quoteId, accountId: actor.accountId, move: 'accept' })
  const params = { title, code: demandCode ?? '', company: enterpriseName }
  await notifyOwner(deed, { deptId, demandId, kind: 'awardAccepted', params })
  await createDraft(deed, { quoteId, by: null })
}

/**
 * Gives the contracts of an award that are still to be sent more time, once. From then on their lessors may leave and are not to blame. A contract that
 * was sent keeps its own time to be answered, and its lessor has no such way out, unless the lessee takes it back.
 */
export async function moveContractDue(
  deed: Deed,
  { id, days, reason }: { id: number; days: number; reason: string },
): Promise<{ contractDue: string }> {
  const { db, now, actor } = deed
  const demand = await lockDemand(deed, id)
  const award = await db.selectFrom('award').where('demandId', '=', id).select(['id', 'contractDue', 'dueMovedAt']).executeTakeFirst()
  if (!award?.contractDue || !isAmong(demand.status, awardedDemands) || fromMoment(award.contractDue) <= now)
    throw new Refusal('demand_changed')
  if (award.dueMovedAt !== null) throw new Refusal('contract_due_moved')
  const unsent = await undecided(db)
    .where('award.demandId', '=', id)
    .where((eb) => eb.or([eb('contract.id', 'is', null), eb('contract.status', '=', contractStatus.draft)]))
    .select('quote.companyId')
    .execute()
  if (unsent.length === 0) throw new Refusal('contract_due_idle')
  const due = new Date(fromMoment(award.contractDue).getTime() + days * dayMs)
  await db.updateTable('award').set({ contractDue: due, dueMovedAt: now }).where('id', '=', award.id).execute()
  await putOff(deed, { demandId: id, companyIds: unsent.map(({ companyId }) => companyId) })
  await insertDemandEvent(deed, { demandId: id, accountId: actor.accountId, move: 'moveContractDue', note: reason })
  await sendMessages(deed, {
    to: { companies: unsent.map(({ companyId }) => companyId) },
    kind: 'contractDueMoved',
    params: { title: demand.title, code: demand.demandCode ?? '', due: toMinute(due), reason },
    bizType: 'demand',
    bizId: id,
    link: paths.marketDemand(id),
  })
  return { contractDue: toMoment(due) }
}

/**
 * Records that the contracts with these lessors come later than was promised. What becomes of the contracts does not change it, or a lessor could free
 * themselves by returning one. The demand must be locked.
 */
export async function putOff({ db, now }: Pick<Deed, 'db' | 'now'>, { demandId, companyIds }: { demandId: number; companyIds: number[] }) {
  await db
    .updateTable('quote')
    .set({ putOffAt: now })
    .where('demandId', '=', demandId)
    .where('companyId', 'in', companyIds)
    .where('status', '=', quoteStatus.won)
    .where('putOffAt', 'is', null)
    .execute()
}

/** Who ended it and for which side; null for the clock, whose reason is empty and worded where it is read. */
type Ender = { accountId: number; side: ContractSide } | null
type Ending = { awardId: number; companyId: number; reason: string; by: Ender }

/** Gives up the draft of a lessor whose award ended, if there is one. */
export async function voidDraft(
  work: Pick<Work, 'db' | 'now' | 'hub' | 'afterCommit'>,
  { awardId, companyId, reason, by }: Ending,
): Promise<void> {
  const { db, now } = work
  const draft = await db
    .selectFrom('contract')
    .where('awardId', '=', awardId)
    .where('lessorCompanyId', '=', companyId)
    .where('status', '<>', contractStatus.voided)
    .select(['id', 'status', 'title', 'contractCode', 'deptId', 'lessorCompanyId', 'sentAt'])
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!draft) return
  if (!isAmong(draft.status, unconfirmedContracts)) throw new Refusal('contract_changed')
  await db
    .updateTable('contract')
    .set({ status: contractStatus.voided, endReason: reason, endedAt: now, updateTime: now, version: nextVersion })
    .where('id', '=', draft.id)
    .execute()
  await insertEvent(work, {
    contractId: draft.id,
    accountId: by?.accountId ?? null,
    side: by?.side ?? null,
    move: 'void',
    fromStatus: draft.status,
    toStatus: contractStatus.voided,
    note: reason,
  })
  await notifySide(work, draft, { to: 'lessee', kind: 'contractVoided', params: { reason } })
  if (draft.sentAt !== null) await notifySide(work, draft, { to: 'lessor', kind: 'contractVoided', params: { reason } })
}

type Lapsing = { demandId: number; quoteId: number; blame: LapseBlame; reason: string; by: Ender }

/**
 * Ends one lessor's part of an award that no contract followed: machines free, the rest may be asked for again, and the blame is recorded. The
 * demand must be locked.
 */
export async function lapseAward(work: Pick<Work, 'db' | 'now' | 'hub' | 'afterCommit'>, lapsing: Lapsing): Promise<boolean> {
  const { db, now } = work
  const { demandId, quoteId, blame, reason, by } = lapsing
  const known = await db
    .selectFrom('quote')
    .innerJoin('award', 'award.demandId', 'quote.demandId')
    .innerJoin('demand', 'demand.id', 'quote.demandId')
    .innerJoin('company', 'company.id', 'quote.companyId')
    .where('quote.id', '=', quoteId)
    .select([
      'award.id as awardId',
      'quote.companyId',
      'demand.status',
      'demand.deptId',
      'demand.title',
      'demand.demandCode',
      'company.enterpriseName',
    ])
    .executeTakeFirstOrThrow()
  if (!(await endWonQuote(work, { quoteId, move: 'lapseAward' }))) return false
  const { awardId, companyId } = known
  const { qty } = await releaseLines(db, { awardId, quoteId })
  await voidDraft(work, { awardId, companyId, reason, by })
  await db
    .insertInto('awardLapse')
    .values({ demandId, awardId, quoteId, companyId, qty: Math.max(1, qty), blame, at: now })
    .execute()
  const { to } = demandMoves.lapse
  await db.updateTable('demand').set({ status: to, updateTime: now, version: nextVersion }).where('id', '=', demandId).execute()
  await insertDemandEvent(work, {
    demandId,
    quoteId,
    accountId: by?.accountId ?? null,
    move: 'lapse',
    fromStatus: known.status,
    toStatus: to,
    note: reason,
  })
  const params = {
    title: known.title,
    code: known.demandCode ?? '',
    company: known.enterpriseName,
    reason,
    blame: zhCn.contract.blame[blame],
    blameEn: en.contract.blame[blame],
  }
  await notifyOwner(work, { deptId: known.deptId, demandId, kind: 'awardLapsed', params })
  await sendMessages(work, {
    to: { companies: [companyId] },
    kind: 'awardLapsed',
    params,
    bizType: 'demand',
    bizId: demandId,
    link: paths.marketDemand(demandId),
  })
  await completeDemand(work, demandId)
  return true
}

/** A demand is completed when every contract of it has ended and one of them was in force. The demand must be locked. */
export async function completeDemand({ db, now }: { db: Tx; now: Date }, demandId: number): Promise<void> {
  const { closed, terminated } = contractStatus
  const { rows } = await sql<{ done: boolean }>`
    select coalesce(bool_and(status in (${literals(endedContracts)})) and bool_or(status in (${sql.lit(closed)}, ${sql.lit(terminated)})), false)
      and not exists (select 1 from quote q where q.demand_id = ${demandId} and q.status = ${sql.lit(quoteStatus.won)}
        and not exists (select 1 from contract c where c.demand_id = q.demand_id and c.lessor_company_id = q.company_id and c.status <> ${sql.lit(contractStatus.voided)})) as done
    from contract where demand_id = ${demandId}`.execute(db)
  if (!rows[0]?.done) return
  const demand = await db
    .updateTable('demand')
    .set({ status: demandMoves.complete.to, updateTime: now, version: nextVersion })
    .where('id', '=', demandId)
    .where('status', 'in', demandMoves.complete.from)
    .returning('id')
    .executeTakeFirst()
  if (demand) await insertDemandEvent({ db, now }, { demandId, accountId: null, move: 'complete', toStatus: demandMoves.complete.to })
}

/** What `lapseOf` asks of an award and its contract. */
const lapseColumns = [
  'award.contractDue',
  'award.at as awardedAt',
  'contract.status',
  'contract.sentAt',
  'contract.returnedAt',
  'contract.recalledAt',
] as const

/** How many a round takes; the others that are due follow in the next one. */
const batchSize = 500

/** The parts of awards that no contract in force has followed, with what became of their contracts. */
export const undecided = (db: Tx | Services['db']) =>
  db
    .selectFrom('award')
    .innerJoin('quote', 'quote.demandId', 'award.demandId')
    .leftJoin('contract', (join) =>
      join
        .onRef('contract.awardId', '=', 'award.id')
        .onRef('contract.lessorCompanyId', '=', 'quote.companyId')
        .on('contract.status', '<>', contractStatus.voided),
    )
    .where('award.contractDue', 'is not', null)
    .where('quote.status', '=', sql.lit(quoteStatus.won))
    .where((eb) => eb.or([eb('contract.id', 'is', null), eb('contract.status', 'in', unconfirmedContracts)]))
    .select(['quote.id as quoteId', 'award.demandId', ...lapseColumns])

const later = (moment: string, hours: number) => sql`(${sql.ref(moment)} + ${sql.lit(`${hours} hours`)}::interval)`
const lastMoment = sql`greatest(${later('award.at', lapseDays.atMost * 24)}, award.contract_due)`
/** The end of the time to answer, by the moment from which it runs. */
const answerBy = (since: string) => sql`case when contract.returned_at is null then ${later(since, lapseDays.unanswered * 24)}
  else greatest(least(${later(since, lapseDays.unanswered * 24)}, ${lastMoment}), ${later(since, answerHours)}) end`
/** The moment of `lapseOf`, for the rows of `undecided`; greatest() passes over what is null. */
export const lapsesAt = sql<string>`case when contract.status = ${sql.lit(contractStatus.sent)} then ${answerBy('contract.sent_at')}
  else greatest(award.contract_due, case when contract.returned_at is not null then ${answerBy('contract.returned_at')} end,
    ${later('contract.recalled_at', answerHours)}) end`

const dueLapses: Queue<{ key: string; quoteId: number; demandId: number }> = {
  job: 'contracts',
  async find(db, now, ready) {
    const due = undecided(db)
      .where(lapsesAt, '<=', now.toISOString())
      .where(ready(sql`'lapse:' || quote.id`))
      .select(lapsesAt.as('lapsesAt'))
    // The index of each half finds what is undecided without the awards that have their contracts.
    const rows = await due
      .where('contract.id', 'is', null)
      .where('quote.drafted', '=', sql.lit(false))
      .unionAll(due.where(sql<boolean>`contract.status in (${literals(unconfirmedContracts)})`))
      .orderBy('lapsesAt')
      .limit(batchSize)
      .execute()
    return rows.map(({ quoteId, demandId }) => ({ key: `lapse:${quoteId}`, quoteId, demandId }))
  },
  async run(work, { quoteId, demandId }) {
    const { db, now } = work
    await db.selectFrom('demand').where('id', '=', demandId).select('id').forNoKeyUpdate().executeTakeFirst()
    // Waits for a draft that is being sent at this moment: once it is sent, the award has not lapsed.
    await db
      .selectFrom('contract')
      .innerJoin('quote', (join) =>
        join.onRef('quote.demandId', '=', 'contract.demandId').onRef('quote.companyId', '=', 'contract.lessorCompanyId'),
      )
      .where('quote.id', '=', quoteId)
      .where('contract.status', 'in', unconfirmedContracts)
      .select('contract.id')
      .forNoKeyUpdate('contract')
      .execute()
    const facts = await undecided(db)
      .where('quote.id', '=', quoteId)
      .select([isSentByRevoked.as('isSentByRevoked'), wasRevokedSinceSent.as('wasRevoked'), isBarredOn(dayOf(now)).as('isBarred')])
      .executeTakeFirst()
    const lapse = facts && lapseOf(facts)
    if (!lapse || lapse.at > now) return false
    // A lessor who could not confirm is not to blame, nor is one who could not for a part of their time (decision 33).
    const blameOfSent = facts.isSentByRevoked ? 'lessee' : facts.wasRevoked || facts.isBarred ? 'none' : 'lessor'
    return lapseAward(work, { demandId, quoteId, blame: lapse.blame === 'lessor' ? blameOfSent : lapse.blame, reason: '', by: null })
  },
}

/** Ends the parts of awards whose time for a contract is over. Gives how many. */
export const lapseDueAwards = (services: Services, signal?: AbortSignal) => workThrough(services, dueLapses, signal)

/** The day of the reminder that is to be sent by now: three days before the moment at which the award lapses, or the day before it. */
const reminderDay = (today: string) =>
  sql<string>`(select max(due_day - days) from (select (${lapsesAt} at time zone 'Asia/Shanghai')::date as due_day) due,
    unnest(${sql.lit(`{${dueReminders.join(',')}}`)}::int[]) days where due_day - days <= ${today}::date)`

/** The drafts whose lessee is to be reminded by now. */
function draftsDueSoon(db: Read, now: Date) {
  const since = reminderDay(dayOf(now))
  return (
    db
      .selectFrom('contract')
      .innerJoin('award', 'award.id', 'contract.awardId')
      .where('contract.status', '=', sql.lit(contractStatus.draft))
      .where('award.contractDue', 'is not', null)
      .where(lapsesAt, '>', now.toISOString())
      .where(lapsesAt, '<', new Date(now.getTime() + (dueReminders[0] + 1) * dayMs).toISOString())
      // A reminder that could not be sent on its day is sent later.
      .where(sql<boolean>`coalesce(contract.reminded_on < ${since}, ${since} is not null)`)
  )
}

const dueSoon: Queue<{ key: string; id: number }> = {
  job: 'contracts',
  find: (db, now, ready) =>
    draftsDueSoon(db, now)
      .orderBy(lapsesAt)
      .limit(batchSize)
      .select([sql<string>`'due:' || contract.id`.as('key'), 'contract.id'])
      .where(ready(sql`'due:' || contract.id`))
      .execute(),
  async run(work, { id }) {
    const { db, now } = work
    // Its lessee may be giving themselves more time at this moment, and holds the demand then.
    await db
      .selectFrom('demand')
      .where('id', '=', (query) => query.selectFrom('contract').where('id', '=', id).select('demandId'))
      .forNoKeyUpdate()
      .select('id')
      .execute()
    await db.selectFrom('contract').where('id', '=', id).forNoKeyUpdate().select('id').execute()
    const contract = await draftsDueSoon(db, now)
      .where('contract.id', '=', id)
      .select(['contract.id', 'contract.deptId', 'contract.lessorCompanyId', 'contract.title', 'contract.contractCode', ...lapseColumns])
      .executeTakeFirst()
    const lapse = contract && lapseOf(contract)
    if (!lapse) return false
    await db
      .updateTable('contract')
      .set({ remindedOn: dayOf(now) })
      .where('id', '=', id)
      .execute()
    const { enterpriseName } = await db
      .selectFrom('company')
      .where('id', '=', contract.lessorCompanyId)
      .select('enterpriseName')
      .executeTakeFirstOrThrow()
    const params = { company: enterpriseName, due: toMinute(lapse.at), isBlameless: lapse.blame === 'none' ? yesNo.yes : '' }
    await notifySide(work, contract, { to: 'lessee', kind: 'contractDue', params })
    return true
  },
}

/** Reminds the lessees of drafts whose award lapses soon, three days and a day before, also of those that were recalled or returned. */
export const remindOfDrafts = (services: Services, signal?: AbortSignal) => workThrough(services, dueSoon, signal)
