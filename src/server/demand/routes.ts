import * as contract from '#shared/demand/contract.ts'
import * as moveContract from '#shared/demand/moves.ts'
import type { Api } from '../api.ts'
import { Refusal } from '../http/refusal.ts'
import { findSetting } from '../setting/queries.ts'
import { approveDemand, rejectDemand } from './approval.ts'
import * as drafts from './drafts.ts'
import * as moves from './moves.ts'
import { publishDemand } from './publish.ts'
import * as demands from './queries.ts'

export function demandRoutes(api: Api): void {
  api.handle(contract.listPublicDemands, ({ db, actor }, { query }) => demands.findPublicDemands(db, query, actor))

  api.handle(contract.getPublicDemand, async ({ db, actor }, { params }) => {
    const demand = await demands.findPublicDemand(db, params.id, actor)
    if (!demand) throw new Refusal('not_found')
    return demand
  })

  api.handle(contract.lookAtContact, async ({ db, actor, now }, { params }) => {
    const contact = await demands.lookAtContact(db, actor, params.id, now, (await findSetting(db, 'limits')).looksPerDay)
    if (!contact) throw new Refusal('not_found')
    if (contact === 'limit') throw new Refusal('look_limit')
    return contact
  })

  api.handle(contract.listOwnDemands, ({ db, actor }, { query }) => demands.findOwnDemands(db, actor, query))

  api.handle(contract.countOwnDemands, ({ db, actor }) => demands.countOwnDemands(db, actor))

  api.handle(contract.getOwnDemand, async ({ db, actor }, { params }) => {
    const demand = await demands.findOwnDemand(db, actor, params.id)
    if (!demand) throw new Refusal('not_found')
    return demand
  })

  api.handle(contract.listDrafts, ({ db, actor }, { query }) => drafts.findDrafts(db, actor, query))

  api.handle(contract.getDraft, async ({ db, actor }, { params }) => {
    const draft = await drafts.findDraft(db, actor, params.id)
    if (!draft) throw new Refusal('not_found')
    return draft
  })

  api.handle(contract.saveDraft, ({ db, actor, now }, { body }) => drafts.saveDraft(db, actor, body, now))

  api.handle(contract.deleteDraft, async ({ db, actor }, { params }) => {
    if (!(await drafts.deleteDraft(db, actor, params.id))) throw new Refusal('not_found')
    return null
  })

  api.handle(contract.publishDemand, ({ db, hub, actor, now }, { body }) => publishDemand(db, hub, actor, body, now))

  api.handle(moveContract.approveDemand, async ({ db, hub, actor, now }, { params, body }) => {
    await approveDemand(db, hub, actor, params.id, body.quoteDeadline, now)
    return null
  })

  api.handle(moveContract.rejectDemand, async ({ db, hub, actor, now }, { params, body }) => {
    await rejectDemand(db, hub, actor, params.id, body.reason, now)
    return null
  })

  api.handle(moveContract.amendDemand, ({ db, hub, actor, now }, { body }) => moves.amendDemand(db, hub, actor, body, now))

  api.handle(moveContract.extendDemand, async ({ db, hub, actor, now }, { params, body }) => {
    await moves.extendDemand(db, hub, actor, params.id, body, now)
    return null
  })

  api.handle(moveContract.cancelDemand, async ({ db, hub, actor, now }, { params, body }) => {
    await moves.endDemand(db, hub, actor, params.id, 'cancel', body.reason, now)
    return null
  })

  api.handle(moveContract.failDemand, async ({ db, hub, actor, now }, { params, body }) => {
    await moves.endDemand(db, hub, actor, params.id, 'fail', body.reason, now)
    return null
  })

  api.handle(moveContract.takeDemandDown, async ({ db, hub, actor, now }, { params, body }) => {
    await moves.takeDemandDown(db, hub, actor, params.id, body.reason, now)
    return null
  })
}
