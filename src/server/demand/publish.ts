import { sql, type Expression } from 'kysely'
import { dayOf, fromMoment } from '#shared/calendar.ts'
import type { Category } from '#shared/category/contract.ts'
import type { DemandInput } from '#shared/demand/input.ts'
import { demandMoves, timingProblems, type TimingProblem } from '#shared/demand/rules.ts'
import { emissionAtLeast } from '#shared/equipment/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { inScope } from '../actor/scope.ts'
import { categoriesIn } from '../category/queries.ts'
import type { Db, Read, Tx } from '../db/connect.ts'
import { ceilingsFor } from '../ceiling/queries.ts'
import { nextCode, nextCodes } from '../db/codes.ts'
import { FieldRefusal, Refusal, refuseField } from '../http/refusal.ts'
import { hasIdle, insertTransfer, matchInternal } from '../internal/queries.ts'
import type { Hub } from '../message/hub.ts'
import { isPlace } from '../region/queries.ts'
import { selectProject } from '../dept/project.ts'
import { insertEvent, tellApprovers } from './events.ts'
import { approvedFor } from './scope.ts'

export const categoryIdsOf = ({ items }: DemandInput) => [...new Set(items.map(({ categoryId }) => categoryId))]

export const byId = (categories: readonly Category[]): ReadonlyMap<number, Category> =>
  new Map(categories.map((category) => [category.id, category]))

/** What is wrong with the input beyond its form: times, categories, place. */
export async function checkInput(db: Db, input: DemandInput, categories: ReadonlyMap<number, Category>, now: Date): Promise<void> {
  const problems: TimingProblem[] = [
    ...timingProblems(
      {
        quoteDeadline: fromMoment(input.quoteDeadline),
        clarifyDeadline: input.clarifyDeadline ? fromMoment(input.clarifyDeadline) : null,
        urgent: input.urgent,
        items: input.items,
      },
      now,
      dayOf(now),
    ),
    ...itemProblems(input, categories),
  ]
  if (!(await isPlace(db, input))) problems.push({ path: ['cityId'], rule: 'region' })
  if (problems.length > 0) throw new FieldRefusal(problems)
}

/** The columns that the input fills. */
export function columnsOf(input: DemandInput, projectName: string, demandCode: string, categories: ReadonlyMap<number, Category>) {
  const categoryNames = input.items.map((item) => {
    const category = categories.get(item.categoryId)
    return category ? `${category.name} ${category.alias.join(' ')}` : ''
  })
  const ends = input.items.map(({ planEnd }) => planEnd).toSorted()
  return {
    demandType: input.demandType,
    title: input.title,
    provinceId: input.provinceId,
    cityId: input.cityId,
    districtId: input.districtId,
    address: input.address,
    lowEmissionZone: input.lowEmissionZone,
    contactName: input.contactName,
    contactPhone: input.contactPhone,
    quoteDeadline: fromMoment(input.quoteDeadline),
    clarifyDeadline: input.clarifyDeadline ? fromMoment(input.clarifyDeadline) : null,
    sealed: input.sealed,
    urgent: input.urgent,
    method: input.method,
    minQuotes: input.minQuotes,
    payment: JSON.stringify(input.payment),
    fuelBy: input.fuelBy,
    operatorBy: input.operatorBy,
    transportBy: input.transportBy,
    erectionBy: input.erectionBy,
    lodgingBy: input.lodgingBy,
    budgetFen: input.budgetLimit,
    internalReason: input.internalReason,
    showCeiling: input.showCeiling,
    terms: input.terms,
    lineCount: input.items.length,
    planStart: input.items.map(({ planStart }) => planStart).toSorted()[0] ?? null,
    planEnd: ends.at(-1) ?? null,
    searchText: [input.title, projectName, demandCode, ...categoryNames].join(' '),
  }
}

/** A line as a row of demand_item. */
export function itemRow(
  { priceCeiling, specRequirements, ...item }: DemandInput['items'][number],
  demandId: number | Expression<number>,
  lineNo: number,
  categories: ReadonlyMap<number, Category>,
) {
  const mainKey = categories.get(item.categoryId)?.params.find(({ main }) => main)?.key
  const main = specRequirements.find(({ key, rule, value }) => key === mainKey && rule !== 'in' && Number.isFinite(Number(value)))
  return {
    ...item,
    demandId,
    lineNo,
    specRequirements: JSON.stringify(specRequirements),
    mainRule: main?.rule ?? null,
    mainValue: main ? Number(main.value) : null,
    priceCeilingFen: priceCeiling,
  }
}

/**
 * Publishes, or submits where the unit above approves first, in one transaction: the demand, its lines, invitations,
 * files, the event and the notices, or nothing.
 */
