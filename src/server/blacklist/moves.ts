import { sql } from 'kysely'
import { addDays, dayOf, toMoment } from '#shared/calendar.ts'
import type { BlacklistInput } from '#shared/blacklist/contract.ts'
import { blacklistMoves, blacklistRules, emergencyReasons, periodProblem, type BlacklistMove } from '#shared/blacklist/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { companyOf } from '../actor/scope.ts'
import { audited } from '../audit/log.ts'
import type { Db, Read, Tx } from '../db/connect.ts'
import { nextCode } from '../db/codes.ts'
import { insertEvent as insertDemandEvent } from '../demand/events.ts'
import { FieldRefusal, Refusal } from '../http/refusal.ts'
import type { Hub } from '../message/hub.ts'
import { tellDeciders, tellSubject } from './notices.ts'
import { decides, findScopes, seesEntry } from './queries.ts'

export const insertEvent = (
  { db: tx, now }: { db: Read; now: Date },
  event: { blacklistId: number; accountId: number | null; move: string; note?: string },
) =>
  tx
    .insertInto('blacklistEvent')
    .values({ note: '', ...event, at: now })
    .execute()

/** The row, held; `who` narrows it to those who may make the move. */
async function lock(tx: Tx, actor: Actor, id: number, who: 'proposer' | 'decider' | 'subject') {
  const entry = await tx
    .selectFrom('blacklist')
    .where('id', '=', id)
    .where(seesEntry(actor))
    .select([
      'id',
      'blacklistCode',
      'subjectKind',
      'companyId',
      'scopeDeptId',
      'level',
      'reasonCode',
      'status',
      'proposerId',
      'answerTime',
      'answerUntil',
      'fromDay',
      'toDay',
      'version',
      decides(actor).as('decides'),
    ])
    .forUpdate()
    .executeTakeFirst()
  if (!entry) throw new Refusal('not_found')
  const may = who === 'proposer' ? entry.proposerId === actor.accountId : who === 'decider' ? entry.decides : actor.role === 'leaser'
  if (!may) throw new Refusal('forbidden')
  return entry
}
type Entry = Awaited<ReturnType<typeof lock>>

/** One conditional move with its event. */
async function make(
  tx: Tx,
  entry: Entry,
  move: BlacklistMove,
  values: Record<string, unknown>,
  event: { accountId: number | null; note?: string },
  now: Date,
): Promise<void> {
  const { from, to } = blacklistMoves[move]
  if (!(from as readonly string[]).includes(entry.status)) throw new Refusal('blacklist_changed')
  await tx
    .updateTable('blacklist')
    .set((eb) => ({ ...values, status: to, updateTime: now, version: eb('version', '+', 1) }))
    .where('id', '=', entry.id)
    .execute()
  await insertEvent({ db: tx, now }, { blacklistId: entry.id, move, ...event })
}

async function checkInput(db: Read, actor: Actor, input: BlacklistInput): Promise<void> {
  const problems: { path: (string | number)[]; rule: string }[] = []
  const period = periodProblem(input.fromDay, input.toDay)
  if (period) problems.push({ path: ['toDay'], rule: period })
  // The platform's own entries hold everywhere; everybody else's within his organisation.
  const scopes = actor.role === 'operator' ? [{ deptId: null }] : await findScopes(db, actor)
  if (!scopes.some(({ deptId }) => deptId === input.scopeDeptId)) problems.push({ path: ['scopeDeptId'], rule: 'dept_unknown' })
  const company = await db
    .selectFrom('company')
    .where('id', '=', input.companyId)
    .where('isLessor', '=', true)
    .select('id')
    .executeTakeFirst()
  if (!company || input.companyId === actor.companyId) problems.push({ path: ['companyId'], rule: 'company_unknown' })
  if (input.equipmentId !== null) {
    const machine = await db
      .selectFrom('equipment')
      .where('id', '=', input.equipmentId)
      .where('companyId', '=', input.companyId)
      .select('id')
      .executeTakeFirst()
    if (!machine) problems.push({ path: ['equipmentId'], rule: 'machine_unknown' })
  }
  if (!(await areOwnFiles(db, actor, input.evidenceIds))) problems.push({ path: ['evidenceIds'], rule: 'file_unknown' })
  if (problems.length > 0) throw new FieldRefusal(problems)
}

