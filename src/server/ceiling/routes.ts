import * as contract from '#shared/ceiling/contract.ts'
import type { Api } from '../api.ts'
import { textOf } from '../http/locale.ts'
import * as ceilings from './queries.ts'

export function ceilingRoutes(api: Api): void {
  api.handle(contract.listCeilings, ({ db, actor }, { query }) => ceilings.listCeilings(db, actor, query))
  api.handle(contract.exportCeilings, ({ db, actor, locale }, { query }) =>
    ceilings.ceilingsWorkbook(db, actor, { filter: query, text: textOf(locale) }),
  )
  api.handle(contract.saveCeiling, (deed, { body }) => ceilings.saveCeiling(deed, body))
  api.handle(contract.deleteCeiling, (deed, { params }) => ceilings.deleteCeiling(deed, params.id))
  api.handle(contract.lookUpCeilings, ({ db, actor }, { body }) => ceilings.lookUpCeilings(db, actor, body))
}
