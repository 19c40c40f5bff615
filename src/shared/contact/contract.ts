import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { line, paragraph, Phone } from '../fields.ts'

export const contactTypes = ['supply', 'project', 'media', 'other'] as const
export type ContactType = (typeof contactTypes)[number]

export const ContactInput = z.object({
  name: line(2, 20),
  company: line(2, 100),
  phone: Phone,
  email: z.union([z.literal(''), z.email().max(50)]).default(''),
  type: z.enum(contactTypes),
  content: paragraph(1000).pipe(z.string().min(10)),
  code: z.string().trim().min(1).max(10),
  uuid: z.string().trim().max(50),
})

/** A wrong picture code is used up, too, and must stay so. */
export const sendContact = {
  method: 'POST',
  url: '/business/contact',
  summary: 'Ask for cooperation; needs a picture code of type contact',
  access: 'public',
  transaction: 'own',
  limit: 10,
  form: 'data',
  body: ContactInput,
  answer: z.null(),
} as const satisfies Endpoint
