import * as contract from '#shared/category/contract.ts'
import * as manage from '#shared/category/manage.ts'
import type { Api } from '../api.ts'
import * as managed from './manage.ts'
import { getCategoryTree, listDictionary } from './queries.ts'

export function categoryRoutes(api: Api): void {
  api.handle(contract.getCategoryTree, ({ db }) => getCategoryTree(db))
  api.handle(contract.getCategoryVersion, ({ db }) => managed.getCategoryVersion(db))
  api.handle(contract.listDictionary, ({ db }, { params }) => listDictionary(db, params.dictType))

  api.handle(manage.listManagedCategories, ({ db }) => managed.listManagedCategories(db))
  api.handle(manage.addCategory, (deed, { body }) => managed.insertCategory(deed, body))
  api.handle(manage.editCategory, (deed, { body }) => managed.updateCategory(deed, body))
  api.handle(manage.orderCategories, (deed, { body }) => managed.orderCategories(deed, body))
  api.handle(manage.listDictionaries, ({ db }) => managed.listDictionaries(db))
  api.handle(manage.saveDictionary, (deed, { body }) => managed.saveDictionary(deed, body))
}
