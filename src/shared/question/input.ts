// Schemas of the forms of questions, apart from the calls (decision 17).
import { z } from 'zod'
import { Id, line } from '../fields.ts'

export const QuestionInput = z.object({ demandId: Id, content: line(2, 500) })
export const AnswerInput = z.object({ answer: line(2, 1000) })
