import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { Id } from '../fields.ts'
import { AnswerInput, QuestionInput } from './input.ts'

/** Everybody reads question and answer; only the author sees that the question is theirs. */
export const Question = z.object({
  id: z.number(),
  content: z.string(),
  askTime: z.string(),
  answer: z.string(),
  answerTime: z.string().nullable(),
  mine: z.boolean(),
})
export type Question = z.output<typeof Question>

export const listQuestions = {
  method: 'GET',
  url: '/business/question/list/:demandId',
  summary: 'Questions about a demand and their answers, the newest last; lessors and the owner read the same',
  access: 'public',
  form: 'data',
  shared: true,
  params: z.object({ demandId: Id }),
  answer: z.array(Question),
} as const satisfies Endpoint

export const askQuestion = {
  method: 'POST',
  url: '/business/question',
  summary: 'Ask about a demand until its clarification deadline (absent: the deadline for quotes)',
  access: 'quote:edit',
  form: 'data',
  body: QuestionInput,
  answer: z.object({ id: z.number() }),
} as const satisfies Endpoint

export const answerQuestion = {
  method: 'PUT',
  url: '/business/question/:id/answer',
  summary: 'Answer for everybody to read; asker and bidders are told. An answer may be corrected while quotes come in',
  access: 'demand:edit',
  form: 'data',
  params: z.object({ id: Id }),
  /** `before`: the answer that was read, empty if there was none; without it, the answer of a colleague is overwritten. */
  body: AnswerInput.extend({ before: z.string().max(1000).optional() }),
  answer: z.null(),
} as const satisfies Endpoint
