import * as contract from '#shared/demand/contract.ts'
import * as moveContract from '#shared/demand/moves.ts'
import type { Api } from '../api.ts'
import { takenByStaff } from '../audit/log.ts'
import { batchAnswer, forEachApart, itemsOf } from '../batch.ts'
import { textOf } from '../http/locale.ts'
import { findSetting } from '../setting/queries.ts'
import { approveDemand, rejectDemand } from './approval.ts'
import * as drafts from './drafts.ts'
import * as moves from './moves.ts'
import * as ownList from './own-list.ts'
import { publishDemand } from './publish.ts'
import * as demands from './queries.ts'

export function demandRoutes(api: Api): void {
  api.handle(contract.listPublicDemands, ({ db, actor }, { query }) => demands.listPublicDemands(db, query, actor))
  api.handle(contract.getPublicDemand, ({ db, actor }, { params }) => demands.getPublicDemand(db, params.id, actor))
  api.handle(contract.lookAtContact, async (deed, { params }) => {
    const { looksPerDay } = await findSetting(deed.db, 'limits')
    return demands.lookAtContact(deed, { ...params, limit: looksPerDay })
  })

  api.handle(contract.listOwnDemands, (context, { query }) => ownList.listOwnDemands(context, query))
  api.handle(contract.exportOwnDemands, (context, { query }) =>
    takenByStaff(context, { action: 'demand.export', bizType: 'demand', after: query }, () =>
      ownList.ownDemandsWorkbook(context, { filter: query, text: textOf(context.locale) }),
    ),
  )
  api.handle(contract.countOwnDemands, (context, { query }) => ownList.countOwnDemands(context, query))
  api.handle(contract.getOwnDemand, ({ db, actor }, { params }) => demands.getOwnDemand(db, actor, params.id))

  api.handle(contract.listDrafts, ({ db, actor }, { query }) => drafts.listDrafts(db, actor, query))
  api.handle(contract.getDraft, ({ db, actor }, { params }) => drafts.getDraft(db, actor, params.id))
  api.handle(contract.saveDraft, (deed, { body }) => drafts.saveDraft(deed, body))
  api.handle(contract.deleteDrafts, async (context, { body }) =>
    batchAnswer(await forEachApart(context, itemsOf(body.ids), (deed, { id }) => drafts.deleteDraft(deed, id)), textOf(context.locale)),
  )
  api.handle(contract.deleteDraft, (deed, { params }) => drafts.deleteDraft(deed, params.id))

  api.handle(contract.publishDemand, (deed, { body }) => publishDemand(deed, body))
  api.handle(moveContract.approveDemand, (deed, { params, body }) => approveDemand(deed, { ...params, ...body }))
  api.handle(moveContract.rejectDemand, (deed, { params, body }) => rejectDemand(deed, { ...params, ...body }))
  api.handle(moveContract.cancelDemand, (deed, { params, body }) => moves.endDemand(deed, { ...params, ...body, move: 'cancel' }))
  api.handle(moveContract.failDemand, (deed, { params, body }) => moves.endDemand(deed, { ...params, ...body, move: 'fail' }))
  api.handle(moveContract.takeDemandDown, (deed, { params, body }) => moves.takeDemandDown(deed, { ...params, ...body }))
}
