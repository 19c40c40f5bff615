import { isDeepStrictEqual } from 'node:util'
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { fromMoment, minuteOf, toMoment } from '#shared/calendar.ts'
import type { DemandInput } from '#shared/demand/input.ts'
import type { AmendInput } from '#shared/demand/moves.ts'
import { canMoveDemand } from '#shared/demand/guards.ts'
import { deadlineProblems, demandMethod, demandType, offeredMethods } from '#shared/demand/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { bindsTooShort, bindsUntil, quoteMoves } from '#shared/quote/rules.ts'
import { findCategories } from '../category/queries.ts'
import type { Tx } from '../db/connect.ts'
import type { DB } from '../db/tables.generated.ts'
import { nextVersion } from '../db/version.ts'
import type { Deed } from '../deed.ts'
import { insertEvent, lockDemand, notifyBidders, notifyProject, refuseMany } from '../demand/events.ts'
import { attach, byId, categoryIdsOf, checkInput, columnsOf, itemRow, withCeilings } from '../demand/input.ts'
import { changeInvites, notifyInvited } from '../demand/invites.ts'
import { findItems } from '../demand/queries.ts'
import { findQuotedTerms } from '../demand/quoted-terms.ts'
import { isApproved } from '../demand/scope.ts'
import { FieldRefusal, Refusal, refuseField } from '../http/refusal.ts'
import { contactOf } from '../seal/contacts.ts'
import { findCeilings } from './queries.ts'

/** Moves the deadline to a later moment for everybody, also after the old one has passed with too few quotes. */
export async function extendDemand(
  deed: Deed,
  { id, quoteDeadline, reason }: { id: number; quoteDeadline: string; reason: string },
): Promise<void> {
  const { db, actor, now } = deed
  const demand = await lockDemand(deed, id)
  if (!canMoveDemand(demand, 'extend', 'owner', toMoment(now))) throw new Refusal('demand_changed')
  await refuseMany(deed, { demandId: id, step: 'extend' })
  if (quoteDeadline <= (demand.quoteDeadline ?? '')) refuseField(['quoteDeadline'], 'deadline_shorter')
  // The lessors know the demand already, so the term of an urgent one is enough.
  const problems = deadlineProblems(fromMoment(quoteDeadline), { urgent: true, items: await findItems(db, id) }, now)
  if (problems.length > 0) throw new FieldRefusal(problems)
  await db
    .updateTable('demand')
    .set({ quoteDeadline: fromMoment(quoteDeadline), fewToldAt: null, updateTime: now, version: nextVersion })
    .where('id', '=', id)
    .execute()
  await askToBindLonger(deed, id, quoteDeadline)
  const note = `${demand.quoteDeadline} → ${quoteDeadline}: ${reason}`
  await insertEvent(deed, { demandId: id, accountId: actor.accountId, move: 'extend', note })
  const params = { title: demand.title, code: demand.demandCode ?? '', deadline: minuteOf(quoteDeadline), reason }
  const news = { demandId: id, kind: 'demandExtended', params } as const
  await notifyBidders(deed, { ...news, params: { ...params, validUntil: bindsUntil(quoteDeadline) } })
  await notifyInvited(deed, news)
  await notifyProject(deed, { deptId: demand.deptId, ...news })
}

/**
 * Changes a demand that is being quoted, if nobody changed it meanwhile. Where the change matters to a quote the revision rises, and the quotes
 * wait for their lessors' confirmation: the guard of the move leaves everybody `amendHours` for it, and no deadline comes earlier. What the unit
 * above has approved is changed only by whoever approves (decision 60).
 */
