import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { YuanOut } from '../fields.ts'
import { longestSearch, partKinds, suggestionKinds } from './rules.ts'

export const Suggestion = z.object({
  kind: z.enum(suggestionKinds),
  label: z.string(),
  /** What stands beside it: a place, a count. */
  note: z.string(),
  /** The main parameter of a machine with its unit, and the size that was typed for a category. */
  size: z.string(),
  /** Of a machine. */
  monthPrice: YuanOut.nullable(),
  link: z.string(),
})
export type Suggestion = z.output<typeof Suggestion>

const typed = z.string().trim().min(1).max(longestSearch)

export const suggest = {
  method: 'GET',
  url: '/business/search/suggest',
  summary: 'Categories, machines, demands and lessors that fit what is typed, a few of each',
  access: 'public',
  form: 'data',
  shared: true,
  query: z.object({ keyword: typed }),
  answer: z.array(Suggestion),
} as const satisfies Endpoint

export const understandSearch = {
  method: 'GET',
  url: '/business/search/understand',
  summary: 'What the words of a search are understood as: categories, a size, a region, brands and words',
  access: 'public',
  form: 'data',
  shared: true,
  query: z.object({ keyword: typed }),
  answer: z.array(
    z.object({
      kind: z.enum(partKinds),
      text: z.string(),
      label: z.string(),
      /** The search without this part. */
      rest: z.string(),
    }),
  ),
} as const satisfies Endpoint
export type UnderstoodPart = z.output<typeof understandSearch.answer>[number]
