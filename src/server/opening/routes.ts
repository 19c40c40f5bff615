import * as contract from '#shared/opening/contract.ts'
import type { Api } from '../api.ts'
import { getChain } from './chain.ts'
import { evidencePack, exportQuotes } from './evidence.ts'
import { openDemand } from './moves.ts'

export function openingRoutes(api: Api): void {
  api.handle(contract.openDemand, async (deed, { params, body }) => {
    await openDemand(deed, params.id, { actor: deed.actor, reason: body.reason })
  })

  api.handle(contract.exportApply, (context, { query }) => exportQuotes(context, query.id))

  api.handle(contract.getChain, (context, { params }) => getChain(context, params.id))

  api.handle(contract.exportEvidence, (context, { params }) => evidencePack(context, params.id))
}