export async function amendDemand(
  deed: Deed,
  { id, version, changeReason, ...input }: AmendInput,
): Promise<{ revision: number; quoteDeadline: string }> {
  const { db, actor, now } = deed
  const categories = byId(await findCategories(db, categoryIdsOf(input)))
  const demand = await lockDemand(deed, id)
  if (demand.version !== version) throw new Refusal('changed')
  await checkInput(db, input, { categories, now, changed: await findChanged(db, demand, input) })
  if (!canMoveDemand(demand, 'amend', 'owner', toMoment(now))) throw new Refusal('amend_late')
  await refuseMany(deed, { demandId: id, step: 'change' })
  if (demand.demandType === demandType.invited && input.invitedCompanyIds.length === 0) refuseField(['invitedCompanyIds'], 'invite_needed')
  if (input.quoteDeadline < (demand.quoteDeadline ?? '')) refuseField(['quoteDeadline'], 'deadline_shorter')
  if (input.method !== demand.method && !isAmong(input.method, offeredMethods)) refuseField(['method'], 'method_gone')
  const before = await findQuotedTerms(db, id)
  const ceilingsBefore = await findCeilings(db, id)
  // Kind and seal stay: lessors quoted on them.
  const { demandType: _, sealed: __, ...columns } = columnsOf(input, { ...demand, demandCode: demand.demandCode ?? '', categories })
  await db.updateTable('demand').set(columns).where('id', '=', id).execute()
  await writeItems(db, { id, items: input.items }, categories)
  await attach(deed, id, input.attachmentIds)

  // A correction of neither terms nor ceilings leaves the ceilings, also where the organisation has set one since the publication.
  const hasOtherCeilings = !isDeepStrictEqual(await findCeilings(db, id), ceilingsBefore)
  if (hasOtherCeilings || (await findQuotedTerms(db, id)) !== before)
    await fillCeilings(db, { id, deptId: demand.deptId, input, categories })
  const matters = (await findQuotedTerms(db, id)) !== before
  const { quoteDeadline } = input
  const isLater = quoteDeadline > (demand.quoteDeadline ?? '')
  const { reinvites, joined } = await changeInvites(deed, demand, {
    title: input.title,
    quoteDeadline,
    companyIds: input.invitedCompanyIds,
    reason: changeReason,
  })
  // The unit above has decided on these as well, although no quote depends on them. A direct demand from before there were reasons has none that
  // anybody approved.
  const hasOtherReason = input.method === demandMethod.direct && demand.methodReason !== '' && input.methodReason !== demand.methodReason
  const isDecided =
    matters ||
    hasOtherCeilings ||
    reinvites ||
    hasOtherReason ||
    input.budgetLimit !== demand.budgetFen ||
    columns.minQuotes !== demand.minQuotes
  if (isDecided && !(await isApproved(db, actor, demand.deptId, 'approves_demands'))) throw new Refusal('amend_approval')
  const { revision } = await db
    .updateTable('demand')
    .set((eb) => ({
      revision: matters ? eb('revision', '+', 1) : eb.ref('revision'),
      fewToldAt: null,
      updateTime: now,
      version: nextVersion,
    }))
    .where('id', '=', id)
    .returning('revision')
    .executeTakeFirstOrThrow()
  if (matters) await askToConfirm(deed, (eb) => eb('demandId', '=', id))
  else if (isLater) await askToBindLonger(deed, id, quoteDeadline)
  await insertEvent(deed, { demandId: id, accountId: actor.accountId, move: 'amend', note: changeReason })
  const params = {
    title: input.title,
    code: demand.demandCode ?? '',
    reason: changeReason,
    deadline: minuteOf(quoteDeadline),
  }
  const kind = matters ? 'demandAmended' : 'demandCorrected'
  await notifyBidders(deed, { demandId: id, kind, params: { ...params, ...(isLater && { validUntil: bindsUntil(quoteDeadline) }) } })
  const news = { demandId: id, kind: 'demandChanged', params } as const
  // Whoever joined reads the changed demand in the invitation.
  await notifyInvited(deed, news, joined)
  await notifyProject(deed, { deptId: demand.deptId, ...news })
  return { revision, quoteDeadline }
}

/**
 * The lines whose days the change checks anew: the first days that are new, and the last days that are new. Where the change moves the deadline,
 * every hire must outlast it.
 */
