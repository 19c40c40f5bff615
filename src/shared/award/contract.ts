import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { Id, paragraph } from '../fields.ts'
import { loseReasons } from '../quote/rules.ts'

export const AwardInput = z.object({
  lines: z
    .array(
      z.object({
        demandItemId: Id,
        quoteLineId: Id,
        qty: z.number().int().min(1).max(999),
        /** Needed where a cheaper offer of the line is passed over. */
        reason: paragraph(500).default(''),
      }),
    )
    .min(1)
    .max(100),
  /** Why each losing quote lost, by quote id; price where nothing is said. */
  loseReasons: z.record(z.string().regex(/^\d{1,15}$/), z.enum(loseReasons)).default({}),
})
export type AwardInput = z.output<typeof AwardInput>

export const awardDemand = {
  method: 'PUT',
  url: '/business/leasingDemand/:id/award',
  summary: 'Award lines to one or several lessors: once, and no machine twice',
  access: 'demand:award',
  form: 'data',
  params: z.object({ id: Id }),
  body: AwardInput,
  answer: z.object({ awardId: z.number(), status: z.string() }),
} as const satisfies Endpoint
