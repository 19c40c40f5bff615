import { sql } from 'kysely'
import { fromMoment, hourMs, toMinute } from '#shared/calendar.ts'
import { agreedTerms } from '#shared/contract/agreed-terms.ts'
import { contractAmount, hireOf, type PricedLine } from '#shared/contract/amount.ts'
import { defaultClauses, isProtected } from '#shared/contract/clauses.ts'
import { contractSource, contractStatus, draftDue } from '#shared/contract/rules.ts'
import { titleOfLines } from '#shared/text/hire-title.ts'
import { awardedDemands, demandStatus, fitToUnit } from '#shared/demand/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { giveUpHours, quoteStatus } from '#shared/quote/rules.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import type { Tx } from '../db/connect.ts'
import type { Deed, Work } from '../deed.ts'
import { lockDemand } from '../demand/events.ts'
import { Refusal } from '../http/refusal.ts'
import { workThrough, type Queue } from '../queue/queue.ts'
import { priceColumns } from '../quote/price-columns.ts'
import type { Services } from '../services.ts'
import { insertEvent, searchTextOf, notifySide } from './events.ts'

type DraftWork = Pick<Work, 'db' | 'now' | 'hub' | 'afterCommit' | 'codes'>

/** The lessee makes the drafts of an award before the clock does: of every lessor, also of one who may still step back, which gives its draft up. */
export async function draftContracts(deed: Deed, demandId: number): Promise<{ ids: number[] }> {
  const demand = await lockDemand(deed, demandId)
  if (!isAmong(demand.status, awardedDemands) || demand.status === demandStatus.completed) throw new Refusal('demand_changed')
  const waiting = await findUndrafted(deed.db, demandId)
  const ids: number[] = []
  for (const { quoteId } of waiting) ids.push(...(await createDraft(deed, { quoteId, by: deed.actor.accountId })))
  return { ids }
}

/** Won quotes of a demand without a live contract, also of an award from before there were contracts, which the clock leaves alone. */
function findUndrafted(db: Tx, demandId: number) {
  return db
    .selectFrom('award')
    .innerJoin('quote', 'quote.demandId', 'award.demandId')
    .where('quote.status', '=', sql.lit(quoteStatus.won))
    .where('award.demandId', '=', demandId)
    .where(
      sql<boolean>`not exists (select 1 from contract c where c.award_id = award.id and c.lessor_company_id = quote.company_id and c.status <> ${sql.lit(contractStatus.voided)})`,
    )
    .orderBy('quote.id')
    .select('quote.id as quoteId')
    .execute()
}

const dueDrafts: Queue<{ key: string; quoteId: number }> = {
  job: 'contracts',
  async find(db, now, ready) {
    const found = await db
      .selectFrom('award')
      .innerJoin('quote', 'quote.demandId', 'award.demandId')
      .where('award.contractDue', 'is not', null)
      .where('quote.status', '=', sql.lit(quoteStatus.won))
      .where('quote.drafted', '=', sql.lit(false))
      .where((eb) =>
        eb.or([eb('quote.acceptedAt', 'is not', null), eb('award.at', '<=', new Date(now.getTime() - giveUpHours * hourMs).toISOString())]),
      )
      .where(
        sql<boolean>`not exists (select 1 from contract c where c.award_id = award.id and c.lessor_company_id = quote.company_id and c.status <> ${sql.lit(contractStatus.voided)})`,
      )
      .where(ready(sql`'draft:' || quote.id`))
      .orderBy('award.at')
      .limit(100)
      .select(['quote.id as quoteId', sql<string>`'draft:' || quote.id`.as('key')])
      .execute()
    return found
  },
  async run(work, { quoteId }) {
    return (await createDraft(work, { quoteId, by: null })).length > 0
  },
}

/** Drafts the contracts of awards whose lessors have accepted or may no longer step back. Gives how many. */
export const draftDueContracts = (services: Services, signal?: AbortSignal) => workThrough(services, dueDrafts, signal)

