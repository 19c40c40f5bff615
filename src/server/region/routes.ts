import { getRegionTree } from '#shared/region/contract.ts'
import type { Api } from '../api.ts'
import { findRegionChildren, findRegionTree } from './queries.ts'

export function regionRoutes(api: Api): void {
  api.handle(getRegionTree, ({ db }, { query }) => (query.parent ? findRegionChildren(db, query.parent) : findRegionTree(db, query.level)))
}
