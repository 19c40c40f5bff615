import { suggest } from '#shared/search/contract.ts'
import type { Api } from '../api.ts'
import { findSuggestions } from './queries.ts'

export function searchRoutes(api: Api): void {
  api.handle(suggest, ({ db, locale }, { query }) => findSuggestions(db, query.keyword, locale))
}
