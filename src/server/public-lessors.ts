import { sql, type RawBuilder } from 'kysely'
import { certificationStatus } from '#shared/certification/rules.ts'
import { companyStatus } from '#shared/company/rules.ts'
import { delFlag } from '#shared/rules.ts'
import type { Read } from './db/connect.ts'

/**
 * Whether a company is a lessor who is certified and neither locked nor removed, as a condition of raw SQL. `alias`: the company's name in the
 * query. The values stand in the text, because the indexes of lessors are partial.
 */
export const isCertifiedLessor = (alias: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${alias}.is_lessor`)} and ${sql.ref(`${alias}.lessor_audit`)} = ${sql.lit(certificationStatus.passed)}
    and ${sql.ref(`${alias}.status`)} = ${sql.lit(companyStatus.active)} and ${sql.ref(`${alias}.del_flag`)} = ${sql.lit(delFlag.present)})`

/** Whether a company may let machines at all: a certified lessor whom the whole platform does not bar. */
export const mayLet = (alias: string): RawBuilder<boolean> =>
  sql<boolean>`(${isCertifiedLessor(alias)} and ${sql.ref(`${alias}.blacklisted_at`)} is null)`

/** The lessors that everybody may see. */
export const publicLessors = (db: Read) => db.selectFrom('company').where(mayLet('company'))
