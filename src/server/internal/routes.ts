import * as contract from '#shared/internal/contract.ts'
import type { Api } from '../api.ts'
import * as moves from './moves.ts'
import * as internal from './queries.ts'

export function internalRoutes(api: Api): void {
  api.handle(contract.listInternal, (context, { query }) => internal.listInternal(context, query))
  api.handle(contract.saveInternal, (deed, { body }) => moves.saveInternal(deed, body))
  api.handle(contract.removeInternal, (deed, { params }) => moves.removeInternal(deed, params.id))
  api.handle(contract.matchInternal, ({ db, actor }, { body }) => internal.matchForProject(db, actor, body))

  api.handle(contract.listTransfers, ({ db, actor }, { query }) => internal.listTransfers(db, actor, query))
  api.handle(contract.askTransfer, (deed, { body }) => moves.askTransfer(deed, body))
  api.handle(contract.agreeTransfer, (deed, { params, body }) =>
    moves.moveTransfer(deed, { ...params, move: 'agree', transportBy: body.transportBy, transportFen: body.transport }),
  )
  api.handle(contract.refuseTransfer, (deed, { params, body }) =>
    moves.moveTransfer(deed, { ...params, move: 'refuse', reason: body.reason }),
  )
  api.handle(contract.receiveTransfer, (deed, { params }) => moves.moveTransfer(deed, { ...params, move: 'receive' }))
  api.handle(contract.withdrawTransfer, (deed, { params }) => moves.moveTransfer(deed, { ...params, move: 'withdraw' }))
}
