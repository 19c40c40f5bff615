import * as contract from '#shared/opening/contract.ts'
import { findOwnDemand } from '../demand/queries.ts'
import type { Api } from '../api.ts'
import { textOf } from '../http/locale.ts'
import { Refusal } from '../http/refusal.ts'
import { quotesWorkbook } from '../quote/export.ts'
import { findChain } from './chain.ts'
import { evidencePack } from './evidence.ts'
import { openDemand } from './moves.ts'

export function openingRoutes(api: Api): void {
  api.handle(contract.openDemand, async ({ db, hub, secret, actor, now }, { params, body }) => {
    await openDemand(db, { hub, secret }, params.id, { actor, reason: body.reason }, now)
    return null
  })

  api.handle(contract.exportApply, async ({ db, actor, locale, now }, { query }) => {
    const text = textOf(locale)
    const demand = await findOwnDemand(db, actor, query.id)
    if (!demand) throw new Refusal('not_found')
    return quotesWorkbook(db, demand, text, now)
  })

  api.handle(contract.getChain, ({ db, secret, actor }, { params }) => findChain(db, secret, actor, params.id))

  api.handle(contract.exportEvidence, ({ db, secret, storage, actor, locale, config, now }, { params }) =>
    evidencePack(db, { secret, storage }, actor, params.id, textOf(locale), config.site.name, now),
  )
}
