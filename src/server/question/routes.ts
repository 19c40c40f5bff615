import * as contract from '#shared/question/contract.ts'
import type { Api } from '../http/api.ts'
import * as questions from './queries.ts'

export function questionRoutes(api: Api): void {
  api.handle(contract.listQuestions, ({ params }, { db, actor }) => questions.findQuestions(db, params.demandId, actor))

  api.handle(contract.askQuestion, ({ body }, { db, hub, actor, now }) => questions.askQuestion(db, hub, actor, body, now))

  api.handle(contract.answerQuestion, async ({ params, body }, { db, hub, actor, now }) => {
    await questions.answerQuestion(db, hub, actor, params.id, body.answer, now)
    return null
  })
}
