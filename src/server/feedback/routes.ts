import * as contract from '#shared/feedback/contract.ts'
import type { Api } from '../api.ts'
import { Refusal } from '../http/refusal.ts'
import * as feedback from './queries.ts'

export function feedbackRoutes(api: Api): void {
  api.handle(contract.addFeedback, async ({ db, actor, now }, { body }) => ({
    id: await feedback.insertFeedback(db, actor.accountId, body, now),
  }))

  api.handle(contract.listOwnFeedback, ({ db, actor }, { query }) => feedback.findFeedback(db, actor.accountId, query))

  api.handle(contract.listAllFeedback, ({ db }, { query }) => feedback.findFeedback(db, null, query))

  api.handle(contract.getFeedback, async ({ db, actor }, { params }) => {
    const found = await feedback.findOneFeedback(db, params.id, actor.accountId, actor.permissions.includes('feedback:answer'))
    if (!found) throw new Refusal('not_found')
    return found
  })

  api.handle(contract.askAgain, async ({ db, actor, now }, { params, body }) => {
    await feedback.askAgain(db, params.id, actor.accountId, body.content, now)
    return null
  })

  api.handle(contract.answerFeedback, async ({ db, hub, actor, now }, { params, body }) => {
    await feedback.answerFeedback(db, hub, actor, params.id, body.content, now)
    return null
  })

  api.handle(contract.closeFeedback, async ({ db, actor, now }, { params, body }) => {
    await feedback.closeFeedback(db, params.id, actor.accountId, body.satisfaction, now)
    return null
  })

  api.handle(contract.finishFeedback, async ({ db, actor, now }, { params }) => {
    await feedback.finishFeedback(db, actor, params.id, now)
    return null
  })
}
