import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { Id, line, optionalText, paging, sorting } from '../fields.ts'
import { cancellationStatuses } from './rules.ts'

const params = z.object({ id: Id })

export const cancellationSorts = ['requestedAt'] as const

export const listCancellations = {
  method: 'GET',
  url: '/system/logoutUser/list',
  summary: 'Requests to cancel an account; what is held up first',
  access: 'cancellation:decide',
  form: 'list',
  query: z.object({
    ...paging(20),
    ...sorting(cancellationSorts),
    keyword: optionalText(40),
    status: z.union([z.literal('').transform(() => undefined), z.enum(cancellationStatuses)]).optional(),
  }),
  answer: z.object({
    id: z.number(),
    userId: z.number(),
    userName: z.string(),
    name: z.string(),
    phonenumber: z.string(),
    reason: z.string(),
    status: z.enum(cancellationStatuses),
    requestedAt: z.string(),
    dueAt: z.string(),
    doneAt: z.string().nullable(),
    note: z.string(),
    /** The reasons that hold the cancellation up now. */
    points: z.array(z.object({ kind: z.enum(['demands', 'quotes', 'deals', 'contracts', 'lastAdmin', 'blacklist']), count: z.number() })),
  }),
} as const satisfies Endpoint

export const finishCancellation = {
  method: 'PUT',
  url: '/system/logoutUser/:id/finish',
  summary: 'Erase an account that was held up, once nothing is in the way any more',
  access: 'cancellation:decide',
  audit: { action: 'cancellation.finish', bizType: 'cancellation', reason: 'note' },
  form: 'data',
  params,
  body: z.object({ note: line(0, 500).default('') }),
  answer: z.null(),
} as const satisfies Endpoint

export const refuseCancellation = {
  method: 'PUT',
  url: '/system/logoutUser/:id/refuse',
  summary: 'The account stays; the person is told why and may ask again',
  access: 'cancellation:decide',
  audit: { action: 'cancellation.refuse', bizType: 'cancellation', reason: 'note' },
  form: 'data',
  params,
  body: z.object({ note: line(2, 500) }),
  answer: z.null(),
} as const satisfies Endpoint
