import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { Id, line, paging, paragraph } from '../fields.ts'

export const audienceRoles = ['leaser', 'leaseholder', 'projectUser', 'none'] as const

/**
 * The receivers. Nobody is among them unless somebody is chosen: everybody, or at least one role, province or company. Of several lists each narrows
 * the others. The role `none` is an account without a certification; provinces are those of the company.
 */
export const Audience = z.object({
  everybody: z.boolean().default(false),
  roles: z.array(z.enum(audienceRoles)).max(4).default([]),
  provinceIds: z.array(Id).max(40).default([]),
  companyIds: z.array(Id).max(200).default([]),
})
export type Audience = z.output<typeof Audience>

const list = z
  .string()
  .max(2000)
  .default('')
  .transform((text) => text.split(',').filter(Boolean))

const ids = list.transform((parts) => parts.map(Number)).pipe(z.array(z.number().int().positive()).max(200))

export const countAudience = {
  method: 'GET',
  url: '/system/broadcast/count',
  summary: 'How many people a broadcast would reach, without those who have switched it off; lists are divided by commas',
  access: 'broadcast:send',
  form: 'data',
  query: z.object({
    everybody: z
      .union([z.literal(''), z.literal('false'), z.literal('true')])
      .default('')
      .transform((text) => text === 'true'),
    roles: list.pipe(z.array(z.enum(audienceRoles))),
    provinceIds: ids,
    companyIds: ids,
  }),
  answer: z.object({ people: z.number(), companies: z.number() }),
} as const satisfies Endpoint

export const sendBroadcast = {
  method: 'POST',
  url: '/system/broadcast',
  summary:
    'A message to everybody in the audience, to the first 2,000 at once and by the clock to the others; `people` is the count the sender saw',
  access: 'broadcast:send',
  form: 'data',
  audit: { action: 'broadcast.send', bizType: 'broadcast' },
  body: z.object({
    title: line(2, 80),
    content: paragraph(1000).pipe(z.string().min(2)),
    /** A page of the site to lead to. */
    link: z
      .union([
        z.literal(''),
        z
          .string()
          .max(200)
          .regex(/^\/(?![/\\])/, 'own_path'),
      ])
      .default(''),
    audience: Audience,
    people: z.number().int().min(1),
  }),
  /** `isSent`: everybody has it. */
  answer: z.object({ id: z.number(), people: z.number(), isSent: z.boolean() }),
} as const satisfies Endpoint

export const listBroadcasts = {
  method: 'GET',
  url: '/system/broadcast/list',
  summary: 'What was sent, newest first, with how many have read it and not deleted it since',
  access: 'broadcast:send',
  form: 'list',
  query: z.object({ ...paging(20) }),
  answer: z.object({
    id: z.number(),
    title: z.string(),
    content: z.string(),
    link: z.string(),
    audience: Audience,
    people: z.number(),
    /** Whether everybody has it. */
    isSent: z.boolean(),
    read: z.number(),
    who: z.string(),
    at: z.string(),
  }),
} as const satisfies Endpoint

const picked = {
  method: 'GET',
  // A call for each pause in typing.
  limit: 120,
  form: 'data',
  query: z.object({ keyword: z.string().max(60).default(''), ids }),
  answer: z.array(z.object({ id: z.number(), enterpriseName: z.string() })),
} as const

/** Companies to choose as an audience. */
export const pickCompanies = {
  ...picked,
  url: '/system/company/pick',
  summary: 'Companies for the audience of a broadcast, locked ones included: those of the ids, and the first by a part of their name',
  access: 'broadcast:send',
} as const satisfies Endpoint

/** Companies to choose for an auditor: those that `addStaff` takes. */
export const pickAuditedCompanies = {
  ...picked,
  url: '/system/staff/pickCompany',
  summary: 'Lessees that an auditor may read: those of the ids, and the first by a part of their name',
  access: 'staff:edit',
} as const satisfies Endpoint
