// What an amendment does to its contract once both sides agree.
import { sql } from 'kysely'
import { hireOf } from '#shared/contract/amount.ts'
import { addedOf, amountOfLines, changedLines } from '#shared/contract/change-terms.ts'
import type { ChangeTerms } from '#shared/contract/changes.ts'
import type { ContractClauses } from '#shared/contract/clauses.ts'
import { changesSum, contractMoves, positionStatus } from '#shared/contract/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { nextVersion } from '../db/version.ts'
import type { Deed } from '../deed.ts'
import { lockMachines } from '../equipment/bookings.ts'
import { Refusal } from '../http/refusal.ts'
import { checkAdded, insertAdded } from './added-positions.ts'
import { insertStep, type Locked } from './events.ts'
import { checkExtension, moveEnd } from './extension.ts'
import { lineOf, type RatedPosition } from './rates.ts'
import { findPositions, frozenText } from './text.ts'
import { storeVersion } from './versions.ts'

type Applying = { terms: ChangeTerms; lines: readonly RatedPosition[]; fromDay: string; changeCode: string }

/** Changes the positions and their bookings, the clauses and the sum, and stores the new version with its text. */
export async function applyTerms(deed: Deed, found: Locked, { terms, lines, fromDay, changeCode }: Applying): Promise<void> {
  const { db, now } = deed
  const next = changedLines(lines, terms, fromDay)
  const machines = [...lines, ...addedOf(terms)].map(({ equipmentId }) => equipmentId)
  await lockMachines(db, sql`any(${machines}::bigint[])`)
  await checkExtension(deed, found, { terms, lines, fromDay })
  for (const line of next) {
    const before = lineOf(lines, line.id)
    if (line.planEnd !== before.planEnd) await moveEnd(deed, found, { line, oldEnd: before.planEnd })
    if (line.status === positionStatus.cancelled && before.status !== line.status)
      await db.deleteFrom('equipmentBooking').where('contractLineId', '=', line.id).execute()
    const { unitPriceFen, taxRate, planEnd, estQuantity, status } = line
    await db.updateTable('contractLine').set({ unitPriceFen, taxRate, planEnd, estQuantity, status }).where('id', '=', line.id).execute()
  }
  await insertAdded(db, found.id, await checkAdded(deed, found, { terms, lines }))
  const held = await findPositions(db, found.id)
  const clauses: ContractClauses = terms.kind === 'clause' ? terms.clauses : found.clauses
  const filled = held.filter(({ status }) => status !== positionStatus.cancelled)
  const rates = new Map(next.map(({ id, rates: dated }) => [id, dated ?? []]))
  const revision = found.revision + 1
  await db
    .updateTable('contract')
    .set({
      clauses: JSON.stringify(clauses),
      ...hireOf(filled),
      revision,
      ...(changesSum(terms.kind) && amountOfLines(held.map((line) => ({ ...line, rates: rates.get(line.id) })))),
      updateTime: now,
      version: nextVersion,
    })
    .where('id', '=', found.id)
    .execute()
  const binding = await frozenText(db, found.id, { revision, fromDay, changeCode, rates })
  await db.updateTable('contract').set(binding).where('id', '=', found.id).execute()
  await storeVersion(deed, { contractId: found.id, revision, fromDay, clauses, lines: held, ...binding })
}

/** Ends a contract by agreement: its machines stay booked until the last day, and those whose hire begins later are free at once. */
export async function terminate(deed: Deed, found: Locked, { lastDay, reason }: { lastDay: string; reason: string }): Promise<void> {
  const { db, now } = deed
  const { to, from } = contractMoves.terminate
  if (!isAmong(found.status, from)) throw new Refusal('contract_changed')
  const lines = sql`(select id from contract_line where contract_id = ${found.id})`
  await sql`delete from equipment_booking where contract_line_id in ${lines} and lower(period) > ${lastDay}::date`.execute(db)
  await sql`update equipment_booking set period = daterange(lower(period), ${lastDay}::date + 1)
    where contract_line_id in ${lines} and upper(period) > ${lastDay}::date + 1`.execute(db)
  await db
    .updateTable('contractLine')
    .set({ status: positionStatus.cancelled })
    .where('contractId', '=', found.id)
    .where('status', '=', positionStatus.waiting)
    .execute()
  await db
    .updateTable('contract')
    .set({ status: to, endReason: reason, endedAt: now, updateTime: now, version: nextVersion })
    .where('id', '=', found.id)
    .execute()
  await insertStep(deed, found, {
    move: 'terminate',
    fromStatus: found.status,
    toStatus: to,
    note: reason,
  })
}
