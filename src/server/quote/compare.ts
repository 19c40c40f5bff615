import { sql, type NotNull } from 'kysely'
import type { z } from 'zod'
import { blacklistLevel } from '#shared/blacklist/rules.ts'
import { dayOf } from '#shared/calendar.ts'
import type { DemandItem } from '#shared/demand/contract.ts'
import { isHireOver } from '#shared/demand/rules.ts'
import { documentsEndingBefore, isElectric, monthPriceFen } from '#shared/equipment/rules.ts'
import type * as contract from '#shared/quote/contract.ts'
import { landedCost, type CostAssumptions, type CostLine } from '#shared/quote/landed-cost.ts'
import { machineProblem, offerBars, standingMisses, type MachineStanding } from '#shared/quote/offer.ts'
import { wirePrices } from '#shared/quote/prices.ts'
import { comparedQuotes, oddTaxRate, quoteStatus } from '#shared/quote/rules.ts'
import { nameOf } from '../actor/name.ts'
import type { Read } from '../db/connect.ts'
import { termColumns } from '../db/term-columns.ts'
import { findCategories } from '../category/queries.ts'
import { findItems } from '../demand/queries.ts'
import { nameParts } from '../equipment/names.ts'
import { isOnShelf } from '../equipment/shelf.ts'
import { isCertifiedLessor } from '../public-lessors.ts'
import { regionNameEnOf, regionNameOf } from '../region/queries.ts'
import { findSetting } from '../setting/queries.ts'
import { findCeilings } from './queries.ts'
import { findRelated } from './related.ts'
import { bookedMachines } from './won.ts'

const findAssumptions = (db: Read): Promise<CostAssumptions> => findSetting(db, 'cost')

