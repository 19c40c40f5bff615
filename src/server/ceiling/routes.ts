import * as contract from '#shared/ceiling/contract.ts'
import { ownProject } from '../demand/drafts.ts'
import type { Api } from '../http/api.ts'
import * as ceilings from './queries.ts'

export function ceilingRoutes(api: Api): void {
  api.handle(contract.listCeilings, ({ query }, { db, actor }) => ceilings.findCeilings(db, actor, query))

  api.handle(contract.saveCeiling, async ({ body }, { db, actor, now }) => ({ id: await ceilings.saveCeiling(db, actor, body, now) }))

  api.handle(contract.deleteCeiling, async ({ params }, { db, actor }) => {
    await ceilings.deleteCeiling(db, actor, params.id)
    return null
  })

  api.handle(contract.lookUpCeilings, async ({ body }, { db, actor }) => {
    await ownProject(db, actor, body.deptId)
    return ceilings.ceilingsFor(db, body, body.items)
  })
}
