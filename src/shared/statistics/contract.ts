import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'

export const getHomeFigures = {
  method: 'GET',
  url: '/business/statistics/home',
  summary: 'The live figures of the home page',
  access: 'public',
  form: 'data',
  shared: true,
  answer: z.object({
    openDemands: z.number(),
    machines: z.number(),
    lessors: z.number(),
    deals: z.number(),
    machinesByGroup: z.record(z.string(), z.number()),
  }),
} as const satisfies Endpoint
