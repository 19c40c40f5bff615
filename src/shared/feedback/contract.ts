import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { Id, line, onlyTodo, optionalText, paging, paragraph } from '../fields.ts'
import { feedbackImages, feedbackStatuses, feedbackTypes } from './rules.ts'

export const FeedbackInput = z.object({
  type: z.enum(feedbackTypes),
  title: line(4, 50),
  content: paragraph(1000).pipe(z.string().min(10)),
  contact: line(0, 50),
  images: z.array(z.uuid()).max(feedbackImages),
})

export const addFeedback = {
  method: 'POST',
  url: '/business/feedback',
  summary: 'Say what is wrong or wished for',
  access: 'account',
  limit: 30,
  form: 'data',
  body: FeedbackInput,
  answer: z.object({ id: z.number() }),
} as const satisfies Endpoint

const FeedbackRow = z.object({
  id: z.number(),
  feedbackCode: z.string(),
  type: z.enum(feedbackTypes),
  title: z.string(),
  status: z.enum(feedbackStatuses),
  satisfaction: z.number().nullable(),
  createTime: z.string(),
  updateTime: z.string(),
  /** Who wrote it; only for the operator. */
  author: z.string(),
})

const filter = { ...paging(), status: z.union([z.literal('').transform(() => undefined), z.enum(feedbackStatuses)]).optional() }

export const listOwnFeedback = {
  method: 'GET',
  url: '/business/feedback/list',
  summary: 'Own feedback, newest first',
  access: 'account',
  form: 'list',
  query: z.object(filter),
  answer: FeedbackRow,
} as const satisfies Endpoint

export const listAllFeedback = {
  method: 'GET',
  url: '/business/feedback/all',
  summary: 'Everybody’s feedback: what waits, the longest waiting first, then what was answered and closed, the newest first',
  access: 'feedback:answer',
  form: 'list',
  query: z.object({ ...filter, keyword: optionalText(40), todo: onlyTodo }),
  answer: FeedbackRow,
} as const satisfies Endpoint

export const getFeedback = {
  method: 'GET',
  url: '/business/feedback/:id',
  summary: 'One feedback with its pictures and thread: the author’s and the operator’s',
  access: 'account',
  form: 'data',
  params: z.object({ id: Id }),
  answer: FeedbackRow.extend({
    content: z.string(),
    contact: z.string(),
    images: z.array(z.string()),
    replies: z.array(z.object({ id: z.number(), byOperator: z.boolean(), content: z.string(), at: z.string() })),
  }),
} as const satisfies Endpoint

const Reply = z.object({ content: paragraph(1000).pipe(z.string().min(1)) })

/** How many replies the operator has read. The move is refused as changed where there are others by now. */
const Seen = z.object({ seen: z.number().int().min(0) })

export const askAgain = {
  method: 'POST',
  url: '/business/feedback/:id/reply',
  summary: 'The author adds something',
  access: 'account',
  form: 'data',
  params: z.object({ id: Id }),
  body: Reply,
  answer: z.null(),
} as const satisfies Endpoint

export const answerFeedback = {
  method: 'POST',
  url: '/business/feedback/:id/answer',
  summary: 'The operator answers; the author gets a message',
  access: 'feedback:answer',
  form: 'data',
  audit: { action: 'feedback.answer', bizType: 'feedback' },
  params: z.object({ id: Id }),
  body: Reply.extend(Seen.shape),
  answer: z.null(),
} as const satisfies Endpoint

export const closeFeedback = {
  method: 'PUT',
  url: '/business/feedback/:id/close',
  summary: 'The author closes it and may rate the answer, 1 to 5',
  access: 'account',
  form: 'data',
  params: z.object({ id: Id }),
  body: z.object({ satisfaction: z.number().int().min(1).max(5).nullable() }),
  answer: z.null(),
} as const satisfies Endpoint

export const finishFeedback = {
  method: 'PUT',
  url: '/business/feedback/:id/finish',
  summary: 'The operator closes it',
  access: 'feedback:answer',
  form: 'data',
  audit: { action: 'feedback.close', bizType: 'feedback' },
  params: z.object({ id: Id }),
  body: Seen,
  answer: z.null(),
} as const satisfies Endpoint
