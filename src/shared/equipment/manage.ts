import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { Id, line, optionalText, paging, sorting } from '../fields.ts'
import { EquipmentCard } from './contract.ts'
import { OwnMachine } from './own.ts'

const params = z.object({ id: Id })

/** Machines waiting for review; machines on the shelf before their review (先上后审); all on the shelf; machines taken down by the platform. */
export const reviewScopes = ['waiting', 'trusted', 'on', 'off'] as const
export type ReviewScope = (typeof reviewScopes)[number]

export const reviewSorts = ['submitTime'] as const
const reviewFilter = {
  /** Those on the shelf wait for nothing: the newest comes first in any case. */
  ...sorting(reviewSorts),
  scope: z.enum(reviewScopes).default('waiting'),
  /** Name, brand, model, category or number of the machine. */
  keyword: optionalText(40),
}

export const listReviews = {
  method: 'GET',
  url: '/business/equipment/review',
  summary: 'Machines and changes to be judged, the longest wait first; those on the shelf, the newest first',
  access: 'equipment:review',
  form: 'list',
  query: z.object({ ...paging(), ...reviewFilter }),
  answer: EquipmentCard.extend({
    submitTime: z.string(),
    isChange: z.boolean(),
    duplicates: z.number(),
    offReason: z.string(),
    version: z.number(),
  }),
} as const satisfies Endpoint

export const exportReviews = {
  method: 'GET',
  url: '/business/equipment/review/export',
  summary: 'The list of machines to be judged as a workbook, 10,000 rows at most',
  access: 'equipment:review',
  limit: 10,
  form: 'file',
  query: z.object(reviewFilter),
  answer: z.null(),
} as const satisfies Endpoint

export const getReview = {
  method: 'GET',
  url: '/business/equipment/review/:id',
  summary: 'A machine as it is to be judged',
  access: 'equipment:review',
  form: 'data',
  params,
  answer: OwnMachine,
} as const satisfies Endpoint

export const passEquipment = {
  method: 'PUT',
  url: '/business/equipment/:id/pass',
  summary: 'Pass a machine (it goes on the shelf) or its requested change',
  access: 'equipment:review',
  audit: { action: 'equipment.pass', bizType: 'equipment' },
  form: 'data',
  params,
  body: z.object({ version: z.number().int() }),
  answer: z.null(),
} as const satisfies Endpoint

export const rejectEquipment = {
  method: 'PUT',
  url: '/business/equipment/:id/reject',
  summary: 'Send a machine or its requested change back with a reason',
  access: 'equipment:review',
  audit: { action: 'equipment.reject', bizType: 'equipment' },
  form: 'data',
  params,
  body: z.object({ version: z.number().int(), reason: line(2, 500) }),
  answer: z.null(),
} as const satisfies Endpoint

/** Each machine has a transaction and an audit entry of its own. */
export const passEquipmentBatch = {
  method: 'PUT',
  url: '/business/equipment/passBatch',
  summary: 'Pass several; each by itself, so that one that has changed meanwhile does not stop the others',
  access: 'equipment:review',
  transaction: 'own',
  form: 'data',
  body: z.object({
    machines: z
      .array(z.object({ id: Id, version: z.number().int() }))
      .min(1)
      .max(100),
  }),
  answer: z.object({ passed: z.number(), left: z.array(z.object({ id: z.number(), msg: z.string() })) }),
} as const satisfies Endpoint

export const confirmTrusted = {
  method: 'PUT',
  url: '/business/equipment/:id/confirmTrusted',
  summary: 'Confirm a machine that went on the shelf before its review',
  access: 'equipment:review',
  audit: { action: 'equipment.confirm', bizType: 'equipment' },
  form: 'data',
  params,
  answer: z.null(),
} as const satisfies Endpoint

export const takeEquipmentDown = {
  method: 'PUT',
  url: '/business/equipment/:id/takeDown',
  summary: 'Off the shelf by the platform, with a reason that the lessor reads; only the platform restores it',
  access: 'equipment:review',
  audit: { action: 'equipment.takeDown', bizType: 'equipment' },
  form: 'data',
  params,
  body: z.object({ reason: line(2, 500) }),
  answer: z.null(),
} as const satisfies Endpoint

export const restoreEquipment = {
  method: 'PUT',
  url: '/business/equipment/:id/restore',
  summary: 'The lessor may put it on the shelf again',
  access: 'equipment:review',
  audit: { action: 'equipment.restore', bizType: 'equipment' },
  form: 'data',
  params,
  answer: z.null(),
} as const satisfies Endpoint
