import { sql, type RawBuilder } from 'kysely'
import { equipmentAudit, shelfStatus } from '#shared/equipment/rules.ts'
import { delFlag } from '#shared/rules.ts'

/**
 * Whether a machine is shown to everybody, as a condition of raw SQL. `alias`: the machine's name in the query. The values stand in the text,
 * because the indexes of shelved machines are partial.
 */
export const isOnShelf = (alias: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(`${alias}.audit_status`)} = ${sql.lit(equipmentAudit.passed)}
    and ${sql.ref(`${alias}.shelf_status`)} = ${sql.lit(shelfStatus.on)} and ${sql.ref(`${alias}.del_flag`)} = ${sql.lit(delFlag.present)}`
