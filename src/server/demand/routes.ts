import * as contract from '#shared/demand/contract.ts'
import * as chain from '#shared/demand/chain.ts'
import * as moveContract from '#shared/demand/moves.ts'
import type { Api } from '../http/api.ts'
import { textOf } from '../http/locale.ts'
import { Refusal } from '../http/refusal.ts'
import { quotesWorkbook } from '../quote/export.ts'
import { findSetting } from '../setting/queries.ts'
import { approveDemand, rejectDemand } from './approval.ts'
import { findChain } from './chain.ts'
import * as drafts from './drafts.ts'
import { evidencePack } from './evidence.ts'
import * as moves from './moves.ts'
import { publishDemand } from './publish.ts'
import * as demands from './queries.ts'

/** Looks at contacts a person may take in 24 hours. */
export function demandRoutes(api: Api): void {
  api.handle(contract.listPublicDemands, ({ query }, { db, actor }) => demands.findPublicDemands(db, query, actor))

  api.handle(contract.getPublicDemand, async ({ params }, { db, actor }) => {
    const demand = await demands.findPublicDemand(db, params.id, actor)
    if (!demand) throw new Refusal('not_found')
    return demand
  })

  api.handle(contract.lookAtContact, async ({ params }, { db, actor, now }) => {
    const contact = await demands.lookAtContact(db, actor, params.id, now, (await findSetting(db, 'limits')).looksPerDay)
    if (!contact) throw new Refusal('not_found')
    if (contact === 'limit') throw new Refusal('look_limit')
    return contact
  })

  api.handle(contract.listOwnDemands, ({ query }, { db, actor }) => demands.findOwnDemands(db, actor, query))

  api.handle(contract.countOwnDemands, (_, { db, actor }) => demands.countOwnDemands(db, actor))

  api.handle(contract.getOwnDemand, async ({ params }, { db, actor }) => {
    const demand = await demands.findOwnDemand(db, actor, params.id)
    if (!demand) throw new Refusal('not_found')
    return demand
  })

  api.handle(contract.listDrafts, ({ query }, { db, actor }) => drafts.findDrafts(db, actor, query))

  api.handle(contract.getDraft, async ({ params }, { db, actor }) => {
    const draft = await drafts.findDraft(db, actor, params.id)
    if (!draft) throw new Refusal('not_found')
    return draft
  })

  api.handle(contract.saveDraft, ({ body }, { db, actor, now }) => drafts.saveDraft(db, actor, body, now))

  api.handle(contract.deleteDraft, async ({ params }, { db, actor }) => {
    if (!(await drafts.deleteDraft(db, actor, params.id))) throw new Refusal('not_found')
    return null
  })

  api.handle(contract.publishDemand, ({ body }, { db, hub, actor, now }) => publishDemand(db, hub, actor, body, now))

  api.handle(moveContract.approveDemand, async ({ params, body }, { db, hub, actor, now }) => {
    await approveDemand(db, hub, actor, params.id, body.quoteDeadline, now)
    return null
  })

  api.handle(moveContract.rejectDemand, async ({ params, body }, { db, hub, actor, now }) => {
    await rejectDemand(db, hub, actor, params.id, body.reason, now)
    return null
  })

  api.handle(moveContract.amendDemand, ({ body }, { db, hub, actor, now }) => moves.amendDemand(db, hub, actor, body, now))

  api.handle(moveContract.extendDemand, async ({ params, body }, { db, hub, actor, now }) => {
    await moves.extendDemand(db, hub, actor, params.id, body, now)
    return null
  })

  api.handle(moveContract.cancelDemand, async ({ params, body }, { db, hub, actor, now }) => {
    await moves.endDemand(db, hub, actor, params.id, 'cancel', body.reason, now)
    return null
  })

  api.handle(moveContract.failDemand, async ({ params, body }, { db, hub, actor, now }) => {
    await moves.endDemand(db, hub, actor, params.id, 'fail', body.reason, now)
    return null
  })

  api.handle(moveContract.openDemand, async ({ params, body }, { db, hub, secret, actor, now }) => {
    await moves.openDemand(db, { hub, secret }, params.id, { actor, reason: body.reason }, now)
    return null
  })

  api.handle(contract.exportApply, async ({ query }, { db, actor, locale, now }) => {
    const text = textOf(locale)
    const demand = await demands.findOwnDemand(db, actor, query.id)
    if (!demand) throw new Refusal('not_found')
    return quotesWorkbook(db, demand, text, now)
  })

  api.handle(chain.getChain, ({ params }, { db, secret, actor }) => findChain(db, secret, actor, params.id))

  api.handle(chain.exportEvidence, ({ params }, { db, secret, storage, actor, locale, config, now }) =>
    evidencePack(db, { secret, storage }, actor, params.id, textOf(locale), config.site.name, now),
  )

  api.handle(chain.takeDemandDown, async ({ params, body }, { db, hub, actor, now }) => {
    await moves.takeDemandDown(db, hub, actor, params.id, body.reason, now)
    return null
  })
}
