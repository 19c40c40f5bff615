import * as contract from '#shared/award/contract.ts'
import { giveUpQuote } from '#shared/quote/contract.ts'
import type { Api } from '../api.ts'
import { giveUp } from './give-up.ts'
import * as awards from './queries.ts'

export function awardRoutes(api: Api): void {
  api.handle(contract.awardDemand, ({ db, hub, actor, now }, { params, body }) => awards.awardDemand(db, hub, actor, params.id, body, now))

  api.handle(giveUpQuote, async ({ db, hub, actor, now }, { params, body }) => {
    await giveUp(db, hub, actor, params.id, body.reason, now)
    return null
  })

  api.handle(contract.approveAward, ({ db, hub, actor, now }, { params }) => awards.approveAward(db, hub, actor, params.id, now))

  api.handle(contract.rejectAward, async ({ db, hub, actor, now }, { params, body }) => {
    await awards.rejectAward(db, hub, actor, params.id, body.reason, now)
    return null
  })
}
