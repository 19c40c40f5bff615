import { dayOf } from '#shared/calendar.ts'
import { withMachines } from '#shared/contract/clauses.ts'
import type { DirectPositionsInput } from '#shared/contract/direct.ts'
import { contractSource, contractStatus } from '#shared/contract/rules.ts'
import { findListedLessor } from '../company/queries.ts'
import type { Deed } from '../deed.ts'
import { Refusal } from '../http/refusal.ts'
import { checkPositions, findRestriction, insertPositions, withoutReasons } from './direct.ts'
import { lockDraft, updateDraft } from './edit.ts'
import { insertStep } from './events.ts'
import { sha256 } from './digest.ts'
import { findPositions } from './text.ts'

/**
 * Replaces the positions of a draft that a unit writes down itself, by the rules of its creation. A draft has no bookings, because its lessor has
 * agreed to nothing yet. A change after the approval of the unit above needs it again. Clauses that nobody changed follow the new machines.
 */
export async function editPositions(
  deed: Deed,
  { id, version, lines }: { id: number } & DirectPositionsInput,
): Promise<{ version: number }> {
  const { db, now } = deed
  const found = await lockDraft(deed, { id, version })
  if (found.source !== contractSource.direct) throw new Refusal('contract_changed')
  const { lessorCompanyId, deptId, provinceId } = found
  if (
    !(await findListedLessor(db, lessorCompanyId)) ||
    (await findRestriction(db, { companyId: lessorCompanyId, deptId, today: dayOf(now) }))
  )
    throw new Refusal('contract_barred')
  const { positions, hire, buildingLifting, note } = await checkPositions(deed, { lessorCompanyId, deptId, provinceId, lines })
  const former = await findPositions(db, id)
  await db.deleteFrom('contractLine').where('contractId', '=', id).execute()
  await insertPositions(db, id, positions)
  const clauses = withMachines(
    found.clauses,
    { buildingLifting: former.some((line) => line.buildingLifting), rentUnits: former.map(({ rentUnit }) => rentUnit) },
    { buildingLifting, rentUnits: positions.map(({ rentUnit }) => rentUnit) },
  )
  const changed = await updateDraft(deed, id, { ...hire, clauses: JSON.stringify(clauses) })
  await insertStep(deed, found, {
    move: 'positions',
    fromStatus: found.status,
    toStatus: contractStatus.draft,
    digest: sha256(JSON.stringify(withoutReasons(lines))),
    note,
  })
  return changed
}
