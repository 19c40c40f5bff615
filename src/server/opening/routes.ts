import * as contract from '#shared/opening/contract.ts'
import { getOwnDemand } from '../demand/queries.ts'
import type { Api } from '../api.ts'
import { textOf } from '../http/locale.ts'
import { quotesWorkbook } from '../quote/export.ts'
import { findChain } from './chain.ts'
import { evidencePack } from './evidence.ts'
import { openDemand } from './moves.ts'

export function openingRoutes(api: Api): void {
  api.handle(contract.openDemand, async (deed, { params, body }) => {
    await openDemand(deed, params.id, { actor: deed.actor, reason: body.reason })
  })

  api.handle(contract.exportApply, async ({ db, actor, locale, now }, { query }) => {
    const text = textOf(locale)
    const demand = await getOwnDemand(db, actor, query.id)
    return quotesWorkbook(db, demand, text, now)
  })

  api.handle(contract.getChain, ({ db, secret, actor }, { params }) => findChain(db, secret, actor, params.id))

  api.handle(contract.exportEvidence, ({ db, secret, storage, actor, locale, config, now }, { params }) =>
    evidencePack(db, { secret, storage }, actor, params.id, textOf(locale), config.site.name, now),
  )
}
