import { contractStatus, liveContracts } from '#shared/contract/rules.ts'
import { sql } from 'kysely'
import { waitingCertifications } from '#shared/certification/rules.ts'
import { demandMoves, openDemands } from '#shared/demand/rules.ts'
import type * as contract from '#shared/dept/contract.ts'
import { deptDepth, deptType, hasLevelBelow, mayHaveChildren, type DeptType } from '#shared/dept/rules.ts'
import type { Received } from '#shared/endpoint.ts'
import { quoteStatus } from '#shared/quote/rules.ts'
import { delFlag, enableStatus, type EnableStatus } from '#shared/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { deptsOfAccounts, inScope } from '../actor/scope.ts'
import type { Read, Tx } from '../db/connect.ts'
import { literals } from '../db/literals.ts'
import { nextVersion } from '../db/version.ts'
import { violates } from '../db/violations.ts'
import type { Deed } from '../deed.ts'
import { Refusal, refuseField } from '../http/refusal.ts'
import { isPlace } from '../region/queries.ts'
import { keepNamed, lockTree } from './tree.ts'

export const addUnit = (deed: Deed, input: Received<typeof contract.addLease>['body']) =>
  insertDept(deed, { ...input, deptType: deptType.unit })

export const addProject = (deed: Deed, input: Received<typeof contract.addDept>['body']) =>
  insertDept(deed, { ...input, deptType: deptType.project })

type Added = Received<typeof contract.addLease | typeof contract.addDept>['body'] & { deptType: DeptType }

async function insertDept({ db, actor, now }: Deed, { parentId, ...columns }: Added): Promise<{ deptId: number }> {
  await checkPlace(db, columns)
  await lockTree(db, actor.companyId)
  const parent = await parentFor(db, actor, parentId)
  return db
    .insertInto('dept')
    .values({
      ...columns,
      parentId: parent.id,
      ancestors: [...parent.ancestors, parent.id],
      companyId: parent.companyId,
      createTime: now,
    })
    .returning('id as deptId')
    .executeTakeFirstOrThrow()
    .catch(refuseTakenName)
}

/** Changes a department; under another parent it goes with everything below. */
export async function editDept({ db, actor }: Deed, input: Received<typeof contract.editDept>['body']): Promise<void> {
  const { deptId, deptType: type, parentId, version, ...columns } = input
  await checkPlace(db, columns)
  await lockTree(db, actor.companyId)
  const dept = await getInScope(db, actor, deptId)
  if (dept.deptType !== type) throw new Refusal('not_found')
  if (parentId !== dept.parentId) await keepNamed(db, { deptId }, () => moveDept({ db, actor }, dept, parentId))
  const { numUpdatedRows } = await db
    .updateTable('dept')
    .set({ ...columns, version: nextVersion })
    .where('id', '=', deptId)
    .$if(version !== undefined, (query) => query.where('version', '=', version ?? 0))
    .executeTakeFirst()
    .catch(refuseTakenName)
  if (numUpdatedRows === 0n) throw new Refusal('changed')
}

async function moveDept({ db, actor }: Pick<Deed, 'db' | 'actor'>, dept: Dept, parentId: number | null): Promise<void> {
  // The own node hangs where the administrators above have put it.
  if (dept.id === actor.deptId || parentId === null) refuseField(['parentId'], 'own_node')
  const parent = await parentFor(db, actor, parentId)
  if (parent.id === dept.id || parent.ancestors.includes(dept.id)) refuseField(['parentId'], 'own_child')
  if (parent.companyId !== dept.companyId) refuseField(['parentId'], 'dept_unknown')
  const ancestors = [...parent.ancestors, parent.id]
  const { rows } = await sql<{ levels: number }>`
    select coalesce(max(cardinality(ancestors)), 0)::int - ${dept.ancestors.length} as levels from dept
    where (id = ${dept.id} or ancestors @> array[${dept.id}]::bigint[]) and del_flag = ${sql.lit(delFlag.present)}`.execute(db)
  if (ancestors.length + 1 + (rows[0]?.levels ?? 0) > deptDepth) refuseField(['parentId'], 'too_deep')
  await sql`update dept set ancestors = ${ancestors}::bigint[] || ancestors[${dept.ancestors.length + 1}:]
    where ancestors @> array[${dept.id}]::bigint[]`.execute(db)
  await db.updateTable('dept').set({ parentId: parent.id, ancestors }).where('id', '=', dept.id).execute().catch(refuseTakenName)
}

/**
 * Disables a department with nothing running below it: no enabled unit, no open demand, no award that its contract is still to follow, no contract.
 * Enables one whose parent is enabled.
 */
