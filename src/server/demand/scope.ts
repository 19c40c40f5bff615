import { sql, type RawBuilder } from 'kysely'
import { demandType, publicStatuses } from '#shared/demand/rules.ts'
import { accountStatus, userType } from '#shared/account/rules.ts'
import { endedCertifications } from '#shared/certification/rules.ts'
import { companyStatus } from '#shared/company/rules.ts'
import { delFlag } from '#shared/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { inScope } from '../actor/scope.ts'
import type { Read } from '../db/connect.ts'
import { literals } from '../db/literals.ts'

/** The company whose invitations and quotes this person may know of: a lessor's own; a colleague who is no lessor, and a driver, have none. */
export const lessorOf = (actor: Pick<Actor, 'role' | 'companyId'> | null): number | null =>
  actor?.role === 'leaser' ? actor.companyId : null

/** Whether the people of a lessor, a `company`, may sign in as such: it is not locked, and its certification has not ended (`roleOf`). */
export const actsAsLessor: RawBuilder<boolean> = sql<boolean>`(company.status = ${sql.lit(companyStatus.active)}
    and company.lessor_audit not in (${literals(endedCertifications)}))`

/** Whether a `demand` may be quoted by this company: it is public, or invites the company. */
export function isOpenTo(companyId: number | null): RawBuilder<boolean> {
  const isPublic = sql`demand.demand_type = ${sql.lit(demandType.public)}`
  if (companyId === null) return sql<boolean>`(${isPublic})`
  return sql<boolean>`(${isPublic} or exists (select 1 from demand_invite v where v.demand_id = demand.id and v.company_id = ${companyId}))`
}

/** Whether the library shows a `demand` to this company, or to everybody. The statuses stand in the text, so that a prepared plan may use their index. */
export const isPublishedTo = (companyId: number | null): RawBuilder<boolean> =>
  sql<boolean>`(demand.status in (${literals(publicStatuses)}) and ${isOpenTo(companyId)})`

/**
 * Whether this company may read a `demand`, its questions, its files and its contact: one that the library shows to it, and whatever it has quoted,
 * though it was cancelled or the company has left the list of the invited since (decision 34).
 */
export const isReadableBy = (companyId: number | null): RawBuilder<boolean> =>
  companyId === null
    ? isPublishedTo(null)
    : sql<boolean>`(${isPublishedTo(companyId)} or exists (select 1 from quote q where q.demand_id = demand.id and q.company_id = ${companyId}))`

type Approval = 'approves_demands' | 'approves_awards' | 'approves_contracts'

/** The units `u` at or above a department that want approval. `dept`: its id. */
const unitsWanting = (dept: RawBuilder<unknown>, approval: Approval) =>
  sql`select 1 from dept d join dept u on u.id = d.id or u.id = any(d.ancestors)
    where d.id = ${dept} and u.del_flag = ${sql.lit(delFlag.present)} and ${sql.ref(`u.${approval}`)}`

/** Whether a unit at or above the department wants approval. `dept`: its id. */
export const wantsApproval = (dept: RawBuilder<unknown>, approval: Approval): RawBuilder<boolean> =>
  sql<boolean>`exists (${unitsWanting(dept, approval)})`

/**
 * Whether this person may go ahead without asking: every unit at or above the department that wants approval is
 * their own or below it, and they administer. Where none wants it, everybody may. `dept`: its id.
 */
export function approvedFor(actor: Actor, dept: RawBuilder<unknown>, approval: Approval): RawBuilder<boolean> {
  const administers = actor.role === 'leaseholder' && actor.isAdmin
  return sql<boolean>`not exists (${unitsWanting(dept, approval)} and not (${administers} and ${inScope('u.id', actor)}))`
}

export async function isApproved(db: Read, actor: Actor, deptId: number, approval: Approval): Promise<boolean> {
  const { rows } = await sql<{ approved: boolean }>`select ${approvedFor(actor, sql`${deptId}`, approval)} as approved`.execute(db)
  return rows[0]?.approved === true
}

/**
 * The administrators who may decide for this department (`mayApprove`): those of the topmost unit that wants approval, and of the units above it. Nobody
 * where no unit wants it.
 */
export async function findApprovers(db: Read, deptId: number, approval: Approval): Promise<number[]> {
  const wanting = unitsWanting(sql`${deptId}`, approval)
  const { rows } = await sql<{ id: number }>`
    select a.id from account a join dept d on d.id = ${deptId}
    where a.dept_id = any(d.ancestors || d.id) and a.is_admin and a.user_type = ${sql.lit(userType.lessee)}
      and a.status = ${sql.lit(accountStatus.active)} and a.del_flag = ${sql.lit(delFlag.present)}
      and exists (${wanting}) and not exists (${wanting} and u.id <> a.dept_id and not u.ancestors @> array[a.dept_id])
    order by a.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Whether this person decides on what others submit for this department. */
export async function mayApprove(db: Read, actor: Actor, deptId: number, approval: Approval): Promise<boolean> {
  return actor.role === 'leaseholder' && actor.isAdmin && (await isApproved(db, actor, deptId, approval))
}