async function findCostLines(db: Read, items: readonly DemandItem[]): Promise<Map<number, CostLine>> {
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

/** Sets the opened quotes of a demand side by side with their landed cost. */
export async function compareQuotes(db: Read, demandId: number, now: Date) {
  const today = dayOf(now)
  const [items, assumptions, ceilings, quotes, lines, market, related, award] = await Promise.all([
    findItems(db, demandId),
    findAssumptions(db),
    findCeilings(db, demandId),
    findOpenedQuotes(db, demandId, today),
    findOpenedLines(db, demandId, today),
    findMarket(db, demandId),
    findRelated(db, demandId),
    findAward(db, demandId),
  ])
  const offered = lines.flatMap(({ machines }) => machines)
  const [costLines, flagsOf, placeOf] = await Promise.all([
    findCostLines(db, items),
    findFlags(db, items),
    findPlaces(db, demandId, offered),
  ])
  const linesOf = Map.groupBy(lines, ({ quoteId }) => quoteId)
  return {
    assumptions,
    litresPerShift: Object.fromEntries([...costLines].map(([id, line]) => [String(id), line.litresPerShift])),
    operatorWanted: Object.fromEntries([...costLines].map(([id, line]) => [String(id), line.operatorWanted])),
    quotes: quotes.map(({ certified, ownCompany, ...quote }) => ({
      ...quote,
      related: related.get(quote.companyId) ?? [],
      bars: isJudged(quote) ? offerBars({ certified, blacklisted: quote.blocked, ownCompany, validUntil: quote.validUntil }, today) : [],
      lines: (linesOf.get(quote.id) ?? []).map((line) => {
        const costLine = costLines.get(line.demandItemId)
        const fuelledQty = line.machines.reduce((sum, machine) => sum + (isElectric(machine) ? 0 : machine.qty), 0)
        const cost = costLine ? landedCost(costLine, { ...line, fuelledQty }, assumptions) : null
        const ceilingFen = ceilings[String(line.demandItemId)]
        const item = items.find(({ id }) => id === line.demandItemId)
        const machines = line.machines.map((machine) => ({
          ...standingOf(machine, { promisesRenewal: line.promisesRenewal, flags: flagsOf.get(item?.categoryId ?? 0), today }),
          ...placeOf(machine),
        }))
        return {
          ...line,
          fuelledQty,
          machines: isJudged(quote) ? machines : machines.map((machine) => ({ ...machine, problem: null, misses: [] })),
          isOver: isJudged(quote) && item !== undefined && isHireOver(item, today),
          availableQty: machines.reduce((sum, machine) => sum + machine.availableQty, 0),
          ceilingFen: ceilingFen ?? null,
          overCeiling: ceilingFen !== undefined && item?.rentUnit === line.rentUnit && line.unitPriceFen > ceilingFen,
          outlier: outlierOf(market.get(line.demandItemId), monthPriceFen(line.rentUnit, line.unitPriceFen, item?.shiftMode === 'double')),
          oddTaxRate: oddTaxRate(line.includesOperator, line.taxRate),
          rentFen: cost?.steps.find(({ part }) => part === 'rent')?.fen ?? 0,
          netFen: cost?.netFen ?? 0,
          grossFen: cost?.grossFen ?? 0,
        }
      }),
    })),
    award,
  }
}

type Comparison = Awaited<ReturnType<typeof compareQuotes>>

/** Gives the amounts of a comparison the names of the wire. */
export const comparisonAnswer = ({ quotes, award, ...compared }: Comparison) => ({
  ...compared,
  quotes: quotes.map((quote) => ({
    ...quote,
    lines: quote.lines.map((line) => ({
      ...wirePrices(line),
      netCost: line.netFen,
      grossCost: line.grossFen,
    })),
  })),
  award: award && { ...award, net: award.netFen, lines: award.lines.map((line) => ({ ...line, net: line.netFen })) },
})

/** A comparison as the platform's people read it: they see a contact only by a look that is counted, which the page of the lessor offers. */
export const withoutContacts = (compared: Comparison) => ({
  ...compared,
  quotes: compared.quotes.map((quote) => ({ ...quote, contactName: '', contactPhone: '' })),
})

const isJudged = ({ status }: { status: string }) => status === quoteStatus.reviewing

async function findFlags(db: Read, items: readonly DemandItem[]) {
  const categories = await findCategories(db, [...new Set(items.map(({ categoryId }) => categoryId))])
  return new Map(categories.map(({ id, flags }) => [id, flags]))
}

type Judging = { promisesRenewal: boolean; flags: Parameters<typeof standingMisses>[1]; today: string }

/** Asks an offered machine again for everything that its quote was asked. */
function standingOf(
  { standing, booked, totalQty, planEnd, isOwn, emissionStage: _, provinceId: _p, cityId: _c, ...machine }: OfferedJson,
  { promisesRenewal, flags, today }: Judging,
) {
  const freeQty = Math.max(0, totalQty - (booked?.slots ?? 0))
  const misses = standingMisses({ ...standing, taken: booked?.periods ?? [], freeQty }, flags, today)
  const shortPapers = documentsEndingBefore(standing.papers, planEnd)
  const offered = isOwn ? { id: machine.equipmentId, totalQty, freeQty, misses, shortPapers } : undefined
  const problem = machineProblem(offered, { qty: machine.qty, promisesRenewal })
  // Of a lot that is taken in part, the rest may still be let.
  const availableQty = machineProblem(offered, { qty: 1, promisesRenewal }) === null ? Math.min(machine.qty, freeQty) : 0
  const [papersTo = null] = shortPapers.flatMap(({ validTo }) => validTo ?? []).toSorted((a, b) => a.localeCompare(b))
  return { ...machine, problem, misses, availableQty, freeQty, papersTo, taken: problem === 'machine_taken' }
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
        sql<boolean>`company.blacklisted_at is not null or ${level} >= ${sql.lit(blacklistLevel.restricted)}`.as('blocked'),
        isCertifiedLessor('company').as('certified'),
        sql<boolean>`company.id = demand.company_id`.as('ownCompany'),
        level.as('listed'),
      ])
      // They are unsealed with the offer.
      .$narrowType<{ contactName: NotNull; contactPhone: NotNull; validUntil: NotNull }>()
      .execute()
  )
}

type ComparedMachine = z.input<(typeof contract.compareQuotes)['answer']>['quotes'][number]['lines'][number]['machines'][number]
type Place = Pick<ComparedMachine, 'regionName' | 'regionNameEn' | 'distanceKm'>
/** An offered machine with the facts that its standing follows from. */
type OfferedJson = Omit<ComparedMachine, 'taken' | 'problem' | 'misses' | 'availableQty' | 'freeQty' | 'papersTo' | keyof Place> & {
  provinceId: number | null
  cityId: number | null
  totalQty: number
  /** What is booked in the period of the line, not counting this demand's own award; null where nothing is. */
  booked: { slots: number; periods: MachineStanding['taken'] } | null
  planEnd: string
  emissionStage: string
  /** Still the lessor's, and of the category of the line. */
  isOwn: boolean
  standing: Omit<MachineStanding, 'freeQty' | 'taken'>
}