export async function switchDept({ db, actor }: Deed, { id, status }: { id: number; status: EnableStatus }): Promise<void> {
  await lockTree(db, actor.companyId)
  const { parentId } = await getInScope(db, actor, id)
  if (id === actor.deptId) throw new Refusal('own_dept')
  await waitForUse(db, id)
  const present = sql.lit(delFlag.present)
  const { rows } = await sql<{ children: boolean; demands: boolean; contracts: boolean; parentOff: boolean }>`select
    exists (select 1 from dept c where c.parent_id = ${id} and c.status = ${enableStatus.enabled} and c.del_flag = ${present}) as children,
    exists (select 1 from demand d where d.dept_id = ${id} and d.del_flag = ${present} and (d.status in (${literals(openDemands)})
      or d.status in (${literals(demandMoves.lapse.from)}) and ${awaitsContract})) as demands,
    exists (select 1 from contract c where c.dept_id = ${id} and c.status in (${literals(liveContracts)})) as contracts,
    exists (select 1 from dept p where p.id = ${parentId} and p.status = ${enableStatus.disabled}) as "parentOff"`.execute(db)
  const [found] = rows
  const isDisabled = status === enableStatus.disabled
  if (isDisabled && found?.children) throw new Refusal('dept_has_children')
  if (isDisabled && found?.demands) throw new Refusal('dept_has_demands')
  if (isDisabled && found?.contracts) throw new Refusal('dept_has_contracts')
  if (!isDisabled && found?.parentOff) throw new Refusal('dept_parent_off')
  await db.updateTable('dept').set({ status }).where('id', '=', id).execute()
}

/** Whether a lessor's part of the award of a demand `d` is still to be contracted, and lapses otherwise. */
const awaitsContract = sql`exists (select from award w join quote q on q.demand_id = w.demand_id and q.status = ${sql.lit(quoteStatus.won)}
  where w.demand_id = d.id and w.contract_due is not null and not exists (select from contract c
    where c.award_id = w.id and c.lessor_company_id = q.company_id and c.status <> ${sql.lit(contractStatus.voided)}))`

/** Deletes a department that was never used, once nobody waits for its answer. */
export async function deleteDept({ db, actor }: Deed, id: number): Promise<void> {
  await lockTree(db, actor.companyId)
  await getInScope(db, actor, id)
  if (id === actor.deptId) throw new Refusal('own_dept')
  await waitForUse(db, id)
  await refuseAwaited(db, id)
  const present = sql.lit(delFlag.present)
  const { numUpdatedRows } = await db
    .updateTable('dept')
    .set({ delFlag: delFlag.deleted })
    .where('id', '=', id)
    .where(
      sql<boolean>`not exists (select 1 from dept c where c.parent_id = dept.id and c.del_flag = ${present})
        and not exists (
          select 1 from ${deptsOfAccounts} w join account a on a.id = w.account_id where w.dept_id = dept.id and a.del_flag = ${present})
        and not exists (select 1 from demand d where d.dept_id = dept.id and d.del_flag = ${present})
        and not exists (select 1 from contract c where c.dept_id = dept.id)
        and not exists (select 1 from internal_machine m where m.dept_id = dept.id and m.del_flag = ${present})
        and not exists (select 1 from internal_transfer t where dept.id in (t.from_dept_id, t.to_dept_id))`,
    )
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Refusal('dept_in_use')
}

/** Waits for whoever stores something for the department at this moment, such as an application or a demand; whoever comes later waits in turn. */
const waitForUse = (db: Tx, id: number) => db.selectFrom('dept').where('id', '=', id).forUpdate().select('id').execute()

/** Refuses a unit that an application names: nobody could pass it any more. */
async function refuseAwaited(db: Read, id: number): Promise<void> {
  const waiting = await db
    .selectFrom('certification')
    .innerJoin('account', 'account.id', 'certification.accountId')
    .where('parentDeptId', '=', id)
    .where('certification.status', 'in', waitingCertifications)
    .where('account.delFlag', '=', delFlag.present)
    .select('certification.id')
    .executeTakeFirst()
  if (waiting) throw new Refusal('dept_has_applications')
}

type Place = Parameters<typeof isPlace>[1]

async function checkPlace(db: Read, input: Place | object): Promise<void> {
  if ('provinceId' in input && !(await isPlace(db, input))) refuseField(['cityId'], 'region')
}

const columnsOfDept = ['id', 'companyId', 'deptType', 'parentId', 'status', 'ancestors'] as const

const inScopeOf = (db: Read, actor: Actor, id: number) =>
  db.selectFrom('dept').where('id', '=', id).where('delFlag', '=', delFlag.present).where(inScope('dept.id', actor)).select(columnsOfDept)

async function getInScope(db: Read, actor: Actor, id: number) {
  const dept = await inScopeOf(db, actor, id).executeTakeFirst()
  if (!dept) throw new Refusal('not_found')
  return dept
}
type Dept = Awaited<ReturnType<typeof getInScope>>

/** The department that another one may hang below: in scope, enabled, no project department, not too deep. */
async function parentFor(db: Read, actor: Actor, parentId: number): Promise<Dept> {
  const parent = await inScopeOf(db, actor, parentId).where('status', '=', enableStatus.enabled).executeTakeFirst()
  if (!parent || !mayHaveChildren(parent.deptType)) refuseField(['parentId'], 'dept_unknown')
  if (!hasLevelBelow(parent.ancestors)) refuseField(['parentId'], 'too_deep')
  return parent
}

function refuseTakenName(error: unknown): never {
  if (!violates(error, 'dept_sibling_name')) throw error
  refuseField(['deptName'], 'taken')
}
