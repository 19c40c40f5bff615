import { sql, type RawBuilder } from 'kysely'
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
