import * as contract from '#shared/internal/contract.ts'
import { selectProject } from '../dept/project.ts'
import type { Api } from '../api.ts'
import { Refusal } from '../http/refusal.ts'
import * as internal from './queries.ts'

export function internalRoutes(api: Api): void {
  api.handle(contract.listInternal, ({ db, actor }, { query }) => internal.findInternal(db, actor, query))

  api.handle(contract.saveInternal, async ({ db, actor, now }, { body }) => ({ id: await internal.saveInternal(db, actor, body, now) }))

  api.handle(contract.removeInternal, async ({ db, actor, now }, { params }) => {
    await internal.removeInternal(db, actor, params.id, now)
    return null
  })

  api.handle(contract.matchInternal, async ({ db, actor }, { body }) => {
    const kinds = [...new Set(body.items.map(({ categoryId }) => categoryId))]
    const dept = await selectProject(db, actor, body.deptId).select(internal.hasIdle(actor, kinds).as('idle')).executeTakeFirst()
    if (!dept) throw new Refusal('dept_not_yours')
    return dept.idle ? internal.matchInternal(db, actor, body.cityId, body.items) : []
  })

  api.handle(contract.listTransfers, ({ db, actor }, { query }) => internal.findTransfers(db, actor, query))

  api.handle(contract.askTransfer, async ({ db, hub, actor, now }, { body }) => ({
    id: await internal.askTransfer(db, hub, actor, body, now),
  }))

  api.handle(contract.agreeTransfer, async ({ db, hub, actor, now }, { params, body }) => {
    await internal.moveTransfer(db, hub, actor, params.id, 'agree', { transportBy: body.transportBy, transportFen: body.transport }, now)
    return null
  })

  api.handle(contract.refuseTransfer, async ({ db, hub, actor, now }, { params, body }) => {
    await internal.moveTransfer(db, hub, actor, params.id, 'refuse', { reason: body.reason }, now)
    return null
  })

  api.handle(contract.receiveTransfer, async ({ db, hub, actor, now }, { params }) => {
    await internal.moveTransfer(db, hub, actor, params.id, 'receive', {}, now)
    return null
  })

  api.handle(contract.withdrawTransfer, async ({ db, hub, actor, now }, { params }) => {
    await internal.moveTransfer(db, hub, actor, params.id, 'withdraw', {}, now)
    return null
  })
}
