import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { Id, line, paragraph } from '../fields.ts'
import { loseReasons } from './rules.ts'

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
  /** Why each losing quote lost, by quote id; the default is price. */
  loseReasons: z.record(z.string().regex(/^\d{1,15}$/), z.enum(loseReasons)).default({}),
})
export type AwardInput = z.output<typeof AwardInput>

export const awardDemand = {
  method: 'PUT',
  url: '/business/leasingDemand/:id/award',
  summary: 'Award lines to one or several lessors: once, and no machine twice; submitted first where the unit above approves awards',
  access: 'demand:award',
  form: 'data',
  params: z.object({ id: Id }),
  body: AwardInput,
  /** Null while it waits for approval. */
  answer: z.object({ awardId: z.number().nullable(), status: z.string() }),
} as const satisfies Endpoint

export const approveAward = {
  method: 'PUT',
  url: '/business/leasingDemand/:id/award/approve',
  summary: 'Award what the project submitted, which is the request that the approver has read',
  access: 'demand:approve',
  form: 'data',
  params: z.object({ id: Id }),
  body: z.object({ requestId: Id }),
  answer: z.object({ awardId: z.number(), status: z.string() }),
} as const satisfies Endpoint

export const rejectAward = {
  method: 'PUT',
  url: '/business/leasingDemand/:id/award/reject',
  summary: 'Send the choice back with a reason; the project chooses again',
  access: 'demand:approve',
  form: 'data',
  params: z.object({ id: Id }),
  body: z.object({ requestId: Id, reason: line(2, 500) }),
  answer: z.null(),
} as const satisfies Endpoint
