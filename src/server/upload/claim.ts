import { sql, type ExpressionBuilder } from 'kysely'
import { isAmong } from '#shared/lifecycle.ts'
import type { Actor } from '../actor/actor.ts'
import { inScope } from '../actor/scope.ts'
import type { DB } from '../db/tables.generated.ts'
import type { Deed } from '../deed.ts'

export type Purpose = NonNullable<DB['file']['purpose']>

/** What is attached for one of these goes with its person; any other file stays with the organisation that it was taken for. */
export const personalPurposes: readonly Purpose[] = ['certification', 'feedback']

/**
 * Takes files for one purpose, for good, and answers the media types of those that the person may attach for it: their own uploads, but for what was
 * taken for an organisation that they have left, and what is attached for the same purpose already where they may change it. A file of another purpose
 * is not among them, so naming the id of a private paper as a picture publishes nothing.
 */
export async function claimFiles(
  { db, actor }: Pick<Deed, 'db' | 'actor'>,
  purpose: Purpose,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const claimed = await db
    .updateTable('file')
    .set({ purpose })
    .where('id', 'in', ids)
    .where((eb) =>
      eb.or([
        eb.and([eb('accountId', '=', actor.accountId), eb('purpose', 'is', null)]),
        eb.and([
          eb('purpose', '=', purpose),
          eb.or([eb.and([eb('accountId', '=', actor.accountId), staysWith(actor, purpose)]), isShared(eb, purpose, actor)]),
        ]),
      ]),
    )
    .returning(['id', 'mime'])
    .execute()
  return new Map(claimed.map(({ id, mime }) => [id, mime]))
}

type Files = ExpressionBuilder<DB, 'file'>

/** Whether an own file that was taken for the purpose has not stayed with an organisation that the person has left. */
const staysWith = ({ companyId }: Actor, purpose: Purpose) =>
  isAmong(purpose, personalPurposes) ? sql<boolean>`true` : sql<boolean>`file.company_id is not distinct from ${companyId}::bigint`

/** Whether the file is attached to something that this person's organisation changes together. */
function isShared(eb: Files, purpose: Purpose, actor: Actor) {
  switch (purpose) {
    case 'machinePicture':
      return onOwnMachine(eb, 'equipmentImage', actor)
    case 'machineDocument':
      return eb.or([onOwnMachine(eb, 'equipmentDocument', actor), onOwnMachine(eb, 'equipmentChangeFile', actor)])
    case 'demandAttachment':
      return eb.exists(
        eb
          .selectFrom('demandAttachment')
          .innerJoin('demand', 'demand.id', 'demandAttachment.demandId')
          .whereRef('demandAttachment.fileId', '=', 'file.id')
          .where(inScope('demand.dept_id', actor))
          .select('demand.id'),
      )
    case 'article':
      return eb.lit(actor.permissions.includes('article:edit'))
    default:
      return eb.lit(false)
  }
}

/** The tables that attach files to a machine, or to the requested change of one. */
export type MachineFiles = 'equipmentImage' | 'equipmentDocument' | 'equipmentChangeFile'

/** Pictures or documents of a machine, for the people of its company. */
export const onOwnMachine = (eb: Files, table: MachineFiles, actor: Actor) =>
  eb.exists(
    eb
      .selectFrom(table)
      .innerJoin('equipment', 'equipment.id', `${table}.equipmentId`)
      .whereRef(`${table}.fileId`, '=', 'file.id')
      .where('equipment.companyId', '=', actor.role === 'leaser' ? (actor.companyId ?? 0) : 0)
      .select('equipment.id'),
  )