function findOpenedLines(db: Read, demandId: number, today: string) {
  // Bookings are read only of machines that are taken then.
  const period = sql`daterange(demand_item.plan_start, demand_item.plan_end)`
  const booked = sql`case when e.taken && ${period} then (
    select json_build_object('slots', count(distinct b.slot), 'periods', json_agg(json_build_object('from', lower(b.period), 'to', upper(b.period)) order by b.period))
    from equipment_booking b
    where b.equipment_id = e.id and b.period && ${period} and (b.award_line_id is null or b.award_line_id not in (
      select al.id from award_line al join award a on a.id = al.award_id where a.demand_id = ${demandId})) having count(*) > 0) end`
  return db
    .selectFrom('quoteLine')
    .innerJoin('quote', 'quote.id', 'quoteLine.quoteId')
    .innerJoin('demand', 'demand.id', 'quote.demandId')
    .innerJoin('demandItem', 'demandItem.id', 'quoteLine.demandItemId')
    .where('quote.demandId', '=', demandId)
    .orderBy('quoteLine.id')
    .select([
      'quoteLine.id',
      'quoteLine.quoteId',
      'quoteLine.demandItemId',
      'quoteLine.qty',
      ...termColumns('quoteLine'),
      'earliestEntry',
      'deviation',
      'ceilingReason',
      'promisesRenewal',
      sql<OfferedJson[]>`(
        select json_agg(json_build_object('equipmentId', e.id, ${nameParts}, 'qty', m.qty, 'outFactoryDate', e.out_factory_date,
          'provinceId', e.province_id, 'cityId', e.city_id, 'specs', e.specs, 'emissionStage', e.emission_stage,
          'totalQty', e.total_qty, 'booked', ${booked}, 'planEnd', demand_item.plan_end,
          'isOwn', e.company_id = quote.company_id and e.category_id = demand_item.category_id,
          'standing', json_build_object('auditStatus', e.audit_status, 'rentStatus', e.rent_status, 'delFlag', e.del_flag,
            'shelfStatus', e.shelf_status,
            'blocked', case when exists (select 1 from blacklist b where b.equipment_id = e.id)
              then coalesce(blacklist_machine_level(e.id, demand.dept_id, ${today}::date), 0) >= ${sql.lit(blacklistLevel.restricted)} else false end,
            'papers', coalesce((select json_agg(json_build_object('kind', d.kind, 'validTo', d.valid_to)) from equipment_document d
              where d.equipment_id = e.id), '[]'))) order by e.id)
        from quote_line_equipment m join equipment e on e.id = m.equipment_id
        where m.quote_line_id = quote_line.id)`.as('machines'),
    ])
    .execute()
}

/** Where machines stand and how far that is from the site. Many of them stand in few cities, so each city is asked once. */
async function findPlaces(db: Read, demandId: number, machines: readonly Pick<OfferedJson, 'provinceId' | 'cityId'>[]) {
  const keyOf = ({ provinceId, cityId }: (typeof machines)[number]) => `${provinceId} ${cityId}`
  const asked = [...new Map(machines.map((machine) => [keyOf(machine), machine])).values()]
  const { rows } = await sql<Place & { provinceId: number | null; cityId: number | null }>`
    select place.province_id as "provinceId", place.city_id as "cityId", ${regionNameOf('place')} as "regionName", ${regionNameEnOf('place')} as "regionNameEn",
      (select distance_km(a.lat, a.lng, b.lat, b.lng) from region a, region b, demand d
        where a.code = place.city_id and b.code = d.city_id and d.id = ${demandId}) as "distanceKm"
    from unnest(${asked.map(({ provinceId }) => provinceId)}::integer[], ${asked.map(({ cityId }) => cityId)}::integer[]) place(province_id, city_id)`.execute(
    db,
  )
  const found = new Map(rows.map(({ provinceId, cityId, ...place }) => [keyOf({ provinceId, cityId }), place]))
  return (machine: (typeof machines)[number]): Place => found.get(keyOf(machine)) ?? { regionName: '', regionNameEn: '', distanceKm: null }
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
    .select(['award.id', 'award.at', nameOf('account').as('who'), 'award.netFen'])
    .executeTakeFirst()
  if (!award) return null
  const lines = await db
    .selectFrom('awardLine')
    .innerJoin('company', 'company.id', 'awardLine.companyId')
    .where('awardId', '=', award.id)
    .orderBy('awardLine.id')
    .select([
      'demandItemId',
      'quoteLineId',
      'company.enterpriseName as companyName',
      'qty',
      'netFen',
      'reason',
      bookedMachines.as('machines'),
    ])
    .execute()
  return { at: award.at, who: award.who, netFen: award.netFen, lines }
}
