import { mainParam } from '#shared/main-param.ts'
import { z } from 'zod'
import { addMonths, daysBetween } from '../calendar.ts'
import type { Category } from '../category/contract.ts'
import type { FieldProblem } from '../endpoint.ts'
import { Day, Id, line, paragraph, yuan } from '../fields.ts'
import {
  datedDocuments,
  documentKinds,
  emissionStages,
  fuelPayers,
  maxUnits,
  needsAssessment,
  ownerships,
  rentCycles,
  rentUnits,
  requiredDocuments,
  shiftModes,
  taxRates,
  type DocumentKind,
} from './rules.ts'

export const imageLimit = 9

const optional = (max: number) => paragraph(max).default('')

export const PriceInput = z.object({
  rentUnit: z.enum(rentUnits),
  /** Null when it is to be agreed (面议). */
  price: yuan({ min: 1 }).nullable(),
  withOperator: z.boolean().default(false),
  fuelBy: z.enum(fuelPayers).default('lessee'),
  taxRate: z.union(taxRates.map((rate) => z.literal(rate))).default(13),
  shiftMode: z.enum(shiftModes).default('single'),
  minRentDays: z.number().int().min(0).max(3650).default(0),
  validTo: Day.nullable().default(null),
})

export const DocumentInput = z.object({
  kind: z.enum(documentKinds),
  number: optional(60),
  issuedBy: optional(60),
  validTo: Day.nullable().default(null),
  fileId: z.uuid().nullable().default(null),
})

/** GA 36: province, letter, five or six more; green plates have eight characters. */
const isPlate = (text: string) =>
  /^[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼][A-HJ-NP-Z][A-HJ-NP-Z0-9]{4,5}[A-HJ-NP-Z0-9挂学警港澳]$/.test(text)

/** GB 16735: 17 characters without I, O, Q. */
const isVin = (text: string) => /^[A-HJ-NPR-Z0-9]{17}$/.test(text)

/** The fields of a machine apart from its files. */
export const MachineFields = z.object({
  fatherCategoryId: Id,
  categoryId: Id,
  name: line(2, 60),
  brand: line(1, 40),
  model: line(1, 40),
  /** By the parameters of the category; numbers as numbers. */
  specs: z.record(z.string().max(40), z.union([z.number(), z.string().max(60)])).default({}),
  factoryNo: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9\-/]{4,30}$/, 'factory_no')
    .nullable()
    .default(null),
  outFactoryDate: Day.nullable().default(null),
  manufacturer: optional(60),
  workHours: z.number().min(0).max(999_999).nullable().default(null),
  ownership: z.enum(ownerships).default('own'),
  originalValue: yuan({ max: 99_999_999_999 }).nullable().default(null),
  emissionStage: z.enum(emissionStages).default('none'),
  envCode: z
    .string()
    .trim()
    .regex(/^[0-9A-Z-]{6,20}$/, 'env_code')
    .nullable()
    .default(null),
  plateNo: z.string().trim().toUpperCase().refine(isPlate, 'plate').nullable().default(null),
  vin: z.string().trim().toUpperCase().refine(isVin, 'vin').nullable().default(null),
  deviceCode: optional(40),
  registrationNo: optional(40),
  registrationOffice: optional(60),
  filingNo: optional(40),
  filingOffice: optional(60),
  provinceId: Id,
  cityId: Id,
  districtId: Id.nullable().default(null),
  yardAddress: optional(100),
  description: optional(2000),
  transportNote: optional(200),
  rentCycles: z.array(z.enum(rentCycles)).max(3).default([]),
  isLot: z.boolean().default(false),
  totalQty: z.number().int().min(1).max(maxUnits).default(1),
  prices: z.array(PriceInput).max(4).default([]),
})

/** A machine as its lessor enters it. A draft needs a category, brand, model and place; a submission all that its category requires. */
export const EquipmentInput = MachineFields.extend({
  papers: z.array(DocumentInput).max(20).default([]),
  imageIds: z.array(z.uuid()).max(imageLimit).default([]),
}).superRefine((input, context) => {
  const issue = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message })
  if (!input.isLot && input.totalQty !== 1) issue(['totalQty'], 'lot_only')
  if (new Set(input.prices.map(({ rentUnit }) => rentUnit)).size !== input.prices.length) issue(['prices'], 'unit_twice')
  if (new Set(input.papers.map(({ kind }) => kind)).size !== input.papers.length) issue(['papers'], 'paper_twice')
})
export type EquipmentInput = z.output<typeof EquipmentInput>

/** As much of a machine as the rules of its category read. A form that is half typed has it, too. */
export type MachineFacts = Pick<
  EquipmentInput,
  'specs' | 'outFactoryDate' | 'factoryNo' | 'emissionStage' | 'envCode' | 'plateNo' | 'vin'
