import * as contract from '#shared/broadcast/contract.ts'
import type { Api } from '../api.ts'
import { countAudience, listBroadcasts, sendBroadcast } from './queries.ts'

export function broadcastRoutes(api: Api): void {
  api.handle(contract.countAudience, ({ db }, { query }) => countAudience(db, query))
  api.handle(contract.sendBroadcast, (deed, { body }) => sendBroadcast(deed, body))
  api.handle(contract.listBroadcasts, ({ db }, { query }) => listBroadcasts(db, query))
}
