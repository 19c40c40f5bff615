import { sql, type NotNull } from 'kysely'
import type { z } from 'zod'
import { blacklistLevel } from '#shared/blacklist/rules.ts'
import { dayOf } from '#shared/calendar.ts'
import type { Category } from '#shared/category/contract.ts'
import type { DemandItem } from '#shared/demand/contract.ts'
import { isHireOver } from '#shared/demand/rules.ts'
import { documentsEndingBefore, isElectric, monthPriceFen, type DocumentKind } from '#shared/equipment/rules.ts'
import type * as contract from '#shared/quote/contract.ts'
import { landedCost } from '#shared/quote/landed-cost.ts'
import { machineProblem, offerBars, standingMisses, type MachineStanding } from '#shared/quote/offer.ts'
import { wirePrices } from '#shared/quote/prices.ts'
import { comparedQuotes, oddTaxRate, quoteStatus } from '#shared/quote/rules.ts'
import { nameOf } from '../actor/name.ts'
import type { Read } from '../db/connect.ts'
import { findCategories } from '../category/queries.ts'
import { findItems } from '../demand/queries.ts'
import { nameColumns } from '../equipment/names.ts'
import { outFactoryDay } from '../equipment/queries.ts'
import { isOnShelf } from '../equipment/shelf.ts'
import { isCertifiedLessor } from '../public-lessors.ts'
import { regionNameEnOf, regionNameOf } from '../region/queries.ts'
import { deviationsOf } from './candidates.ts'
import { findAssumptions, findCostLines } from './cost-lines.ts'
import { priceColumns } from './price-columns.ts'
import { findCeilings } from './queries.ts'
import { findRelated } from './related.ts'
import { bookedMachines } from './won.ts'

