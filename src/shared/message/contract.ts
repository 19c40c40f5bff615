import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { Id, optionalText, paging } from '../fields.ts'
import { systemSubjects } from './rules.ts'

export const Message = z.object({
  messageId: z.string(),
  systemSubject: z.enum(systemSubjects),
  title: z.string(),
  content: z.string(),
  level: z.enum(['info', 'warn']),
  bizType: z.string(),
  bizId: z.string(),
  link: z.string(),
  isRead: z.enum(['0', '1']),
  readTime: z.string().nullable(),
  createTime: z.string(),
})
export type Message = z.infer<typeof Message>

export const listOwnMessages = {
  method: 'GET',
  url: '/system/sysUserMessage/ownPageList',
  summary: 'Own messages, unread first',
  access: 'account',
  form: 'list',
  query: z.object({
    ...paging(),
    systemSubject: z.union([z.literal('').transform(() => undefined), z.enum(systemSubjects)]).optional(),
    isRead: z.union([z.literal('').transform(() => undefined), z.enum(['0', '1'])]).optional(),
    keyword: optionalText(40),
  }),
  answer: Message,
} as const satisfies Endpoint

export const readMessages = {
  method: 'PUT',
  url: '/system/sysUserMessage/updateBySelf',
  summary: 'Mark messages read: some, or all',
  access: 'account',
  form: 'data',
  body: z.union([z.object({ messageIds: z.array(Id).min(1).max(200) }), z.object({ all: z.literal(true) })]),
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

export const getMessage = {
  method: 'GET',
  url: '/system/sysUserMessage/ownMessageInfo/:id',
  summary: 'One own message; reading it marks it read',
  access: 'account',
  form: 'data',
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
