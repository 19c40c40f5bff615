import { z } from 'zod'
import { fenOf } from '../amount-text.ts'
import type { Endpoint } from '../endpoint.ts'
import { BatchAnswer, batchIds, Day, exact, Id, numeric, optionalId, optionalText, paging, sorting, YuanOut } from '../fields.ts'
import { machineNameParts } from './name-parts.ts'
import { auditStatuses, documentKinds, emissionStages, fuelPayers, lessorShelves, rentUnits, shelfStatuses } from './rules.ts'

export const Price = z.object({
  rentUnit: z.enum(rentUnits),
  /** Null when it is to be agreed (面议), also since it has ended. */
  price: YuanOut.nullable(),
  withOperator: z.boolean(),
  fuelBy: z.enum(fuelPayers),
  taxRate: z.number(),
})

/** What everybody may see: no factory number, no plate, no phone. */
export const EquipmentCard = z.object({
  id: z.number(),
  equipmentCode: z.string(),
  ...machineNameParts,
  fatherCategoryId: z.number(),
  categoryId: z.number(),
  categoryName: z.string(),
  specs: z.record(z.string(), z.union([z.string(), z.number()])),
  outFactoryDate: z.string(),
  workHours: z.number().nullable(),
  emissionStage: z.enum(emissionStages),
  provinceId: z.number(),
  cityId: z.number(),
  regionName: z.string(),
  regionNameEn: z.string(),
  isLot: z.boolean(),
  totalQty: z.number(),
  rentStatus: z.string(),
  monthPrice: YuanOut.nullable(),
  prices: z.array(Price),
  cover: z.string().nullable(),
  companyId: z.number(),
  companyName: z.string(),
  companyGrade: z.string().nullable(),
  confirmedAt: z.string(),
  /** Distance between the centres of the requested city and the machine's city; null without a requested city. */
  distanceKm: z.number().nullable(),
})
export type EquipmentCard = z.output<typeof EquipmentCard>

const dayFilter = z.union([z.literal('').transform(() => undefined), Day]).optional()
const priceFilter = z.union([z.literal('').transform(() => undefined), numeric(z.number().min(0).max(9_999_999))]).optional()

/** A filter on a parameter of the category, from `spec_<key>_min` and `spec_<key>_max` in the address. */
export type SpecFilter = { key: string; min: number | undefined; max: number | undefined }

function specFilters(query: Record<string, unknown>): SpecFilter[] {
  const filters = new Map<string, SpecFilter>()
  for (const [name, value] of Object.entries(query)) {
    if (!name.startsWith('spec_')) continue
    const [, key, side] = /^spec_(\w{1,40})_(min|max)$/.exec(name) ?? []
    if (!key || !side || value === '') continue
    const number = Number(value)
    if (!Number.isFinite(number)) continue
    const filter = filters.get(key) ?? { key, min: undefined, max: undefined }
    filters.set(key, { ...filter, [side]: number })
  }
  return [...filters.values()].slice(0, 8)
}

const filterFields = {
  ...paging(12),
  exact,
  name: optionalText(40),
  provinceId: optionalId,
  cityId: optionalId,
  fatherCategoryId: optionalId,
  categoryId: optionalId,
  /** Yuan a month, on the normalised month price. */
  beginPrice: priceFilter,
  endPrice: priceFilter,
  brand: optionalText(40),
  companyId: optionalId,
  freeFrom: dayFilter,
  freeTo: dayFilter,
  /** The city that distances are measured from. */
  nearCityId: optionalId,
  /** By size (the main parameter) and age only within a category. */
  sort: z.enum(['newest', 'priceUp', 'priceDown', 'sizeUp', 'sizeDown', 'youngest', 'distance']).default('newest'),
}
type FilterFields = z.output<z.ZodObject<typeof filterFields>>

/** Without whatever else stands in the address. */
const knownFields = (query: FilterFields) =>
  Object.fromEntries(Object.keys(filterFields).map((name) => [name, query[name as keyof FilterFields]])) as FilterFields

const fenIfGiven = (yuan: number | undefined) => (yuan === undefined ? undefined : fenOf(yuan))

/** Days on which a machine must be free, the last one included; anything but a first day and a last one that is not before it asks for none. */
const freeDays = (from: string | undefined, to: string | undefined) => (from && to && from <= to ? { from, to } : undefined)

export const EquipmentFilter = z.looseObject(filterFields).transform((query) => ({
  ...knownFields(query),
  free: freeDays(query.freeFrom, query.freeTo),
  beginFen: fenIfGiven(query.beginPrice),
  endFen: fenIfGiven(query.endPrice),
  specs: specFilters(query),
}))

export const listPublicEquipment = {
  method: 'GET',
  url: '/business/equipment/firstPageList',
  summary: 'Machines on the shelf',
  access: 'public',
  form: 'list',
  shared: true,
  query: EquipmentFilter,
  answer: EquipmentCard,
} as const satisfies Endpoint

export const listBrands = {
  method: 'GET',
  url: '/business/equipment/brands',
  summary: 'Brands on the shelf, the most frequent first',
  access: 'public',
  form: 'data',
  shared: true,
  query: z.object({ fatherCategoryId: optionalId, categoryId: optionalId }),
  /** `brandEn` is the brand itself where the dictionary has no English name of it. */
  answer: z.array(z.object({ brand: z.string(), brandEn: z.string(), count: z.number() })),
} as const satisfies Endpoint

