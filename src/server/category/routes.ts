import { getCategoryTree, getCategoryVersion, listDictionary } from '#shared/category/contract.ts'
import * as manage from '#shared/category/manage.ts'
import type { Api } from '../api.ts'
import * as managed from './manage.ts'
import { findCategoryTree, findDictionary } from './queries.ts'

export function categoryRoutes(api: Api): void {
  api.handle(getCategoryTree, ({ db }) => findCategoryTree(db))
  api.handle(getCategoryVersion, ({ db }) => managed.findCategoryVersion(db))
  api.handle(listDictionary, ({ db }, { params }) => findDictionary(db, params.dictType))

  api.handle(manage.listManagedCategories, ({ db }) => managed.findManagedCategories(db))
  api.handle(manage.addCategory, ({ db, actor, now }, { body }) => managed.insertCategory(db, actor, body, now))
  api.handle(manage.editCategory, async ({ db, actor, now }, { body }) => {
    await managed.updateCategory(db, actor, body, now)
    return null
  })
  api.handle(manage.orderCategories, async ({ db, actor, now }, { body }) => {
    await managed.orderCategories(db, actor, body.parentId, body.ids, now)
    return null
  })
  api.handle(manage.listDictionaries, ({ db }) => managed.findDictionaries(db))
  api.handle(manage.saveDictionary, async ({ db, actor, now }, { body }) => {
    await managed.writeDictionary(db, actor, body, now)
    return null
  })
}
