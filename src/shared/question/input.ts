// What the forms of questions check, apart from the calls.
import { z } from 'zod'
import { Id, line } from '../fields.ts'

export const QuestionInput = z.object({ demandId: Id, content: line(2, 500) })
export const AnswerInput = z.object({ answer: line(2, 1000) })
