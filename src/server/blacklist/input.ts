import type { BlacklistInput } from '#shared/blacklist/contract.ts'
import { periodProblem } from '#shared/blacklist/rules.ts'
import { dayOf } from '#shared/calendar.ts'
import type { FieldProblem } from '#shared/endpoint.ts'
import type { Deed } from '../deed.ts'
import { FieldRefusal } from '../http/refusal.ts'
import { claimFiles } from '../upload/claim.ts'
import { findScopes, knownMachines } from './queries.ts'

/**
 * Refuses what is wrong with a proposal beyond its form: its period, its scope, its subject and its evidence. `named`: the machine that the entry is
 * about already, which stays although its lessor has taken it off the shelf meanwhile.
 */
export async function checkInput(deed: Deed, input: BlacklistInput, named: number | null = null): Promise<void> {
  const { db, actor, now } = deed
  const problems: FieldProblem[] = []
  const period = periodProblem(input.fromDay, input.toDay, dayOf(now))
  if (period) problems.push({ path: ['toDay'], rule: period })
  // An entry of the platform holds everywhere, anybody else's within their organisation.
  const scopes = actor.role === 'operator' ? [{ deptId: null }] : await findScopes(db, actor)
  if (!scopes.some(({ deptId }) => deptId === input.scopeDeptId)) problems.push({ path: ['scopeDeptId'], rule: 'dept_unknown' })
  const company = await db
    .selectFrom('company')
    .where('id', '=', input.companyId)
    .where('isLessor', '=', true)
    .select('id')
    .executeTakeFirst()
  if (!company || input.companyId === actor.companyId) problems.push({ path: ['companyId'], rule: 'company_unknown' })
  if (input.equipmentId !== null) {
    // The answer names the machine, so one that the proposer may not know is refused as one that does not exist.
    const machine = await knownMachines(db, actor, input.companyId).where('id', '=', input.equipmentId).select('id').executeTakeFirst()
    if (!machine && input.equipmentId !== named) problems.push({ path: ['equipmentId'], rule: 'machine_unknown' })
  }
  if (!(await areOwnFiles(deed, input.evidenceIds))) problems.push({ path: ['evidenceIds'], rule: 'file_unknown' })
  if (problems.length > 0) throw new FieldRefusal(problems)
}

/** Whether all of the files are the person's own uploads, for this purpose or none yet. */
export async function areOwnFiles(deed: Deed, ids: readonly string[]): Promise<boolean> {
  return (await claimFiles(deed, 'blacklist', ids)).size === new Set(ids).size
}

type Attached = { blacklistId: number; part: 'evidence' | 'answer' | 'appeal'; fileIds: readonly string[] }

export async function attach({ db }: Deed, { blacklistId, part, fileIds }: Attached): Promise<void> {
  if (fileIds.length === 0) return
  await db
    .insertInto('blacklistFile')
    .values([...new Set(fileIds)].map((fileId) => ({ blacklistId, fileId, part })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The columns that a proposal fills. A machine or a person is named only where the entry is about one. */
export const columnsOf = ({ evidenceIds: _, equipmentId, personName, ...input }: BlacklistInput) => ({
  ...input,
  equipmentId: input.subjectKind === 'machine' ? equipmentId : null,
  personName: input.subjectKind === 'person' ? personName : '',
})
