import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import type { Download, Received } from '#shared/endpoint.ts'
import { EquipmentFilter } from '#shared/equipment/contract.ts'
import type * as contract from '#shared/equipment/manage.ts'
import type { ReviewScope } from '#shared/equipment/manage.ts'
import { machineNameEn } from '#shared/equipment/name.ts'
import { changeStatus, equipmentAudit, equipmentMoves, shelfStatus } from '#shared/equipment/rules.ts'
import { paths } from '#shared/paths.ts'
import { delFlag, exportLimit, yesNo } from '#shared/rules.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import { audited } from '../audit/log.ts'
import type { Read, Tx } from '../db/connect.ts'
import { listOf, listPage, orderOf, paged, pageId, type Paging } from '../db/paging.ts'
import { beginsWith } from '../db/search.ts'
import type { DB } from '../db/tables.generated.ts'
import { nextVersion } from '../db/version.ts'
import { forEachApart, type Batch } from '../batch.ts'
import type { Context, Deed } from '../deed.ts'
import { Refusal } from '../http/refusal.ts'
import { sendMessages } from '../message/queries.ts'
import { listWorkbook } from '../workbook/list-workbook.ts'
import { findMachineNamesEn } from './names.ts'
import { isDuplicate } from './numbers.ts'
import { changeWaiting, getMachine, moveOnShelf } from './own.ts'
import { pageOfShelf, withCard } from './queries.ts'
import { listOf as listOfShelf, shelved } from './shelf-list.ts'
import { applyChange, deleteChangeFiles, insertEquipmentEvent, lockMachine } from './upload.ts'
import { holdsWordsOrNumber } from './words.ts'

const present = sql.lit(delFlag.present)

/** The condition on `equipment` of each list of the reviewer but that of the whole shelf. */
const scopes: Record<Exclude<ReviewScope, 'on'>, RawBuilder<boolean>> = {
  // Each half has an index; a condition that joins them by "or" has none.
  waiting: sql<boolean>`equipment.id in (select w.id from equipment w where w.audit_status = ${sql.lit(equipmentAudit.submitted)} and w.del_flag = ${present}
    union all select w.equipment_id from equipment_change w where w.status = ${sql.lit(changeStatus.waiting)})`,
  trusted: sql<boolean>`equipment.trusted`,
  off: sql<boolean>`equipment.shelf_status = ${sql.lit(shelfStatus.takenDown)}`,
}

type Filter = Received<typeof contract.exportReviews>['query']

/** Machines and changes to be judged, the longest wait first; those on the shelf, the newest first. */
export async function listReviews(db: Read, { scope, keyword, sort, ...paging }: Filter & Paging) {
  if (scope === 'on') return listOnShelf(db, { keyword, ...paging })
  const direction = sort === '-submitTime' ? 'desc' : 'asc'
  const waiting = db
    .selectFrom('equipment')
    .leftJoin('equipmentChange as x', (join) =>
      join.onRef('x.equipmentId', '=', 'equipment.id').on('x.status', '=', sql.lit(changeStatus.waiting)),
    )
    .where('equipment.delFlag', '=', present)
    .where(scopes[scope])
    .$if(keyword !== undefined, (some) => some.where(holdsWordsOrNumber(keyword ?? '')))
  const { total, rows } = await paged(waiting, paging, (query) =>
    query
      .select([
        'equipment.id',
        sql<string>`coalesce(x.submit_time, equipment.submit_time, equipment.create_time)`.as('since'),
        'x.id as changeId',
      ])
      .orderBy('since', direction)
      .orderBy('equipment.id', direction),
  )
  const cards = await findReviewCards(
    db,
    rows.map(({ id }) => id),
  )
  return {
    total,
    rows: rows.flatMap(({ id, since, changeId }) => {
      const card = cards.get(id)
      return card ? [{ ...card, submitTime: since, isChange: changeId !== null }] : []
    }),
  }
}

/** The machines on the shelf whose number begins with what was typed, or else those that the library finds by it. */
async function listOnShelf(db: Read, { keyword = '', ...paging }: { keyword: string | undefined } & Paging) {
  const card = reviewCard(db.selectFrom('equipment').where('equipment.id', '=', pageId)).select([
    sql<string>`coalesce(equipment.submit_time, equipment.create_time)`.as('submitTime'),
    changeWaiting.as('isChange'),
  ])
  if (/^sb\d+$/i.test(keyword)) {
    const numbered = shelved(db).where(beginsWith('equipment.equipment_code', keyword.toUpperCase()))
    const newest = orderOf({ sort: undefined, columns: {}, id: 'equipment.id' })
    const found = await listPage(db, { list: listOf(numbered, 'equipment.id', newest), paging, card })
    if (found.total > 0) return found
  }
  const page = await pageOfShelf(db, { ...EquipmentFilter.parse({ name: keyword }), ...paging })
  return listPage(db, { list: listOfShelf(db, page), paging: page, card })
}

