import { sql, type NotNull } from 'kysely'
import type { z } from 'zod'
import { blacklistLevel } from '#shared/blacklist/rules.ts'
import { dayOf } from '#shared/calendar.ts'
import type { DemandItem } from '#shared/demand/contract.ts'
import { monthPriceFen } from '#shared/equipment/rules.ts'
import type * as contract from '#shared/quote/contract.ts'
import { landedCost, type CostAssumptions, type CostLine } from '#shared/quote/landed-cost.ts'
import { comparedQuotes, oddTaxRate } from '#shared/quote/rules.ts'
import type { Read } from '../db/connect.ts'
import { findItems } from '../demand/queries.ts'
import { isOnShelf } from '../equipment/shelf.ts'
import { findSetting } from '../setting/queries.ts'
import { findCeilings } from './queries.ts'

export const findAssumptions = (db: Read): Promise<CostAssumptions> => findSetting(db, 'cost')

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
          // Platforms and hand tools need no hired operator: the crew drives them.
          operatorWanted: cert !== '' && !cert.startsWith('GC'),
        },
      ]
    }),
  )
}

/** Opened quotes with landed cost; amounts in fen, the contract writes yuan. */
export async function compareQuotes(db: Read, demandId: number, now: Date) {
  const items = await findItems(db, demandId)
  const [assumptions, costLines, ceilings] = [await findAssumptions(db), await findCostLines(db, items), await findCeilings(db, demandId)]
  const quotes = await findOpenedQuotes(db, demandId, dayOf(now))
  const linesOf = Map.groupBy(await findOpenedLines(db, demandId), ({ quoteId }) => quoteId)
  const market = await findMarket(db, demandId)
  return {
    assumptions,
    litresPerShift: Object.fromEntries([...costLines].map(([id, line]) => [String(id), line.litresPerShift])),
    operatorWanted: Object.fromEntries([...costLines].map(([id, line]) => [String(id), line.operatorWanted])),
    quotes: quotes.map((quote) => ({
      ...quote,
      lines: (linesOf.get(quote.id) ?? []).map((line) => {
        const costLine = costLines.get(line.demandItemId)
        const cost = costLine ? landedCost(costLine, line, assumptions) : null
        const ceiling = ceilings[String(line.demandItemId)]
        const item = items.find(({ id }) => id === line.demandItemId)
        return {
          ...line,
          unitPrice: line.unitPriceFen,
          entryFee: line.entryFeeFen,
          exitFee: line.exitFeeFen,
          erectionFee: line.erectionFeeFen,
          inspectionFee: line.inspectionFeeFen,
          otherFee: line.otherFeeFen,
          ceiling: ceiling ?? null,
          overCeiling: ceiling !== undefined && item?.rentUnit === line.rentUnit && line.unitPriceFen > ceiling,
          outlier: outlierOf(market.get(line.demandItemId), monthPriceFen(line.rentUnit, line.unitPriceFen, item?.shiftMode === 'double')),
          oddTaxRate: oddTaxRate(line.includesOperator, line.taxRate),
          netCost: cost?.netFen ?? 0,
          grossCost: cost?.grossFen ?? 0,
        }
      }),
    })),
    award: await findAward(db, demandId),
  }
}

function findOpenedQuotes(db: Read, demandId: number, today: string) {
  const level = sql<number>`coalesce(blacklist_level(company.id, demand.dept_id, ${today}::date), 0)`
  return (
    db
      .selectFrom('quote')
      .innerJoin('company', 'company.id', 'quote.companyId')
      .innerJoin('demand', 'demand.id', 'quote.demandId')
      .where('demandId', '=', demandId)
      .where('quote.status', 'in', comparedQuotes)
      .where('quote.openTime', 'is not', null)
      .orderBy('quote.id')
      .select([
        'quote.id',
        'quoteCode',
        'quote.status',
        'quote.companyId',
        'company.enterpriseName as companyName',
        'company.grade as companyGrade',
        'quote.contactName',
        'quote.contactPhone',
        'validUntil',
        'submitTime',
        'sealHash',
        'note',
        sql<boolean>`company.blacklisted_at is not null or ${level} >= ${sql.lit(blacklistLevel.barred)}`.as('blocked'),
        level.as('listed'),
      ])
      // They are unsealed with the offer.
      .$narrowType<{ contactName: NotNull; contactPhone: NotNull; validUntil: NotNull }>()
      .execute()
  )
}

