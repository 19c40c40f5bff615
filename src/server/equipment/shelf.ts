import { sql, type RawBuilder } from 'kysely'
import { dayMs } from '#shared/calendar.ts'
import { equipmentAudit, shelfStatus } from '#shared/equipment/rules.ts'
import { delFlag } from '#shared/rules.ts'
import type { Tx } from '../db/connect.ts'
import { nextVersion } from '../db/version.ts'

/**
 * Whether a machine is shown to everybody, as a condition of raw SQL. `alias`: the machine's name in the query. The values stand in the text,
 * because the indexes of shelved machines are partial.
 */
export const isOnShelf = (alias: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(`${alias}.audit_status`)} = ${sql.lit(equipmentAudit.passed)}
    and ${sql.ref(`${alias}.shelf_status`)} = ${sql.lit(shelfStatus.on)} and ${sql.ref(`${alias}.del_flag`)} = ${sql.lit(delFlag.present)}`

/**
 * When a machine was confirmed that is confirmed now: what was confirmed within a day keeps its time, because whoever has saved a search is told of each
 * machine whose time has changed.
 */
export const confirmedOnceADay = (now: Date) =>
  sql<Date>`case when ${isOlderThanADay(now)} then ${now}::timestamptz else equipment.confirmed_at end`

/** The same of a machine that comes on the shelf. One without an earlier showing has the time at which it was added, and is new to everybody. */
export const shelvedOnceADay = (now: Date) =>
  sql<Date>`case when ${isOlderThanADay(now)} or equipment.confirmed_at = equipment.create_time then ${now}::timestamptz else equipment.confirmed_at end`

const isOlderThanADay = (now: Date) => sql`equipment.confirmed_at <= ${new Date(now.getTime() - dayMs)}::timestamptz`

/** Whether a machine is not taken in the period, or a unit of a lot is not: each unit has bookings of its own. Only lots ask their bookings. */
export const isFree = (alias: string, period: RawBuilder<unknown>): RawBuilder<boolean> => {
  const taken = sql.ref(`${alias}.taken`)
  const units = sql.ref(`${alias}.total_qty`)
  return sql<boolean>`(${taken} is null or not ${taken} && ${period} or (${units} > 1 and (select count(distinct b.slot) from equipment_booking b
    where b.equipment_id = ${sql.ref(`${alias}.id`)} and b.period && ${period}) < ${units}))`
}

type Compared = RawBuilder<unknown>

/** Whether a main parameter meets what a line requires of it. */
export const fitsMain = (value: Compared, { rule, required }: { rule: Compared; required: Compared }) => sql<boolean>`(${rule} is null
  or (${rule} = 'ge' and ${value} >= ${required}) or (${rule} = 'le' and ${value} <= ${required}) or (${rule} = 'eq' and ${value} = ${required}))`

/** Whether an emission stage is at least the one that a line requires, as `emissionAtLeast` has it. */
export const fitsEmission = (stage: Compared, least: Compared) =>
  sql<boolean>`(${least} is null or ${stage} in ('none', 'electric') or ${stage} >= ${least})`

/** Takes all machines of a company off the shelf, in portions: a statement about a large fleet would take longer than a statement may. */
export async function takeFleetOff(db: Tx, { companyId, now }: { companyId: number; now: Date }, portion = 5000): Promise<void> {
  let taken: bigint
  do {
    const some = db
      .selectFrom('equipment')
      .where('companyId', '=', companyId)
      .where('shelfStatus', '=', shelfStatus.on)
      // As whoever books several machines locks them.
      .orderBy('id')
      .limit(portion)
      .forNoKeyUpdate()
      .select('id')
    const { numUpdatedRows } = await db
      .updateTable('equipment')
      .set({ shelfStatus: shelfStatus.off, updateTime: now, version: nextVersion })
      .where('id', 'in', some)
      .where('shelfStatus', '=', shelfStatus.on)
      .executeTakeFirst()
    taken = numUpdatedRows
  } while (taken > 0n)
}
