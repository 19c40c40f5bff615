import * as contract from '#shared/ceiling/contract.ts'
import { ownProject } from '../dept/project.ts'
import type { Api } from '../api.ts'
import * as ceilings from './queries.ts'

export function ceilingRoutes(api: Api): void {
  api.handle(contract.listCeilings, ({ db, actor }, { query }) => ceilings.findCeilings(db, actor, query))

  api.handle(contract.saveCeiling, async ({ db, actor, now }, { body }) => ({ id: await ceilings.saveCeiling(db, actor, body, now) }))

  api.handle(contract.deleteCeiling, async ({ db, actor }, { params }) => {
    await ceilings.deleteCeiling(db, actor, params.id)
    return null
  })

  api.handle(contract.lookUpCeilings, async ({ db, actor }, { body }) => {
    await ownProject(db, actor, body.deptId)
    return ceilings.ceilingsFor(db, body, body.items)
  })
}