/** Sets the opened quotes of a demand side by side with their landed cost. */
export async function compareQuotes(db: Read, demandId: number, now: Date) {
  const today = dayOf(now)
  const [items, assumptions, ceilings, quotes, lines, offered, papers, market, related, award] = await Promise.all([
    findItems(db, demandId),
    findAssumptions(db, demandId),
    findCeilings(db, demandId),
    findOpenedQuotes(db, demandId, today),
    findOpenedLines(db, demandId),
    findOfferedMachines(db, demandId, today),
    findOfferedPapers(db, demandId),
    findMarket(db, demandId),
    findRelated(db, demandId),
    findAward(db, demandId),
  ])
  const [costLines, categoryOf, placeOf] = await Promise.all([
    findCostLines(db, items),
    findCategoriesOf(db, items),
    findPlaces(db, demandId, offered),
  ])
  const itemsById = new Map(items.map((item) => [item.id, item]))
  const linesOf = Map.groupBy(lines, ({ quoteId }) => quoteId)
  const machinesOf = Map.groupBy(offered, ({ quoteLineId }) => quoteLineId)
  const papersOf = Map.groupBy(papers, ({ equipmentId }) => equipmentId)
  return {
    assumptions,
    litresPerShift: Object.fromEntries([...costLines].map(([id, line]) => [String(id), line.litresPerShift])),
    operatorWanted: Object.fromEntries([...costLines].map(([id, line]) => [String(id), line.operatorWanted])),
    quotes: quotes.map(({ certified, ownCompany, ...quote }) => ({
      ...quote,
      related: related.get(quote.companyId) ?? [],
      bars: isJudged(quote) ? offerBars({ certified, blacklisted: quote.blocked, ownCompany, validUntil: quote.validUntil }, today) : [],
      lines: (linesOf.get(quote.id) ?? []).flatMap((line) => {
        const [item, costLine] = [itemsById.get(line.demandItemId), costLines.get(line.demandItemId)]
        if (!item || !costLine) return []
        const machinesOfLine = machinesOf.get(line.id) ?? []
        const fuelledQty = machinesOfLine.reduce((sum, machine) => sum + (isElectric(machine) ? 0 : machine.qty), 0)
        const cost = landedCost(costLine, { ...line, fuelledQty }, assumptions)
        const ceilingFen = ceilings[String(item.id)]
        const judging = {
          companyId: quote.companyId,
          item,
          promisesRenewal: line.promisesRenewal,
          category: categoryOf.get(item.categoryId),
          quoteDay: quote.submitTime.slice(0, 10),
          today,
        }
        const machines = machinesOfLine.map((machine) => ({
          ...standingOf({ ...machine, papers: papersOf.get(machine.equipmentId) ?? [] }, judging),
          ...placeOf(machine),
        }))
        return {
          ...line,
          fuelledQty,
          machines: isJudged(quote) ? machines : machines.map((machine) => ({ ...machine, problem: null, misses: [] })),
          isOver: isJudged(quote) && isHireOver(item, today),
          availableQty: machines.reduce((sum, machine) => sum + machine.availableQty, 0),
          ceilingFen: ceilingFen ?? null,
          overCeiling: ceilingFen !== undefined && item.rentUnit === line.rentUnit && line.unitPriceFen > ceilingFen,
          outlier: outlierOf(market.get(item.id), monthPriceFen(line.rentUnit, line.unitPriceFen, item.shiftMode === 'double')),
          oddTaxRate: oddTaxRate(line.includesOperator, line.taxRate),
          rentFen: cost.rentFen,
          netFen: cost.netFen,
          grossFen: cost.grossFen,
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

/** A comparison without what tells a ceiling that the demand hides (domain 1.19): the mark of a price above it and the reason a lessor gave for one. */
export const withoutHiddenCeilings = (compared: Comparison, { showCeiling }: { showCeiling: boolean }): Comparison =>
  showCeiling
    ? compared
    : {
        ...compared,
        quotes: compared.quotes.map((quote) => ({
          ...quote,
          lines: quote.lines.map((line) => ({ ...line, ceilingFen: null, overCeiling: false, ceilingReason: '' })),
        })),
      }

const isJudged = ({ status }: { status: string }) => status === quoteStatus.reviewing

async function findCategoriesOf(db: Read, items: readonly DemandItem[]) {
  const categories = await findCategories(db, [...new Set(items.map(({ categoryId }) => categoryId))])
  return new Map(categories.map((category) => [category.id, category]))
}

type Judging = {
  companyId: number
  item: DemandItem
  promisesRenewal: boolean
  category: Category | undefined
  /** When it was offered: a machine that has come of age since met the line then. */
  quoteDay: string
  today: string
}

/** Asks an offered machine again for everything that its quote was asked. */
function standingOf(
  {
    quoteLineId: _,
    companyId,
    categoryId,
    mainValue,
    provinceId: _p,
    cityId: _c,
    emissionStage,
    booked,
    totalQty,
    ...offered
  }: JudgedMachine,
  { companyId: lessorId, item, promisesRenewal, category, quoteDay, today }: Judging,
) {
  const { auditStatus, rentStatus, delFlag, shelfStatus, blocked, papers, ...machine } = offered
  const freeQty = Math.max(0, totalQty - (booked?.slots ?? 0))
  const age = { categoryId, mainValue, outFactoryDate: machine.outFactoryDate }
  const standing = { ...age, auditStatus, rentStatus, delFlag, shelfStatus, blocked, papers, taken: booked?.periods ?? [], freeQty }
  const misses = standingMisses(standing, category?.flags, today)
  const shortPapers = documentsEndingBefore(papers, item.planEnd)
  // It is still the lessor's, and of the category of the line.
  const isOwn = companyId === lessorId && categoryId === item.categoryId
  const own = isOwn ? { id: machine.equipmentId, totalQty, freeQty, misses, shortPapers } : undefined
  const problem = machineProblem(own, { qty: machine.qty, promisesRenewal })
  // Of a lot that is taken in part, the rest may still be let.
  const availableQty = machineProblem(own, { qty: 1, promisesRenewal }) === null ? Math.min(machine.qty, freeQty) : 0
  const [papersTo = null] = shortPapers.flatMap(({ validTo }) => validTo ?? []).toSorted((a, b) => a.localeCompare(b))
  // What has become of a machine of somebody else, or of another kind, is no deviation.
  const deviations = isOwn ? deviationsOf(item, { ...machine, emissionStage }, { params: category?.params ?? [], day: quoteDay }) : []
  return { ...machine, problem, misses, deviations, availableQty, freeQty, papersTo, taken: problem === 'machine_taken' }
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

function findOpenedLines(db: Read, demandId: number) {
  return db
    .selectFrom('quoteLine')
    .innerJoin('quote', 'quote.id', 'quoteLine.quoteId')
    .where('quote.demandId', '=', demandId)
    .orderBy('quoteLine.id')
    .select([
      'quoteLine.id',
      'quoteLine.quoteId',
      'quoteLine.demandItemId',
      'quoteLine.qty',
      ...priceColumns('quoteLine'),
      'earliestEntry',
      'deviation',
      'ceilingReason',
      'promisesRenewal',
    ])
    .execute()
}

type OfferedMachine = Awaited<ReturnType<typeof findOfferedMachines>>[number]
type JudgedMachine = OfferedMachine & Pick<MachineStanding, 'papers'>
/** What is booked in the period of a line, not counting this demand's own award. */
type Booked = { slots: number; periods: MachineStanding['taken'] }

/** The machines of all lines, each with the facts that its standing follows from. */
function findOfferedMachines(db: Read, demandId: number, today: string) {
  // Bookings are read only of machines that are taken then.
  const period = sql`(select daterange(plan_start, plan_end) from demand_item where id = quote_line.demand_item_id)`
  const booked = sql<Booked | null>`case when equipment.taken && ${period} then (
    select json_build_object('slots', count(distinct b.slot), 'periods', json_agg(json_build_object('from', lower(b.period), 'to', upper(b.period)) order by b.period))
    from equipment_booking b
    where b.equipment_id = equipment.id and b.period && ${period} and (b.award_line_id is null or b.award_line_id not in (
      select al.id from award_line al join award a on a.id = al.award_id where a.demand_id = ${demandId})) having count(*) > 0) end`
  // The level is asked only of machines that are on the list at all, which is read once.
  const level = sql`coalesce(blacklist_machine_level(equipment.id, (select dept_id from demand where id = ${demandId}), ${today}::date), 0)`
  const blocked = sql<boolean>`case when equipment.id in (select equipment_id from blacklist where equipment_id is not null)
    then ${level} >= ${sql.lit(blacklistLevel.restricted)} else false end`
  return db
    .selectFrom('quote')
    .innerJoin('quoteLine', 'quoteLine.quoteId', 'quote.id')
    .innerJoin('quoteLineEquipment', 'quoteLineEquipment.quoteLineId', 'quoteLine.id')
    .innerJoin('equipment', 'equipment.id', 'quoteLineEquipment.equipmentId')
    .innerJoin('category', 'category.id', 'equipment.categoryId')
    .where('quote.demandId', '=', demandId)
    .orderBy('equipment.id')
    .select([
      'quoteLineId',
      'equipmentId',
      'quoteLineEquipment.qty',
      'equipment.companyId',
      'equipment.categoryId',
      ...nameColumns,
      'equipment.specs',
      'equipment.mainValue',
      outFactoryDay.as('outFactoryDate'),
      'equipment.emissionStage',
      'equipment.provinceId',
      'equipment.cityId',
      'equipment.totalQty',
      'equipment.auditStatus',
      'equipment.rentStatus',
      'equipment.delFlag',
      'equipment.shelfStatus',
      booked.as('booked'),
      blocked.as('blocked'),
    ])
    .execute()
}

/** The papers of all offered machines; those of a machine in several lines come once. */
function findOfferedPapers(db: Read, demandId: number) {
  return db
    .selectFrom('equipmentDocument')
    .where('equipmentId', 'in', (query) =>
      query
        .selectFrom('quote')
        .innerJoin('quoteLine', 'quoteLine.quoteId', 'quote.id')
        .innerJoin('quoteLineEquipment', 'quoteLineEquipment.quoteLineId', 'quoteLine.id')
        .where('quote.demandId', '=', demandId)
        .select('quoteLineEquipment.equipmentId'),
    )
    .select(['equipmentId', 'kind', 'validTo'])
    .$narrowType<{ kind: DocumentKind }>()
    .execute()
}

type Place = Pick<ComparedMachine, 'regionName' | 'regionNameEn' | 'distanceKm'>
type ComparedMachine = z.input<(typeof contract.compareQuotes)['answer']>['quotes'][number]['lines'][number]['machines'][number]

/** Where machines stand and how far that is from the site. Many of them stand in few cities, so each city is asked once. */
async function findPlaces(db: Read, demandId: number, machines: readonly Pick<OfferedMachine, 'provinceId' | 'cityId'>[]) {
  const keyOf = ({ provinceId, cityId }: (typeof machines)[number]) => `${provinceId} ${cityId}`
  const asked = [...new Map(machines.map((machine) => [keyOf(machine), machine])).values()]
  const { rows } = await sql<Place & { provinceId: number; cityId: number }>`
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