export async function publishDemand(db: Db, hub: Hub, actor: Actor, input: DemandInput & { draftId?: number | undefined }, now: Date) {
  const dept = await selectProject(db, actor, input.deptId)
    .select([
      approvedFor(actor, sql`dept.id`, 'approves_demands').as('approved'),
      categoriesIn(categoryIdsOf(input)).as('categories'),
      hasIdle(actor, categoryIdsOf(input)).as('idle'),
    ])
    .executeTakeFirst()
  if (!dept) throw new Refusal('dept_not_yours')
  const { approved } = dept
  const categories = byId(dept.categories)
  await checkInput(db, input, categories, now)
  const source = input.sourceId === null ? null : await openRestOf(db, actor, input.sourceId)
  const matches = dept.idle ? await checkInternal(db, actor, input, categories) : []
  const items = await withCeilings(db, input, dept.id, categories)
  const taken = matches.filter(({ answer }) => answer.take)
  const transferCodes = await nextCodes(db, 'DB', dayOf(now), taken.length)
  const { to } = approved ? demandMoves.publish : demandMoves.submit
  const freshCode = await nextCode(db, 'XQ', dayOf(now))
  const store = async (on: Read, before: { id: number; status: string; demandCode: string | null } | null) => {
    const demandCode = before?.demandCode ?? freshCode
    const values = {
      ...columnsOf(input, dept.projectName, demandCode, categories),
      demandCode,
      companyId: dept.companyId,
      deptId: dept.id,
      accountId: actor.accountId,
      projectName: dept.projectName,
      projectType: dept.projectType,
      status: to,
      statusReason: '',
      sourceId: source?.id ?? null,
      internalCheck: JSON.stringify(
        matches.map(({ machine, distanceKm, answer }) => ({
          machineId: machine.id,
          name: machine.name,
          deptName: machine.deptName,
          distanceKm,
          take: answer.take,
          reason: answer.reason,
        })),
      ),
      draft: null,
      publishTime: now,
      updateTime: now,
    }
    const stored = sql<number>`(select id from stored)`
    const { id } = await on
      .with('stored', (query) =>
        before
          ? query
              .updateTable('demand')
              .set((eb) => ({ ...values, version: eb('version', '+', 1) }))
              .where('id', '=', before.id)
              .returning('id')
          : query
              .insertInto('demand')
              .values({ ...values, createTime: now })
              .returning('id'),
      )
      .with('lines', (query) =>
        query.insertInto('demandItem').values(items.map((item, index) => itemRow(item, stored, index + 1, categories))),
      )
      .with('chained', (query) =>
        query.insertInto('demandEvent').values({
          demandId: stored,
          accountId: actor.accountId,
          move: approved ? 'publish' : 'submit',
          fromStatus: before?.status ?? '0',
          toStatus: to,
          note: '',
          at: now,
        }),
      )
      .with('noticed', (query) =>
        query
          .insertInto('demandNotice')
          .columns(['demandId', 'due'])
          .expression((eb) =>
            eb
              .selectFrom('stored')
              .where(sql<boolean>`${approved}`)
              .select(['id', sql`${now}::timestamptz`.as('due')]),
          )
          .onConflict((conflict) => conflict.column('demandId').doUpdateSet({ due: now })),
      )
      .selectFrom('stored')
      .select('id')
      .executeTakeFirstOrThrow()
    return { id, demandCode, status: to }
  }
  return db.transaction().execute(async (tx) => {
    const before = input.draftId ? await takeDraft(tx, actor, input.draftId) : null
    const demand = await store(tx, before)
    await insertInvites(tx, demand.id, input.invitedCompanyIds)
    await attach(tx, demand.id, actor, input.attachmentIds)
    for (const [at, { machine, lineNo }] of taken.entries()) {
      const item = input.items[lineNo - 1]
      if (!item) continue
      const ask = { machineId: machine.id, deptId: dept.id, from: item.planStart, to: item.planEnd, demandId: demand.id }
      await insertTransfer(tx, hub, actor, { ...ask, note: demand.demandCode, transferCode: transferCodes[at] as string }, now)
    }
    if (source) await insertEvent(tx, { demandId: source.id, accountId: actor.accountId, move: 'reopenRest', note: demand.demandCode }, now)
    if (!approved) await tellApprovers(tx, hub, demand.id, 'demandSubmitted', now)
    return demand
  })
}

/** The draft, or the demand that was rejected, that is published now; what hung on it is written anew. */
async function takeDraft(tx: Tx, actor: Actor, id: number) {
  const draft = await tx
    .selectFrom('demand')
    .where('id', '=', id)
    .where('status', 'in', demandMoves.publish.from)
    .where('delFlag', '=', '0')
    .where(inScope('demand.dept_id', actor))
    .select(['id', 'status', 'demandCode'])
    .forUpdate()
    .executeTakeFirst()
  if (!draft) throw new Refusal('demand_changed')
  for (const table of ['demandItem', 'demandInvite', 'demandAttachment'] as const)
    await tx.deleteFrom(table).where('demandId', '=', id).execute()
  return draft
}

