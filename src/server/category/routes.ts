import { getCategoryTree, listDictionary } from '#shared/category/contract.ts'
import type { Api } from '../http/api.ts'
import { findCategoryTree, findDictionary } from './queries.ts'

export function categoryRoutes(api: Api): void {
  api.handle(getCategoryTree, (_, { db }) => findCategoryTree(db))
  api.handle(listDictionary, ({ params }, { db }) => findDictionary(db, params.dictType))
}