/** Writes the list as a workbook. */
export async function reviewsWorkbook(db: Read, { filter, text }: { filter: Filter; text: Text }): Promise<Download> {
  const { equipment } = text
  const words = equipment.review
  const isOnShelf = filter.scope === 'on'
  const zh = text.locale === 'zh-CN'
  return listWorkbook({
    title: words.title,
    text,
    columns: [
      { label: text.list.machine.code, width: 18, value: (row) => row.equipmentCode },
      { label: equipment.name, width: 30, value: (row) => (zh ? row.name : machineNameEn(row)) },
      { label: text.site.common.category, width: 18, value: (row) => (zh ? row.categoryName : row.categoryNameEn) },
      { label: equipment.lessor, width: 32, value: (row) => row.companyName },
      {
        label: text.site.common.status,
        width: 24,
        value: (row) => (filter.scope === 'off' ? row.offReason : row.isChange ? words.isChange : isOnShelf ? '' : words.isNew),
      },
      ...(isOnShelf
        ? []
        : [{ label: words.waiting, width: 20, format: 'moment', value: (row: { submitTime: string }) => row.submitTime } as const]),
    ],
    list: await listReviews(db, { ...filter, pageNum: 1, pageSize: exportLimit, exact: true }),
  })
}

async function findReviewCards(db: Read, ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, never>()
  const cards = await reviewCard(db.selectFrom('equipment').where('equipment.id', 'in', ids)).execute()
  return new Map(cards.map((card) => [card.id, card]))
}

const reviewCard = (machines: SelectQueryBuilder<DB, 'equipment', object>) =>
  withCard(machines).select([
    'equipment.offReason',
    'equipment.version',
    sql<number>`(select count(*)::int from equipment o where ${isDuplicate})`.as('duplicates'),
  ])

/** A machine as it is to be judged. Throws not_found for a draft, of which the reviewer knows nothing. */
export async function getReviewedMachine(db: Read, id: number, now: Date) {
  const machine = await getMachine(db, { id, companyId: null, now })
  if (machine.auditStatus === equipmentAudit.draft && machine.change === null) throw new Refusal('not_found')
  return machine
}

type Version = { id: number; version: number }

/** Locks the machine and the change that waits. Refuses what nobody handed in, and a version that the reviewer has not read. */
async function lockSubmitted(db: Tx, { id, version }: Version) {
  const machine = await lockMachine(db, id, null)
  if (machine.version !== version) throw new Refusal('changed')
  const change = await db
    .selectFrom('equipmentChange')
    .where('equipmentId', '=', id)
    .where('status', '=', changeStatus.waiting)
    .select(['id', 'after'])
    .executeTakeFirst()
  if (!change && machine.auditStatus !== equipmentAudit.submitted) throw new Refusal('equipment_changed')
  return { machine, change }
}

/** Passes the change that waits, or the machine, which goes on the shelf where its documents and its company allow it. */
export async function passMachine(deed: Deed, { id, version }: Version): Promise<void> {
  const { db, actor, now } = deed
  const { machine, change } = await lockSubmitted(db, { id, version })
  let isOnShelf = false
  if (change) {
    await applyChange(deed, id, change.after)
    await decideChange(deed, { id: change.id, equipmentId: id, status: changeStatus.passed, reason: '' })
  } else {
    await db
      .updateTable('equipment')
      .set({ auditStatus: equipmentMoves.pass.to, auditReason: '', updateTime: now, version: nextVersion })
      .where('id', '=', id)
      .execute()
    isOnShelf = await moveOnShelf(deed, { id, companyId: machine.companyId, shelfStatus: shelfStatus.on })
  }
  await insertEquipmentEvent(deed, { equipmentId: id, accountId: actor.accountId, move: 'pass' })
  const params = { change: change ? yesNo.yes : '', onShelf: isOnShelf ? yesNo.yes : '' }
  await notifyCompany(deed, machine, { kind: 'equipmentPassed', params })
}

