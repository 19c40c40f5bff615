import { suggest, understandSearch } from '#shared/search/contract.ts'
import type { Api } from '../api.ts'
import { describeSearch, findSuggestions } from './queries.ts'

export function searchRoutes(api: Api): void {
  api.handle(suggest, ({ db, locale }, { query }) => findSuggestions(db, query.keyword, locale))
  api.handle(understandSearch, ({ db, locale }, { query }) => describeSearch(db, query.keyword, locale))
}
