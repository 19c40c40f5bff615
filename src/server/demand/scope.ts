import { sql, type RawBuilder } from 'kysely'
import { delFlag } from '#shared/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { inScope } from '../actor/scope.ts'
import type { Read } from '../db/connect.ts'

type Approval = 'approves_demands' | 'approves_awards' | 'approves_contracts'

/**
 * Whether this person may go ahead without asking: every unit at or above the department that wants approval is
 * their own or below it, and they administer. Where none wants it, everybody may. `dept`: its id.
 */
export function approvedFor(actor: Actor, dept: RawBuilder<unknown>, approval: Approval): RawBuilder<boolean> {
  const administers = actor.role === 'leaseholder' && actor.isAdmin
  return sql<boolean>`not exists (
    select 1 from dept d join dept u on u.id = d.id or u.id = any(d.ancestors)
    where d.id = ${dept} and u.del_flag = ${sql.lit(delFlag.present)} and ${sql.ref(`u.${approval}`)} and not (${administers} and ${inScope('u.id', actor)}))`
}

export async function isApproved(db: Read, actor: Actor, deptId: number, approval: Approval): Promise<boolean> {
  const { rows } = await sql<{ approved: boolean }>`select ${approvedFor(actor, sql`${deptId}`, approval)} as approved`.execute(db)
  return rows[0]?.approved === true
}

/** Whether this person decides on what others submit for this department. */
export async function mayApprove(db: Read, actor: Actor, deptId: number, approval: Approval): Promise<boolean> {
  return actor.role === 'leaseholder' && actor.isAdmin && (await isApproved(db, actor, deptId, approval))
}