async function findChanged(
  db: Tx,
  { id, quoteDeadline, clarifyDeadline }: { id: number; quoteDeadline: string | null; clarifyDeadline: string | null },
  { quoteDeadline: deadline, clarifyDeadline: clarify, items }: Pick<AmendInput, 'quoteDeadline' | 'clarifyDeadline' | 'items'>,
) {
  const stored = await findItems(db, id)
  const changed = (day: 'planStart' | 'planEnd') =>
    items.filter((item) => !stored.some((line) => line.id === item.id && line[day] === item[day]))
  return {
    starts: changed('planStart'),
    ends: deadline === quoteDeadline ? changed('planEnd') : items,
    clarify: clarify !== clarifyDeadline,
  }
}

/**
 * Has the quotes confirmed that would not bind long enough past a later deadline: opened as they are, they could not be awarded. Nobody but their
 * lessors sees which ones (decision 35).
 */
async function askToBindLonger({ db, now, secret }: Deed, demandId: number, quoteDeadline: string): Promise<void> {
  const quotes = await db
    .selectFrom('quote')
    .where('demandId', '=', demandId)
    .where('status', 'in', quoteMoves.amended.from)
    .select(['id', 'demandId', 'sealedContact', 'contactName', 'contactPhone', 'validUntil'])
    .execute()
  const short = quotes.filter((quote) => bindsTooShort(contactOf(secret, quote), bindsUntil(quoteDeadline))).map(({ id }) => id)
  if (short.length > 0) await askToConfirm({ db, now }, (eb) => eb('id', 'in', short))
}

/** The quotes that fit and stand as submitted wait for their lessors' confirmation. */
async function askToConfirm(
  { db, now }: Pick<Deed, 'db' | 'now'>,
  fits: (eb: ExpressionBuilder<DB, 'quote'>) => Expression<SqlBool>,
): Promise<void> {
  await db
    .updateTable('quote')
    .set({ status: quoteMoves.amended.to, updateTime: now, version: nextVersion })
    .where(fits)
    .where('status', 'in', quoteMoves.amended.from)
    .execute()
}

/** Lines keep their ids, because the sealed offers name the lines they are for. */
async function writeItems(tx: Tx, input: Pick<AmendInput, 'id' | 'items'>, categories: ReturnType<typeof byId>): Promise<void> {
  const known = await tx.selectFrom('demandItem').where('demandId', '=', input.id).select('id').execute()
  const remaining = new Set(input.items.flatMap(({ id }) => (id === undefined ? [] : [id])))
  if ([...remaining].some((id) => !known.some((item) => item.id === id)) || remaining.size !== input.items.filter(({ id }) => id).length)
    refuseField(['items'], 'item_unknown')
  // Line numbers are unique: out of the way first.
  await tx
    .updateTable('demandItem')
    .set((eb) => ({ lineNo: eb('lineNo', '+', 1000) }))
    .where('demandId', '=', input.id)
    .execute()
  const gone = known.filter(({ id }) => !remaining.has(id)).map(({ id }) => id)
  if (gone.length > 0) await tx.deleteFrom('demandItem').where('id', 'in', gone).execute()
  for (const [index, { id, ...item }] of input.items.entries()) {
    const row = itemRow(item, { demandId: input.id, lineNo: index + 1, categories })
    if (id === undefined) await tx.insertInto('demandItem').values(row).execute()
    else await tx.updateTable('demandItem').set(row).where('id', '=', id).where('demandId', '=', input.id).execute()
  }
}

type Filling = { id: number; deptId: number; input: DemandInput; categories: ReturnType<typeof byId> }

/** Lines without a ceiling take the one of the organisation's list, as at the publication, so leaving it out does not drop it. */
async function fillCeilings(tx: Tx, { id, deptId, input, categories }: Filling): Promise<void> {
  for (const [index, { priceCeiling }] of (await withCeilings(tx, input, { deptId, categories })).entries())
    await tx
      .updateTable('demandItem')
      .set({ priceCeilingFen: priceCeiling })
      .where('demandId', '=', id)
      .where('lineNo', '=', index + 1)
      .execute()
}
