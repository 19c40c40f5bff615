import * as contract from '#shared/opening/contract.ts'
import { getOwnDemand } from '../demand/queries.ts'
import type { Api } from '../api.ts'
import { takenByStaff } from '../audit/log.ts'
import { textOf } from '../http/locale.ts'
import { quotesWorkbook } from '../quote/export.ts'
import { getChain } from './chain.ts'
import { evidencePack } from './evidence.ts'
import { openDemand } from './moves.ts'

export function openingRoutes(api: Api): void {
  api.handle(contract.openDemand, async (deed, { params, body }) => {
    await openDemand(deed, params.id, { actor: deed.actor, reason: body.reason })
  })

  api.handle(contract.exportApply, async (context, { query }) => {
    const { db, actor, locale, now } = context
    const demand = await getOwnDemand(db, actor, query.id)
    const { companyId } = await db.selectFrom('demand').where('id', '=', query.id).select('companyId').executeTakeFirstOrThrow()
    const entry = {
      action: 'demand.quotes',
      bizType: 'demand',
      bizId: String(query.id),
      bizName: demand.title,
      companyId,
    } as const
    return takenByStaff(context, entry, () => quotesWorkbook(db, demand, { text: textOf(locale), now }))
  })

  api.handle(contract.getChain, (context, { params }) => getChain(context, params.id))

  api.handle(contract.exportEvidence, (context, { params }) => evidencePack(context, params.id))
}
