import { sql } from 'kysely'
import { deptType } from '#shared/dept/rules.ts'
import { delFlag, enableStatus } from '#shared/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { inScope } from '../actor/scope.ts'
import type { Read, Tx } from '../db/connect.ts'
import { Refusal } from '../http/refusal.ts'

const projects = (db: Read, actor: Actor) =>
  db
    .selectFrom('dept')
    .where('deptType', '=', deptType.project)
    .where('status', '=', enableStatus.enabled)
    .where('delFlag', '=', delFlag.present)
    .where(inScope('dept.id', actor))

const projectName = sql<string>`coalesce(project_name, dept_name)`.as('projectName')
const projectType = sql<string>`coalesce(project_type, 'other')`.as('projectType')

/** A project department that the person may publish demands for. */
export const selectProject = (db: Read, actor: Actor, deptId: number) =>
  projects(db, actor).where('id', '=', deptId).select(['id', 'companyId', projectName, projectType])

/** The same, held until what is stored for it is stored: whoever deletes it or switches it off waits and then finds that. */
export const holdProject = (db: Tx, actor: Actor, deptId: number) => selectProject(db, actor, deptId).forKeyShare()

export async function ownProject(db: Read, actor: Actor, deptId: number) {
  const dept = await selectProject(db, actor, deptId).executeTakeFirst()
  if (!dept) throw new Refusal('dept_not_yours')
  return dept
}

/** The project departments that the person may publish demands for. */
export const listOwnProjects = (db: Read, actor: Actor) =>
  projects(db, actor)
    .orderBy('orderNum')
    .orderBy('id')
    .select([
      'id as deptId',
      'deptName',
      projectName,
      projectType,
      'provinceId',
      'cityId',
      'districtId',
      'address',
      'lowEmissionZone',
      'leader',
      'phone',
    ])
    .execute()
