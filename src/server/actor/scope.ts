import { sql, type RawBuilder } from 'kysely'
import { userType } from '#shared/account/rules.ts'
import { Refusal } from '../http/refusal.ts'
import type { Actor } from './actor.ts'

export function companyOf(actor: Actor): number {
  if (actor.companyId === null) throw new Refusal('not_certified')
  return actor.companyId
}

/** The company of an `account`: that of its `dept` (a left join), which counts before its own. */
export const companyOfAccount = sql<number>`coalesce(dept.company_id, account.company_id)`

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

/**
 * As `inScope`, for a list that an index finds by its departments: each of them is looked up in the index. Rows that are found otherwise are compared
 * by `inScope`, which keeps the departments in a table of hashes.
 */
export function byDeptsInScope(column: string, actor: Actor): RawBuilder<boolean> {
  const dept = sql.ref(column)
  switch (actor.role) {
    case 'leaseholder':
      return isUnder(column, actor.deptId)
    case 'auditor':
      return sql<boolean>`${dept} = any(array(select id from dept where company_id = ${actor.companyId}))`
    default:
      return inScope(column, actor)
  }
}

/** Whether a department is the given one or below it: each of these is looked up in the index of the rows. */
export const isUnder = (column: string, deptId: number | null): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} = any(array(select id from dept where id = ${deptId} or ancestors @> array[${deptId}]::bigint[]))`

/** As `inScope`, for rows that are read in their order: a condition and never a join, which would lose the order. */
export const staysInScope = (column: string, actor: Actor): RawBuilder<boolean> => sql<boolean>`(${inScope(column, actor)}) is true`

/** Whether the person's scope is all that stands under one company or a part of it, so that an index of the companies holds it in order. */
export const hasScopeInCompany = ({ role, companyId }: Actor): boolean =>
  companyId !== null && (role === 'leaseholder' || role === 'auditor')

/**
 * Each account with each department that it works for, as a table in brackets. An account has its first department in its own row, and projects have
 * one in `account_dept` as well, so a pair may stand twice. A condition on either column finds the rows by an index.
 */
export const deptsOfAccounts = sql`(select id as account_id, dept_id from account where dept_id is not null
  union all select account_id, dept_id from account_dept)`

/** Whether an account of an organisation sees what belongs to a department: one of that project, or of a unit at or above it. */
export const seesDept = (account: string, deptId: RawBuilder<unknown>): RawBuilder<boolean> => {
  const [id, own, type] = ['id', 'dept_id', 'user_type'].map((column) => sql.ref(`${account}.${column}`))
  return sql<boolean>`(${type} = ${sql.lit(userType.project)}
      and exists (select from ${deptsOfAccounts} w where w.account_id = ${id} and w.dept_id = ${deptId})
    or ${type} = ${sql.lit(userType.lessee)} and exists (select from dept d where d.id = ${deptId} and (d.id = ${own} or ${own} = any(d.ancestors))))`
}
