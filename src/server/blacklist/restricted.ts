import { sql, type RawBuilder } from 'kysely'
import { blacklistLevel, type BlacklistLevel } from '#shared/blacklist/rules.ts'

type Where = { deptId: unknown; today: string }

/**
 * Whether a company may not be dealt with for a department. Most companies have no entry, which is known from an index in a tenth of the time that
 * the function takes.
 */
export const isRestricted = (companyId: unknown, where: Where): RawBuilder<boolean> =>
  isAtLevel(companyId, where, blacklistLevel.restricted)

/** Whether a company may not even confirm what it was awarded. */
export const isBarred = (companyId: unknown, where: Where): RawBuilder<boolean> => isAtLevel(companyId, where, blacklistLevel.barred)

const isAtLevel = (companyId: unknown, { deptId, today }: Where, level: BlacklistLevel): RawBuilder<boolean> =>
  sql<boolean>`(exists (select from blacklist entry where entry.company_id = ${companyId})
    and coalesce(blacklist_level(${companyId}, ${deptId}, ${today}::date), 0) >= ${sql.lit(level)})`

/** The same of a single machine. */
export const isMachineRestricted = (machineId: unknown, where: Where): RawBuilder<boolean> =>
  isMachineAtLevel(machineId, where, blacklistLevel.restricted)

export const isMachineBarred = (machineId: unknown, where: Where): RawBuilder<boolean> =>
  isMachineAtLevel(machineId, where, blacklistLevel.barred)

const isMachineAtLevel = (machineId: unknown, { deptId, today }: Where, level: BlacklistLevel): RawBuilder<boolean> =>
  sql<boolean>`(exists (select from blacklist entry where entry.equipment_id = ${machineId})
    and coalesce(blacklist_machine_level(${machineId}, ${deptId}, ${today}::date), 0) >= ${sql.lit(level)})`
