import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { dayOf } from '#shared/calendar.ts'
import type { Received } from '#shared/endpoint.ts'
import type * as contract from '#shared/equipment/own.ts'
import { companyOf } from '../actor/scope.ts'
import type { Tx } from '../db/connect.ts'
import type { Deed } from '../deed.ts'
import { equipmentAudit, maxBlockedUnits } from '#shared/equipment/rules.ts'
import { Refusal, refuseField } from '../http/refusal.ts'
import { bookSlots, freeSlots, refuseCrowded } from './bookings.ts'
import { insertEquipmentEvent, lockMachine } from './upload.ts'

type Block = Received<typeof contract.addBlock>['params'] & Received<typeof contract.addBlock>['body']

/** Takes a machine, or some of a lot, out of hire for a period: repair, own use, a reservation. */
export async function addBlock(deed: Deed, { id, from, to, reason, note, qty }: Block): Promise<{ blockId: string }> {
  const { db, actor, now } = deed
  await refuseCrowded(db, qty)
  const { totalQty, auditStatus } = await lockMachine(db, id, companyOf(actor))
  if (auditStatus === equipmentAudit.draft) refuseField(['from'], 'block_draft')
  if (to <= dayOf(now)) refuseField(['to'], 'start_past')
  if (qty > totalQty) refuseField(['qty'], 'machine_few')
  if (qty + (await countBlocked(db, id, dayOf(now))) > maxBlockedUnits) refuseField(['qty'], 'blocks_many')
  const slots = await freeSlots(db, { equipmentId: id, totalQty, from, to, qty })
  if (slots.length < qty) throw new Refusal('machine_taken')
  const blockId = randomUUID()
  await bookSlots(db, { equipmentId: id, slots, from, to, reason, note, blockId })
  await insertEquipmentEvent(deed, { equipmentId: id, accountId: actor.accountId, move: 'block', note: `${from} – ${to}` })
  return { blockId }
}

/** Units that are blocked by hand in periods that are not over. */
async function countBlocked(db: Tx, equipmentId: number, today: string): Promise<number> {
  const { n } = await db
    .selectFrom('equipmentBooking')
    .where('equipmentId', '=', equipmentId)
    .where('blockId', 'is not', null)
    .where(sql<boolean>`upper(period) > ${today}::date`)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return n
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
