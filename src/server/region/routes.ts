import { getRegionTree } from '#shared/region/contract.ts'
import type { Api } from '../http/api.ts'
import { findRegionTree } from './queries.ts'

export function regionRoutes(api: Api): void {
  api.handle(getRegionTree, ({ query }, { db }) => findRegionTree(db, query.level))
}
