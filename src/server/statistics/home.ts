import { sql } from 'kysely'
import { awardedDemands, demandStatus, demandType } from '#shared/demand/rules.ts'
import type { Returned } from '#shared/endpoint.ts'
import { delFlag } from '#shared/rules.ts'
import type { getHomeFigures } from '#shared/statistics/contract.ts'
import type { Read } from '../db/connect.ts'
import { literals } from '../db/literals.ts'
import { isOnShelf } from '../equipment/shelf.ts'
import { publicLessors } from '../public-lessors.ts'

/** The live figures of the home page. Machines are counted as the library lists them: a lot of several is one entry. */
export async function countHome(db: Read): Promise<Returned<typeof getHomeFigures>> {
  const isPresent = sql`del_flag = ${sql.lit(delFlag.present)}`
  const { rows } = await sql<{ openDemands: number; lessors: number; deals: number; machinesByGroup: Record<string, number> }>`
    select (select count(*)::int from demand where status = ${sql.lit(demandStatus.quoting)}
        and demand_type = ${sql.lit(demandType.public)} and ${isPresent}) as "openDemands",
      (${publicLessors(db).select((eb) => eb.fn.countAll().as('lessors'))})::int as lessors,
      (select count(*)::int from demand where status in (${literals(awardedDemands)})
        and awarded_net_fen > 0 and ${isPresent}) as deals,
      (select coalesce(json_object_agg(father_category_id, n), '{}') from (
        select e.father_category_id, count(*)::int as n from equipment e where ${isOnShelf('e')} group by 1) g) as "machinesByGroup"`.execute(
    db,
  )
  const figures = rows[0] ?? { openDemands: 0, lessors: 0, deals: 0, machinesByGroup: {} }
  return { ...figures, machines: Object.values(figures.machinesByGroup).reduce((sum, n) => sum + n, 0) }
}
