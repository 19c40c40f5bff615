import { sql } from 'kysely'
import { dayOf } from '#shared/calendar.ts'
import { companyStatus } from '#shared/company/rules.ts'
import { changedLines } from '#shared/contract/change-terms.ts'
import type { ChangeTerms, TakenDays } from '#shared/contract/changes.ts'
import { extensionLimit } from '#shared/contract/direct.ts'
import type { Taken } from '#shared/equipment/taken.ts'
import { isMachineRestricted } from '../blacklist/restricted.ts'
import type { Read, Tx } from '../db/connect.ts'
import type { Deed } from '../deed.ts'
import { bookSlots, freeSlots, refuseCrowded, takenBy } from '../equipment/bookings.ts'
import { Refusal } from '../http/refusal.ts'
import { barOf, findMachines, findRestriction } from './direct.ts'
import type { RatedPosition } from './rates.ts'

type Line = Pick<RatedPosition, 'id' | 'lineNo' | 'equipmentId' | 'qty' | 'planEnd'>
type Extension = { line: Line; oldEnd: string }
type Parties = { deptId: number; lessorCompanyId: number }
type At = { db: Read; now: Date }

/**
 * Checks an extension before it is sent and again when it is confirmed. Refuses `change_barred` where the lessor is on the restriction list of the
 * department or locked by the platform, as for a new contract, `change_machine_barred` where a machine is, and `change_taken` where another hire has the days.
 */
export async function checkExtension(
  at: At,
  contract: Parties,
  { terms, lines, fromDay }: { terms: ChangeTerms; lines: readonly RatedPosition[]; fromDay: string },
): Promise<void> {
  if (terms.kind !== 'extend') return
  const today = dayOf(at.now)
  const { deptId, lessorCompanyId: companyId } = contract
  const isBarred = (await isLocked(at.db, companyId)) || (await findRestriction(at.db, { companyId, deptId, today }))
  if (isBarred) throw new Refusal('change_barred')
  for (const line of changedLines(lines, terms, fromDay)) {
    const oldEnd = lines.find(({ id }) => id === line.id)?.planEnd ?? line.planEnd
    if (line.planEnd <= oldEnd) continue
    if (await isRestrictedMachine(at.db, { machineId: line.equipmentId, deptId, today }))
      throw new Refusal('change_machine_barred', { lineNo: line.lineNo })
    await refuseTaken(at, contract, { line, oldEnd })
  }
}

async function isLocked(db: Read, companyId: number): Promise<boolean> {
  const { status } = await db.selectFrom('company').where('id', '=', companyId).select('status').executeTakeFirstOrThrow()
  return status === companyStatus.locked
}

async function isRestrictedMachine(
  db: Read,
  { machineId, ...where }: { machineId: number; deptId: number; today: string },
): Promise<boolean> {
  const { rows } = await sql<{ restricted: boolean }>`select ${isMachineRestricted(machineId, where)} as restricted`.execute(db)
  return rows[0]?.restricted === true
}

/** Moves the end of a position's bookings. Units of a lot whose place another hire takes then go on in a free one. */
export async function moveEnd(deed: Pick<Deed, 'now'> & { db: Tx }, contract: Parties, { line, oldEnd }: Extension): Promise<void> {
  const { db } = deed
  const { id, equipmentId, planEnd } = line
  if (planEnd < oldEnd) {
    await sql`delete from equipment_booking where contract_line_id = ${id} and lower(period) >= ${planEnd}::date`.execute(db)
    await sql`update equipment_booking set period = daterange(lower(period), ${planEnd}::date)
      where contract_line_id = ${id} and upper(period) > ${planEnd}::date`.execute(db)
    return
  }
  await refuseTaken(deed, contract, { line, oldEnd })
  const { rows } = await sql<{ id: number; isTaken: boolean }>`
    select b.id, exists (select from equipment_booking o where o.equipment_id = b.equipment_id and o.slot = b.slot and o.id <> b.id
      and o.period && daterange(${oldEnd}::date, ${planEnd}::date)) as "isTaken"
    from equipment_booking b where b.contract_line_id = ${id} and upper(b.period) = ${oldEnd}::date order by b.slot`.execute(db)
  await refuseCrowded(db, rows.length)
  const stay = rows.filter(({ isTaken }) => !isTaken).map((booking) => booking.id)
  await sql`update equipment_booking set period = daterange(lower(period), ${planEnd}::date) where id = any(${stay}::bigint[])`.execute(db)
  const moved = rows.length - stay.length
  if (moved === 0) return
  const { totalQty } = await db.selectFrom('equipment').where('id', '=', equipmentId).select('totalQty').executeTakeFirstOrThrow()
  const slots = await freeSlots(db, { equipmentId, totalQty, from: oldEnd, to: planEnd, qty: moved })
  // An award counts its own bookings, so the days that are added stand beside them.
  await bookSlots(db, { equipmentId, slots, from: oldEnd, to: planEnd, reason: 'contract', contractLineId: id })
}

/** Refuses an extension into the days of another hire, with the latest end, the first free day and machines that could come instead. */
async function refuseTaken({ db, now }: At, { deptId, lessorCompanyId }: Parties, { line, oldEnd }: Extension): Promise<void> {
  const { totalQty } = await db.selectFrom('equipment').where('id', '=', line.equipmentId).select('totalQty').executeTakeFirstOrThrow()
  const others = sql`b.equipment_id = ${line.equipmentId} and b.contract_line_id is distinct from ${line.id} and upper(b.period) > ${oldEnd}::date`
  const { rows } = await sql<{ taken: Taken[] }>`select ${takenBy(others)} as taken`.execute(db)
  const taken = rows[0]?.taken ?? []
  const limit = extensionLimit({ totalQty, taken }, { qty: line.qty, planStart: oldEnd, planEnd: line.planEnd })
  if (!limit) return
  const similar = await findSimilar(db, { line, oldEnd, companyId: lessorCompanyId, deptId, today: dayOf(now) })
  throw new Refusal('change_taken', { lineNo: line.lineNo, ...limit, similar } satisfies TakenDays)
}

const maxSimilar = 3

/** Machines of the same lessor and kind that are free for the days that are asked for, the ones of the nearest size first. */
async function findSimilar(
  db: Read,
  { line, oldEnd, companyId, deptId, today }: Extension & { companyId: number; deptId: number; today: string },
): Promise<TakenDays['similar']> {
  const own = await db
    .selectFrom('equipment')
    .where('id', '=', line.equipmentId)
    .select(['categoryId', 'mainValue'])
    .executeTakeFirstOrThrow()
  const machines = await findMachines(db, { companyId, deptId, today })
  const distance = (value: number | null) => Math.abs((value ?? 0) - (own.mainValue ?? 0))
  return machines
    .filter((machine) => machine.id !== line.equipmentId && machine.categoryId === own.categoryId && barOf(machine, today) === null)
    .filter((machine) => extensionLimit(machine, { qty: line.qty, planStart: oldEnd, planEnd: line.planEnd }) === null)
    .toSorted((a, b) => distance(a.mainValue) - distance(b.mainValue))
    .slice(0, maxSimilar)
    .map(({ id, equipmentCode, name, brand, brandEn, model, categoryNameEn }) => ({
      id,
      equipmentCode,
      name,
      brand,
      brandEn,
      model,
      categoryNameEn,
    }))
}
