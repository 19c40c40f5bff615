import type { DemandItem } from '#shared/demand/contract.ts'
import type { CostAssumptions, CostLine } from '#shared/quote/landed-cost.ts'
import type { Read } from '../db/connect.ts'
import { findSetting } from '../setting/queries.ts'

/** The assumptions of the day of the opening, so that what was decided stays as it was read; today's where none are stored. */
export async function findAssumptions(db: Read, demandId: number): Promise<CostAssumptions> {
  const demand = await db.selectFrom('demand').where('id', '=', demandId).select('costAssumptions').executeTakeFirst()
  return demand?.costAssumptions ?? findSetting(db, 'cost')
}

/** The lines of a demand as their landed cost is computed, by their ids. */
export async function findCostLines(db: Read, items: readonly DemandItem[]): Promise<Map<number, CostLine>> {
  const categories = await db
    .selectFrom('category')
    .where('id', 'in', items.length > 0 ? items.map(({ categoryId }) => categoryId) : [0])
    .select(['id', 'litresPerShift', 'operatorCert'])
    .execute()
  const byId = new Map(categories.map((category) => [category.id, category]))
  return new Map(
    items.map((item) => {
      const category = byId.get(item.categoryId)
      const cert = category?.operatorCert ?? ''
      return [
        item.id,
        {
          planStart: item.planStart,
          planEnd: item.planEnd,
          shiftMode: item.shiftMode,
          estQuantity: item.estQuantity,
          litresPerShift: category?.litresPerShift ?? 0,
          // Platforms and hand tools need no hired driver: the crew drives them.
          operatorWanted: cert !== '' && !cert.startsWith('GC'),
        },
      ]
    }),
  )
}
