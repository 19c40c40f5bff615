import { sql } from 'kysely'
import type { z } from 'zod'
import type { Dept, editDept, LeaseUnit, ProjectDept } from '#shared/dept/contract.ts'
import { deptDepth, mayHaveChildren } from '#shared/dept/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { inScope } from '../actor/scope.ts'
import type { Db, Read, Tx } from '../db/connect.ts'
import { Refusal, refuseField } from '../http/refusal.ts'
import { isPlace } from '../region/queries.ts'

export function findDepts(db: Read, actor: Actor): Promise<Dept[]> {
  return db
    .selectFrom('dept')
    .where('delFlag', '=', '0')
    .where(inScope('dept.id', actor))
    .orderBy(sql`cardinality(ancestors)`)
    .orderBy('orderNum')
    .orderBy('id')
    .limit(5000)
    .select([
      'id as deptId',
      'parentId',
      sql<number[]>`to_json(ancestors)`.as('ancestors'),
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
      'version',
      sql<number>`(select count(*)::int from account a where a.dept_id = dept.id and a.del_flag = '0')`.as('people'),
      sql<number>`(select count(*)::int from demand d where d.dept_id = dept.id and d.status in ('1', '3', '4') and d.del_flag = '0')`.as(
        'openDemands',
      ),
    ])
    .execute()
}

function mayEdit(actor: Actor): void {
  if (!actor.isAdmin) throw new Refusal('forbidden')
}

type Parent = { id: number; companyId: number; ancestors: number[]; deptType: string }

const oneInScope = (db: Read, actor: Actor, id: number) =>
  db
    .selectFrom('dept')
    .where('id', '=', id)
    .where('delFlag', '=', '0')
    .where(inScope('dept.id', actor))
    .select(['id', 'companyId', 'deptType', 'parentId', 'status', sql<number[]>`to_json(ancestors)`.as('ancestors')])

/** Where something may hang: in scope, in use, no project department, not too deep. */
async function parentFor(db: Read, actor: Actor, parentId: number): Promise<Parent> {
  const parent = await oneInScope(db, actor, parentId).where('status', '=', '0').executeTakeFirst()
  if (!parent || !mayHaveChildren(parent.deptType)) refuseField(['parentId'], 'dept_unknown')
  if (parent.ancestors.length + 2 > deptDepth) refuseField(['parentId'], 'too_deep')
  return parent
}

const nameTaken = (error: unknown): never => {
  const { code, constraint } = error as { code?: string; constraint?: string }
  if (code === '23505' && constraint === 'dept_sibling_name') refuseField(['deptName'], 'taken')
  throw error
}

type Input = z.output<typeof LeaseUnit> | z.output<typeof ProjectDept>

