import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { Id, line, Moment } from '../fields.ts'
import { DemandInput, DemandItemInput } from './input.ts'
import { maxLines } from './rules.ts'

const params = z.object({ id: Id })
const reason = z.object({ reason: line(2, 500) })
/** What an approver decides on is the version that they read; another one is refused. */
const version = z.number().int()

export const approveDemand = {
  method: 'PUT',
  url: '/business/leasingDemand/:id/approve',
  summary: 'Approve what a project submitted: it is published now. A deadline that has come too near is set anew',
  access: 'demand:approve',
  form: 'data',
  params,
  body: z.object({ version, quoteDeadline: Moment.nullable().default(null) }),
  answer: z.null(),
} as const satisfies Endpoint

export const rejectDemand = {
  method: 'PUT',
  url: '/business/leasingDemand/:id/reject',
  summary: 'Send a submitted demand back with a reason; the project mends it and submits again',
  access: 'demand:approve',
  form: 'data',
  params,
  body: reason.extend({ version }),
  answer: z.null(),
} as const satisfies Endpoint

export const amendDemand = {
  method: 'PUT',
  url: '/business/leasingDemand',
  summary: 'Change a demand that is being quoted; who has quoted is told and must confirm when it matters to a quote',
  access: 'demand:edit',
  form: 'data',
  body: DemandInput.safeExtend({
    id: Id,
    version: z.number().int(),
    /** Reason for the change, which the bidders read. */
    changeReason: line(2, 500),
    items: z
      .array(DemandItemInput.safeExtend({ id: Id.optional() }))
      .min(1)
      .max(maxLines),
  }),
  answer: z.object({ revision: z.number(), quoteDeadline: z.string() }),
} as const satisfies Endpoint
export type AmendInput = z.output<typeof amendDemand.body>

export const extendDemand = {
  method: 'PUT',
  url: '/business/leasingDemand/:id/extend',
  summary: 'A later deadline; also after the old one has passed with too few quotes',
  access: 'demand:edit',
  form: 'data',
  params,
  body: z.object({ quoteDeadline: Moment, reason: line(2, 500) }),
  answer: z.null(),
} as const satisfies Endpoint

export const cancelDemand = {
  method: 'PUT',
  url: '/business/leasingDemand/:id/cancel',
  summary: 'Cancel with a reason that every bidder is told',
  access: 'demand:edit',
  form: 'data',
  params,
  body: reason,
  answer: z.null(),
} as const satisfies Endpoint

export const failDemand = {
  method: 'PUT',
  url: '/business/leasingDemand/:id/fail',
  summary: 'End without an award, with a reason',
  access: 'demand:award',
  form: 'data',
  params,
  body: reason,
  answer: z.null(),
} as const satisfies Endpoint

export const takeDemandDown = {
  method: 'PUT',
  url: '/business/leasingDemand/:id/takeDown',
  summary: 'The platform withdraws a demand with a reason; its owner and everybody who quoted are told',
  access: 'demand:takeDown',
  audit: { action: 'demand.takeDown', bizType: 'demand' },
  form: 'data',
  params,
  body: reason,
  answer: z.null(),
} as const satisfies Endpoint