export const compareLimit = 4

export const compareEquipment = {
  method: 'GET',
  url: '/business/equipment/compare',
  summary: 'Up to four machines on the shelf side by side, in the order asked for',
  access: 'public',
  form: 'data',
  shared: true,
  query: z.object({
    ids: z
      .string()
      .regex(/^\d{1,15}(,\d{1,15}){0,3}$/)
      .transform((text) => text.split(',').map(Number)),
  }),
  answer: z.array(EquipmentCard),
} as const satisfies Endpoint

/** What everybody reads of a machine beyond its card, each in the column of its name. */
export const MachineTerms = z.object({ manufacturer: z.string(), description: z.string() })

const EquipmentDetail = EquipmentCard.extend({
  ...MachineTerms.shape,
  prices: z.array(Price.extend({ validTo: z.string().nullable() })),
  images: z.array(z.string()),
  documents: z.array(z.object({ kind: z.enum(documentKinds), validTo: z.string().nullable() })),
  /** Half-open periods in which the machine is not free; the public sees no reason. */
  taken: z.array(z.object({ from: z.string(), to: z.string() })),
  similar: z.array(EquipmentCard),
})

export const getPublicEquipment = {
  method: 'GET',
  url: '/business/equipment/firstPageList/:id',
  summary: 'A machine on the shelf',
  access: 'public',
  form: 'data',
  shared: true,
  params: z.object({ id: Id }),
  answer: EquipmentDetail,
} as const satisfies Endpoint

export const listStandardRents = {
  method: 'GET',
  url: '/business/equipment/standardRents',
  summary: 'The median month rents of the machines that everybody knows',
  access: 'public',
  form: 'data',
  shared: true,
  answer: z.array(z.object({ categoryId: z.number(), median: YuanOut, machines: z.number() })),
} as const satisfies Endpoint

const blank = <T extends z.ZodType>(choice: T) => z.union([z.literal('').transform(() => undefined), choice]).optional()

export const OwnEquipment = EquipmentCard.extend({
  auditStatus: z.string(),
  auditReason: z.string(),
  /** A change of key fields waits for review. */
  changing: z.boolean(),
  shelfStatus: z.string(),
  version: z.number(),
  factoryNo: z.string().nullable(),
  documents: z.array(z.object({ kind: z.enum(documentKinds), validTo: z.string().nullable() })),
  /** Periods from today on; of a lot, `qty` of its units are taken in each. */
  bookings: z.array(z.object({ from: z.string(), to: z.string(), reason: z.string(), qty: z.number() })),
})
export type OwnEquipment = z.output<typeof OwnEquipment>

export const ownEquipmentSorts = ['name', 'monthPrice', 'confirmedAt', 'outFactoryDate'] as const
/** All filters but the shelf, by which the list is counted. */
const besidesShelf = {
  categoryId: optionalId,
  name: optionalText(40),
  auditStatus: blank(z.enum(auditStatuses)),
}
const ownEquipmentFilter = { shelfStatus: blank(z.enum(shelfStatuses)), ...besidesShelf }

export const listOwnEquipment = {
  method: 'GET',
  url: '/business/equipment/list',
  summary: 'The own company’s machines',
  access: 'equipment:edit',
  form: 'list',
  query: z.object({ ...paging(), ...sorting(ownEquipmentSorts), ...ownEquipmentFilter }),
  answer: OwnEquipment,
} as const satisfies Endpoint

export const exportOwnEquipment = {
  method: 'GET',
  url: '/business/equipment/export',
  summary: 'The filtered list of the own company’s machines as a workbook, 10,000 rows at most',
  access: 'equipment:edit',
  limit: 10,
  form: 'file',
  query: z.object({ ...sorting(ownEquipmentSorts), ...ownEquipmentFilter }),
  answer: z.null(),
} as const satisfies Endpoint

export const countOwnShelves = {
  method: 'GET',
  url: '/business/equipment/counts',
  summary: 'How many of the own company’s machines stand on the shelf, off it, and were taken down, under the other filters of their list',
  access: 'equipment:edit',
  form: 'data',
  query: z.object(besidesShelf),
  answer: z.record(z.string(), z.number()),
} as const satisfies Endpoint

export const listOwnCategories = {
  method: 'GET',
  url: '/business/equipment/ownCategories',
  summary: 'The categories of the own company’s machines, the most frequent first',
  access: 'equipment:edit',
  form: 'data',
  answer: z.array(z.object({ categoryId: z.number(), name: z.string(), nameEn: z.string(), count: z.number() })),
} as const satisfies Endpoint

export const setShelf = {
  method: 'PUT',
  url: '/business/equipment/:id/shelf',
  summary: 'Put a machine on the shelf or take it off',
  access: 'equipment:edit',
  form: 'data',
  params: z.object({ id: Id }),
  body: z.object({ shelfStatus: z.enum(lessorShelves) }),
  answer: z.null(),
} as const satisfies Endpoint

export const setShelves = {
  method: 'PUT',
  url: '/business/equipment/shelfBatch',
  summary: 'Put several machines on the shelf or take them off; each by itself, so that one that may not move does not stop the others',
  access: 'equipment:edit',
  transaction: 'own',
  form: 'data',
  body: z.object({ ids: batchIds, shelfStatus: z.enum(lessorShelves) }),
  answer: BatchAnswer,
} as const satisfies Endpoint