/**
 * Makes the draft of one won quote; none where it has one already or its lines are gone. Its positions are the machines that the award booked: of
 * a machine one each, of a lot one for each record with as many units as slots. `by`: whoever presses for it; null for the clock.
 */
export async function createDraft(work: DraftWork, { quoteId, by }: { quoteId: number; by: number | null }): Promise<number[]> {
  const { db, now } = work
  const won = await findWonQuote(db, quoteId)
  if (!won || won.status !== quoteStatus.won) return []
  // An award from before there were contracts has one at a press only, and never lapses.
  if (won.contractDue === null && by === null) return []
  if (!draftDue({ awardedAt: won.awardedAt, acceptedAt: won.acceptedAt }, now) && by === null) return []
  const booked = await findBooked(db, quoteId)
  if (booked.length === 0) return []
  const lines = booked.map((line, index) => ({ ...fitToUnit(line), lineNo: index + 1 }))
  const amount = contractAmount(lines.map((line): PricedLine => line))
  const scales = { scaleLessee: won.scaleLessee, scaleLessor: won.scaleLessor }
  const title = won.winners > 1 ? titleOfOwnLines(won.projectName, booked) : won.title
  const contractCode = await work.codes.next('HT', now)
  const inserted = await db
    .insertInto('contract')
    .values({
      contractCode,
      source: contractSource.award,
      awardId: won.awardId,
      demandId: won.demandId,
      deptId: won.deptId,
      lesseeCompanyId: won.lesseeCompanyId,
      lessorCompanyId: won.companyId,
      title,
      provinceId: won.provinceId ?? 0,
      cityId: won.cityId ?? 0,
      districtId: won.districtId,
      address: won.address.length >= 2 ? won.address : won.title,
      ...hireOf(lines),
      clauses: JSON.stringify(
        defaultClauses({
          buildingLifting: booked.some(({ buildingLifting }) => buildingLifting),
          rentUnits: booked.map(({ rentUnit }) => rentUnit),
          payment: won.payment,
          extras: agreedTerms({ ...won, lines }, zhCn),
        }),
      ),
      ...amount,
      ...scales,
      smeRule: isProtected(scales.scaleLessee, scales.scaleLessor),
      searchText: searchTextOf({ ...won, title, contractCode }),
      createTime: now,
      updateTime: now,
    })
    // Somebody else made it at the same moment.
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!inserted) return []
  await db.updateTable('quote').set({ drafted: true }).where('id', '=', quoteId).execute()
  await insertPositions(db, inserted.id, lines)
  await insertEvent(work, {
    contractId: inserted.id,
    accountId: by,
    side: by === null ? null : 'lessee',
    move: 'draft',
    toStatus: contractStatus.draft,
    digest: won.chainHash,
  })
  const due = won.contractDue === null ? '' : toMinute(fromMoment(won.contractDue))
  await notifySide(
    work,
    { id: inserted.id, deptId: won.deptId, lessorCompanyId: won.companyId, title, contractCode },
    {
      to: 'lessee',
      kind: 'contractDrafted',
      params: { company: won.lessorName, due },
    },
  )
  return [inserted.id]
}

