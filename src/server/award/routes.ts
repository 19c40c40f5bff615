import { awardDemand } from '#shared/award/contract.ts'
import type { Api } from '../http/api.ts'
import * as awards from './queries.ts'

export function awardRoutes(api: Api): void {
  api.handle(awardDemand, ({ params, body }, { db, hub, actor, now }) => awards.awardDemand(db, hub, actor, params.id, body, now))
}
