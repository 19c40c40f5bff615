import * as contract from '#shared/award/contract.ts'
import type { Api } from '../api.ts'
import * as moves from './moves.ts'

export function awardRoutes(api: Api): void {
  api.handle(contract.awardDemand, (deed, { params, body }) => moves.awardDemand(deed, { ...params, ...body }))
  api.handle(contract.approveAward, (deed, { params, body }) => moves.approveAward(deed, { ...params, ...body }))
  api.handle(contract.rejectAward, (deed, { params, body }) => moves.rejectAward(deed, { ...params, ...body }))
}
