import * as contract from '#shared/question/contract.ts'
import type { Api } from '../api.ts'
import * as questions from './queries.ts'

export function questionRoutes(api: Api): void {
  api.handle(contract.listQuestions, ({ db, actor }, { params }) => questions.findQuestions(db, params.demandId, actor))

  api.handle(contract.askQuestion, ({ db, hub, actor, now }, { body }) => questions.askQuestion(db, hub, actor, body, now))

  api.handle(contract.answerQuestion, async ({ db, hub, actor, now }, { params, body }) => {
    await questions.answerQuestion(db, hub, actor, params.id, body.answer, now)
    return null
  })
}