/** Sends the change that waits, or the machine, back with a reason. */
export async function rejectMachine(deed: Deed, { id, version, reason }: Version & { reason: string }): Promise<void> {
  const { db, actor, now } = deed
  const { machine, change } = await lockSubmitted(db, { id, version })
  if (change) await decideChange(deed, { id: change.id, equipmentId: id, status: changeStatus.rejected, reason })
  else
    await db
      .updateTable('equipment')
      .set({ auditStatus: equipmentMoves.reject.to, auditReason: reason, updateTime: now, version: nextVersion })
      .where('id', '=', id)
      .execute()
  await insertEquipmentEvent(deed, { equipmentId: id, accountId: actor.accountId, move: 'reject', note: reason })
  await notifyCompany(deed, machine, { kind: 'equipmentRejected', params: { reason, change: change ? yesNo.yes : '' } })
}

/** Passes several, each in a transaction of its own with its audit entry. */
export const passMachines = (context: Context, machines: readonly Version[]): Promise<Batch> =>
  forEachApart(context, machines, (deed, machine) =>
    audited(deed, deed.actor, { action: 'equipment.pass', bizType: 'equipment', id: machine.id }, () => passMachine(deed, machine)),
  )

/** Confirms a machine that went on the shelf by the grade of its company. */
export async function confirmTrusted(deed: Deed, id: number): Promise<void> {
  const { db, actor } = deed
  await lockMachine(db, id, null)
  const { numUpdatedRows } = await db
    .updateTable('equipment')
    .set({ trusted: false })
    .where('id', '=', id)
    .where('trusted', '=', true)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Refusal('equipment_changed')
  await insertEquipmentEvent(deed, { equipmentId: id, accountId: actor.accountId, move: 'confirm' })
}

/** Takes a machine off the shelf for the platform; the lessor cannot put it back until it is restored. */
export async function takeMachineDown(deed: Deed, { id, reason }: { id: number; reason: string }): Promise<void> {
  const { db, actor, now } = deed
  const machine = await lockMachine(db, id, null)
  if (machine.auditStatus !== equipmentAudit.passed || machine.shelfStatus === shelfStatus.takenDown) throw new Refusal('equipment_changed')
  await db
    .updateTable('equipment')
    .set({ shelfStatus: shelfStatus.takenDown, offReason: reason, trusted: false, updateTime: now, version: nextVersion })
    .where('id', '=', id)
    .execute()
  await insertEquipmentEvent(deed, { equipmentId: id, accountId: actor.accountId, move: 'takeDown', note: reason })
  await notifyCompany(deed, machine, { kind: 'equipmentTakenDown', params: { reason } })
}

/** Allows the lessor to put a machine that was taken down on the shelf again. */
export async function restoreMachine(deed: Deed, id: number): Promise<void> {
  const { db, actor, now } = deed
  const machine = await lockMachine(db, id, null)
  if (machine.shelfStatus !== shelfStatus.takenDown) throw new Refusal('equipment_changed')
  await db
    .updateTable('equipment')
    .set({ shelfStatus: shelfStatus.off, offReason: '', updateTime: now, version: nextVersion })
    .where('id', '=', id)
    .execute()
  await insertEquipmentEvent(deed, { equipmentId: id, accountId: actor.accountId, move: 'restore' })
  await notifyCompany(deed, machine, { kind: 'equipmentRestored' })
}

type Decision = { id: number; equipmentId: number; status: typeof changeStatus.passed | typeof changeStatus.rejected; reason: string }

async function decideChange({ db, actor, now }: Deed, { id, equipmentId, status, reason }: Decision): Promise<void> {
  await db
    .updateTable('equipmentChange')
    .set({ status, reason, decidedBy: actor.accountId, decideTime: now })
    .where('id', '=', id)
    .execute()
  await deleteChangeFiles(db, equipmentId)
}

type News = {
  kind: 'equipmentPassed' | 'equipmentRejected' | 'equipmentTakenDown' | 'equipmentRestored'
  params?: Record<string, string>
}

/** Tells the people of the machine's company. */
async function notifyCompany(
  deed: Deed,
  { id, companyId, name }: { id: number; companyId: number; name: string },
  { kind, params = {} }: News,
): Promise<void> {
  const nameEn = (await findMachineNamesEn(deed.db, [id])).get(id) ?? name
  await sendMessages(deed, {
    to: { companies: [companyId] },
    kind,
    params: { machine: name, machineEn: nameEn, ...params },
    bizType: 'equipment',
    bizId: id,
    link: paths.editMachine(id),
  })
}