export async function insertDept(db: Db, actor: Actor, deptType: '2' | '3', { parentId, ...input }: Input, now: Date): Promise<number> {
  mayEdit(actor)
  if ('provinceId' in input && !(await isPlace(db, input))) refuseField(['cityId'], 'region')
  const parent = await parentFor(db, actor, parentId)
  const { id } = await db
    .insertInto('dept')
    .values({
      ...input,
      deptType,
      parentId: parent.id,
      ancestors: [...parent.ancestors, parent.id],
      companyId: parent.companyId,
      createTime: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch(nameTaken)
  return id
}

/** Changes one; under another parent it goes with everything below. */
export async function updateDept(
  db: Db,
  actor: Actor,
  { deptId, deptType, parentId, version, ...input }: z.output<typeof editDept.body>,
): Promise<void> {
  mayEdit(actor)
  if ('provinceId' in input && !(await isPlace(db, input))) refuseField(['cityId'], 'region')
  await db
    .transaction()
    .execute(async (tx) => {
      // Two moves at once could make a ring; the organisation's tree changes one move at a time.
      await sql`select pg_advisory_xact_lock(41, ${actor.companyId}::int)`.execute(tx)
      const dept = await oneInScope(tx, actor, deptId).executeTakeFirst()
      if (!dept || dept.deptType !== deptType) throw new Refusal('not_found')
      if (parentId !== dept.parentId) await moveDept(tx, actor, dept, parentId)
      const { numUpdatedRows } = await tx
        .updateTable('dept')
        .set((eb) => ({ ...input, version: eb('version', '+', 1) }))
        .where('id', '=', deptId)
        .$if(version !== undefined, (query) => query.where('version', '=', version ?? 0))
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw new Refusal('changed')
    })
    .catch(nameTaken)
}

async function moveDept(
  tx: Tx,
  actor: Actor,
  dept: { id: number; companyId: number; ancestors: number[] },
  parentId: number | null,
): Promise<void> {
  // The own node hangs where those above have put it.
  if (dept.id === actor.deptId || parentId === null) refuseField(['parentId'], 'own_node')
  const parent = await parentFor(tx, actor, parentId)
  if (parent.id === dept.id || parent.ancestors.includes(dept.id)) refuseField(['parentId'], 'own_child')
  if (parent.companyId !== dept.companyId) refuseField(['parentId'], 'dept_unknown')
  const ancestors = [...parent.ancestors, parent.id]
  const { rows } = await sql<{ levels: number }>`
    select coalesce(max(cardinality(ancestors)), 0)::int - ${dept.ancestors.length} as levels from dept
    where (id = ${dept.id} or ancestors @> array[${dept.id}]::bigint[]) and del_flag = '0'`.execute(tx)
  if (ancestors.length + 1 + (rows[0]?.levels ?? 0) > deptDepth) refuseField(['parentId'], 'too_deep')
  await sql`update dept set ancestors = ${ancestors}::bigint[] || ancestors[${dept.ancestors.length + 1}:]
    where ancestors @> array[${dept.id}]::bigint[]`.execute(tx)
  await tx.updateTable('dept').set({ parentId: parent.id, ancestors }).where('id', '=', dept.id).execute()
}

/** Off only with nothing running below it: no unit in use, no open demand. On only under one that is on. */
export async function setDeptStatus(db: Db, actor: Actor, id: number, status: '0' | '1'): Promise<void> {
  mayEdit(actor)
  const dept = await oneInScope(db, actor, id).executeTakeFirst()
  if (!dept) throw new Refusal('not_found')
  if (id === actor.deptId) throw new Refusal('own_dept')
  const { rows } = await sql<{ children: boolean; demands: boolean; parentOff: boolean }>`select
    exists (select 1 from dept c where c.parent_id = ${id} and c.status = '0' and c.del_flag = '0') as children,
    exists (select 1 from demand d where d.dept_id = ${id} and d.status in ('1', '3', '4') and d.del_flag = '0') as demands,
    exists (select 1 from dept p where p.id = ${dept.parentId} and p.status = '1') as "parentOff"`.execute(db)
  const [found] = rows
  if (status === '1' && found?.children) throw new Refusal('dept_has_children')
  if (status === '1' && found?.demands) throw new Refusal('dept_has_demands')
  if (status === '0' && found?.parentOff) throw new Refusal('dept_parent_off')
  await db.updateTable('dept').set({ status }).where('id', '=', id).execute()
}

export async function deleteDept(db: Db, actor: Actor, id: number): Promise<void> {
  mayEdit(actor)
  const dept = await oneInScope(db, actor, id).executeTakeFirst()
  if (!dept) throw new Refusal('not_found')
  if (id === actor.deptId) throw new Refusal('own_dept')
  const { numUpdatedRows } = await db
    .updateTable('dept')
    .set({ delFlag: '2' })
    .where('id', '=', id)
    .where(
      sql<boolean>`not exists (select 1 from dept c where c.parent_id = dept.id and c.del_flag = '0')
        and not exists (select 1 from account a where a.dept_id = dept.id and a.del_flag = '0')
        and not exists (select 1 from account_dept m join account a on a.id = m.account_id where m.dept_id = dept.id and a.del_flag = '0')
        and not exists (select 1 from demand d where d.dept_id = dept.id and d.del_flag = '0')`,
    )
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Refusal('dept_in_use')
}
