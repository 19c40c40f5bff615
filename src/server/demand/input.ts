import { dayOf, fromMoment } from '#shared/calendar.ts'
import type { Category } from '#shared/category/contract.ts'
import type { DemandInput } from '#shared/demand/input.ts'
import { leastQuotes } from '#shared/demand/guards.ts'
import { demandMethod, mainRequirement, timingProblems } from '#shared/demand/rules.ts'
import type { FieldProblem } from '#shared/endpoint.ts'
import { emissionAtLeast, zoneEmission } from '#shared/equipment/rules.ts'
import { lacksMain } from '#shared/main-param.ts'
import { ceilingsFor } from '../ceiling/queries.ts'
import type { Read } from '../db/connect.ts'
import type { Deed } from '../deed.ts'
import { FieldRefusal, refuseField } from '../http/refusal.ts'
import { isPlace } from '../region/queries.ts'
import { claimFiles } from '../upload/claim.ts'

export const categoryIdsOf = ({ items }: DemandInput) => [...new Set(items.map(({ categoryId }) => categoryId))]

export const byId = (categories: readonly Category[]): ReadonlyMap<number, Category> =>
  new Map(categories.map((category) => [category.id, category]))

export type Categories = ReadonlyMap<number, Category>

type Checking = { categories: Categories; now: Date } & Pick<Parameters<typeof timingProblems>[0], 'changed'>

/** Refuses what is wrong with the input beyond its form: times, categories, place. */
export async function checkInput(db: Read, input: DemandInput, { categories, now, changed }: Checking): Promise<void> {
  const problems: FieldProblem[] = [
    ...timingProblems(
      {
        quoteDeadline: fromMoment(input.quoteDeadline),
        clarifyDeadline: input.clarifyDeadline ? fromMoment(input.clarifyDeadline) : null,
        urgent: input.urgent,
        items: input.items,
        ...(changed && { changed }),
      },
      now,
      dayOf(now),
    ),
    ...itemProblems(input, categories),
  ]
  if (!(await isPlace(db, input))) problems.push({ path: ['cityId'], rule: 'region' })
  if (problems.length > 0) throw new FieldRefusal(problems)
}

/** The columns that the input fills: those of a field's name hold the field as it is. `input` has no other fields than those of its type. */
export function columnsOf(
  input: DemandInput,
  { projectName, demandCode, categories }: { projectName: string; demandCode: string; categories: Categories },
) {
  const categoryNames = input.items.map((item) => {
    const category = categories.get(item.categoryId)
    return category ? `${category.name} ${category.alias.join(' ')}` : ''
  })
  const ends = input.items.map(({ planEnd }) => planEnd).toSorted()
  const { items, quoteDeadline, clarifyDeadline, payment, budgetLimit, deptId: _, sourceId: _source, ...others } = input
  const { internalAnswers: _answers, invitedCompanyIds: _invited, attachmentIds: _files, ...columns } = others
  return {
    ...columns,
    minQuotes: leastQuotes(input),
    methodReason: columns.method === demandMethod.direct ? columns.methodReason : '',
    quoteDeadline: fromMoment(quoteDeadline),
    clarifyDeadline: clarifyDeadline ? fromMoment(clarifyDeadline) : null,
    payment: JSON.stringify(payment),
    budgetFen: budgetLimit,
    lineCount: items.length,
    kinds: [...new Set(items.flatMap(({ categoryId, fatherCategoryId }) => [categoryId, fatherCategoryId]))].toSorted((a, b) => a - b),
    planStart: items.map(({ planStart }) => planStart).toSorted()[0] ?? null,
    planEnd: ends.at(-1) ?? null,
    searchText: [input.title, projectName, demandCode, ...categoryNames].join(' '),
  }
}

/** A line as a row of demand_item. */
export function itemRow<Id>(
  { priceCeiling, specRequirements, ...item }: DemandInput['items'][number],
  { demandId, lineNo, categories }: { demandId: Id; lineNo: number; categories: Categories },
) {
  return {
    ...item,
    ...mainOf({ ...item, specRequirements }, categories),
    demandId,
    lineNo,
    specRequirements: JSON.stringify(specRequirements),
    priceCeilingFen: priceCeiling,
  }
}

/** Lines without a ceiling of their own take the one of the organisation's list. */
export async function withCeilings(db: Read, input: DemandInput, { deptId, categories }: { deptId: number; categories: Categories }) {
  const lines = input.items.map((item) => ({ ...item, mainValue: mainOf(item, categories).mainValue }))
  const ceilings = await ceilingsFor(db, { ...input, deptId }, lines)
  return input.items.map((item, index) => ({ ...item, priceCeiling: item.priceCeiling ?? ceilings[index] ?? null }))
}

/**
 * Attaches own uploads, and attachments of demands that the person reaches, in place of those before: a copied demand brings its files along, and those
 * that a colleague attached may stay, so they are claimed while they are attached.
 */
export async function attach(deed: Deed, demandId: number, fileIds: readonly string[]): Promise<void> {
  const wanted = [...new Set(fileIds)]
  const claimed = await claimFiles(deed, 'demandAttachment', wanted)
  if (claimed.size < wanted.length) refuseField(['attachmentIds'], 'file_unknown')
  await deed.db.deleteFrom('demandAttachment').where('demandId', '=', demandId).execute()
  if (wanted.length === 0) return
  await deed.db
    .insertInto('demandAttachment')
    .values(wanted.map((fileId, orderNum) => ({ demandId, fileId, orderNum })))
    .execute()
}

/** The requirement on the main parameter of the line's category, as comparisons in SQL read it. */
export function mainOf(item: Pick<DemandInput['items'][number], 'categoryId' | 'specRequirements'>, categories: Categories) {
  const mainKey = categories.get(item.categoryId)?.params.find(({ main }) => main)?.key
  return mainRequirement(item.specRequirements.find(({ key, rule }) => key === mainKey && rule !== 'in'))
}

function itemProblems(input: DemandInput, categories: Categories): FieldProblem[] {
  return input.items.flatMap((item, index) => {
    const category = categories.get(item.categoryId)
    if (!category || category.parentId !== item.fatherCategoryId) return [{ path: ['items', index, 'categoryId'], rule: 'category' }]
    const keys = new Set(category.params.map(({ key }) => key))
    const problems: FieldProblem[] = item.specRequirements
      .map((spec, at) => ({ spec, at }))
      .filter(({ spec }) => !keys.has(spec.key))
      .map(({ at }) => ({ path: ['items', index, 'specRequirements', at, 'key'], rule: 'spec_unknown' }))
    if (lacksMain(item.specRequirements, category.params)) problems.push({ path: ['items', index, 'specRequirements'], rule: 'main_spec' })
    if (input.lowEmissionZone && category.flags.nonRoad && !(item.minEmission && emissionAtLeast(item.minEmission, zoneEmission)))
      problems.push({ path: ['items', index, 'minEmission'], rule: 'emission_zone' })
    return problems
  })
}
