// A draft of a contract, and what changes it.
import type { Updateable } from 'kysely'
import { isProtected, type CompanyScale } from '#shared/contract/clauses.ts'
import type { ContractInput } from '#shared/contract/moves.ts'
import { canMoveContract, contractApproval, contractStatus } from '#shared/contract/rules.ts'
import type { Tx } from '../db/connect.ts'
import type { DB } from '../db/tables.generated.ts'
import { nextVersion } from '../db/version.ts'
import { transact, type Context, type Deed } from '../deed.ts'
import { isApproved } from '../demand/scope.ts'
import { Refusal } from '../http/refusal.ts'
import { insertStep, lockContract, lockFor, namesOfSides, refuseNonSigner, searchTextOf, type Locked } from './events.ts'
import { sha256 } from './digest.ts'

/** Changes a draft. A change after the approval of the unit above needs it again. */
export async function editContract(
  deed: Deed,
  { id, version, clauses, scaleLessee, scaleLessor: typedScale, ...input }: ContractInput,
): Promise<{ version: number }> {
  const { db } = deed
  const found = await lockDraft(deed, { id, version })
  const scaleLessor = (await findCertifiedScale(db, found)) ?? typedScale
  const changed = await updateDraft(deed, id, {
    ...input,
    searchText: searchTextOf({ ...found, ...input, ...(await namesOfSides(db, found)) }),
    clauses: JSON.stringify(clauses),
    scaleLessee,
    scaleLessor,
    smeRule: isProtected(scaleLessee, scaleLessor),
  })
  await insertEdit(deed, found, { ...input, scaleLessee, scaleLessor, clauses })
  return changed
}

/** Writes the change of a draft, with the hash of what it was changed to. */
const insertEdit = (deed: Deed, found: Locked, values: object): Promise<void> =>
  insertStep(deed, found, {
    move: 'edit',
    fromStatus: contractStatus.draft,
    toStatus: contractStatus.draft,
    digest: sha256(JSON.stringify(values)),
  })

/**
 * Writes the size of the lessor's certification into a draft that has another one, as a change of the draft: sizes count as they are when the contract is
 * signed, also those of a certification from after the draft. Then refuses `contract_text_changed`, because nobody has read the text with that size.
 * Whoever may not sign is refused before, and changes nothing.
 */
export async function adoptCertifiedScale(context: Context, id: number): Promise<void> {
  const isAdopted = await transact(context, { now: context.now }, async (work) => {
    const deed = { ...work, actor: context.actor }
    const found = await lockContract(deed, id)
    // One that waits for the unit above is changed by nobody meanwhile but those who send it without asking.
    const facts = { ...found, needsApproval: !(await isApproved(work.db, context.actor, found.deptId, 'approves_contracts')) }
    if (!canMoveContract(facts, 'edit', found.side) && !canMoveContract(facts, 'send', found.side)) return false
    await refuseNonSigner(work.db, context.actor, found)
    const scaleLessor = await findNewScale(work.db, found)
    if (scaleLessor === null) return false
    await updateDraft(deed, id, { scaleLessor, smeRule: isProtected(found.scaleLessee, scaleLessor) })
    await insertEdit(deed, found, { scaleLessor })
    return true
  })
  if (isAdopted) throw new Refusal('contract_text_changed')
}

type Sized = Pick<Locked, 'lessorCompanyId' | 'scaleLessor'>

/** The size in the lessor's certification where the draft has another one; null where it has that one, or none is certified. */
export async function findNewScale(db: Tx, found: Sized): Promise<CompanyScale | null> {
  const certified = await findCertifiedScale(db, found)
  return certified === found.scaleLessor ? null : certified
}

const findCertifiedScale = async (db: Tx, { lessorCompanyId }: Pick<Sized, 'lessorCompanyId'>): Promise<CompanyScale | null> =>
  (await db.selectFrom('company').where('id', '=', lessorCompanyId).select('scaleType').executeTakeFirstOrThrow()).scaleType

/** Locks a draft that nobody changed since this version of it was read. */
export async function lockDraft(deed: Deed, { id, version }: { id: number; version: number }): Promise<Locked> {
  const found = await lockFor(deed, id, 'edit')
  if (found.version !== version) throw new Refusal('changed')
  return found
}

/** Stores a change of a draft. One after the approval of the unit above needs it again. */
export const updateDraft = ({ db, now }: Deed, id: number, change: Updateable<DB['contract']>): Promise<{ version: number }> =>
  db
    .updateTable('contract')
    .set({ ...change, approval: contractApproval.none, updateTime: now, version: nextVersion })
    .where('id', '=', id)
    .returning('version')
    .executeTakeFirstOrThrow()
