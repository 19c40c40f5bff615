import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { Id, line, optionalText, paging, sorting } from '../fields.ts'
import { contactTypes } from './contract.ts'
import { contactStatuses } from './rules.ts'

export const contactSorts = ['createTime'] as const

export const listContacts = {
  method: 'GET',
  url: '/business/contact/list',
  summary: 'Requests for cooperation; what waits first',
  access: 'contact:handle',
  form: 'list',
  query: z.object({
    ...paging(20),
    ...sorting(contactSorts),
    status: z.union([z.literal('').transform(() => undefined), z.enum(contactStatuses)]).optional(),
    keyword: optionalText(60),
  }),
  answer: z.object({
    id: z.number(),
    name: z.string(),
    company: z.string(),
    phone: z.string(),
    email: z.string(),
    type: z.enum(contactTypes),
    content: z.string(),
    status: z.enum(contactStatuses),
    createTime: z.string(),
    note: z.string(),
    handler: z.string(),
    handleTime: z.string().nullable(),
  }),
} as const satisfies Endpoint

export const handleContact = {
  method: 'PUT',
  url: '/business/contact/:id/handle',
  summary: 'Note what was done about a request',
  access: 'contact:handle',
  form: 'data',
  audit: { action: 'contact.handle', bizType: 'contact', reason: 'note' },
  params: z.object({ id: Id }),
  body: z.object({ note: line(2, 500) }),
  answer: z.null(),
} as const satisfies Endpoint
