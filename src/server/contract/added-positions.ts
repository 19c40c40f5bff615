import { dayOf } from '#shared/calendar.ts'
import { addedOf } from '#shared/contract/change-terms.ts'
import type { ChangeTerms } from '#shared/contract/changes.ts'
import type { DirectMachine } from '#shared/contract/direct.ts'
import { machineNameEn } from '#shared/equipment/name.ts'
import type { Read, Tx } from '../db/connect.ts'
import type { Context } from '../deed.ts'
import { Refusal } from '../http/refusal.ts'
import { refuseCrowded } from '../equipment/bookings.ts'
import { barOf, bookPosition, checkLines, findMachines, findRestriction, firstStart, lineRow } from './direct.ts'
import { seenBy, sideOf } from './scope.ts'

type Parties = { id: number; deptId: number; lessorCompanyId: number }

/** The machines of the lessor of a contract to choose a further position from, for both of its sides. */
export async function listAddableMachines(at: Pick<Context, 'db' | 'actor' | 'now'>, id: number): Promise<DirectMachine[]> {
  const { db, actor, now } = at
  const contract = await db
    .selectFrom('contract')
    .where('id', '=', id)
    .where(seenBy(at))
    .select(['deptId', 'lessorCompanyId'])
    .executeTakeFirst()
  if (!contract || sideOf(actor) === null) throw new Refusal('not_found')
  const today = dayOf(now)
  const machines = await findMachines(db, { companyId: contract.lessorCompanyId, deptId: contract.deptId, today })
  return machines.map((machine) => ({ ...machine, bar: barOf(machine, today) }))
}

type Adding = { terms: ChangeTerms; lines: readonly { lineNo: number }[] }

/**
 * Checks the further positions of an amendment by the rules of a contract that is written down, without the ceilings, as for an amended price.
 * Refuses `contract_machine_taken` with the first day from which the machine is free. A hire that the amendment cancels does not take its machine, so one
 * may be agreed anew on other days. Gives each with its number in the contract.
 */
export async function checkAdded({ db, now }: { db: Read; now: Date }, contract: Parties, { terms, lines }: Adding) {
  const added = addedOf(terms)
  if (added.length === 0) return []
  const today = dayOf(now)
  const parties = { companyId: contract.lessorCompanyId, deptId: contract.deptId, today }
  if (await findRestriction(db, parties)) throw new Refusal('contract_barred')
  const only = added.map(({ equipmentId }) => equipmentId)
  const without = terms.kind === 'quantity' ? terms.lineIds : []
  const machines = await findMachines(db, { ...parties, since: firstStart(added, today), only, without })
  const firstNo = Math.max(...lines.map(({ lineNo }) => lineNo)) + 1
  const chosen = checkLines(added, machines, { today, path: ['terms', 'added'], firstNo })
  return added.flatMap((position, index) => {
    const machine = chosen[index]
    return machine ? [{ machine, row: lineRow(position, machine, firstNo + index) }] : []
  })
}

type Added = Awaited<ReturnType<typeof checkAdded>>

/** Stores the further positions of an amendment in force and books their machines, which the caller has locked. */
export async function insertAdded(db: Tx, contractId: number, added: Added): Promise<void> {
  await refuseCrowded(
    db,
    added.reduce((sum, { row }) => sum + row.qty, 0),
  )
  for (const { machine, row } of added) {
    const { id } = await db
      .insertInto('contractLine')
      .values({ ...row, contractId })
      .returning('id')
      .executeTakeFirstOrThrow()
    await bookPosition(db, { ...row, id, totalQty: machine.totalQty })
  }
}

/** How an amendment names its further positions. */
export const namesOfAdded = (added: Added) =>
  added.map(({ machine, row: { lineNo, name } }) => ({
    lineNo,
    name,
    nameEn: machineNameEn(machine),
    equipmentCode: machine.equipmentCode,
  }))
