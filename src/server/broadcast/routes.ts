import * as contract from '#shared/broadcast/contract.ts'
import type { Api } from '../http/api.ts'
import { countAudience, findBroadcasts, sendToAudience } from './queries.ts'

export function broadcastRoutes(api: Api): void {
  api.handle(contract.countAudience, ({ query }, { db }) => countAudience(db, query))
  api.handle(contract.sendBroadcast, ({ body }, { db, hub, actor, now }) => sendToAudience(db, hub, actor, body, now))
  api.handle(contract.listBroadcasts, ({ query }, { db }) => findBroadcasts(db, query))
}
