import { sql } from 'kysely'
import { dayOf, startOfDay } from '#shared/calendar.ts'
import type { CeilingLine } from '#shared/ceiling/contract.ts'
import { contractAmount, hireOf, lineAmountFen, type PricedLine } from '#shared/contract/amount.ts'
import type { TakenMachine } from '#shared/contract/changes.ts'
import { defaultClauses, isProtected } from '#shared/contract/clauses.ts'
import {
  type AddedPosition,
  directADay,
  firstFreeDay,
  maxDirectDrafts,
  maxDirectMachines,
  type DirectContractInput,
  type DirectMachine,
  type Wanted,
} from '#shared/contract/direct.ts'
import { contractSource, contractStatus } from '#shared/contract/rules.ts'
import { Payment } from '#shared/demand/input.ts'
import { sides } from '#shared/demand/rules.ts'
import { canBeQuoted } from '#shared/quote/rules.ts'
import { standingMisses } from '#shared/quote/offer.ts'
import { pricedLine } from '#shared/quote/prices.ts'
import type { Flags } from '#shared/equipment/rules.ts'
import { lockAccountRow } from '../actor/actor.ts'
import { isMachineRestricted, isRestricted } from '../blacklist/restricted.ts'
import { ceilingsFor } from '../ceiling/queries.ts'
import { findListedLessor } from '../company/queries.ts'
import type { Read, Tx } from '../db/connect.ts'
import type { Context, Deed } from '../deed.ts'
import { holdProject, selectProject } from '../dept/project.ts'
import { bookSlots, freeSlots, lockMachines, refuseCrowded, takenBy } from '../equipment/bookings.ts'
import { nameColumns } from '../equipment/names.ts'
import { outFactoryDay } from '../equipment/queries.ts'
import { isOnShelf } from '../equipment/shelf.ts'
import { FieldRefusal, Refusal, refuseField } from '../http/refusal.ts'
import { isPlace } from '../region/queries.ts'
import { insertEvent, searchTextOf } from './events.ts'
import { sideOf } from './scope.ts'
import { sha256 } from './digest.ts'

/**
 * Writes down a contract that was agreed elsewhere: a draft with the usual clauses, which then goes the way of every other. Its machines stay free
 * until the lessor has confirmed, because until then the lessor has agreed to nothing here.
 */
