import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { CategoryFlags, Param } from './input.ts'

export const Category = z.object({
  id: z.number(),
  parentId: z.number(),
  name: z.string(),
  nameEn: z.string(),
  alias: z.array(z.string()),
  core: z.boolean(),
  params: z.array(Param),
  flags: CategoryFlags,
  priceUnits: z.array(z.string()),
  litresPerShift: z.number(),
})
export type Category = z.infer<typeof Category>

export const CategoryGroup = Category.omit({ params: true, flags: true, priceUnits: true, litresPerShift: true }).extend({
  children: z.array(Category),
})
export type CategoryGroup = z.infer<typeof CategoryGroup>

export const getCategoryTree = {
  method: 'GET',
  url: '/business/category/tree',
  summary: 'The category tree with its parameters',
  access: 'public',
  form: 'data',
  shared: true,
  answer: z.array(CategoryGroup),
} as const satisfies Endpoint

export const listDictionary = {
  method: 'GET',
  url: '/system/dict/data/type/:dictType',
  summary: 'The entries of a dictionary',
  access: 'public',
  form: 'data',
  shared: true,
  params: z.object({ dictType: z.string().max(50) }),
  answer: z.array(
    z.object({
      dictType: z.string(),
      dictValue: z.string(),
      dictLabel: z.string(),
      dictLabelEn: z.string(),
      dictSort: z.number(),
      status: z.string(),
    }),
  ),
} as const satisfies Endpoint

export const getCategoryVersion = {
  method: 'GET',
  url: '/business/category/version',
  summary: 'Changes whenever the tree does; a client that holds another one fetches it anew',
  access: 'public',
  form: 'data',
  shared: true,
  answer: z.string(),
} as const satisfies Endpoint
