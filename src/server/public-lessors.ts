import { sql } from 'kysely'
import { certificationStatus } from '#shared/certification/rules.ts'
import { companyStatus } from '#shared/company/rules.ts'
import { delFlag } from '#shared/rules.ts'
import type { Read } from './db/connect.ts'

/** The lessors that everybody may see: certified, active and not on the platform's blacklist. */
export const publicLessors = (db: Read) =>
  db
    .selectFrom('company')
    .where('company.isLessor', '=', sql.lit(true))
    .where('company.lessorAudit', '=', sql.lit(certificationStatus.passed))
    .where('company.status', '=', sql.lit(companyStatus.active))
    .where('company.blacklistedAt', 'is', null)
    .where('company.delFlag', '=', sql.lit(delFlag.present))
