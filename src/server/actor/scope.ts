import { sql, type RawBuilder } from 'kysely'
import { userType } from '#shared/account/rules.ts'
import { Refusal } from '../http/refusal.ts'
import type { Actor } from './actor.ts'

export function companyOf(actor: Actor): number {
  if (actor.companyId === null) throw new Refusal('not_certified')
  return actor.companyId
}

/**
 * The departments a person sees, as a condition on a column: a project its own, an organisation its node and all
 * below, an auditor one company, the operator all, anybody else none.
 */
export function inScope(column: string, actor: Actor): RawBuilder<boolean> {
  const dept = sql.ref(column)
  switch (actor.role) {
    case 'projectUser':
      return sql<boolean>`${dept} = ${actor.deptId}`
    case 'leaseholder':
      return sql<boolean>`${dept} in (select id from dept where id = ${actor.deptId} or ancestors @> array[${actor.deptId}]::bigint[])`
    case 'auditor':
      return sql<boolean>`${dept} in (select id from dept where company_id = ${actor.companyId})`
    case 'operator':
      return sql<boolean>`true`
    default:
      return sql<boolean>`false`
  }
}

/** Whether an account of an organisation sees what belongs to a department: one of that project, or of a unit at or above it. */
export const seesDept = (account: string, deptId: RawBuilder<unknown>): RawBuilder<boolean> => {
  const [id, own, type] = ['id', 'dept_id', 'user_type'].map((column) => sql.ref(`${account}.${column}`))
  return sql<boolean>`(${type} = ${sql.lit(userType.project)} and (${own} = ${deptId}
      or exists (select from account_dept m where m.account_id = ${id} and m.dept_id = ${deptId}))
    or ${type} = ${sql.lit(userType.lessee)} and exists (select from dept d where d.id = ${deptId} and (d.id = ${own} or ${own} = any(d.ancestors))))`
}