> &
  Pick<EquipmentInput, 'registrationNo' | 'filingNo' | 'imageIds'> & {
    categoryId: number | null
    fatherCategoryId: number | null
    prices: readonly { withOperator: boolean }[]
    papers: readonly Pick<EquipmentInput['papers'][number], 'kind' | 'fileId' | 'validTo'>[]
  }

/** Checks what the category requires beyond the form. `whole` applies the rules of a submission, otherwise those of a draft. */
export function equipmentProblems(input: MachineFacts, category: Category | undefined, whole: boolean, today: string): FieldProblem[] {
  if (!category || category.parentId !== input.fatherCategoryId)
    return [{ path: ['categoryId'], rule: 'category' }, ...(whole ? missingInAny(input) : [])]
  const { flags } = category
  const problems: FieldProblem[] = []
  const add = (path: (string | number)[], rule: string) => problems.push({ path, rule })
  if (input.outFactoryDate !== null && input.outFactoryDate > today) add(['outFactoryDate'], 'date_future')
  for (const [key, value] of Object.entries(input.specs)) {
    const param = category.params.find((one) => one.key === key)
    if (!param) add(['specs', key], 'spec_unknown')
    else if (param.type === 'number' && (typeof value !== 'number' || !(value > 0) || value > 9_999_999)) add(['specs', key], 'spec_number')
  }
  if (!whole) return problems

  problems.push(...missingMain(input, category), ...missingInAny(input))
  if ((flags.specialEquipment || flags.erection) && !input.factoryNo) add(['factoryNo'], 'required')
  if (flags.nonRoad && input.emissionStage === 'none') add(['emissionStage'], 'required')
  if (flags.nonRoad && input.emissionStage !== 'electric' && !input.envCode) add(['envCode'], 'required')
  if (flags.roadVehicle && !input.plateNo) add(['plateNo'], 'required')
  if (flags.roadVehicle && !input.vin) add(['vin'], 'required')
  if (flags.specialEquipment && !input.registrationNo) add(['registrationNo'], 'required')
  if (flags.buildingLifting && !input.filingNo) add(['filingNo'], 'required')
  for (const kind of neededDocuments(input, category, today)) {
    const document = input.papers.find((one) => one.kind === kind)
    if (!document?.fileId) add(['papers', kind], 'document_missing')
  }
  for (const { kind, validTo } of input.papers) {
    if (datedDocuments.includes(kind) && !validTo) add(['papers', kind], 'paper_date')
    else if (validTo !== null && validTo < today) add(['papers', kind], 'document_expired')
  }
  return problems
}

/** The main parameter and the day of manufacture, without which nobody can tell machines apart: a draft may lack them, an imported row may not. */
export function missingBasics(machine: Pick<MachineFacts, 'specs' | 'outFactoryDate'>, category: Category): FieldProblem[] {
  return [...missingMain(machine, category), ...missingDate(machine)]
}

function missingMain({ specs }: Pick<MachineFacts, 'specs'>, category: Category): FieldProblem[] {
  const main = mainParam(category.params)
  return main && specs[main.key] === undefined ? [{ path: ['specs', main.key], rule: 'required' }] : []
}

const missingDate = ({ outFactoryDate }: Pick<MachineFacts, 'outFactoryDate'>): FieldProblem[] =>
  outFactoryDate === null ? [{ path: ['outFactoryDate'], rule: 'required' }] : []

/** What a submission needs whatever its category is, so that a form without one names it in the same pass. */
const missingInAny = (input: Pick<MachineFacts, 'outFactoryDate' | 'prices' | 'imageIds'>): FieldProblem[] => [
  ...missingDate(input),
  ...(input.prices.length === 0 ? [{ path: ['prices'], rule: 'required' }] : []),
  ...(input.imageIds.length === 0 ? [{ path: ['imageIds'], rule: 'photo_needed' }] : []),
]

type Aged = {
  categoryId: number | null
  specs: Record<string, string | number>
  outFactoryDate: string | null
  prices?: readonly { withOperator: boolean }[]
}

/** Years by the calendar, a whole number on each day of the year on which the machine left its factory. */
export function ageInYears(outFactoryDate: string, today: string): number {
  const years = Number(today.slice(0, 4)) - Number(outFactoryDate.slice(0, 4))
  const whole = addMonths(outFactoryDate, 12 * years) <= today ? years : years - 1
  const [last, next] = [whole, whole + 1].map((year) => addMonths(outFactoryDate, 12 * year)) as [string, string]
  return whole + daysBetween(last, today) / daysBetween(last, next)
}

/** What decides whether a machine is old enough to need a safety assessment. A draft may have no day of manufacture. */
export type AgeFacts = { categoryId: number | null; mainValue: number | null; outFactoryDate: string | null }

