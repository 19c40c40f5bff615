import * as contract from '#shared/feedback/contract.ts'
import type { Api } from '../api.ts'
import * as feedback from './queries.ts'

export function feedbackRoutes(api: Api): void {
  api.handle(contract.addFeedback, (deed, { body }) => feedback.insertFeedback(deed, body))
  api.handle(contract.listOwnFeedback, ({ db, actor }, { query }) => feedback.listOwnFeedback(db, actor, query))
  api.handle(contract.listAllFeedback, ({ db }, { query }) => feedback.listAllFeedback(db, query))
  api.handle(contract.getFeedback, ({ db, actor }, { params }) => feedback.getFeedback(db, actor, params.id))
  api.handle(contract.askAgain, (deed, { params, body }) => feedback.askAgain(deed, { ...params, ...body }))
  api.handle(contract.answerFeedback, (deed, { params, body }) => feedback.answerFeedback(deed, { ...params, ...body }))
  api.handle(contract.closeFeedback, (deed, { params, body }) => feedback.closeFeedback(deed, { ...params, ...body }))
  api.handle(contract.finishFeedback, (deed, { params, body }) => feedback.finishFeedback(deed, { ...params, ...body }))
}
