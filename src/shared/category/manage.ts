import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { Id, line } from '../fields.ts'
import { rentUnits } from '../equipment/rules.ts'
import { Category } from './contract.ts'
import { CategoryFlags, noFlags, Param } from './input.ts'
import { enableStatus, enableStatuses } from '../rules.ts'

/** A category of either level as the console shows it, disabled or not, with the number of its machines. */
export const ManagedCategory = Category.omit({ priceUnits: true }).extend({
  level: z.number(),
  status: z.enum(enableStatuses),
  orderNum: z.number(),
  operatorCert: z.string(),
  priceUnits: z.array(z.enum(rentUnits)),
  machines: z.number(),
  version: z.number(),
})
export type ManagedCategory = z.infer<typeof ManagedCategory>

export const listManagedCategories = {
  method: 'GET',
  url: '/system/category/list',
  summary: 'Every category in order, switched off ones too',
  access: 'category:edit',
  form: 'data',
  answer: z.array(ManagedCategory),
} as const satisfies Endpoint

const key = z.string().regex(/^[a-z][A-Za-z0-9]{0,29}$/, 'spec_key')

const CategoryInput = z
  .object({
    /** 0 for a group. */
    parentId: z.number().int().min(0),
    name: line(2, 30),
    nameEn: line(2, 60),
    alias: z.array(line(1, 30)).max(20).default([]),
    core: z.boolean().default(false),
    status: z.enum(enableStatuses).default(enableStatus.enabled),
    params: z
      .array(Param.extend({ key, label: line(1, 20), labelEn: line(1, 40), unit: line(0, 12) }))
      .max(20)
      .default([]),
    flags: CategoryFlags.default(noFlags),
    priceUnits: z.array(z.enum(rentUnits)).max(rentUnits.length).default([]),
    operatorCert: line(0, 60).default(''),
    litresPerShift: z.number().min(0).max(999_999).default(0),
  })
  .superRefine(({ parentId, params, priceUnits }, context) => {
    if (parentId !== 0 && priceUnits.length === 0) context.addIssue({ code: 'custom', path: ['priceUnits'], message: 'required' })
    params.forEach((param, index) => {
      if (params.findIndex((other) => other.key === param.key) !== index)
        context.addIssue({ code: 'custom', path: ['params', index, 'key'], message: 'taken' })
    })
    if (params.filter(({ main }) => main).length > 1) context.addIssue({ code: 'custom', path: ['params'], message: 'one_main' })
  })

export const addCategory = {
  method: 'POST',
  url: '/system/category',
  summary: 'A new group or category, at the end of its siblings',
  access: 'category:edit',
  audit: { action: 'category.add', bizType: 'category' },
  form: 'data',
  body: CategoryInput,
  answer: z.object({ id: z.number() }),
} as const satisfies Endpoint

export const editCategory = {
  method: 'PUT',
  url: '/system/category',
  summary: 'Rename, switch off, move under another group, change parameters; clients fetch the tree anew',
  access: 'category:edit',
  audit: { action: 'category.edit', bizType: 'category' },
  form: 'data',
  body: CategoryInput.safeExtend({ id: Id, version: z.number().int() }),
  answer: z.null(),
} as const satisfies Endpoint

export const orderCategories = {
  method: 'PUT',
  url: '/system/category/order',
  summary: 'The order of the children of one group, or of the groups',
  access: 'category:edit',
  form: 'data',
  body: z.object({ parentId: z.number().int().min(0), ids: z.array(Id).min(1).max(200) }),
  answer: z.null(),
} as const satisfies Endpoint

export const listDictionaries = {
  method: 'GET',
  url: '/system/dict/list',
  summary: 'Every entry of every dictionary, switched off ones too',
  access: 'setting:edit',
  form: 'data',
  answer: z.array(
    z.object({
      dictType: z.string(),
      dictValue: z.string(),
      dictLabel: z.string(),
      dictLabelEn: z.string(),
      dictSort: z.number(),
      status: z.enum(enableStatuses),
    }),
  ),
} as const satisfies Endpoint

export const saveDictionary = {
  method: 'PUT',
  url: '/system/dict',
  summary: 'Change the words, the order or the state of an entry unless somebody else has since, or add one to a dictionary there is',
  access: 'setting:edit',
  form: 'data',
  body: z.object({
    dictType: z.string().max(50),
    dictValue: line(1, 40),
    dictLabel: line(1, 40),
    dictLabelEn: line(1, 60),
    dictSort: z.number().int().min(0).max(9999),
    status: z.enum(enableStatuses).default(enableStatus.enabled),
    /** The entry that the change was made on; null adds one. */
    before: z.object({ dictLabel: z.string(), dictLabelEn: z.string(), dictSort: z.number(), status: z.enum(enableStatuses) }).nullable(),
  }),
  answer: z.null(),
} as const satisfies Endpoint
