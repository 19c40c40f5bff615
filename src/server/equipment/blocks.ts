import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { dayOf } from '#shared/calendar.ts'
import type { Received } from '#shared/endpoint.ts'
import type * as contract from '#shared/equipment/own.ts'
import { companyOf } from '../actor/scope.ts'
import type { Read } from '../db/connect.ts'
import type { Deed } from '../deed.ts'
import { Refusal, refuseField } from '../http/refusal.ts'
import { insertEquipmentEvent, lockMachine } from './upload.ts'

type Wanted = { equipmentId: number; totalQty: number; from: string; to: string; qty: number }

/** The first free slots of a machine (a lot has several) in a half-open period, at most `qty`; the caller has locked its row. */
export async function freeSlots(db: Read, { equipmentId, totalQty, from, to, qty }: Wanted): Promise<number[]> {
  const { rows } = await sql<{ slot: number }>`
    select slot from generate_series(1, ${totalQty}::int) as slot
    where not exists (select 1 from equipment_booking b where b.equipment_id = ${equipmentId} and b.slot = slot.slot
      and b.period && daterange(${from}::date, ${to}::date)) order by slot limit ${qty}`.execute(db)
  return rows.map(({ slot }) => slot)
}

type Block = Received<typeof contract.addBlock>['params'] & Received<typeof contract.addBlock>['body']

/** Takes a machine, or some of a lot, out of hire for a period: repair, own use, a reservation. */
export async function addBlock(deed: Deed, { id, from, to, reason, note, qty }: Block): Promise<{ blockId: string }> {
  const { db, actor, now } = deed
  const { totalQty } = await lockMachine(db, id, companyOf(actor))
  if (to <= dayOf(now)) refuseField(['to'], 'start_past')
  if (qty > totalQty) refuseField(['qty'], 'machine_few')
  const slots = await freeSlots(db, { equipmentId: id, totalQty, from, to, qty })
  if (slots.length < qty) throw new Refusal('machine_taken')
  const blockId = randomUUID()
  await sql`insert into equipment_booking (equipment_id, slot, period, reason, note, block_id)
    select ${id}, slot, daterange(${from}::date, ${to}::date), ${reason}, ${note}, ${blockId} from unnest(${slots}::int[]) slot`.execute(db)
  await insertEquipmentEvent(deed, { equipmentId: id, accountId: actor.accountId, move: 'block', note: `${from} – ${to}` })
  return { blockId }
}

/** Frees a period that was taken out of hire by hand. */
export async function removeBlock(deed: Deed, { id, blockId }: Received<typeof contract.removeBlock>['params']): Promise<void> {
  const { db, actor } = deed
  await lockMachine(db, id, companyOf(actor))
  const { numDeletedRows } = await db
    .deleteFrom('equipmentBooking')
    .where('equipmentId', '=', id)
    .where('blockId', '=', blockId)
    .where('reason', '<>', 'award')
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw new Refusal('not_found')
  await insertEquipmentEvent(deed, { equipmentId: id, accountId: actor.accountId, move: 'unblock' })
}
