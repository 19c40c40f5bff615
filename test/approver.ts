import { getOwnDemand } from '#shared/demand/contract.ts'
import { approveDemand, rejectDemand } from '#shared/demand/moves.ts'
import type { World } from './world.ts'

/** How whoever approves demands decides on one: on the version that their page shows, unless `body` names another. */
export function demandApprover({ cast }: World) {
  const versionOf = async (id: number, by = cast.lessee) => (await by.call(getOwnDemand, { params: { id } })).data.version
  const approve = async (id: number, body: object = {}, by = cast.lessee) =>
    by.call(approveDemand, { params: { id }, body: { version: await versionOf(id, by), ...body } })
  const sendBack = async (id: number, body: object = {}) =>
    cast.lessee.call(rejectDemand, { params: { id }, body: { version: await versionOf(id), reason: '先用内部设备', ...body } })
  return { approve, sendBack }
}
