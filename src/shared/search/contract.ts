import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'

export const suggestionKinds = ['category', 'equipment', 'supplier', 'demand'] as const

export const Suggestion = z.object({
  kind: z.enum(suggestionKinds),
  label: z.string(),
  /** What stands beside it: a place, a count. */
  note: z.string(),
  link: z.string(),
})
export type Suggestion = z.infer<typeof Suggestion>

export const suggest = {
  method: 'GET',
  url: '/business/search/suggest',
  summary: 'Categories, machines, lessors and demands that hold the words, a few of each',
  access: 'public',
  form: 'data',
  shared: true,
  query: z.object({ keyword: z.string().trim().min(1).max(40) }),
  answer: z.array(Suggestion),
} as const satisfies Endpoint
