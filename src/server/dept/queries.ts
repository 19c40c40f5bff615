import { sql } from 'kysely'
import { userType } from '#shared/account/rules.ts'
import type * as contract from '#shared/dept/contract.ts'
import { openDemands } from '#shared/demand/rules.ts'
import type { Answered } from '#shared/endpoint.ts'
import type { DeptNode } from '#shared/person/contract.ts'
import { delFlag, enableStatus } from '#shared/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { byDeptsInScope, deptsOfAccounts, inScope } from '../actor/scope.ts'
import type { Read } from '../db/connect.ts'
import { literals } from '../db/literals.ts'

const maxDepts = 5000

/** The departments within scope, parents before their children. */
const depts = (db: Read, actor: Actor) =>
  db
    .selectFrom('dept')
    .where('delFlag', '=', delFlag.present)
    .where(inScope('dept.id', actor))
    .orderBy(sql`cardinality(ancestors)`)
    .orderBy('orderNum')
    .orderBy('id')
    .limit(maxDepts)

export async function listDepts(db: Read, actor: Actor): Promise<Answered<typeof contract.listDepts>> {
  const rows = await depts(db, actor)
    .select([
      'id as deptId',
      'parentId',
      'ancestors',
      'deptName',
      'deptType',
      'leader',
      'phone',
      'orderNum',
      'status',
      'createTime',
      'projectName',
      'projectType',
      'provinceId',
      'cityId',
      'districtId',
      'address',
      'lowEmissionZone',
      'approvesDemands',
      'approvesAwards',
      'approvesContracts',
      'needsScan',
      'version',
    ])
    .execute()
  const people = await countPeople(db, actor)
  const demands = await countOpenDemands(db, actor)
  return rows.map((row) => ({ ...row, people: people.get(row.deptId) ?? 0, openDemands: demands.get(row.deptId) ?? 0 }))
}

/** How many people each unit has with all below it, by its id. Somebody of several departments counts once in each unit above them. */
async function countPeople(db: Read, actor: Actor): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ unitId: number; people: number }>`
    select unit.id as unit_id, count(distinct a.id)::int as people
    from ${deptsOfAccounts} w join account a on a.id = w.account_id join dept on dept.id = w.dept_id
      cross join unnest(dept.ancestors || dept.id) as unit (id)
    where a.del_flag = ${sql.lit(delFlag.present)} and a.user_type in (${literals([userType.lessee, userType.project])})
      and ${byDeptsInScope('w.dept_id', actor)}
    group by unit.id`.execute(db)
  return new Map(rows.map(({ unitId, people }) => [unitId, people]))
}

/** How many open demands each unit has with all below it, by its id. */
async function countOpenDemands(db: Read, actor: Actor): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ unitId: number; demands: number }>`
    select unit.id as unit_id, sum(own.demands)::int as demands
    from (select dept_id, count(*) as demands from demand
        where status in (${literals(openDemands)}) and del_flag = ${sql.lit(delFlag.present)} and ${byDeptsInScope('demand.dept_id', actor)}
        group by dept_id) own
      join dept on dept.id = own.dept_id cross join unnest(dept.ancestors || dept.id) as unit (id)
    group by unit.id`.execute(db)
  return new Map(rows.map(({ unitId, demands }) => [unitId, demands]))
}

/** The departments within scope as a tree; one whose parent is not among them becomes a root. */
export async function getDeptTree(db: Read, actor: Actor): Promise<DeptNode[]> {
  const rows = await depts(db, actor).select(['id', 'parentId', 'deptName', 'deptType', 'leader', 'status']).execute()
  const nodes = new Map<number, DeptNode>()
  const roots: DeptNode[] = []
  for (const { id, parentId, deptName, deptType, leader, status } of rows) {
    const node: DeptNode = { id, label: deptName, deptType, leader, disabled: status === enableStatus.disabled }
    nodes.set(id, node)
    const parent = parentId === null ? undefined : nodes.get(parentId)
    if (parent) (parent.children ??= []).push(node)
    else roots.push(node)
  }
  return roots
}
