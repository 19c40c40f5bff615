import * as contract from '#shared/blacklist/contract.ts'
import type { Api } from '../api.ts'
import { takenByStaff } from '../audit/log.ts'
import { textOf } from '../http/locale.ts'
import * as moves from './moves.ts'
import { entriesWorkbook, findMachinesOf, findScopes, getEntry, listEntries } from './queries.ts'

export function blacklistRoutes(api: Api): void {
  api.handle(contract.listBlacklist, ({ db, actor }, { query }) => listEntries(db, actor, query))
  api.handle(contract.exportBlacklist, (context, { query }) =>
    takenByStaff(context, { action: 'blacklist.export', bizType: 'blacklist', after: query }, () =>
      entriesWorkbook(context.db, context.actor, { filter: query, text: textOf(context.locale) }),
    ),
  )
  api.handle(contract.listScopes, ({ db, actor }) => findScopes(db, actor))
  api.handle(contract.listMachinesOf, ({ db, actor }, { params }) => findMachinesOf(db, actor, params.companyId))
  api.handle(contract.getBlacklist, (context, { params }) => getEntry(context, params.id))

  api.handle(contract.proposeBlacklist, (deed, { body }) => moves.proposeEntry(deed, body))
  api.handle(contract.editBlacklist, (deed, { body }) => moves.editEntry(deed, body))
  api.handle(contract.notifyBlacklist, (deed, { params }) => moves.notifyEntry(deed, params.id))
  api.handle(contract.withdrawBlacklist, (deed, { params }) => moves.withdrawEntry(deed, params.id))
  api.handle(contract.answerBlacklist, (deed, { params, body }) => moves.answerEntry(deed, { ...params, ...body }))
  api.handle(contract.decideBlacklist, (deed, { params, body }) => moves.decideEntry(deed, { ...params, ...body }))
  api.handle(contract.emergencyBlacklist, (deed, { params, body }) => moves.decideEmergency(deed, { ...params, ...body }))
  api.handle(contract.appealBlacklist, (deed, { params, body }) => moves.appealEntry(deed, { ...params, ...body }))
  api.handle(contract.decideAppeal, (deed, { params, body }) => moves.decideAppeal(deed, { ...params, ...body }))
  api.handle(contract.liftBlacklist, (deed, { params, body }) => moves.liftEntry(deed, { ...params, ...body }))
}