function findWonQuote(db: Tx, quoteId: number) {
  return db
    .selectFrom('quote')
    .innerJoin('award', 'award.demandId', 'quote.demandId')
    .innerJoin('demand', 'demand.id', 'quote.demandId')
    .innerJoin('company as lessor', 'lessor.id', 'quote.companyId')
    .innerJoin('company as lessee', 'lessee.id', 'demand.companyId')
    .innerJoin('dept', 'dept.id', 'demand.deptId')
    .where('quote.id', '=', quoteId)
    .select([
      'quote.status',
      'quote.companyId',
      'quote.acceptedAt',
      'award.id as awardId',
      'award.at as awardedAt',
      'award.contractDue',
      'demand.id as demandId',
      'demand.deptId',
      'demand.companyId as lesseeCompanyId',
      'demand.title',
      sql<string>`coalesce(nullif(demand.project_name, ''), dept.dept_name)`.as('projectName'),
      'demand.provinceId',
      'demand.cityId',
      'demand.districtId',
      'demand.address',
      'demand.payment',
      'demand.transportBy',
      'demand.erectionBy',
      'demand.lodgingBy',
      'demand.terms',
      'quote.note',
      'lessor.enterpriseName as lessorName',
      'lessor.scaleType as scaleLessor',
      'lessee.enterpriseName as lesseeName',
      'lessee.scaleType as scaleLessee',
      sql<number>`(select count(distinct a.company_id)::int from award_line a where a.award_id = award.id)`.as('winners'),
      sql<string>`(select hash from demand_event v where v.demand_id = demand.id order by v.seq desc limit 1)`.as('chainHash'),
    ])
    .executeTakeFirst()
}

/** The machines that the award booked for a quote, with the prices of their quote line. */
function findBooked(db: Tx, quoteId: number) {
  return db
    .selectFrom('awardLine as a')
    .innerJoin('quoteLine as l', 'l.id', 'a.quoteLineId')
    .innerJoin('demandItem as i', 'i.id', 'a.demandItemId')
    .innerJoin('category as c', 'c.id', 'i.categoryId')
    .innerJoin('equipmentBooking as b', 'b.awardLineId', 'a.id')
    .innerJoin('equipment as e', 'e.id', 'b.equipmentId')
    .innerJoin('category as k', 'k.id', 'e.categoryId')
    .where('l.quoteId', '=', quoteId)
    .groupBy(['a.id', 'l.id', 'i.id', 'c.id', 'e.id', 'k.id'])
    .orderBy('i.lineNo')
    .orderBy('e.id')
    .select([
      'a.id as awardLineId',
      'e.id as equipmentId',
      'e.categoryId',
      'k.name as categoryName',
      'k.nameEn as categoryNameEn',
      'k.alias as categoryAlias',
      'e.name',
      sql<string>`trim(e.brand || ' ' || e.model)`.as('spec'),
      'e.isLot',
      sql<number>`count(*)::int`.as('qty'),
      ...priceColumns('l'),
      'l.deviation',
      'l.promisesRenewal',
      'i.estQuantity',
      'i.shiftMode',
      'i.planStart',
      'i.planEnd',
      sql<boolean>`coalesce((c.flags ->> 'buildingLifting')::boolean, false)`.as('buildingLifting'),
    ])
    .execute()
}
type Booked = Awaited<ReturnType<typeof findBooked>>[number] & { lineNo: number }

/** The title of a contract that has a part of its demand, whose own title names what other lessors won. */
function titleOfOwnLines(project: string, booked: Awaited<ReturnType<typeof findBooked>>): string {
  const lines = [...Map.groupBy(booked, ({ categoryId }) => categoryId).values()].flatMap((some) =>
    some.slice(0, 1).map(({ categoryName: name, categoryNameEn: nameEn, categoryAlias: alias }) => {
      return { name, nameEn, alias, qty: some.reduce((sum, { qty }) => sum + qty, 0) }
    }),
  )
  return titleOfLines(project, lines, zhCn)
}

/** Stores the positions and gives each its bookings. */
async function insertPositions(db: Tx, contractId: number, lines: readonly Booked[]): Promise<void> {
  await db
    .insertInto('contractLine')
    .values(
      lines.map(
        ({
          buildingLifting: _,
          deviation: _stated,
          promisesRenewal: _pledged,
          categoryName: _name,
          categoryNameEn: _nameEn,
          categoryAlias: _alias,
          ...line
        }) => ({ ...line, contractId }),
      ),
    )
    .execute()
  await sql`update equipment_booking b set contract_line_id = l.id from contract_line l
    where l.contract_id = ${contractId} and b.award_line_id = l.award_line_id and b.equipment_id = l.equipment_id`.execute(db)
}
