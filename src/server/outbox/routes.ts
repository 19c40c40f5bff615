import * as contract from '#shared/outbox/contract.ts'
import type { Api } from '../api.ts'
import { listOutbox, resendLetter } from './queries.ts'

export function outboxRoutes(api: Api): void {
  api.handle(contract.listOutbox, (context, { query }) => listOutbox(context, query))
  api.handle(contract.resendOutbox, (deed, { params }) => resendLetter(deed, params.id))
}
