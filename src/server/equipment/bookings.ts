import { sql, type RawBuilder } from 'kysely'
import type { BookingReason } from '#shared/equipment/rules.ts'
import type { Taken } from '#shared/equipment/taken.ts'
import type { Read, Tx } from '../db/connect.ts'
import { Refusal } from '../http/refusal.ts'

type Wanted = { equipmentId: number; totalQty: number; from: string; to: string; qty: number }

/**
 * Locks the machines whose id `is` names, such as `any(…)`, in one order everywhere: one of two who want the same days waits and then sees what the other
 * has booked.
 */
export const lockMachines = (db: Tx, is: RawBuilder<unknown>) =>
  sql`select id from equipment where id = ${is} order by id for no key update`.execute(db)

/** The first free slots of a machine (a lot has several) in a half-open period, at most `qty`; the caller has locked its row. */
export async function freeSlots(db: Read, { equipmentId, totalQty, from, to, qty }: Wanted): Promise<number[]> {
  const { rows } = await sql<{ slot: number }>`
    select slot from generate_series(1, ${totalQty}::int) as slot
    where not exists (select 1 from equipment_booking b where b.equipment_id = ${equipmentId} and b.slot = slot.slot
      and b.period && daterange(${from}::date, ${to}::date)) order by slot limit ${qty}`.execute(db)
  return rows.map(({ slot }) => slot)
}

type Booking = {
  equipmentId: number
  slots: readonly number[]
  from: string
  to: string
  reason: BookingReason
  awardLineId?: number
  contractLineId?: number
  blockId?: string
  note?: string
}

/** Books units of a machine in one statement, whatever their number. */
export async function bookSlots(db: Tx, { equipmentId, slots, from, to, reason, ...owner }: Booking): Promise<void> {
  const { awardLineId = null, contractLineId = null, blockId = null, note = '' } = owner
  await sql`insert into equipment_booking (equipment_id, slot, period, reason, note, block_id, award_line_id, contract_line_id)
    select ${equipmentId}, slot, daterange(${from}::date, ${to}::date), ${reason}, ${note}, ${blockId}, ${awardLineId}, ${contractLineId}
    from unnest(${slots}::int[]) slot`.execute(db)
}

/** From so many units on, booking them takes long enough to be noticed by others. */
const largeUnits = 500
const largeAtOnce = 2
/** Any constant of the locks of this file. */
const lockSpace = 7_263_542

/** Refuses `crowded` where as many large bookings are under way already, in any instance, so that they leave connections and time to everybody else. */
export async function refuseCrowded(db: Tx, units: number): Promise<void> {
  if (units < largeUnits) return
  for (let place = 0; place < largeAtOnce; place++) {
    const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_xact_lock(${lockSpace}::int, ${place}::int) as free`.execute(db)
    if (rows[0]?.free) return
  }
  throw new Refusal('crowded')
}

/** The bookings that a condition on `b` names, as JSON: neighbouring slots of one period are one entry, so that a large lot has few. */
export const takenBy = (condition: RawBuilder<unknown>): RawBuilder<Taken[]> =>
  sql<
    Taken[]
  >`coalesce((select json_agg(json_build_object('from', lower(period), 'to', upper(period), 'slot', lower(run), 'qty', upper(run) - lower(run))
      order by period, run)
    from (select b.period, range_agg(int4range(b.slot, b.slot + 1)) as slots from equipment_booking b where ${condition} group by b.period) g,
      unnest(g.slots) run), '[]')`
