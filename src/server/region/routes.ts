import * as contract from '#shared/region/contract.ts'
import type { Api } from '../api.ts'
import { getRegionTree, listRegionChildren } from './queries.ts'

export function regionRoutes(api: Api): void {
  api.handle(contract.getRegionTree, ({ db }, { query }) =>
    query.parent ? listRegionChildren(db, query.parent) : getRegionTree(db, query.level),
  )
}
