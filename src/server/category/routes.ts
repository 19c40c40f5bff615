import { getCategoryTree, getCategoryVersion, listDictionary } from '#shared/category/contract.ts'
import * as manage from '#shared/category/manage.ts'
import type { Api } from '../http/api.ts'
import * as managed from './manage.ts'
import { findCategoryTree, findDictionary } from './queries.ts'

export function categoryRoutes(api: Api): void {
  api.handle(getCategoryTree, (_, { db }) => findCategoryTree(db))
  api.handle(getCategoryVersion, (_, { db }) => managed.findCategoryVersion(db))
  api.handle(listDictionary, ({ params }, { db }) => findDictionary(db, params.dictType))

  api.handle(manage.listManagedCategories, (_, { db }) => managed.findManagedCategories(db))
  api.handle(manage.addCategory, ({ body }, { db, actor, now }) => managed.insertCategory(db, actor, body, now))
  api.handle(manage.editCategory, async ({ body }, { db, actor, now }) => {
    await managed.updateCategory(db, actor, body, now)
    return null
  })
  api.handle(manage.orderCategories, async ({ body }, { db, actor, now }) => {
    await managed.orderCategories(db, actor, body.parentId, body.ids, now)
    return null
  })
  api.handle(manage.listDictionaries, (_, { db }) => managed.findDictionaries(db))
  api.handle(manage.saveDictionary, async ({ body }, { db, actor, now }) => {
    await managed.writeDictionary(db, actor, body, now)
    return null
  })
}
