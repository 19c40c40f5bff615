import * as contract from '#shared/broadcast/contract.ts'
import type { Api } from '../api.ts'
import { countAudience, findBroadcasts, sendToAudience } from './queries.ts'

export function broadcastRoutes(api: Api): void {
  api.handle(contract.countAudience, ({ db }, { query }) => countAudience(db, query))
  api.handle(contract.sendBroadcast, ({ db, hub, actor, now }, { body }) => sendToAudience(db, hub, actor, body, now))
  api.handle(contract.listBroadcasts, ({ db }, { query }) => findBroadcasts(db, query))
}
