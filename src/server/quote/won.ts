import { sql } from 'kysely'
import { laterEntry } from '#shared/award/rules.ts'
import type { BookedMachine } from '#shared/quote/contract.ts'
import { landedCost, type CostLine, type CostOffer } from '#shared/quote/landed-cost.ts'
import type { Read } from '../db/connect.ts'
import { nameParts } from '../equipment/names.ts'
import { priceColumns } from './price-columns.ts'

/** The machines that an award line has booked, as a column of it. */
export const bookedMachines = sql<BookedMachine[]>`coalesce((
  select json_agg(json_build_object('equipmentId', e.id, ${nameParts}, 'equipmentCode', e.equipment_code, 'qty', b.qty) order by e.id)
  from (select equipment_id, count(*)::int as qty from equipment_booking where award_line_id = award_line.id group by 1) b
  join equipment e on e.id = b.equipment_id), '[]')`

/** What a lessor has won of these demands, by demand: the lines with their machines and sums. Amounts in fen. */
export async function findWon(db: Read, { companyId, demandIds }: { companyId: number; demandIds: readonly number[] }) {
  const rows = await db
    .selectFrom('awardLine')
    .innerJoin('award', 'award.id', 'awardLine.awardId')
    .innerJoin('quoteLine', 'quoteLine.id', 'awardLine.quoteLineId')
    .innerJoin('demandItem', 'demandItem.id', 'awardLine.demandItemId')
    .innerJoin('category', 'category.id', 'demandItem.categoryId')
    .where('award.demandId', 'in', demandIds.length > 0 ? demandIds : [0])
    .where('awardLine.companyId', '=', companyId)
    .orderBy('demandItem.lineNo')
    .select([
      'award.demandId',
      'award.at',
      'awardLine.demandItemId',
      'awardLine.qty',
      'demandItem.lineNo',
      'category.name as categoryName',
      'category.nameEn as categoryNameEn',
      'demandItem.planStart',
      'demandItem.planEnd',
      'demandItem.shiftMode',
      'demandItem.estQuantity',
      'quoteLine.earliestEntry',
      ...priceColumns('quoteLine'),
      bookedMachines.as('machines'),
    ])
    .execute()
  const byDemand = Map.groupBy(rows, ({ demandId }) => demandId)
  return new Map(
    [...byDemand].map(([demandId, lines]) => {
      const won = lines.map((line) => {
        const { rentFen, invoicedFen } = costOfLine(line)
        return {
          ...line,
          entry: line.planStart,
          laterEntry: laterEntry(line, line),
          unitPrice: line.unitPriceFen,
          rent: rentFen,
          invoiced: invoicedFen,
        }
      })
      return [
        demandId,
        {
          at: lines[0]?.at ?? '',
          rent: won.reduce((sum, { rent }) => sum + rent, 0),
          invoiced: won.reduce((sum, { invoiced }) => sum + invoiced, 0),
          lines: won,
        },
      ] as const
    }),
  )
}

/** Neither fuel nor a driver of the lessee's own is part of what the lessor is paid. */
const costOfLine = (line: Omit<CostOffer, 'fuelledQty'> & Omit<CostLine, 'litresPerShift' | 'operatorWanted'>) =>
  landedCost(
    { ...line, litresPerShift: 0, operatorWanted: false },
    { ...line, fuelledQty: 0 },
    { dieselFenPerLitre: 0, operatorMonthFen: 0 },
  )
