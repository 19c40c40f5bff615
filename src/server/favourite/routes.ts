import * as contract from '#shared/favourite/contract.ts'
import type { Api } from '../http/api.ts'
import { Refusal } from '../http/refusal.ts'
import { findFavouriteIds, findFavourites, setFavourite } from './queries.ts'
import * as searches from './saved-searches.ts'

export function favouriteRoutes(api: Api): void {
  api.handle(contract.setFavourite, async ({ body }, { db, actor, now }) => {
    await setFavourite(db, actor, body.bizType, body.bizId, body.kept, now)
    return null
  })

  api.handle(contract.listFavouriteIds, (_, { db, actor }) => findFavouriteIds(db, actor.accountId))

  api.handle(contract.listFavourites, (_, { db, actor }) => findFavourites(db, actor))

  api.handle(contract.listSavedSearches, (_, { db, actor }) => searches.findSavedSearches(db, actor.accountId))

  api.handle(contract.addSavedSearch, async ({ body }, { db, actor, now }) => ({
    id: await searches.insertSavedSearch(db, actor.accountId, body, now),
  }))

  api.handle(contract.editSavedSearch, async ({ params, body }, { db, actor, now }) => {
    if (!(await searches.setAlert(db, actor.accountId, params.id, body.alert, now))) throw new Refusal('not_found')
    return null
  })

  api.handle(contract.deleteSavedSearch, async ({ params }, { db, actor }) => {
    if (!(await searches.deleteSavedSearch(db, actor.accountId, params.id))) throw new Refusal('not_found')
    return null
  })
}
