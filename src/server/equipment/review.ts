import { sql, type RawBuilder } from 'kysely'
import { dayOf } from '#shared/calendar.ts'
import type { ReviewScope } from '#shared/equipment/own.ts'
import { equipmentMoves } from '#shared/equipment/rules.ts'
import type { RefusalCode } from '#shared/refusals.ts'
import type { Actor } from '../actor/actor.ts'
import { audited } from '../audit/log.ts'
import type { Db, Read, Tx } from '../db/connect.ts'
import { Refusal } from '../http/refusal.ts'
import type { Hub } from '../message/hub.ts'
import { sendMessages } from '../message/queries.ts'
import { setShelf } from './own.ts'
import { withCard } from './queries.ts'
import { applyChange, insertEquipmentEvent, lockMachine } from './upload.ts'

const changeWaiting = sql<boolean>`exists (select 1 from equipment_change x where x.equipment_id = equipment.id and x.status = '1')`

/** What each list of the reviewer holds, as a condition on `equipment`. */
const scopes: Record<ReviewScope, RawBuilder<boolean>> = {
  waiting: sql<boolean>`(equipment.audit_status = '1' or ${changeWaiting})`,
  trusted: sql<boolean>`equipment.trusted`,
  off: sql<boolean>`equipment.shelf_status = '2'`,
}

/** By how long they wait. */
export async function findReviews(db: Read, { pageNum, pageSize, scope }: { pageNum: number; pageSize: number; scope: ReviewScope }) {
  const waiting = () =>
    db
      .selectFrom('equipment')
      .leftJoin('equipmentChange as x', (join) => join.onRef('x.equipmentId', '=', 'equipment.id').on('x.status', '=', '1'))
      .where('equipment.delFlag', '=', '0')
      .where(scopes[scope])
  const { total } = await waiting()
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const page = await waiting()
    .select([
      'equipment.id',
      sql<string>`coalesce(x.submit_time, equipment.submit_time, equipment.create_time)`.as('since'),
      'x.id as changeId',
    ])
    .orderBy('since')
    .orderBy('equipment.id')
    .limit(pageSize)
    .offset((pageNum - 1) * pageSize)
    .execute()
  if (page.length === 0) return { total, rows: [] }
  const cards = await withCard(
    db.selectFrom('equipment').where(
      'equipment.id',
      'in',
      page.map(({ id }) => id),
    ),
  )
    .select([
      'equipment.offReason',
      'equipment.version',
      sql<number>`(select count(*)::int from equipment o where o.brand = equipment.brand and o.factory_no = equipment.factory_no
        and o.factory_no is not null and o.id <> equipment.id and o.del_flag = '0' and o.rent_status <> '4')`.as('duplicates'),
    ])
    .execute()
  const byId = new Map(cards.map((card) => [card.id, card]))
  return {
    total,
    rows: page.flatMap(({ id, since, changeId }) => {
      const card = byId.get(id)
      return card ? [{ ...card, submitTime: since, isChange: changeId !== null }] : []
    }),
  }
}

async function judge(tx: Tx, id: number, version: number) {
  const machine = await lockMachine(tx, id, null)
  if (machine.version !== version) throw new Refusal('changed')
  const change = await tx
    .selectFrom('equipmentChange')
    .where('equipmentId', '=', id)
    .where('status', '=', '1')
    .select(['id', 'after'])
    .executeTakeFirst()
  if (!change && machine.auditStatus !== '1') throw new Refusal('equipment_changed')
  return { machine, change }
}

/** A new machine goes on the shelf where papers and certification allow it. */
export async function passMachine(db: Db, hub: Hub, actor: Actor, id: number, version: number, now: Date): Promise<void> {
  await db.transaction().execute((tx) =>
    audited(tx, actor, { action: 'equipment.pass', bizType: 'equipment', id }, now, async () => {
      const { machine, change } = await judge(tx, id, version)
      if (change) {
        await applyChange(tx, id, change.after, now)
        await decide(tx, actor, change.id, '2', '', now)
        await tx
          .updateTable('equipment')
          .set((eb) => ({ version: eb('version', '+', 1) }))
          .where('id', '=', id)
          .execute()
      } else {
        await tx
          .updateTable('equipment')
          .set((eb) => ({ auditStatus: equipmentMoves.pass.to, auditReason: '', updateTime: now, version: eb('version', '+', 1) }))
          .where('id', '=', id)
          .execute()
        await setShelf(tx, machine.companyId, id, '1', dayOf(now), now)
      }
      await insertEquipmentEvent(tx, { equipmentId: id, accountId: actor.accountId, move: 'pass' }, now)
      await tell(tx, hub, machine, 'equipmentPassed', '', now)
    }),
  )
}

