import * as contract from '#shared/feedback/contract.ts'
import type { Api } from '../http/api.ts'
import { Refusal } from '../http/refusal.ts'
import * as feedback from './queries.ts'

export function feedbackRoutes(api: Api): void {
  api.handle(contract.addFeedback, async ({ body }, { db, actor, now }) => ({
    id: await feedback.insertFeedback(db, actor.accountId, body, now),
  }))

  api.handle(contract.listOwnFeedback, ({ query }, { db, actor }) => feedback.findFeedback(db, actor.accountId, query))

  api.handle(contract.listAllFeedback, ({ query }, { db }) => feedback.findFeedback(db, null, query))

  api.handle(contract.getFeedback, async ({ params }, { db, actor }) => {
    const found = await feedback.findOneFeedback(db, params.id, actor.accountId, actor.permissions.includes('feedback:answer'))
    if (!found) throw new Refusal('not_found')
    return found
  })

  api.handle(contract.askAgain, async ({ params, body }, { db, actor, now }) => {
    await feedback.askAgain(db, params.id, actor.accountId, body.content, now)
    return null
  })

  api.handle(contract.answerFeedback, async ({ params, body }, { db, hub, actor, now }) => {
    await feedback.answerFeedback(db, hub, actor, params.id, body.content, now)
    return null
  })

  api.handle(contract.closeFeedback, async ({ params, body }, { db, actor, now }) => {
    await feedback.closeFeedback(db, params.id, actor.accountId, body.satisfaction, now)
    return null
  })

  api.handle(contract.finishFeedback, async ({ params }, { db, actor, now }) => {
    await feedback.finishFeedback(db, actor, params.id, now)
    return null
  })
}
