import * as contract from '#shared/saved-view/contract.ts'
import type { Api } from '../api.ts'
import * as views from './queries.ts'

export function savedViewRoutes(api: Api): void {
  api.handle(contract.listViews, ({ db, actor }, { query }) => views.listViews(db, actor, query.list))
  api.handle(contract.saveView, (deed, { body }) => views.saveView(deed, body))
  api.handle(contract.deleteView, (deed, { params }) => views.deleteView(deed, params.id))
}
