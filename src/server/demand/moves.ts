import { fromMoment, toMoment } from '#shared/calendar.ts'
import type { AmendInput } from '#shared/demand/moves.ts'
import { amendHours, canMoveDemand, deadlineRules, demandMoves } from '#shared/demand/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { audited } from '../audit/log.ts'
import type { Db, Tx } from '../db/connect.ts'
import { findCategories } from '../category/queries.ts'
import { Refusal, refuseField } from '../http/refusal.ts'
import type { Hub } from '../message/hub.ts'
import { insertEvent, lockDemand, tellOwner, tellQuoters } from './events.ts'
import { attach, byId, categoryIdsOf, checkInput, columnsOf, insertInvites, itemRow } from './publish.ts'

/** Cancels or fails: the demand, its live quotes, the event and the notices in one transaction. */
export async function endDemand(
  db: Db,
  hub: Hub,
  actor: Actor,
  id: number,
  move: 'cancel' | 'fail',
  reason: string,
  now: Date,
): Promise<void> {
  const { to } = demandMoves[move]
  await db.transaction().execute(async (tx) => {
    const before = await lockDemand(tx, actor, id)
    if (!canMoveDemand(before, move, 'owner', toMoment(now))) throw new Refusal('demand_changed')
    await tx
      .updateTable('demand')
      .set((eb) => ({ status: to, statusReason: reason, updateTime: now, version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .execute()
    await endQuotes(tx, hub, before, move === 'cancel' ? 'demandCancelled' : 'demandFailed', reason, now)
    await insertEvent(tx, { demandId: id, accountId: actor.accountId, move, fromStatus: before.status, toStatus: to, note: reason }, now)
  })
}

/** The platform withdraws what should not be there; the owner and everybody who quoted learn why. */
export async function takeDemandDown(db: Db, hub: Hub, actor: Actor, id: number, reason: string, now: Date): Promise<void> {
  const { to } = demandMoves.takeDown
  await db.transaction().execute((tx) =>
    audited(tx, actor, { action: 'demand.takeDown', bizType: 'demand', id, reason }, now, async () => {
      const before = await lockDemand(tx, actor, id)
      if (!canMoveDemand(before, 'takeDown', 'operator', toMoment(now))) throw new Refusal('demand_changed')
      await tx
        .updateTable('demand')
        .set((eb) => ({ status: to, statusReason: reason, updateTime: now, version: eb('version', '+', 1) }))
        .where('id', '=', id)
        .execute()
      await endQuotes(tx, hub, before, 'demandTakenDown', reason, now)
      const event = { demandId: id, accountId: actor.accountId, move: 'takeDown', fromStatus: before.status, toStatus: to, note: reason }
      await insertEvent(tx, event, now)
      await tellOwner(tx, hub, before.deptId, 'demandTakenDown', { title: before.title, code: before.demandCode ?? '', reason }, id, now)
    }),
  )
}

async function endQuotes(
  tx: Tx,
  hub: Hub,
  demand: { id: number; title: string; demandCode: string | null },
  kind: 'demandCancelled' | 'demandFailed' | 'demandTakenDown',
  reason: string,
  now: Date,
): Promise<void> {
  await tellQuoters(tx, hub, demand.id, kind, { title: demand.title, code: demand.demandCode ?? '', reason }, now)
  await tx
    .updateTable('awardRequest')
    .set({ status: '3', decideTime: now, reason })
    .where('demandId', '=', demand.id)
    .where('status', '=', '1')
    .execute()
  await tx
    .updateTable('quote')
    .set({ status: '9', updateTime: now })
    .where('demandId', '=', demand.id)
    .where('status', 'in', ['1', '3', '4'])
    .execute()
}

/** A later deadline for everybody. */
export async function extendDemand(
  db: Db,
  hub: Hub,
  actor: Actor,
  id: number,
  { quoteDeadline, reason }: { quoteDeadline: string; reason: string },
  now: Date,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const demand = await lockDemand(tx, actor, id)
    if (!canMoveDemand(demand, 'extend', 'owner', toMoment(now))) throw new Refusal('demand_changed')
    if (quoteDeadline <= (demand.quoteDeadline ?? '')) refuseField(['quoteDeadline'], 'deadline_shorter')
    const ahead = fromMoment(quoteDeadline).getTime() - now.getTime()
    if (ahead < deadlineRules.urgentHours * hourMs) refuseField(['quoteDeadline'], 'deadline_urgent')
    if (ahead > deadlineRules.maxDays * 24 * hourMs) refuseField(['quoteDeadline'], 'deadline_far')
    await tx
      .updateTable('demand')
      .set((eb) => ({ quoteDeadline: fromMoment(quoteDeadline), fewToldAt: null, updateTime: now, version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .execute()
    await insertEvent(
      tx,
      { demandId: id, accountId: actor.accountId, move: 'extend', note: `${demand.quoteDeadline} → ${quoteDeadline}: ${reason}` },
      now,
    )
    await tellQuoters(
      tx,
      hub,
      id,
      'demandExtended',
      { title: demand.title, code: demand.demandCode ?? '', deadline: quoteDeadline.slice(0, 16), reason },
      now,
    )
  })
}

/** What a quote depends on: everything but names, contacts and the owner's own notes. */
const essence = (columns: Record<string, unknown>, items: readonly Record<string, unknown>[], files: readonly string[]) =>
  JSON.stringify([
    essential.map((name) => columns[name] ?? null),
    items.map((item) => itemEssence.map((name) => item[name] ?? null)),
    files.toSorted(),
  ])

const essential = [
  'provinceId',
  'cityId',
  'districtId',
  'address',
  'lowEmissionZone',
  'method',
  'fuelBy',
  'operatorBy',
  'transportBy',
  'erectionBy',
  'lodgingBy',
  'terms',
  'cycle',
  'ratio',
  'days',
  'invoice',
] as const
const itemEssence = [
  'id',
  'categoryId',
  'requirements',
  'brandPreference',
  'maxAgeYears',
  'minEmission',
  'qty',
  'planStart',
  'planEnd',
  'rentUnit',
  'estQuantity',
  'shiftMode',
  'priceCeilingFen',
  'remark',
] as const

type Requirement = { key: string; rule: string; value: string }
const requirements = (list: readonly Requirement[]) =>
  list
    .map(({ key, rule, value }) => `${key} ${rule} ${value}`)
    .toSorted()
    .join(';')

async function essenceNow(tx: Tx, id: number): Promise<string> {
  const demand = await tx.selectFrom('demand').where('id', '=', id).selectAll().executeTakeFirstOrThrow()
  const items = await tx.selectFrom('demandItem').where('demandId', '=', id).orderBy('id').selectAll().execute()
  const files = await tx.selectFrom('demandAttachment').where('demandId', '=', id).select('fileId').execute()
  return essence(
    { ...demand, ...(demand.payment as object) },
    items.map((item) => ({ ...item, requirements: requirements(item.specRequirements as Requirement[]) })),
    files.map(({ fileId }) => fileId),
  )
}

/**
 * Changes a demand that is being quoted, if nobody changed it meanwhile. Where the change matters to a quote the
 * revision rises, the quotes wait for their lessors' confirmation, and everybody has at least a day from now.
 */
export async function amendDemand(db: Db, hub: Hub, actor: Actor, input: AmendInput, now: Date) {
  const categories = byId(await findCategories(db, categoryIdsOf(input)))
  await checkInput(db, input, categories, now)
  return db.transaction().execute(async (tx) => {
    const demand = await lockDemand(tx, actor, input.id)
    if (demand.version !== input.version) throw new Refusal('changed')
    if (!canMoveDemand(demand, 'amend', 'owner', toMoment(now))) throw new Refusal('amend_late')
    if (input.quoteDeadline < (demand.quoteDeadline ?? '')) refuseField(['quoteDeadline'], 'deadline_shorter')
    const before = await essenceNow(tx, input.id)
    const columns = columnsOf(input, demand.projectName, demand.demandCode ?? '', categories)
    await tx
      .updateTable('demand')
      // Kind and seal stay: lessors quoted on them.
      .set({ ...columns, demandType: demand.demandType, sealed: demand.sealed })
      .where('id', '=', input.id)
      .execute()
    await writeItems(tx, input, categories)
    await tx.deleteFrom('demandInvite').where('demandId', '=', input.id).execute()
    await insertInvites(tx, input.id, input.invitedCompanyIds)
    await tx.deleteFrom('demandAttachment').where('demandId', '=', input.id).execute()
    await attach(tx, input.id, actor, input.attachmentIds)

    const matters = (await essenceNow(tx, input.id)) !== before
    const least = toMoment(new Date(now.getTime() + amendHours * hourMs))
    const quoteDeadline = matters && input.quoteDeadline < least ? least : input.quoteDeadline
    const { revision } = await tx
      .updateTable('demand')
      .set((eb) => ({
        quoteDeadline: fromMoment(quoteDeadline),
        revision: matters ? eb('revision', '+', 1) : eb.ref('revision'),
        fewToldAt: null,
        updateTime: now,
        version: eb('version', '+', 1),
      }))
      .where('id', '=', input.id)
      .returning('revision')
      .executeTakeFirstOrThrow()
    if (matters)
      await tx
        .updateTable('quote')
        .set((eb) => ({ status: '3', updateTime: now, version: eb('version', '+', 1) }))
        .where('demandId', '=', input.id)
        .where('status', '=', '1')
        .execute()
    await insertEvent(tx, { demandId: input.id, accountId: actor.accountId, move: 'amend', note: input.changeReason }, now)
    await tellQuoters(
      tx,
      hub,
      input.id,
      matters ? 'demandAmended' : 'demandCorrected',
      { title: input.title, code: demand.demandCode ?? '', reason: input.changeReason, deadline: quoteDeadline.slice(0, 16) },
      now,
    )
    return { revision, quoteDeadline }
  })
}

/** Lines keep their ids, so that the offers in hand still say what they are for. */
async function writeItems(tx: Tx, input: AmendInput, categories: ReturnType<typeof byId>): Promise<void> {
  const known = await tx.selectFrom('demandItem').where('demandId', '=', input.id).select('id').execute()
  const kept = new Set(input.items.flatMap(({ id }) => (id === undefined ? [] : [id])))
  if ([...kept].some((id) => !known.some((item) => item.id === id)) || kept.size !== input.items.filter(({ id }) => id).length)
    refuseField(['items'], 'item_unknown')
  // Line numbers are unique: out of the way first.
  await tx
    .updateTable('demandItem')
    .set((eb) => ({ lineNo: eb('lineNo', '+', 1000) }))
    .where('demandId', '=', input.id)
    .execute()
  const gone = known.filter(({ id }) => !kept.has(id)).map(({ id }) => id)
  if (gone.length > 0) await tx.deleteFrom('demandItem').where('id', 'in', gone).execute()
  for (const [index, { id, ...item }] of input.items.entries()) {
    const row = itemRow(item, input.id, index + 1, categories)
    if (id === undefined) await tx.insertInto('demandItem').values(row).execute()
    else await tx.updateTable('demandItem').set(row).where('id', '=', id).where('demandId', '=', input.id).execute()
  }
}

const hourMs = 3_600_000
