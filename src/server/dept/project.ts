import { sql } from 'kysely'
import type { Actor } from '../actor/actor.ts'
import { inScope } from '../actor/scope.ts'
import type { Read } from '../db/connect.ts'
import { Refusal } from '../http/refusal.ts'

/** A project department that this person may ask for machines for. */
export const selectProject = (db: Read, actor: Actor, deptId: number) =>
  db
    .selectFrom('dept')
    .where('id', '=', deptId)
    .where('deptType', '=', '3')
    .where('status', '=', '0')
    .where('delFlag', '=', '0')
    .where(inScope('dept.id', actor))
    .select([
      'id',
      'companyId',
      sql<string>`coalesce(project_name, dept_name)`.as('projectName'),
      sql<string>`coalesce(project_type, 'other')`.as('projectType'),
    ])

export async function ownProject(db: Read, actor: Actor, deptId: number) {
  const dept = await selectProject(db, actor, deptId).executeTakeFirst()
  if (!dept) throw new Refusal('dept_not_yours')
  return dept
}
