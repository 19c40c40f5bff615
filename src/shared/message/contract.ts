import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { Id, optionalText, paging, sorting } from '../fields.ts'
import { lockedSubjects, subjectGroups, systemSubjects, type SubjectGroup } from './rules.ts'
import { yesNo, yesNoFlags } from '../rules.ts'

const groups = Object.keys(subjectGroups) as [SubjectGroup, ...SubjectGroup[]]

export const Message = z.object({
  messageId: z.string(),
  systemSubject: z.enum(systemSubjects),
  title: z.string(),
  content: z.string(),
  level: z.enum(['info', 'warn']),
  bizType: z.string(),
  bizId: z.string(),
  link: z.string(),
  isRead: z.enum(yesNoFlags),
  readTime: z.string().nullable(),
  createTime: z.string(),
})
export type Message = z.infer<typeof Message>

export const listOwnMessages = {
  method: 'GET',
  url: '/system/sysUserMessage/ownPageList',
  summary: 'Own messages, unread first, or sorted by their time',
  access: 'account',
  form: 'list',
  query: z.object({
    ...paging(),
    ...sorting(['createTime']),
    systemSubject: z.union([z.literal('').transform(() => undefined), z.enum(systemSubjects)]).optional(),
    isRead: z.union([z.literal('').transform(() => undefined), z.enum(yesNoFlags)]).optional(),
    keyword: optionalText(40),
  }),
  answer: Message,
} as const satisfies Endpoint

export const readMessages = {
  method: 'PUT',
  url: '/system/sysUserMessage/updateBySelf',
  summary: 'Mark messages read: some, or all, or all of a subject or with a keyword',
  access: 'account',
  form: 'data',
  body: z.union([
    z.object({ messageIds: z.array(Id).min(1).max(200) }),
    z.object({ all: z.literal(true), systemSubject: z.enum(systemSubjects).optional(), keyword: optionalText(40) }),
  ]),
  answer: z.null(),
} as const satisfies Endpoint

export const deleteMessage = {
  method: 'DELETE',
  url: '/system/sysUserMessage/delete/:id',
  summary: 'Delete one own message',
  access: 'account',
  form: 'data',
  params: z.object({ id: Id }),
  answer: z.null(),
} as const satisfies Endpoint

export const deleteMessages = {
  method: 'DELETE',
  url: '/system/sysUserMessage/deleteBySelf',
  summary: 'Delete own messages: those of `ids` (comma-separated), or without it all that are read',
  access: 'account',
  form: 'data',
  query: z.object({
    ids: z
      .string()
      .regex(/^(\d{1,18}(,\d{1,18}){0,199})?$/)
      .optional()
      .transform((text) => (text ? text.split(',').map(Number) : undefined)),
  }),
  /** Number of messages deleted. */
  answer: z.number(),
} as const satisfies Endpoint

export const getMessage = {
  method: 'GET',
  url: '/system/sysUserMessage/ownMessageInfo/:id',
  summary: 'One own message; reading it marks it read',
  access: 'account',
  form: 'data',
  transaction: 'call',
  params: z.object({ id: Id }),
  answer: Message,
} as const satisfies Endpoint

export const countUnread = {
  method: 'GET',
  url: '/system/sysUserMessage/getMessageNumber',
  summary: 'The number of unread messages',
  access: 'account',
  form: 'data',
  answer: z.number(),
} as const satisfies Endpoint

const Clock = z
  .string()
  .trim()
  .regex(/^(|([01]\d|2[0-3]):[0-5]\d)$/, 'minute')

const MessageConfig = z.object({
  systemSubject: z.enum(systemSubjects),
  inApp: z.enum(yesNoFlags),
  push: z.enum(yesNoFlags),
  sms: z.enum(yesNoFlags),
  quietFrom: Clock.default(''),
  quietTo: Clock.default(''),
})

export const listMessageConfig = {
  method: 'GET',
  url: '/system/sysMessageConfig/getOwnList',
  summary: 'How one wants to hear of each subject',
  access: 'account',
  form: 'data',
  answer: z.array(MessageConfig.extend({ label: z.string(), group: z.enum(groups), locked: z.boolean() })),
} as const satisfies Endpoint

export const saveMessageConfig = {
  method: 'POST',
  url: '/system/sysMessageConfig/add',
  summary: 'Keep the whole set; a locked subject stays in the app',
  access: 'account',
  form: 'data',
  body: z
    .array(MessageConfig)
    .min(1)
    .max(systemSubjects.length)
    .transform((list) => list.map((one) => (lockedSubjects.includes(one.systemSubject) ? { ...one, inApp: yesNo.yes } : one))),
  answer: z.null(),
} as const satisfies Endpoint
