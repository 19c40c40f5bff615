import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { Id, YuanOut } from '../fields.ts'

/** Fewer machines than this are no market. */
export const leastSimilar = 5
/** The prices are drawn as this many columns. */
export const priceSteps = 8

export const getMarketPrices = {
  method: 'GET',
  url: '/business/equipment/firstPageList/:id/market',
  summary: 'The month rents of listed machines of the same category whose main parameter is similar; null where there are fewer than five',
  access: 'public',
  form: 'data',
  shared: true,
  params: z.object({ id: Id }),
  answer: z
    .object({
      own: YuanOut.nullable(),
      median: YuanOut,
      count: z.number(),
      /** From the cheapest on; the first and the last step also hold what lies beyond the 2nd and the 98th percentile. */
      steps: z.array(z.object({ from: YuanOut, to: YuanOut, count: z.number() })),
    })
    .nullable(),
} as const satisfies Endpoint
