import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { rentUnits, shiftModes } from '../equipment/rules.ts'
import { Day, Id, optionalId, paging, sorting, yuan, YuanOut } from '../fields.ts'
import { maxLines, sides } from '../demand/rules.ts'

/** The dimensions of an organisation's list of ceilings: what, where, how long, shifts, driver, fuel. */
export const CeilingInput = z
  .object({
    deptId: Id,
    categoryId: Id,
    /** The main parameter lies in [mainMin, mainMax]; open where null. */
    mainMin: z.number().min(0).max(9_999_999).nullable().default(null),
    mainMax: z.number().min(0).max(9_999_999).nullable().default(null),
    /** Null: everywhere. */
    provinceId: Id.nullable().default(null),
    rentUnit: z.enum(rentUnits).default('M'),
    shiftMode: z.enum(shiftModes).default('single'),
    withOperator: z.boolean().default(true),
    fuelBy: z.enum(sides).default('lessee'),
    /** Whether the price is for long hires or for the others (`isLongTerm`). */
    longTerm: z.boolean().default(false),
    price: yuan({ min: 1 }),
    fromDay: Day,
    toDay: Day.nullable().default(null),
  })
  .superRefine((input, context) => {
    if (input.toDay !== null && input.toDay <= input.fromDay)
      context.addIssue({ code: 'custom', path: ['toDay'], message: 'ends_before_start' })
    if (input.mainMin !== null && input.mainMax !== null && input.mainMax < input.mainMin)
      context.addIssue({ code: 'custom', path: ['mainMax'], message: 'range' })
  })
export type CeilingInput = z.output<typeof CeilingInput>

const Ceiling = z.object({
  id: z.number(),
  deptId: z.number(),
  deptName: z.string(),
  categoryId: z.number(),
  categoryName: z.string(),
  categoryNameEn: z.string(),
  mainMin: z.number().nullable(),
  mainMax: z.number().nullable(),
  provinceId: z.number().nullable(),
  provinceName: z.string(),
  provinceNameEn: z.string(),
  rentUnit: z.enum(rentUnits),
  shiftMode: z.enum(shiftModes),
  withOperator: z.boolean(),
  fuelBy: z.enum(sides),
  longTerm: z.boolean(),
  price: YuanOut,
  fromDay: z.string(),
  toDay: z.string().nullable(),
  version: z.number(),
  mine: z.boolean(),
})
export type Ceiling = z.output<typeof Ceiling>

export const ceilingSorts = ['price', 'fromDay'] as const

export const listCeilings = {
  method: 'GET',
  url: '/business/ceiling/list',
  summary: 'Ceilings that hold for the own departments: their own, those above, and those below',
  access: 'ceiling:view',
  form: 'list',
  query: z.object({ ...paging(20), ...sorting(ceilingSorts), categoryId: optionalId }),
  answer: Ceiling,
} as const satisfies Endpoint

export const exportCeilings = {
  method: 'GET',
  url: '/business/ceiling/export',
  summary: 'The filtered ceilings as a workbook, 10,000 rows at most',
  access: 'ceiling:view',
  limit: 10,
  form: 'file',
  query: z.object({ ...sorting(ceilingSorts), categoryId: optionalId }),
  answer: z.null(),
} as const satisfies Endpoint

export const saveCeiling = {
  method: 'POST',
  url: '/business/ceiling',
  summary: 'Add a ceiling, or change one if nobody changed it meanwhile',
  access: 'ceiling:edit',
  admin: true,
  form: 'data',
  audit: { action: 'ceiling.save', bizType: 'priceCeiling' },
  body: CeilingInput.safeExtend({ id: Id.optional(), version: z.number().int().optional() }),
  answer: z.object({ id: z.number() }),
} as const satisfies Endpoint

export const deleteCeiling = {
  method: 'DELETE',
  url: '/business/ceiling/:id',
  summary: 'Take a ceiling off the list; demands keep the one they were published with',
  access: 'ceiling:edit',
  admin: true,
  form: 'data',
  audit: { action: 'ceiling.delete', bizType: 'priceCeiling' },
  params: z.object({ id: Id }),
  answer: z.null(),
} as const satisfies Endpoint

const Line = z.object({
  categoryId: Id,
  mainValue: z.number().nullable().default(null),
  rentUnit: z.enum(rentUnits),
  shiftMode: z.enum(shiftModes),
  planStart: Day,
  planEnd: Day,
})
export type CeilingLine = z.output<typeof Line>

export const lookUpCeilings = {
  method: 'POST',
  url: '/business/ceiling/lookup',
  summary: 'The ceiling of each line of a demand about to be published; null where the list has none',
  access: 'demand:edit',
  readsOnly: true,
  form: 'data',
  body: z.object({
    deptId: Id,
    provinceId: Id,
    operatorBy: z.enum(sides),
    fuelBy: z.enum(sides),
    items: z.array(Line).min(1).max(maxLines),
  }),
  answer: z.array(YuanOut.nullable()),
} as const satisfies Endpoint
