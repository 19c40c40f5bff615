import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { dayOf } from '#shared/calendar.ts'
import type { Actor } from '../actor/actor.ts'
import { companyOf } from '../actor/scope.ts'
import type { Db, Tx } from '../db/connect.ts'
import { Refusal, refuseField } from '../http/refusal.ts'
import { insertEquipmentEvent, lockMachine } from './upload.ts'

/** The first free slots of a machine (a lot has several) in a half-open period; the caller holds its row. */
export async function freeSlots(
  tx: Tx,
  machine: { id: number; totalQty: number },
  from: string,
  to: string,
  wanted: number,
): Promise<number[]> {
  const { rows } = await sql<{ slot: number }>`
    select slot from generate_series(1, ${machine.totalQty}::int) as slot
    where not exists (select 1 from equipment_booking b where b.equipment_id = ${machine.id} and b.slot = slot.slot
      and b.period && daterange(${from}::date, ${to}::date)) order by slot limit ${wanted}`.execute(tx)
  return rows.map(({ slot }) => slot)
}

/** Keeps a machine out of hire by hand: repair, own use, a reservation. */
export async function addBlock(
  db: Db,
  actor: Actor,
  id: number,
  block: { from: string; to: string; reason: string; note: string; qty: number },
  now: Date,
): Promise<string> {
  return db.transaction().execute(async (tx) => {
    const machine = await lockMachine(tx, id, companyOf(actor))
    if (block.to <= dayOf(now)) refuseField(['to'], 'start_past')
    if (block.qty > machine.totalQty) refuseField(['qty'], 'machine_few')
    const slots = await freeSlots(tx, machine, block.from, block.to, block.qty)
    if (slots.length < block.qty) throw new Refusal('machine_taken')
    const blockId = randomUUID()
    for (const slot of slots)
      await sql`insert into equipment_booking (equipment_id, slot, period, reason, note, block_id)
        values (${id}, ${slot}, daterange(${block.from}::date, ${block.to}::date), ${block.reason}, ${block.note}, ${blockId})`.execute(tx)
    const note = `${block.from} – ${block.to}`
    await insertEquipmentEvent(tx, { equipmentId: id, accountId: actor.accountId, move: 'block', note }, now)
    return blockId
  })
}

export async function removeBlock(db: Db, actor: Actor, id: number, blockId: string, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockMachine(tx, id, companyOf(actor))
    const { numDeletedRows } = await tx
      .deleteFrom('equipmentBooking')
      .where('equipmentId', '=', id)
      .where('blockId', '=', blockId)
      .where('reason', '<>', 'award')
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw new Refusal('not_found')
    await insertEquipmentEvent(tx, { equipmentId: id, accountId: actor.accountId, move: 'unblock' }, now)
  })
}
