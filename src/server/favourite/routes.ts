import * as contract from '#shared/favourite/contract.ts'
import type { Api } from '../api.ts'
import { Refusal } from '../http/refusal.ts'
import { findFavouriteIds, findFavourites, setFavourite } from './queries.ts'
import * as searches from './saved-searches.ts'

export function favouriteRoutes(api: Api): void {
  api.handle(contract.setFavourite, async ({ db, actor, now }, { body }) => {
    await setFavourite(db, actor, body.bizType, body.bizId, body.kept, now)
    return null
  })

  api.handle(contract.listFavouriteIds, ({ db, actor }) => findFavouriteIds(db, actor.accountId))

  api.handle(contract.listFavourites, ({ db, actor }) => findFavourites(db, actor))

  api.handle(contract.listSavedSearches, ({ db, actor }) => searches.findSavedSearches(db, actor.accountId))

  api.handle(contract.addSavedSearch, async ({ db, actor, now }, { body }) => ({
    id: await searches.insertSavedSearch(db, actor.accountId, body, now),
  }))

  api.handle(contract.editSavedSearch, async ({ db, actor, now }, { params, body }) => {
    if (!(await searches.setAlert(db, actor.accountId, params.id, body.alert, now))) throw new Refusal('not_found')
    return null
  })

  api.handle(contract.deleteSavedSearch, async ({ db, actor }, { params }) => {
    if (!(await searches.deleteSavedSearch(db, actor.accountId, params.id))) throw new Refusal('not_found')
    return null
  })
}