type ComparedLine = z.input<(typeof contract.compareQuotes)['answer']>['quotes'][number]['lines'][number]

function findOpenedLines(db: Read, demandId: number) {
  return db
    .selectFrom('quoteLine')
    .innerJoin('quote', 'quote.id', 'quoteLine.quoteId')
    .innerJoin('demandItem', 'demandItem.id', 'quoteLine.demandItemId')
    .where('quote.demandId', '=', demandId)
    .orderBy('quoteLine.id')
    .select([
      'quoteLine.id',
      'quoteLine.quoteId',
      'quoteLine.demandItemId',
      'quoteLine.qty',
      'unitPriceFen',
      'quoteLine.rentUnit',
      'includesOperator',
      'includesFuel',
      'entryFeeFen',
      'exitFeeFen',
      'erectionFeeFen',
      'inspectionFeeFen',
      'otherFeeFen',
      'taxRate',
      'invoiceKind',
      'minRentDays',
      'earliestEntry',
      'deviation',
      'ceilingReason',
      'promisesRenewal',
      sql<ComparedLine['machines']>`(
        select json_agg(json_build_object('equipmentId', e.id, 'name', e.name, 'qty', m.qty, 'outFactoryDate', e.out_factory_date,
          'regionName', (select string_agg(distinct r.name, ' ') from region r where r.code in (e.province_id, e.city_id)), 'specs', e.specs,
          'papersTo', (select min(d.valid_to) from equipment_document d where d.equipment_id = e.id and d.valid_to < demand_item.plan_end),
          'taken', (select count(distinct b.slot) from equipment_booking b where b.equipment_id = e.id
            and b.period && daterange(demand_item.plan_start, demand_item.plan_end)
            and (b.award_line_id is null or b.award_line_id not in (select al.id from award_line al join award a on a.id = al.award_id where a.demand_id = ${demandId}))) + m.qty > e.total_qty) order by e.id)
        from quote_line_equipment m join equipment e on e.id = m.equipment_id where m.quote_line_id = quote_line.id)`.as('machines'),
    ])
    .execute()
}

/** The first and the last tenth of the month prices on the shelf for machines like those of each line. */
async function findMarket(db: Read, demandId: number): Promise<Map<number, { low: number; high: number }>> {
  const { rows } = await sql<{ id: number; tenths: [number, number] }>`
    with likeness as (select distinct category_id, main_value from demand_item where demand_id = ${demandId}),
    market as (
      select l.category_id, l.main_value, to_json(percentile_cont(array[0.1, 0.9]) within group (order by e.month_price_fen)) as tenths
      from likeness l join equipment e on e.category_id = l.category_id and ${isOnShelf('e')}
        and e.month_price_fen is not null and (l.main_value is null or e.main_value between l.main_value * 0.8 and l.main_value * 1.25)
      group by 1, 2 having count(*) >= 5)
    select i.id, m.tenths from demand_item i join market m on m.category_id = i.category_id and m.main_value is not distinct from i.main_value
    where i.demand_id = ${demandId}`.execute(db)
  return new Map(rows.map(({ id, tenths: [low, high] }) => [id, { low, high }]))
}

function outlierOf(market: { low: number; high: number } | undefined, monthFen: number | null): 'high' | 'low' | null {
  if (!market || monthFen === null) return null
  return monthFen > market.high ? 'high' : monthFen < market.low ? 'low' : null
}

async function findAward(db: Read, demandId: number) {
  const award = await db
    .selectFrom('award')
    .innerJoin('account', 'account.id', 'award.accountId')
    .where('demandId', '=', demandId)
    .select(['award.id', 'award.at', sql<string>`coalesce(nullif(account.name, ''), account.user_name)`.as('who'), 'award.netFen as net'])
    .executeTakeFirst()
  if (!award) return null
  const lines = await db
    .selectFrom('awardLine')
    .innerJoin('company', 'company.id', 'awardLine.companyId')
    .where('awardId', '=', award.id)
    .orderBy('awardLine.id')
    .select(['demandItemId', 'quoteLineId', 'company.enterpriseName as companyName', 'qty', 'netFen as net', 'reason'])
    .execute()
  return { at: award.at, who: award.who, net: award.net, lines }
}