const mainOf = (item: DemandInput['items'][number], category: Category | undefined) => {
  const mainKey = category?.params.find(({ main }) => main)?.key
  const spec = item.specRequirements.find(({ key, rule, value }) => key === mainKey && rule !== 'in' && Number.isFinite(Number(value)))
  return { mainRule: (spec?.rule ?? null) as 'ge' | 'le' | 'eq' | null, mainValue: spec ? Number(spec.value) : null }
}

/** Own machines first: each that would do is asked for or has a reason against it. Once for each machine. */
async function checkInternal(db: Read, actor: Actor, input: DemandInput, categories: ReadonlyMap<number, Category>) {
  if (input.demandType !== '1') return []
  const lines = input.items.map((item) => ({ ...item, ...mainOf(item, categories.get(item.categoryId)) }))
  const found = await matchInternal(db, actor, input.cityId, lines)
  const matches = [...new Map(found.toReversed().map((match) => [match.machine.id, match])).values()].toReversed()
  const answered = matches.map((match) => ({
    ...match,
    answer: input.internalAnswers.find(({ machineId }) => machineId === match.machine.id) ?? { take: false, reason: '' },
  }))
  const open = answered.filter(({ answer }) => !answer.take && answer.reason.length < 2)
  if (open.length > 0)
    throw new FieldRefusal(open.map(({ machine }) => ({ path: ['internalAnswers', machine.id], rule: 'internal_answer' })))
  return answered
}

/** Lines without a ceiling of their own take the one of the organisation's list. */
async function withCeilings(db: Read, input: DemandInput, deptId: number, categories: ReadonlyMap<number, Category>) {
  const lines = input.items.map((item) => ({ ...item, mainValue: mainOf(item, categories.get(item.categoryId)).mainValue }))
  const ceilings = await ceilingsFor(db, { ...input, deptId }, lines)
  return input.items.map((item, index) => ({ ...item, priceCeiling: item.priceCeiling ?? ceilings[index] ?? null }))
}

/** Only what was awarded in part has a rest to ask for. */
async function openRestOf(db: Read, actor: Actor, id: number) {
  const source = await db
    .selectFrom('demand')
    .where('id', '=', id)
    .where('status', '=', '6')
    .where(inScope('demand.dept_id', actor))
    .select('id')
    .executeTakeFirst()
  return source ?? refuseField(['sourceId'], 'source_unknown')
}

function itemProblems(input: DemandInput, categories: ReadonlyMap<number, Category>): TimingProblem[] {
  return input.items.flatMap((item, index) => {
    const category = categories.get(item.categoryId)
    if (!category || category.parentId !== item.fatherCategoryId) return [{ path: ['items', index, 'categoryId'], rule: 'category' }]
    const keys = new Set(category.params.map(({ key }) => key))
    const main = category.params.find((param) => param.main)
    const problems: TimingProblem[] = item.specRequirements
      .map((spec, at) => ({ spec, at }))
      .filter(({ spec }) => !keys.has(spec.key))
      .map(({ at }) => ({ path: ['items', index, 'specRequirements', at, 'key'], rule: 'spec_unknown' }))
    if (main && !item.specRequirements.some(({ key }) => key === main.key))
      problems.push({ path: ['items', index, 'specRequirements'], rule: 'main_spec' })
    if (input.lowEmissionZone && category.flags.nonRoad && !(item.minEmission && emissionAtLeast(item.minEmission as '3', '3')))
      problems.push({ path: ['items', index, 'minEmission'], rule: 'emission_zone' })
    return problems
  })
}

export async function insertInvites(tx: Tx, demandId: number, companyIds: readonly number[]): Promise<void> {
  const wanted = [...new Set(companyIds)]
  if (wanted.length === 0) return
  const known = await tx
    .selectFrom('company')
    .where('id', 'in', wanted)
    .where('isLessor', '=', true)
    .where('lessorAudit', '=', '2')
    .select('id')
    .execute()
  if (known.length !== wanted.length) throw new FieldRefusal([{ path: ['invitedCompanyIds'], rule: 'company_unknown' }])
  await tx
    .insertInto('demandInvite')
    .values(wanted.map((companyId) => ({ demandId, companyId })))
    .execute()
}

/** Own uploads, or files of the own company (a copied demand brings its files along). */
export async function attach(tx: Tx, demandId: number, actor: Actor, fileIds: readonly string[]): Promise<void> {
  const wanted = [...new Set(fileIds)]
  if (wanted.length === 0) return
  const known = await tx
    .selectFrom('file')
    .where('id', 'in', wanted)
    .where((eb) => eb.or([eb('accountId', '=', actor.accountId), eb('companyId', '=', actor.companyId)]))
    .select('id')
    .execute()
  if (known.length !== wanted.length) throw new FieldRefusal([{ path: ['attachmentIds'], rule: 'file_unknown' }])
  await tx
    .insertInto('demandAttachment')
    .values(wanted.map((fileId, orderNum) => ({ demandId, fileId, orderNum })))
    .execute()
}
