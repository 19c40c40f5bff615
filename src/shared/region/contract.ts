import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { numeric } from '../fields.ts'

export type RegionNode = { code: number; name: string; nameEn: string; children?: RegionNode[] }
const Region = z.object({ code: z.number(), name: z.string(), nameEn: z.string() })
/** Of three levels, each written out: a schema that names itself is checked thirty times as slowly. */
const RegionNode: z.ZodType<RegionNode> = Region.extend({
  children: z.array(Region.extend({ children: z.array(Region).optional() })).optional(),
})

export const getRegionTree = {
  method: 'GET',
  url: '/business/region/tree',
  summary: 'Provinces, cities and districts as a tree',
  access: 'public',
  form: 'data',
  shared: true,
  query: z.object({
    level: numeric(z.number().int().min(1).max(3)).default(3),
    /** Only the children of this code, one level. */
    parent: numeric(z.number().int()).optional(),
  }),
  answer: z.array(RegionNode),
} as const satisfies Endpoint