export async function rejectMachine(
  db: Db,
  hub: Hub,
  actor: Actor,
  id: number,
  { version, reason }: { version: number; reason: string },
  now: Date,
): Promise<void> {
  await db.transaction().execute((tx) =>
    audited(tx, actor, { action: 'equipment.reject', bizType: 'equipment', id, reason }, now, async () => {
      const { machine, change } = await judge(tx, id, version)
      if (change) await decide(tx, actor, change.id, '3', reason, now)
      else
        await tx
          .updateTable('equipment')
          .set((eb) => ({ auditStatus: equipmentMoves.reject.to, auditReason: reason, updateTime: now, version: eb('version', '+', 1) }))
          .where('id', '=', id)
          .execute()
      await insertEquipmentEvent(tx, { equipmentId: id, accountId: actor.accountId, move: 'reject', note: reason }, now)
      await tell(tx, hub, machine, 'equipmentRejected', reason, now)
    }),
  )
}

/** Each by itself; what has moved on, or is another version, stays and is named. */
export async function passMachines(db: Db, hub: Hub, actor: Actor, machines: readonly { id: number; version: number }[], now: Date) {
  const left: { id: number; code: RefusalCode }[] = []
  for (const { id, version } of machines)
    try {
      await passMachine(db, hub, actor, id, version, now)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      left.push({ id, code: error.code })
    }
  return { passed: machines.length - left.length, left }
}

/** A machine that went on the shelf by its company's grade has been looked at. */
export async function confirmTrusted(db: Db, actor: Actor, id: number, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) =>
    audited(tx, actor, { action: 'equipment.confirm', bizType: 'equipment', id }, now, async () => {
      await lockMachine(tx, id, null)
      const { numUpdatedRows } = await tx
        .updateTable('equipment')
        .set({ trusted: false })
        .where('id', '=', id)
        .where('trusted', '=', true)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw new Refusal('equipment_changed')
      await insertEquipmentEvent(tx, { equipmentId: id, accountId: actor.accountId, move: 'confirm' }, now)
    }),
  )
}

/** Off the shelf by the platform; the lessor cannot put it back until it is restored. */
export async function takeMachineDown(db: Db, hub: Hub, actor: Actor, id: number, reason: string, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) =>
    audited(tx, actor, { action: 'equipment.takeDown', bizType: 'equipment', id, reason }, now, async () => {
      const machine = await lockMachine(tx, id, null)
      if (machine.auditStatus !== '2' || machine.shelfStatus === '2') throw new Refusal('equipment_changed')
      await tx
        .updateTable('equipment')
        .set((eb) => ({ shelfStatus: '2', offReason: reason, trusted: false, updateTime: now, version: eb('version', '+', 1) }))
        .where('id', '=', id)
        .execute()
      await insertEquipmentEvent(tx, { equipmentId: id, accountId: actor.accountId, move: 'takeDown', note: reason }, now)
      await tell(tx, hub, machine, 'equipmentTakenDown', reason, now)
    }),
  )
}

export async function restoreMachine(db: Db, hub: Hub, actor: Actor, id: number, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) =>
    audited(tx, actor, { action: 'equipment.restore', bizType: 'equipment', id }, now, async () => {
      const machine = await lockMachine(tx, id, null)
      if (machine.shelfStatus !== '2') throw new Refusal('equipment_changed')
      await tx
        .updateTable('equipment')
        .set((eb) => ({ shelfStatus: '0', offReason: '', updateTime: now, version: eb('version', '+', 1) }))
        .where('id', '=', id)
        .execute()
      await insertEquipmentEvent(tx, { equipmentId: id, accountId: actor.accountId, move: 'restore' }, now)
      await tell(tx, hub, machine, 'equipmentRestored', '', now)
    }),
  )
}

const decide = (tx: Tx, actor: Actor, id: number, status: '2' | '3', reason: string, now: Date) =>
  tx.updateTable('equipmentChange').set({ status, reason, decidedBy: actor.accountId, decideTime: now }).where('id', '=', id).execute()

async function tell(
  tx: Tx,
  hub: Hub,
  machine: { id: number; companyId: number; name: string },
  kind: 'equipmentPassed' | 'equipmentRejected' | 'equipmentTakenDown' | 'equipmentRestored',
  reason: string,
  now: Date,
): Promise<void> {
  await sendMessages(
    { db: tx, hub, now },
    {
      to: { companies: [machine.companyId] },
      kind,
      params: { machine: machine.name, reason },
      bizType: 'equipment',
      bizId: machine.id,
      link: `/workbench/cequipment/add?id=${machine.id}`,
    },
  )
}