/** The safety assessment where the machine is so old that one is due (`needsAssessment`), otherwise nothing. */
export function documentsOfAge({ categoryId, mainValue, outFactoryDate }: AgeFacts, today: string): DocumentKind[] {
  if (!outFactoryDate || categoryId === null) return []
  return needsAssessment(categoryId, mainValue, ageInYears(outFactoryDate, today)) ? ['assessment'] : []
}

/** Whether a problem is the missing safety assessment, which a machine on the shelf comes to need without any change of it. */
export const isMissingAssessment = ({ path, rule }: FieldProblem): boolean =>
  rule === 'document_missing' && path.join('.') === 'papers.assessment'

/** The documents this machine must have: by the category's flags, by its age, and the driver's if one comes with it. */
export function neededDocuments(machine: Aged, category: Category, today: string) {
  const main = mainParam(category.params)
  return [
    ...requiredDocuments(category.flags),
    ...documentsOfAge({ ...machine, mainValue: main ? Number(machine.specs[main.key]) : null }, today),
    ...(machine.prices?.some(({ withOperator }) => withOperator) && category.flags.specialEquipment ? (['operator'] as const) : []),
  ]
}

/** Fields of an approved machine that change only by a change request. */
export const keyFields = [
  'fatherCategoryId',
  'categoryId',
  'brand',
  'model',
  'factoryNo',
  'outFactoryDate',
  'specs',
  'emissionStage',
  'plateNo',
  'vin',
  'deviceCode',
  'registrationNo',
  'filingNo',
  'papers',
] as const satisfies readonly (keyof EquipmentInput)[]

/** The key fields that differ. */
export function changedKeys(before: EquipmentInput, after: EquipmentInput): (typeof keyFields)[number][] {
  return keyFields.filter((key) => comparable(before[key]) !== comparable(after[key]))
}

/**
 * The machine as its lessor wants it while a request waits: the key fields of the request, except those that the input changes itself. Parameters and
 * documents are taken one by one.
 */
export function withRequested(before: EquipmentInput, input: EquipmentInput, requested: Partial<EquipmentInput>): EquipmentInput {
  const typed = Object.fromEntries(changedKeys(before, input).map((key) => [key, input[key]]))
  const byKind = (papers: EquipmentInput['papers']) => Object.fromEntries(papers.map((paper) => [paper.kind, paper]))
  return {
    ...input,
    ...requested,
    ...typed,
    // Another category has its own group and other parameters.
    ...(input.categoryId !== before.categoryId && { fatherCategoryId: input.fatherCategoryId }),
    specs: input.categoryId === before.categoryId ? merged(before.specs, input.specs, requested.specs ?? before.specs) : input.specs,
    papers: Object.values(merged(byKind(before.papers), byKind(input.papers), byKind(requested.papers ?? before.papers))),
  }
}

type Specs = Pick<EquipmentInput, 'categoryId' | 'specs'>

/** Stored parameters as the form of the category reads them: without one that the category has no more, unless it was sent. */
export const readSpecs = (stored: EquipmentInput['specs'], sent: EquipmentInput['specs'], category: Category | undefined) =>
  Object.fromEntries(Object.entries(stored).filter(([key]) => key in sent || category?.params.some((param) => param.key === key)))

/**
 * What the input changes of the parameters of the present category while another one waits for its review: they would be mixed with those of the
 * request where both categories have them, and lost otherwise.
 */
export function waitingSpecs(before: Specs, input: Specs, requested: Partial<EquipmentInput>): FieldProblem[] {
  if (requested.categoryId === undefined || input.categoryId !== before.categoryId) return []
  const keys = [...new Set([...Object.keys(before.specs), ...Object.keys(input.specs)])]
  return keys.filter((key) => before.specs[key] !== input.specs[key]).map((key) => ({ path: ['specs', key], rule: 'category_waits' }))
}

function merged<V>(before: Record<string, V>, input: Record<string, V>, requested: Record<string, V>): Record<string, V> {
  const keys = [...new Set([...Object.keys(input), ...Object.keys(requested)])]
  return Object.fromEntries(
    keys.flatMap((key) => {
      const value = (comparable(before[key]) === comparable(input[key]) ? requested : input)[key]
      return value === undefined ? [] : [[key, value]]
    }),
  )
}

/** The value as text for a comparison: key order, the order of lists and empty forms do not count. */
function comparable(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(comparable).toSorted().join(',')}]`
  if (value !== null && typeof value === 'object')
    return `{${Object.entries(value)
      .filter(([, inner]) => inner !== null && inner !== '')
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([key, inner]) => `${key}:${comparable(inner)}`)
      .join(',')}}`
  return value === null || value === '' ? '' : JSON.stringify(value)
}
