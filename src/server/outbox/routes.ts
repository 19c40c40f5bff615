import { listOutbox, resendOutbox } from '#shared/outbox/contract.ts'
import type { Api } from '../api.ts'
import { findOutbox, resendLetter } from './queries.ts'

export function outboxRoutes(api: Api): void {
  api.handle(listOutbox, ({ db }, { query }) => findOutbox(db, query))
  api.handle(resendOutbox, async ({ db, actor, now }, { params }) => {
    await resendLetter(db, actor, params.id, now)
    return null
  })
}
