import { dayOf, fromMoment } from '#shared/calendar.ts'
import type { Category } from '#shared/category/contract.ts'
import type { DemandInput } from '#shared/demand/contract.ts'
import { timingProblems, type TimingProblem } from '#shared/demand/rules.ts'
import { emissionAtLeast } from '#shared/equipment/rules.ts'
import type { Actor } from '../account/actor.ts'
import { inScope } from '../account/scope.ts'
import { findCategories } from '../category/queries.ts'
import type { Db, Tx } from '../db/connect.ts'
import { nextCode } from '../db/search.ts'
import { FieldRefusal, Refusal } from '../http/refusal.ts'
import type { Hub } from '../message/hub.ts'
import { accountsOfCompanies, sendMessages } from '../message/queries.ts'
import { findMatchingCompanies } from '../quote/market.ts'
import { isPlace } from '../region/queries.ts'
import { ownProject } from './drafts.ts'
import { insertEvent } from './moves.ts'

/** Publishes in one transaction: the demand, its lines, invitations, files, the first event and the notices, or nothing. */
export async function publishDemand(db: Db, hub: Hub, actor: Actor, input: DemandInput & { draftId?: number | undefined }, now: Date) {
  const dept = await ownProject(db, actor, input.deptId)
  const categories = new Map((await findCategories(db)).map((category) => [category.id, category]))
  const deadline = fromMoment(input.quoteDeadline)
  const problems: TimingProblem[] = [
    ...timingProblems(
      {
        quoteDeadline: deadline,
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

  const demandCode = await nextCode(db, 'XQ', dayOf(now))
  return db.transaction().execute(async (tx) => {
    const categoryNames = input.items.map((item) => {
      const category = categories.get(item.categoryId)
      return category ? `${category.name} ${category.alias.join(' ')}` : ''
    })
    const values = {
      demandCode,
      demandType: input.demandType,
      title: input.title,
      companyId: dept.companyId,
      deptId: dept.id,
      projectName: dept.projectName,
      projectType: dept.projectType,
      provinceId: input.provinceId,
      cityId: input.cityId,
      districtId: input.districtId,
      address: input.address,
      lowEmissionZone: input.lowEmissionZone,
      contactName: input.contactName,
      contactPhone: input.contactPhone,
      quoteDeadline: deadline,
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
      terms: input.terms,
      status: '3',
      draft: null,
      planStart: input.items.map(({ planStart }) => planStart).toSorted()[0] ?? null,
      planEnd:
        input.items
          .map(({ planEnd }) => planEnd)
          .toSorted()
          .at(-1) ?? null,
      searchText: [input.title, dept.projectName, demandCode, ...categoryNames].join(' '),
      publishTime: now,
      updateTime: now,
    }
    const demand = input.draftId
      ? await tx
          .updateTable('demand')
          .set((eb) => ({ ...values, version: eb('version', '+', 1) }))
          .where('id', '=', input.draftId ?? 0)
          .where('status', '=', '0')
          .where(inScope('demand.dept_id', actor))
          .returning('id')
          .executeTakeFirst()
      : await tx
          .insertInto('demand')
          .values({ ...values, accountId: actor.accountId, createTime: now })
          .returning('id')
          .executeTakeFirst()
    if (!demand) throw new Refusal('demand_changed')

    await tx
      .insertInto('demandItem')
      .values(
        input.items.map(({ priceCeiling, specRequirements, ...item }, index) => {
          const mainKey = categories.get(item.categoryId)?.params.find(({ main }) => main)?.key
          const main = specRequirements.find(({ key, rule, value }) => key === mainKey && rule !== 'in' && Number.isFinite(Number(value)))
          return {
            ...item,
            demandId: demand.id,
            lineNo: index + 1,
            specRequirements: JSON.stringify(specRequirements),
            mainRule: main?.rule ?? null,
            mainValue: main ? Number(main.value) : null,
            priceCeilingFen: priceCeiling,
          }
        }),
      )
      .execute()
    await insertInvites(tx, demand.id, input.invitedCompanyIds)
    await attach(tx, demand.id, actor, input.attachmentIds)
    await insertEvent(tx, { demandId: demand.id, accountId: actor.accountId, move: 'publish', fromStatus: '0', toStatus: '3' }, now)
    await tellLessors(
      tx,
      hub,
      { id: demand.id, input, lines: input.items.map((item) => `${categories.get(item.categoryId)?.name} ×${item.qty}`).join('、') },
      now,
    )
    return { id: demand.id, demandCode }
  })
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

async function insertInvites(tx: Tx, demandId: number, companyIds: readonly number[]): Promise<void> {
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
async function attach(tx: Tx, demandId: number, actor: Actor, fileIds: readonly string[]): Promise<void> {
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

async function tellLessors(
  tx: Tx,
  hub: Hub,
  { id, input, lines }: { id: number; input: DemandInput; lines: string },
  now: Date,
): Promise<void> {
  const link = `/workbench/crequirement/detail?id=${id}`
  const about = { title: input.title, lines, deadline: input.quoteDeadline.slice(0, 16) }
  const place = await tx.selectFrom('region').where('code', 'in', [input.provinceId, input.cityId]).orderBy('code').select('name').execute()
  const placeName = [...new Set(place.map(({ name }) => name))].join(' ')
  const invited = input.demandType === '1' ? [] : input.invitedCompanyIds
  if (invited.length > 0) {
    const { enterpriseName } = await tx
      .selectFrom('demand')
      .innerJoin('company', 'company.id', 'demand.companyId')
      .where('demand.id', '=', id)
      .select('enterpriseName')
      .executeTakeFirstOrThrow()
    await sendMessages(
      tx,
      hub,
      {
        accountIds: await accountsOfCompanies(tx, invited),
        kind: 'demandInvited',
        params: { ...about, company: enterpriseName },
        bizType: 'demand',
        bizId: id,
        link,
      },
      now,
    )
    return
  }
  // One insert for each number of fitting machines, not for each lessor.
  const byCount = Map.groupBy(await findMatchingCompanies(tx, id), ({ machines }) => machines)
  for (const [machines, companies] of byCount)
    await sendMessages(
      tx,
      hub,
      {
        accountIds: await accountsOfCompanies(
          tx,
          companies.map(({ companyId }) => companyId),
        ),
        kind: 'demandMatched',
        params: { ...about, place: placeName, machines: String(machines) },
        bizType: 'demand',
        bizId: id,
        link,
      },
      now,
    )
}
