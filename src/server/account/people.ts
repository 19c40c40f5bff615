import { sql, type RawBuilder } from 'kysely'
import { userType } from '#shared/account/rules.ts'
import { delFlag } from '#shared/rules.ts'

/**
 * Whether an account is one of the people of its company, as a condition of raw SQL. An auditor reads the company but is not one of them. `alias`: the
 * account's name in the query.
 */
export const isPersonOf = (alias: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${alias}.user_type`)} <> ${sql.lit(userType.auditor)} and ${sql.ref(`${alias}.del_flag`)} = ${sql.lit(delFlag.present)})`
