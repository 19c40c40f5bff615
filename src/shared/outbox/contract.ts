import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { Id, onlyTodo, optionalText, paging, sorting } from '../fields.ts'
import { outboxStates } from './rules.ts'

const outboxTemplates = ['code', 'signCode', 'registered', 'notice', 'firstPassword'] as const
export type OutboxTemplate = (typeof outboxTemplates)[number]

export const outboxSorts = ['createTime'] as const

export const listOutbox = {
  method: 'GET',
  url: '/system/outbox/list',
  summary: 'SMS that left or, without a provider, would have left; newest first',
  access: 'outbox:view',
  form: 'list',
  query: z.object({
    ...paging(),
    ...sorting(outboxSorts),
    /** A whole number. */
    phonenumber: optionalText(20),
    status: z.union([z.literal('').transform(() => undefined), z.enum(outboxStates)]).optional(),
    /** Only what failed and can be sent again. */
    todo: onlyTodo,
  }),
  answer: z.object({
    id: z.number(),
    /** Masked. */
    phonenumber: z.string(),
    template: z.enum(outboxTemplates),
    content: z.string(),
    provider: z.string(),
    /** The provider's own id of what it took; empty where it gave none. */
    providerId: z.string(),
    status: z.enum(outboxStates),
    error: z.string(),
    createTime: z.string(),
    sentTime: z.string().nullable(),
  }),
} as const satisfies Endpoint

export const resendOutbox = {
  method: 'PUT',
  url: '/system/outbox/:id/resend',
  summary: 'Try a notice that failed once more; codes and passwords are too old to be sent again',
  access: 'outbox:view',
  form: 'data',
  audit: { action: 'outbox.resend', bizType: 'outbox' },
  params: z.object({ id: Id }),
  answer: z.null(),
} as const satisfies Endpoint
