import * as contract from '#shared/award/contract.ts'
import { giveUpQuote } from '#shared/quote/contract.ts'
import type { Api } from '../http/api.ts'
import { giveUp } from './give-up.ts'
import * as awards from './queries.ts'

export function awardRoutes(api: Api): void {
  api.handle(contract.awardDemand, ({ params, body }, { db, hub, actor, now }) => awards.awardDemand(db, hub, actor, params.id, body, now))

  api.handle(giveUpQuote, async ({ params, body }, { db, hub, actor, now }) => {
    await giveUp(db, hub, actor, params.id, body.reason, now)
    return null
  })

  api.handle(contract.approveAward, ({ params }, { db, hub, actor, now }) => awards.approveAward(db, hub, actor, params.id, now))

  api.handle(contract.rejectAward, async ({ params, body }, { db, hub, actor, now }) => {
    await awards.rejectAward(db, hub, actor, params.id, body.reason, now)
    return null
  })
}
