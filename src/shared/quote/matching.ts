import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { Id } from '../fields.ts'
import { matchInternal } from '../internal/contract.ts'

export const countMatching = {
  method: 'POST',
  url: '/business/leasingDemand/matching',
  summary: 'How many lessors would be notified of a public demand about to be published',
  access: 'demand:edit',
  readsOnly: true,
  form: 'data',
  body: z.object({ deptId: Id, items: matchInternal.body.shape.items }),
  answer: z.object({ lessors: z.number() }),
} as const satisfies Endpoint