export async function createDirectContract(deed: Deed, input: DirectContractInput): Promise<{ id: number }> {
  const { db, actor, now } = deed
  const parties = await checkParties(deed, input)
  await refuseMany(deed, parties)
  if (!(await isPlace(db, input))) refuseField(['cityId'], 'region')
  const { positions, hire, buildingLifting, note } = await checkPositions(deed, input)
  const contractCode = await deed.codes.next('HT', now)
  const { lines: _, ...head } = input
  // A size that is not declared is that of the certification, as in the draft of an award.
  const scales = { scaleLessee: head.scaleLessee ?? parties.scaleLessee, scaleLessor: parties.scaleLessor }
  const contract = await db
    .insertInto('contract')
    .values({
      ...head,
      contractCode,
      source: contractSource.direct,
      lesseeCompanyId: parties.lesseeCompanyId,
      ...hire,
      clauses: JSON.stringify(
        defaultClauses({ buildingLifting, rentUnits: positions.map(({ rentUnit }) => rentUnit), payment: Payment.parse({}) }),
      ),
      ...scales,
      smeRule: isProtected(scales.scaleLessee, scales.scaleLessor),
      searchText: searchTextOf({ ...head, ...parties, contractCode }),
      createTime: now,
      updateTime: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertPositions(db, contract.id, positions)
  const { draft } = contractStatus
  // No demand comes before it, so its chain begins with what was written down.
  const digest = sha256(JSON.stringify({ ...input, lines: withoutReasons(input.lines) }))
  await insertEvent(deed, {
    contractId: contract.id,
    accountId: actor.accountId,
    side: 'lessee',
    move: 'draft',
    toStatus: draft,
    digest,
    note,
  })
  return contract
}

/**
 * Refuses one more draft of somebody who has as many as they may, or wrote down as many today. Those of one person wait for each other, so that they are
 * counted exactly.
 */
async function refuseMany({ db, actor, now }: Deed, { lesseeCompanyId }: { lesseeCompanyId: number }): Promise<void> {
  await lockAccountRow(db, actor.accountId)
  const written = db
    .selectFrom('contract')
    .where('lesseeCompanyId', '=', lesseeCompanyId)
    .where('source', '=', sql.lit(contractSource.direct))
    .where(
      sql<boolean>`exists (select from contract_event e where e.contract_id = contract.id and e.move = 'draft' and e.account_id = ${actor.accountId})`,
    )
    .select((eb) => eb.fn.countAll<number>().as('count'))
  const { count: drafts } = await written.where('status', '=', contractStatus.draft).executeTakeFirstOrThrow()
  if (drafts >= maxDirectDrafts) throw new Refusal('contract_drafts_enough', { n: drafts })
  const { count: today } = await written.where('createTime', '>=', startOfDay(dayOf(now))).executeTakeFirstOrThrow()
  if (today >= directADay) throw new Refusal('day_limit')
}

/**
 * The positions as they are hashed into the chain. The lessor reads all else of them, so with the reasons they would learn by the hash whether a price has one,
 * and with it whether it is above the ceiling.
 */
export const withoutReasons = (lines: DirectContractInput['lines']) => lines.map(({ ceilingReason: _, ...line }) => line)

type Positions = Pick<DirectContractInput, 'deptId' | 'lessorCompanyId' | 'provinceId' | 'lines'>

/** Checks the positions that are written down. Gives their rows, the days and sum of the hire, and why prices are above the ceilings. */
export async function checkPositions({ db, now }: Pick<Deed, 'db' | 'now'>, input: Positions) {
  const today = dayOf(now)
  const machines = await findMachines(db, {
    companyId: input.lessorCompanyId,
    deptId: input.deptId,
    today,
    since: firstStart(input.lines, today),
    only: input.lines.map(({ equipmentId }) => equipmentId),
  })
  const chosen = checkLines(input.lines, machines, { today })
  refuseLargeSum(input.lines)
  await checkCeilings(db, input, chosen)
  const positions = input.lines.map(({ ceilingReason: _, ...line }, index) => lineRow(line, machineOf(machines, line), index + 1))
  return {
    positions,
    hire: {
      ...hireOf(positions),
      ...contractAmount(positions.map((line): PricedLine => line)),
    },
    buildingLifting: chosen.some(({ flags }) => flags.buildingLifting),
    note: input.lines.flatMap(({ ceilingReason }, index) => (ceilingReason ? [`${index + 1}：${ceilingReason}`] : [])).join('；'),
  }
}

type PositionRow = ReturnType<typeof lineRow>

/** Stores the positions of a draft. They are booked once the lessor confirms. */
export const insertPositions = (db: Tx, contractId: number, positions: readonly PositionRow[]) =>
  db
    .insertInto('contractLine')
    .values(positions.map((line) => ({ ...line, contractId })))
    .execute()

/** The machines of a lessor to choose from, for a department of the own side. */
export async function listDirectMachines(
  { db, actor, now }: Pick<Context, 'db' | 'actor' | 'now'>,
  { companyId, deptId = 0 }: { companyId: number; deptId?: number | undefined },
): Promise<DirectMachine[]> {
  const dept = sideOf(actor) === 'lessee' ? await selectProject(db, actor, deptId).executeTakeFirst() : undefined
  if (!dept || !(await findListedLessor(db, companyId))) throw new Refusal('not_found')
  const today = dayOf(now)
  const machines = await findMachines(db, { companyId, deptId, today })
  return machines.map((machine) => ({ ...machine, bar: barOf(machine, today) }))
}

/** Refuses a draft or a sent contract whose hire is over, whose lessor or machines have become restricted for the department, or whose days another hire has. */
export async function recheckDirect(
  { db, now }: Pick<Deed, 'db' | 'now'>,
  { id, deptId, lessorCompanyId }: { id: number; deptId: number; lessorCompanyId: number },
): Promise<void> {
  const today = dayOf(now)
  await lockMachines(db, sql`any(select equipment_id from contract_line where contract_id = ${id})`)
  const lines = await findWanted(db, id)
  const over = lines.find(({ planEnd }) => planEnd <= today)
  if (over) throw new Refusal('contract_hire_over', { lineNo: over.lineNo })
  const machines = await findMachines(db, {
    companyId: lessorCompanyId,
    deptId,
    today,
    since: firstStart(lines, today),
    only: lines.map(({ equipmentId }) => equipmentId),
  })
  const restricted = await findRestriction(db, { companyId: lessorCompanyId, deptId, today })
  if (restricted || lines.some(({ equipmentId }) => !machines.some((one) => one.id === equipmentId && barOf(one, today) === null)))
    throw new Refusal('contract_barred')
  for (const line of lines) {
    const freeFrom = firstFreeDay(machineOf(machines, line), line)
    if (freeFrom !== line.planStart) throw new Refusal('contract_machine_taken', { lineNo: line.lineNo, freeFrom } satisfies TakenMachine)
  }
}

/** Books the machines of a contract that its lessor confirms. Refuses `contract_machine_taken` where another hire has some of the days by now. */
export async function bookDirect(
  deed: Pick<Deed, 'db' | 'now'>,
  contract: { id: number; deptId: number; lessorCompanyId: number },
): Promise<void> {
  const { db } = deed
  await recheckDirect(deed, contract)
  const wanted = await findWanted(db, contract.id)
  await refuseCrowded(
    db,
    wanted.reduce((sum, { qty }) => sum + qty, 0),
  )
  for (const position of wanted) await bookPosition(db, position)
}

type Booked = Wanted & { id: number; lineNo: number; equipmentId: number; totalQty: number }

/** Books the machine of a position, or as many units of the lot. */
export async function bookPosition(db: Tx, { id, lineNo, equipmentId, qty, planStart, planEnd, totalQty }: Booked): Promise<void> {
  const slots = await freeSlots(db, { equipmentId, totalQty, from: planStart, to: planEnd, qty })
  if (slots.length < qty) throw new Refusal('contract_machine_taken', { lineNo, freeFrom: null } satisfies TakenMachine)
  await bookSlots(db, { equipmentId, slots, from: planStart, to: planEnd, reason: 'contract', contractLineId: id })
}

const findWanted = (db: Read, contractId: number) =>
  db
    .selectFrom('contractLine as l')
    .innerJoin('equipment as e', 'e.id', 'l.equipmentId')
    .where('l.contractId', '=', contractId)
    .orderBy('l.lineNo')
    .select(['l.id', 'l.lineNo', 'l.equipmentId', 'l.qty', 'l.planStart', 'l.planEnd', 'e.totalQty'])
    .execute()

type Parties = { companyId: number; deptId: number; today: string }

export async function findRestriction(db: Read, { companyId, deptId, today }: Parties): Promise<boolean> {
  const { rows } = await sql<{ restricted: boolean }>`select ${isRestricted(companyId, { deptId, today })} as restricted`.execute(db)
  return rows[0]?.restricted === true
}

/** Checks who writes the contract down, for which of their departments, and with whom. */
async function checkParties({ db, actor, now }: Deed, { deptId, lessorCompanyId }: DirectContractInput) {
  if (sideOf(actor) !== 'lessee') throw new Refusal('forbidden')
  const dept = await holdProject(db, actor, deptId).executeTakeFirst()
  if (!dept) refuseField(['deptId'], 'dept_unknown')
  const lessor = await findListedLessor(db, lessorCompanyId)
  if (!lessor) refuseField(['lessorCompanyId'], 'company_unknown')
  if (lessorCompanyId === dept.companyId) refuseField(['lessorCompanyId'], 'company_own')
  if (await findRestriction(db, { companyId: lessorCompanyId, deptId, today: dayOf(now) }))
    refuseField(['lessorCompanyId'], 'company_restricted')
  const lessee = await db
    .selectFrom('company')
    .where('id', '=', dept.companyId)
    .select(['enterpriseName', 'scaleType'])
    .executeTakeFirstOrThrow()
  return {
    lesseeCompanyId: dept.companyId,
    lesseeName: lessee.enterpriseName,
    lessorName: lessor.enterpriseName,
    scaleLessee: lessee.scaleType,
    scaleLessor: lessor.scaleType,
  }
}

/** A hire that is written down may have begun; what was booked then counts as well. */
export const firstStart = (lines: readonly Wanted[], today: string) =>
  lines.map(({ planStart }) => planStart).reduce((a, b) => (a < b ? a : b), today)

type Wish = { since?: string; only?: readonly number[]; without?: readonly number[] }

/** The lessor's machines on the shelf, `only` these where they are named, with their bookings from `since` on, `without` those of the positions that go. */
export function findMachines(db: Read, { companyId, deptId, today, since = today, only, without = [] }: Parties & Wish) {
  return db
    .selectFrom('equipment')
    .innerJoin('category', 'category.id', 'equipment.categoryId')
    .where('equipment.companyId', '=', companyId)
    .where(isOnShelf('equipment'))
    .$if(only !== undefined, (query) => query.where(sql<boolean>`equipment.id = any(${only}::bigint[])`))
    .orderBy('equipment.name')
    .orderBy('equipment.id')
    .limit(maxDirectMachines)
    .select([
      'equipment.id',
      'equipment.equipmentCode',
      ...nameColumns,
      'equipment.categoryId',
      'equipment.mainValue',
      outFactoryDay.as('outFactoryDate'),
      'equipment.isLot',
      'equipment.totalQty',
      'equipment.auditStatus',
      'equipment.rentStatus',
      'equipment.delFlag',
      'equipment.shelfStatus',
      isMachineRestricted(sql.ref('equipment.id'), { deptId, today }).as('blocked'),
      sql<Flags>`category.flags`.as('flags'),
      sql<Parameters<typeof standingMisses>[0]['papers']>`coalesce((
        select json_agg(json_build_object('kind', kind, 'validTo', valid_to)) from equipment_document d where d.equipment_id = equipment.id), '[]')`.as(
        'papers',
      ),
      takenBy(sql`b.equipment_id = equipment.id and upper(b.period) > ${since}::date
        and (b.contract_line_id = any(${without}::bigint[])) is not true`).as('taken'),
    ])
    .execute()
}
type Machine = Awaited<ReturnType<typeof findMachines>>[number]

/** Why the machine cannot be written down, whatever the days. */
export function barOf({ flags, ...machine }: Machine, today: string): DirectMachine['bar'] {
  const misses = standingMisses({ ...machine, freeQty: machine.totalQty, taken: [] }, flags, today)
  if (canBeQuoted(misses)) return null
  return misses.some(({ kind }) => kind === 'papers') ? 'papers' : 'blocked'
}

function machineOf(machines: readonly Machine[], { equipmentId }: { equipmentId: number }): Machine {
  const machine = machines.find(({ id }) => id === equipmentId)
  if (!machine) throw new Refusal('contract_barred')
  return machine
}

/** `path` is that of the lines in the call, and `firstNo` the number of the first of them in the contract. */
type Checking = { today: string; path?: readonly string[]; firstNo?: number }

/** Refuses, beside its field, each machine that the lessor may not let on those days. Gives the machines, line by line. */
export function checkLines(
  lines: readonly AddedPosition[],
  machines: readonly Machine[],
  { today, path = ['lines'], firstNo = 1 }: Checking,
): Machine[] {
  const problems = lines.flatMap((line, index) => {
    const at = (field: string, rule: string) => [{ path: [...path, index, field], rule }]
    const machine = machines.find(({ id }) => id === line.equipmentId)
    if (!machine) return at('equipmentId', 'machine_gone')
    const bar = barOf(machine, today)
    if (bar) return at('equipmentId', bar === 'papers' ? 'machine_papers' : 'machine_blocked')
    if (line.qty > machine.totalQty) return at('qty', 'lot_smaller')
    return line.planEnd <= today ? at('planEnd', 'hire_over') : []
  })
  if (problems.length > 0) throw new FieldRefusal(problems)
  lines.forEach((line, index) => {
    const freeFrom = firstFreeDay(machineOf(machines, line), line)
    // Names the line and the first day from which its machine is free for as long.
    if (freeFrom !== line.planStart)
      throw new Refusal('contract_machine_taken', { index, lineNo: firstNo + index, freeFrom } satisfies TakenMachine)
  })
  return lines.map((line) => machineOf(machines, line))
}

/** Refuses, beside its price, the line by which the sum is larger than an amount can be counted to the fen and worded. */
function refuseLargeSum(lines: readonly AddedPosition[]): void {
  let sum = 0
  lines.forEach((line, index) => {
    sum += lineAmountFen(pricedLine(line))
    if (!Number.isSafeInteger(sum)) refuseField(['lines', index, 'unitPrice'], 'sum_large')
  })
}

/** A price above the ceiling of the organisation needs a reason, as an award does. */
async function checkCeilings(db: Read, { deptId, provinceId, lines }: Positions, machines: readonly Machine[]): Promise<void> {
  const priced = lines.map((line, index) => ({ ...line, ...ceilingFacts(machines[index]) }))
  const ceilings = await ceilingsOf(db, { deptId, provinceId }, priced)
  const problems = lines.flatMap(({ unitPrice, ceilingReason }, index) =>
    unitPrice > (ceilings[index] ?? Infinity) && !ceilingReason
      ? [{ path: ['lines', index, 'ceilingReason'], rule: 'ceiling_reason' }]
      : [],
  )
  if (problems.length > 0) throw new FieldRefusal(problems)
}

type CeilingPosition = CeilingLine & { includesOperator: boolean; includesFuel: boolean }

/** The ceiling of each position in fen, by who pays for its driver and fuel; null where there is none. */
export async function ceilingsOf(
  db: Read,
  where: { deptId: number; provinceId: number },
  lines: readonly CeilingPosition[],
): Promise<(number | null)[]> {
  const ceilings: (number | null)[] = lines.map(() => null)
  const priced = lines.map((line, index) => ({ ...line, index }))
  for (const operatorBy of sides)
    for (const fuelBy of sides) {
      const alike = priced.filter((line) => sideOfDuty(line.includesOperator) === operatorBy && sideOfDuty(line.includesFuel) === fuelBy)
      const found = alike.length > 0 ? await ceilingsFor(db, { ...where, operatorBy, fuelBy }, alike) : []
      for (const [at, { index }] of alike.entries()) ceilings[index] = found[at] ?? null
    }
  return ceilings
}

const sideOfDuty = (isIncluded: boolean) => (isIncluded ? 'lessor' : 'lessee')
const ceilingFacts = (machine: Machine | undefined) => ({ categoryId: machine?.categoryId ?? 0, mainValue: machine?.mainValue ?? null })

/** A position as a row of contract_line, apart from its contract. */
export function lineRow(position: AddedPosition, { categoryId, name, brand, model, isLot }: Machine, lineNo: number) {
  return {
    ...pricedLine(position),
    lineNo,
    categoryId,
    name: name.slice(0, 60),
    spec: `${brand} ${model}`.trim().slice(0, 120),
    isLot,
  }
}
