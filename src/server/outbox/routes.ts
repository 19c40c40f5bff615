import { listOutbox } from '#shared/outbox/contract.ts'
import type { Api } from '../http/api.ts'
import { findOutbox } from './queries.ts'

export function outboxRoutes(api: Api): void {
  api.handle(listOutbox, ({ query }, { db }) => findOutbox(db, query))
}
