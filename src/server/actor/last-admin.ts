import { sql, type RawBuilder } from 'kysely'
import { accountStatus, userType, type UserType } from '#shared/account/rules.ts'
import { certificationStatus } from '#shared/certification/rules.ts'
import { delFlag } from '#shared/rules.ts'
import type { Read, Tx } from '../db/connect.ts'
import { Refusal } from '../http/refusal.ts'

/** Who is administered together: the lessors or the lessees of one company, or the operators, who belong to none. */
type Administered = { userType: UserType; companyId: number | null }

/** The operators, as those who are administered together. */
export const operators: Administered = { userType: userType.operator, companyId: null }

/**
 * Lets changes of who administers be one after the other, so that two administrators who end each other at once do not both find the other one in
 * office.
 */
export async function lockAdmins(db: Tx, { userType: type, companyId }: Administered): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`admins:${type}:${companyId ?? ''}`}, 0))`.execute(db)
}

/**
 * Whether the account of this alias administers, and nobody else of its kind and company does who may sign in. Of a lessee's units only whoever stands at
 * or above the same place counts, because the administrator of another one sees their own branch alone.
 */
export function isLastAdmin(account: string): RawBuilder<boolean> {
  const [id, isAdmin, type, companyId, deptId] = ['id', 'is_admin', 'user_type', 'company_id', 'dept_id'].map((column) =>
    sql.ref(`${account}.${column}`),
  )
  const another = (isOfThem: RawBuilder<unknown>) => sql`exists (select from account other
    where ${isOfThem} and other.id <> ${id} and other.user_type = ${type} and other.is_admin
      and other.status = ${sql.lit(accountStatus.active)} and other.del_flag = ${sql.lit(delFlag.present)})`
  const anotherOperator = another(sql`other.user_type = ${sql.lit(userType.operator)}`)
  const standsAbove = sql`(other.dept_id = ${deptId} or other.dept_id = any(array(
    select unnest(d.ancestors) from dept d where d.id = ${deptId})))`
  const anotherOfCompany = another(
    sql`other.company_id = ${companyId} and (other.user_type <> ${sql.lit(userType.lessee)} or ${standsAbove})`,
  )
  return sql<boolean>`(${isAdmin} and not ${anotherOfCompany} and not ${anotherOperator})`
}

/** Reads what `isLastAdmin` says of an account that may sign in; the caller has locked with `lockAdmins`. */
export async function findIsLastAdmin(db: Read, id: number): Promise<boolean> {
  const found = await db
    .selectFrom('account')
    .where('id', '=', id)
    .where('status', '=', accountStatus.active)
    .where(isLastAdmin('account'))
    .select('id')
    .executeTakeFirst()
  return found !== undefined
}

/** Whoever leaves those whom they are administered with, and where they go. */
type Leaving = { accountId: number; to: Administered }

/**
 * Refuses `last_admin_leaves` where the only administrator of a company in force would go to another one, or take another role: nobody could add its
 * people or decide for them any more. A company whose certification has ended gets its administrator from whoever renews it.
 */
export async function refuseLeavingAdmin(db: Read, { accountId, to }: Leaving): Promise<void> {
  const from = await db
    .selectFrom('account')
    .innerJoin('company', 'company.id', 'account.companyId')
    .where('account.id', '=', accountId)
    .select(['account.userType', 'account.companyId', 'lessorAudit', 'lesseeAudit'])
    .executeTakeFirst()
  if (!from || (from.companyId === to.companyId && from.userType === to.userType)) return
  const audit = from.userType === userType.lessor ? from.lessorAudit : from.lesseeAudit
  if (audit === certificationStatus.passed && (await findIsLastAdmin(db, accountId))) throw new Refusal('last_admin_leaves')
}
