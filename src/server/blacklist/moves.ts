import { sql } from 'kysely'
import type * as contract from '#shared/blacklist/contract.ts'
import type { BlacklistInput } from '#shared/blacklist/contract.ts'
import {
  blacklistLevel,
  blacklistMoves,
  blacklistRules,
  blacklistStatus,
  emergencyReasons,
  entriesInForce,
  heardEntries,
  mayDrop,
  type BlacklistMove,
  type BlacklistStep,
} from '#shared/blacklist/rules.ts'
import { addDays, addMonths, dayMs, dayOf, startOfDay, toMoment } from '#shared/calendar.ts'
import { demandStatus } from '#shared/demand/rules.ts'
import type { Received } from '#shared/endpoint.ts'
import { shelfStatus } from '#shared/equipment/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { liveQuotes, quoteMoves } from '#shared/quote/rules.ts'
import { lockAccountRow } from '../actor/actor.ts'
import { companyOf } from '../actor/scope.ts'
import { literals } from '../db/literals.ts'
import { nextVersion } from '../db/version.ts'
import type { Deed, Work } from '../deed.ts'
import { insertEvent as insertDemandEvent } from '../demand/events.ts'
import { takeFleetOff } from '../equipment/shelf.ts'
import { Refusal, refuseField } from '../http/refusal.ts'
import { areOwnFiles, attach, checkInput, columnsOf } from './input.ts'
import { notifyDecided, notifyDeciders, notifyProposed, notifySubject } from './notices.ts'
import { decides, hasProposer, isProposedBy, seesEntry } from './queries.ts'

