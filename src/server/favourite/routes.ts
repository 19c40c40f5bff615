import * as contract from '#shared/favourite/contract.ts'
import type { Api } from '../api.ts'
import { listFavouriteIds, listFavourites, setFavourite } from './queries.ts'
import * as searches from './saved-searches.ts'

export function favouriteRoutes(api: Api): void {
  api.handle(contract.setFavourite, (deed, { body }) => setFavourite(deed, body))
  api.handle(contract.listFavouriteIds, ({ db, actor }) => listFavouriteIds(db, actor))
  api.handle(contract.listFavourites, ({ db, actor }) => listFavourites(db, actor))

  api.handle(contract.listSavedSearches, ({ db, actor }) => searches.listSavedSearches(db, actor))
  api.handle(contract.addSavedSearch, (deed, { body }) => searches.insertSavedSearch(deed, body))
  api.handle(contract.editSavedSearch, (deed, { params, body }) => searches.setAlert(deed, { ...params, ...body }))
  api.handle(contract.deleteSavedSearch, (deed, { params }) => searches.deleteSavedSearch(deed, params.id))
}