async function areOwnFiles(db: Read, actor: Actor, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0) return true
  const known = await db.selectFrom('file').where('id', 'in', ids).where('accountId', '=', actor.accountId).select('id').execute()
  return known.length === new Set(ids).size
}

async function attach(tx: Tx, blacklistId: number, part: 'evidence' | 'answer' | 'appeal', ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx
    .insertInto('blacklistFile')
    .values([...new Set(ids)].map((fileId) => ({ blacklistId, fileId, part })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const columnsOf = ({ evidenceIds: _, equipmentId, personName, ...input }: BlacklistInput) => ({
  ...input,
  equipmentId: input.subjectKind === 'machine' ? equipmentId : null,
  personName: input.subjectKind === 'person' ? personName : '',
})

export async function propose(db: Db, actor: Actor, input: BlacklistInput, now: Date): Promise<{ id: number }> {
  await checkInput(db, actor, input)
  const blacklistCode = await nextCode(db, 'HM', dayOf(now))
  return db.transaction().execute((tx) =>
    audited(tx, actor, { action: 'blacklist.propose', bizType: 'blacklist' }, now, async () => {
      const { id } = await tx
        .insertInto('blacklist')
        .values({
          ...columnsOf(input),
          blacklistCode,
          proposerId: actor.accountId,
          proposerDeptId: actor.deptId,
          createTime: now,
          updateTime: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await attach(tx, id, 'evidence', input.evidenceIds)
      await insertEvent({ db: tx, now }, { blacklistId: id, accountId: actor.accountId, move: 'propose' })
      return { id }
    }),
  )
}

export async function edit(db: Db, actor: Actor, { id, version, ...input }: BlacklistInput & { id: number; version: number }, now: Date) {
  await db.transaction().execute((tx) =>
    audited(tx, actor, { action: 'blacklist.edit', bizType: 'blacklist', id }, now, async () => {
      const entry = await lock(tx, actor, id, 'proposer')
      if (entry.version !== version) throw new Refusal('changed')
      if (entry.status !== '0') throw new Refusal('blacklist_changed')
      const kept = await tx.selectFrom('blacklistFile').where('blacklistId', '=', id).select('fileId').execute()
      await checkInput(tx, actor, {
        ...input,
        evidenceIds: input.evidenceIds.filter((file) => !kept.some(({ fileId }) => fileId === file)),
      })
      await tx
        .updateTable('blacklist')
        .set((eb) => ({ ...columnsOf(input), updateTime: now, version: eb('version', '+', 1) }))
        .where('id', '=', id)
        .execute()
      await tx.deleteFrom('blacklistFile').where('blacklistId', '=', id).execute()
      await attach(tx, id, 'evidence', input.evidenceIds)
      await insertEvent({ db: tx, now }, { blacklistId: id, accountId: actor.accountId, move: 'edit' })
    }),
  )
}

/** The hearing begins: the subject gets facts and evidence. */
export async function notify(db: Db, hub: Hub, actor: Actor, id: number, now: Date): Promise<void> {
  await db.transaction().execute((tx) =>
    audited(tx, actor, { action: 'blacklist.notify', bizType: 'blacklist', id }, now, async () => {
      const entry = await lock(tx, actor, id, 'proposer')
      const until = hearingEnd(now)
      await make(tx, entry, 'notify', { notifyTime: now, answerUntil: until }, { accountId: actor.accountId }, now)
      await tellSubject(tx, hub, entry, 'blacklistNotified', { until: toMoment(until).slice(0, 16) }, now)
      await tellDeciders(tx, hub, entry, 'blacklistProposed', now)
    }),
  )
}

const hearingEnd = (now: Date) => new Date(now.getTime() + blacklistRules.answerDays * 86_400_000)

export async function withdraw(db: Db, hub: Hub, actor: Actor, id: number, now: Date): Promise<void> {
  await db.transaction().execute((tx) =>
    audited(tx, actor, { action: 'blacklist.withdraw', bizType: 'blacklist', id }, now, async () => {
      const entry = await lock(tx, actor, id, 'proposer')
      await make(tx, entry, 'withdraw', {}, { accountId: actor.accountId }, now)
      if (entry.status === '1') await tellSubject(tx, hub, entry, 'blacklistDropped', {}, now)
    }),
  )
}

export async function answer(
  db: Db,
  hub: Hub,
  actor: Actor,
  id: number,
  { answer: text, fileIds }: { answer: string; fileIds: string[] },
  now: Date,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const entry = await lock(tx, actor, id, 'subject')
    if (!['1', '2', '3'].includes(entry.status) || entry.answerTime !== null) throw new Refusal('blacklist_changed')
    if (entry.answerUntil === null || entry.answerUntil <= toMoment(now)) throw new Refusal('hearing_over')
    if (!(await areOwnFiles(tx, actor, fileIds))) throw new FieldRefusal([{ path: ['fileIds'], rule: 'file_unknown' }])
    await tx
      .updateTable('blacklist')
      .set((eb) => ({ answer: text, answerTime: now, updateTime: now, version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .execute()
    await attach(tx, id, 'answer', fileIds)
    await insertEvent({ db: tx, now }, { blacklistId: id, accountId: actor.accountId, move: 'answer' })
    await tellDeciders(tx, hub, entry, 'blacklistAnswered', now)
  })
}

export async function decide(
  db: Db,
  hub: Hub,
  actor: Actor,
  id: number,
  { effective, note }: { effective: boolean; note: string },
  now: Date,
): Promise<void> {
  await db.transaction().execute((tx) =>
    audited(tx, actor, { action: 'blacklist.decide', bizType: 'blacklist', id, reason: note }, now, async () => {
      const entry = await lock(tx, actor, id, 'decider')
      const heard = entry.answerTime !== null || (entry.answerUntil !== null && entry.answerUntil <= toMoment(now))
      if (entry.status === '1' && !heard) throw new Refusal('hearing_open')
      const values = { approverId: actor.accountId, decideTime: now, decideNote: note }
      await make(tx, entry, effective ? 'decide' : 'drop', values, { accountId: actor.accountId, note }, now)
      if (effective) await takeEffect(tx, hub, entry, now)
      else await tellSubject(tx, hub, entry, 'blacklistDropped', {}, now)
    }),
  )
}

export async function emergency(db: Db, hub: Hub, actor: Actor, id: number, note: string, now: Date): Promise<void> {
  await db.transaction().execute((tx) =>
    audited(tx, actor, { action: 'blacklist.emergency', bizType: 'blacklist', id, reason: note }, now, async () => {
      const entry = await lock(tx, actor, id, 'decider')
      if (!emergencyReasons.includes(entry.reasonCode)) throw new Refusal('blacklist_not_urgent')
      const until = hearingEnd(now)
      const values = {
        approverId: actor.accountId,
        decideTime: now,
        decideNote: note,
        emergency: true,
        notifyTime: now,
        answerUntil: until,
      }
      await make(tx, entry, 'emergency', values, { accountId: actor.accountId, note }, now)
      await tellSubject(tx, hub, entry, 'blacklistNotified', { until: toMoment(until).slice(0, 16) }, now)
      await takeEffect(tx, hub, entry, now)
    }),
  )
}

/**
 * What an entry does from now on is asked at every quote and award (blacklist_level); what is open already is settled
 * here: live quotes of the company in the scope are disqualified, its machines leave the platform's shelf at level 3.
 */
async function takeEffect(tx: Tx, hub: Hub, entry: Entry, now: Date): Promise<void> {
  await tellSubject(tx, hub, entry, 'blacklistInForce', { from: entry.fromDay, to: entry.toDay, level: String(entry.level) }, now)
  if (entry.subjectKind !== 'company' || entry.level < 2 || entry.fromDay > dayOf(now)) return
  const { rows } = await sql<{ id: number; demandId: number; status: string }>`
    select q.id, q.demand_id as "demandId", d.status from quote q join demand d on d.id = q.demand_id join dept p on p.id = d.dept_id
    where q.company_id = ${entry.companyId} and q.status in ('1', '3', '4') and d.status in ('3', '4')
      and (${entry.scopeDeptId}::bigint is null or p.id = ${entry.scopeDeptId} or p.ancestors @> array[${entry.scopeDeptId}]::bigint[])
    order by d.id for update of d`.execute(tx)
  for (const quote of rows) {
    await tx.updateTable('quote').set({ status: '10', updateTime: now }).where('id', '=', quote.id).execute()
    if (quote.status === '3')
      await tx
        .updateTable('demand')
        .set((eb) => ({ quoteCount: eb('quoteCount', '-', 1) }))
        .where('id', '=', quote.demandId)
        .execute()
    await insertDemandEvent(
      { db: tx, now },
      { demandId: quote.demandId, quoteId: quote.id, accountId: null, move: 'blacklist', note: entry.blacklistCode },
    )
  }
  if (entry.scopeDeptId === null && entry.level === 3) {
    await tx.updateTable('company').set({ blacklistedAt: now }).where('id', '=', entry.companyId).execute()
    await tx
      .updateTable('equipment')
      .set({ shelfStatus: '0', updateTime: now })
      .where('companyId', '=', entry.companyId)
      .where('shelfStatus', '=', '1')
      .execute()
  }
}

export async function appeal(
  db: Db,
  hub: Hub,
  actor: Actor,
  id: number,
  { content, fileIds }: { content: string; fileIds: string[] },
  now: Date,
): Promise<void> {
  companyOf(actor)
  await db.transaction().execute(async (tx) => {
    const entry = await lock(tx, actor, id, 'subject')
    const last = await tx
      .selectFrom('blacklistAppeal')
      .where('blacklistId', '=', id)
      .orderBy('id', 'desc')
      .select('appealTime')
      .executeTakeFirst()
    if (last && addDays(last.appealTime.slice(0, 10), blacklistRules.appealEveryDays) > dayOf(now)) throw new Refusal('appeal_soon')
    if (!(await areOwnFiles(tx, actor, fileIds))) throw new FieldRefusal([{ path: ['fileIds'], rule: 'file_unknown' }])
    await make(tx, entry, 'appeal', {}, { accountId: actor.accountId }, now)
    await tx.insertInto('blacklistAppeal').values({ blacklistId: id, accountId: actor.accountId, content, appealTime: now }).execute()
    await attach(tx, id, 'appeal', fileIds)
    await tellDeciders(tx, hub, entry, 'blacklistAppealed', now)
  })
}

export async function decideAppeal(
  db: Db,
  hub: Hub,
  actor: Actor,
  id: number,
  { upheld, note }: { upheld: boolean; note: string },
  now: Date,
): Promise<void> {
  await db.transaction().execute((tx) =>
    audited(tx, actor, { action: 'blacklist.decideAppeal', bizType: 'blacklist', id, reason: note }, now, async () => {
      const entry = await lock(tx, actor, id, 'decider')
      await make(tx, entry, upheld ? 'uphold' : 'keep', {}, { accountId: actor.accountId, note }, now)
      await tx
        .updateTable('blacklistAppeal')
        .set({ upheld, note, decidedBy: actor.accountId, decideTime: now })
        .where('blacklistId', '=', id)
        .where('upheld', 'is', null)
        .execute()
      if (upheld) await release(tx, entry)
      await tellSubject(tx, hub, entry, upheld ? 'blacklistLifted' : 'blacklistKept', { note }, now)
    }),
  )
}

export async function lift(db: Db, hub: Hub, actor: Actor, id: number, note: string, now: Date): Promise<void> {
  await db.transaction().execute((tx) =>
    audited(tx, actor, { action: 'blacklist.lift', bizType: 'blacklist', id, reason: note }, now, async () => {
      const entry = await lock(tx, actor, id, 'decider')
      await make(tx, entry, 'lift', {}, { accountId: actor.accountId, note }, now)
      await release(tx, entry)
      await tellSubject(tx, hub, entry, 'blacklistLifted', { note }, now)
    }),
  )
}

/** A company off the platform's list may act again; its machines stay off the shelf until it puts them there. */
export async function release(tx: Tx, entry: { companyId: number }): Promise<void> {
  await tx
    .updateTable('company')
    .set({ blacklistedAt: null })
    .where('id', '=', entry.companyId)
    .where(
      sql<boolean>`not exists (select 1 from blacklist b where b.company_id = company.id and b.scope_dept_id is null and b.level = 3
        and b.subject_kind = 'company' and b.status in ('2', '3'))`,
    )
    .execute()
}
