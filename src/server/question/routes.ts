import * as contract from '#shared/question/contract.ts'
import type { Api } from '../api.ts'
import * as questions from './queries.ts'

export function questionRoutes(api: Api): void {
  api.handle(contract.listQuestions, ({ db, actor }, { params }) => questions.listQuestions(db, params.demandId, actor))
  api.handle(contract.askQuestion, (deed, { body }) => questions.askQuestion(deed, body))
  api.handle(contract.answerQuestion, (deed, { params, body }) => questions.answerQuestion(deed, { ...params, ...body }))
}