export async function proposeEntry(deed: Deed, input: BlacklistInput): Promise<{ id: number }> {
  const { db, actor, codes, now } = deed
  await refuseManyWritten(deed)
  await checkInput(deed, input)
  const { id } = await db
    .insertInto('blacklist')
    .values({
      ...columnsOf(input),
      blacklistCode: await codes.next('HM', now),
      proposerId: actor.accountId,
      proposerDeptId: actor.deptId,
      createTime: now,
      updateTime: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await attach(deed, { blacklistId: id, part: 'evidence', fileIds: input.evidenceIds })
  await insertEvent(deed, { blacklistId: id, accountId: actor.accountId, move: 'propose' })
  return { id }
}

/** Changes a proposal of which the subject does not know yet, if nobody changed it meanwhile. */
export async function editEntry(deed: Deed, { id, version, ...input }: Received<typeof contract.editBlacklist>['body']): Promise<void> {
  const { db, actor, now } = deed
  await refuseManyWritten(deed)
  const entry = await lockEntry(deed, id, 'proposer')
  if (entry.version !== version) throw new Refusal('changed')
  if (entry.status !== blacklistStatus.proposed) throw new Refusal('blacklist_changed')
  const attached = await db.selectFrom('blacklistFile').where('blacklistId', '=', id).select('fileId').execute()
  const added = input.evidenceIds.filter((file) => !attached.some(({ fileId }) => fileId === file))
  await checkInput(deed, { ...input, evidenceIds: added }, entry.companyId === input.companyId ? entry.equipmentId : null)
  await db
    .updateTable('blacklist')
    .set({ ...columnsOf(input), updateTime: now, version: nextVersion })
    .where('id', '=', id)
    .execute()
  await db.deleteFrom('blacklistFile').where('blacklistId', '=', id).execute()
  await attach(deed, { blacklistId: id, part: 'evidence', fileIds: input.evidenceIds })
  await insertEvent(deed, { blacklistId: id, accountId: actor.accountId, move: 'edit' })
}

/** Those of one person wait for each other, so that they are counted exactly. The audit log has each for good, with the facts before and after. */
async function refuseManyWritten({ db, actor, now }: Deed): Promise<void> {
  await lockAccountRow(db, actor.accountId)
  const { written } = await db
    .selectFrom('blacklistEvent')
    .where('accountId', '=', actor.accountId)
    .where('move', 'in', ['propose', 'edit'] satisfies BlacklistStep[])
    .where('at', '>=', startOfDay(dayOf(now)))
    .select((eb) => eb.fn.countAll<number>().as('written'))
    .executeTakeFirstOrThrow()
  if (written >= blacklistRules.writtenADay) throw new Refusal('day_limit')
}

/** Begins the hearing: the subject gets the facts and the evidence. */
export async function notifyEntry(deed: Deed, id: number): Promise<void> {
  // Those of one person wait for each other, so that their notices are counted exactly.
  await lockAccountRow(deed.db, deed.actor.accountId)
  const entry = await lockEntry(deed, id, 'proposer')
  refuseOver(entry, deed.now)
  await refuseManyNotices(deed, entry)
  const until = hearingEnd(deed.now)
  await moveEntry(deed, entry, { move: 'notify', values: { notifyTime: deed.now, answerUntil: until } })
  await notifyProposed(deed, entry, { until, isEmergency: false })
  await notifyDeciders(deed, entry, 'blacklistProposed')
}

/** A proposal that is withdrawn counts as well: the lessor and the administrators were told of it twice. */
async function refuseManyNotices({ db, actor, now }: Deed, { companyId }: Entry): Promise<void> {
  const since = (days: number) => new Date(now.getTime() - days * dayMs).toISOString()
  const { today, ofLessor } = await db
    .selectFrom('blacklist')
    .innerJoin('blacklistEvent', 'blacklistEvent.blacklistId', 'blacklist.id')
    .where('proposerId', '=', actor.accountId)
    .where('blacklistEvent.move', '=', 'notify')
    .where('blacklistEvent.at', '>', since(7))
    .select([
      sql<number>`count(*) filter (where blacklist_event.at > ${since(1)})::int`.as('today'),
      sql<number>`count(*) filter (where blacklist.company_id = ${companyId})::int`.as('ofLessor'),
    ])
    .executeTakeFirstOrThrow()
  if (today >= blacklistRules.noticesADay) throw new Refusal('day_limit')
  if (ofLessor >= blacklistRules.noticesOfLessor) throw new Refusal('hearing_limit')
}

const hearingEnd = (now: Date) => new Date(now.getTime() + blacklistRules.answerDays * dayMs)

export async function withdrawEntry(deed: Deed, id: number): Promise<void> {
  const entry = await lockEntry(deed, id, 'proposer')
  await moveEntry(deed, entry, { move: 'withdraw' })
  if (entry.status === blacklistStatus.notified) await notifySubject(deed, entry, { kind: 'blacklistDropped' })
}

/** Takes the subject's answer, once and until the hearing ends. */
export async function answerEntry(deed: Deed, { id, answer, fileIds }: { id: number; answer: string; fileIds: string[] }): Promise<void> {
  const { db, actor, now } = deed
  const entry = await lockEntry(deed, id, 'subject')
  if (!isAmong(entry.status, heardEntries) || entry.answerTime !== null) throw new Refusal('blacklist_changed')
  if (entry.answerUntil === null || entry.answerUntil <= toMoment(now)) throw new Refusal('hearing_over')
  if (!(await areOwnFiles(deed, fileIds))) refuseField(['fileIds'], 'file_unknown')
  await db.updateTable('blacklist').set({ answer, answerTime: now, updateTime: now, version: nextVersion }).where('id', '=', id).execute()
  await attach(deed, { blacklistId: id, part: 'answer', fileIds })
  await insertEvent(deed, { blacklistId: id, accountId: actor.accountId, move: 'answer' })
  await notifyDeciders(deed, entry, 'blacklistAnswered')
}

/**
 * Lets the entry take effect, today at the earliest, or drops it, once the subject has answered or the time to answer is over. Drops also a proposal
 * that the subject does not know of, where whoever proposed it can end it no more.
 */
export async function decideEntry(
  deed: Deed,
  { effective, note, ...read }: ReadEntry & { effective: boolean; note: string },
): Promise<void> {
  const { actor, now } = deed
  const entry = await lockToDecide(deed, read)
  const heard = entry.answerTime !== null || (entry.answerUntil !== null && entry.answerUntil <= toMoment(now))
  if (entry.status === blacklistStatus.notified && !heard) throw new Refusal('hearing_open')
  if (effective) refuseOver(entry, now)
  else if (!mayDrop(entry)) throw new Refusal('blacklist_changed')
  const today = dayOf(now)
  const fromDay = effective && entry.fromDay < today ? today : entry.fromDay
  const values = { fromDay, approverId: actor.accountId, decideTime: now, decideNote: note }
  await moveEntry(deed, entry, { move: effective ? 'decide' : 'drop', values, note })
  if (effective) await inForceFrom(deed, { ...entry, fromDay })
  else if (entry.status === blacklistStatus.notified) await notifySubject(deed, entry, { kind: 'blacklistDropped' })
}

/**
 * Lets the entry take effect before the hearing, which reasons of safety and forgery allow. It begins today, also where a later first day was proposed.
 */
export async function decideEmergency(deed: Deed, { note, ...read }: ReadEntry & { note: string }): Promise<void> {
  const { actor, now } = deed
  const entry = await lockToDecide(deed, read)
  if (!isAmong(entry.reasonCode, emergencyReasons)) throw new Refusal('blacklist_not_urgent')
  refuseOver(entry, now)
  const answerUntil = hearingEnd(now)
  const period = beginningOn(dayOf(now), entry)
  const values = {
    ...period,
    approverId: actor.accountId,
    decideTime: now,
    decideNote: note,
    emergency: true,
    notifyTime: now,
    answerUntil,
  }
  await moveEntry(deed, entry, { move: 'emergency', values, note })
  await notifyProposed(deed, entry, { until: answerUntil, isEmergency: true })
  await inForceFrom(deed, { ...entry, ...period })
}

/** The period of the entry from this day on, as long as one may be at the most (`periodProblem`). */
function beginningOn(day: string, { toDay }: Entry) {
  const longest = addMonths(day, 12 * blacklistRules.maxYears)
  return { fromDay: day, toDay: toDay < longest ? toDay : longest }
}

/** An entry whose period is over would hold nobody from quoting, so its only effect would be on the quotes of today. */
function refuseOver({ toDay }: Entry, now: Date): void {
  if (toDay <= dayOf(now)) throw new Refusal('blacklist_over')
}

/** Takes the subject's appeal. The entry stays in force until the appeal is decided. */
export async function appealEntry(deed: Deed, { id, content, fileIds }: { id: number; content: string; fileIds: string[] }): Promise<void> {
  const { db, actor, now } = deed
  companyOf(actor)
  const entry = await lockEntry(deed, id, 'subject')
  const last = await db
    .selectFrom('blacklistAppeal')
    .where('blacklistId', '=', id)
    .orderBy('id', 'desc')
    .select('appealTime')
    .executeTakeFirst()
  if (last && addDays(last.appealTime.slice(0, 10), blacklistRules.appealEveryDays) > dayOf(now)) throw new Refusal('appeal_soon')
  if (!(await areOwnFiles(deed, fileIds))) refuseField(['fileIds'], 'file_unknown')
  await moveEntry(deed, entry, { move: 'appeal' })
  await db.insertInto('blacklistAppeal').values({ blacklistId: id, accountId: actor.accountId, content, appealTime: now }).execute()
  await attach(deed, { blacklistId: id, part: 'appeal', fileIds })
  await notifyDeciders(deed, entry, 'blacklistAppealed')
}

export async function decideAppeal(deed: Deed, { upheld, note, ...read }: ReadEntry & { upheld: boolean; note: string }): Promise<void> {
  const { db, actor, now } = deed
  const entry = await lockToDecide(deed, read)
  await moveEntry(deed, entry, { move: upheld ? 'uphold' : 'keep', note })
  await db
    .updateTable('blacklistAppeal')
    .set({ upheld, note, decidedBy: actor.accountId, decideTime: now })
    .where('blacklistId', '=', entry.id)
    .where('upheld', 'is', null)
    .execute()
  if (upheld) await releaseCompany(deed, entry.companyId)
  await notifySubject(deed, entry, { kind: upheld ? 'blacklistLifted' : 'blacklistKept', params: { note } })
}

export async function liftEntry(deed: Deed, { note, ...read }: ReadEntry & { note: string }): Promise<void> {
  const entry = await lockToDecide(deed, read)
  await moveEntry(deed, entry, { move: 'lift', note })
  await releaseCompany(deed, entry.companyId)
  await notifySubject(deed, entry, { kind: 'blacklistLifted', params: { note } })
}

/** Allows the company to act again unless another entry bars it today. Its machines stay off the shelf until it puts them back. */
export async function releaseCompany({ db, now }: Pick<Work, 'db' | 'now'>, companyId: number): Promise<void> {
  // Locked by a statement of its own, so that the next one sees whichever other entry took effect or ended while this waited.
  await db.selectFrom('company').where('id', '=', companyId).forNoKeyUpdate().select('id').execute()
  await db
    .updateTable('company')
    .set({ blacklistedAt: null })
    .where('id', '=', companyId)
    .where(
      sql<boolean>`not exists (select 1 from blacklist b where b.company_id = company.id and b.scope_dept_id is null
        and b.level = ${sql.lit(blacklistLevel.barred)} and b.subject_kind = 'company' and b.status in (${literals(entriesInForce)})
        and b.from_day <= ${dayOf(now)}::date)`,
    )
    .execute()
}

type Event = { blacklistId: number; accountId: number | null; move: BlacklistStep; note?: string }

export async function insertEvent({ db, now }: Pick<Work, 'db' | 'now'>, event: Event): Promise<void> {
  await db
    .insertInto('blacklistEvent')
    .values({ note: '', ...event, at: now })
    .execute()
}

/** Locks the entry until the transaction ends. Refuses `forbidden` to whoever sees it but is not the one that `by` names. */
async function lockEntry({ db, actor }: Deed, id: number, by: 'proposer' | 'decider' | 'subject') {
  const entry = await db
    .selectFrom('blacklist')
    .where('id', '=', id)
    .where(seesEntry(actor))
    .select([
      'id',
      'blacklistCode',
      'subjectKind',
      'companyId',
      'equipmentId',
      'scopeDeptId',
      'level',
      'reasonCode',
      'status',
      'answerTime',
      'answerUntil',
      'fromDay',
      'toDay',
      'version',
      decides(actor).as('decides'),
      isProposedBy(actor).as('isProposer'),
      hasProposer.as('hasProposer'),
    ])
    .forUpdate()
    .executeTakeFirst()
  if (!entry) throw new Refusal('not_found')
  const may = { proposer: entry.isProposer, decider: entry.decides, subject: actor.role === 'leaser' }[by]
  if (!may) throw new Refusal('forbidden')
  return entry
}
type Entry = Awaited<ReturnType<typeof lockEntry>>

/** The entry as whoever decides has read it. */
type ReadEntry = { id: number; version: number }

/** Locks the entry for a decision; refuses `changed` where its proposer has edited it or its subject has answered since it was read. */
async function lockToDecide(deed: Deed, { id, version }: ReadEntry): Promise<Entry> {
  const entry = await lockEntry(deed, id, 'decider')
  if (entry.version !== version) throw new Refusal('changed')
  return entry
}

type Decision = Partial<Record<'notifyTime' | 'answerUntil' | 'decideTime', Date>> & {
  approverId?: number
  decideNote?: string
  fromDay?: string
  toDay?: string
  emergency?: boolean
}

/** Makes one move of the table of moves, with its event. */
async function moveEntry(
  deed: Deed,
  { id, status }: Entry,
  { move, values = {}, note = '' }: { move: BlacklistMove; values?: Decision; note?: string },
): Promise<void> {
  const { db, actor, now } = deed
  const { from, to } = blacklistMoves[move]
  if (!isAmong(status, from)) throw new Refusal('blacklist_changed')
  await db
    .updateTable('blacklist')
    .set({ ...values, status: to, updateTime: now, version: nextVersion })
    .where('id', '=', id)
    .execute()
  await insertEvent(deed, { blacklistId: id, accountId: actor.accountId, move, note })
}

/** Tells the subject that the entry was decided, and carries it out unless it begins on a later day (`src/server/blacklist/beginning.ts`). */
async function inForceFrom(deed: Deed, entry: Entry): Promise<void> {
  await notifyDecided(deed, entry)
  if (entry.fromDay <= dayOf(deed.now)) await enforce(deed, entry)
}

type Enforced = Pick<Entry, 'subjectKind' | 'companyId' | 'equipmentId' | 'scopeDeptId' | 'level' | 'blacklistCode'>

/**
 * Every later quote and award asks for the entry itself (`blacklist_level`). Here it settles what is open already: live quotes of the company
 * in the scope are disqualified, a company that the platform bars leaves the shelf with its machines, and so does a single machine.
 */
export async function enforce(work: Pick<Work, 'db' | 'now'>, entry: Enforced): Promise<void> {
  const { db, now } = work
  const { subjectKind, companyId, equipmentId, scopeDeptId, level } = entry
  const isCompany = subjectKind === 'company'
  if (isCompany && level !== blacklistLevel.watched) await disqualifyQuotes(work, entry)
  if (scopeDeptId !== null || level !== blacklistLevel.barred) return
  if (isCompany) {
    await db.updateTable('company').set({ blacklistedAt: now }).where('id', '=', companyId).execute()
    await takeFleetOff(db, { companyId, now })
    return
  }
  if (equipmentId === null) return
  // Whoever puts the machine on the shelf at this moment holds its company's row (`moveOnShelf`).
  await db.selectFrom('company').where('id', '=', companyId).forNoKeyUpdate().select('id').execute()
  await db
    .updateTable('equipment')
    .set({ shelfStatus: shelfStatus.off, updateTime: now })
    .where('companyId', '=', companyId)
    .where('id', '=', equipmentId)
    .where('shelfStatus', '=', shelfStatus.on)
    .execute()
}

async function disqualifyQuotes(work: Pick<Work, 'db' | 'now'>, { companyId, scopeDeptId, blacklistCode }: Enforced): Promise<void> {
  const { db, now } = work
  const { quoting, reviewing } = demandStatus
  const { rows } = await sql<{ id: number; demandId: number }>`
    select q.id, q.demand_id from quote q join demand d on d.id = q.demand_id join dept p on p.id = d.dept_id
    where q.company_id = ${companyId} and q.status in (${literals(liveQuotes)}) and d.status in (${literals([quoting, reviewing])})
      and (${scopeDeptId}::bigint is null or p.id = ${scopeDeptId} or p.ancestors @> array[${scopeDeptId}]::bigint[])
    order by d.id for update of d`.execute(db)
  for (const { id, demandId } of rows) {
    // The number of quotes stays until the opening, or it would tell whoever restricts a lessor that they have quoted.
    const { numUpdatedRows } = await db
      .updateTable('quote')
      .set({ status: quoteMoves.disqualify.to, updateTime: now })
      .where('id', '=', id)
      // While this waited for the demand, its lessor may have withdrawn the quote.
      .where('status', 'in', quoteMoves.disqualify.from)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) continue
    await insertDemandEvent(work, { demandId, quoteId: id, accountId: null, move: 'blacklist', note: blacklistCode })
  }
}
