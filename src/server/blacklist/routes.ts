import * as contract from '#shared/blacklist/contract.ts'
import type { Api } from '../api.ts'
import { Refusal } from '../http/refusal.ts'
import * as moves from './moves.ts'
import { findEntries, findEntry, findMachinesOf, findScopes } from './queries.ts'

export function blacklistRoutes(api: Api): void {
  api.handle(contract.listBlacklist, ({ db, actor }, { query }) => findEntries(db, actor, query))

  api.handle(contract.listScopes, ({ db, actor }) => findScopes(db, actor))

  api.handle(contract.listMachinesOf, ({ db, actor }, { params }) => findMachinesOf(db, actor, params.companyId))

  api.handle(contract.getBlacklist, async ({ db, actor, now }, { params }) => {
    const entry = await findEntry(db, actor, params.id, now)
    if (!entry) throw new Refusal('not_found')
    return entry
  })

  api.handle(contract.proposeBlacklist, ({ db, actor, now }, { body }) => moves.propose(db, actor, body, now))

  api.handle(contract.editBlacklist, async ({ db, actor, now }, { body }) => {
    await moves.edit(db, actor, body, now)
    return null
  })

  api.handle(contract.notifyBlacklist, async ({ db, hub, actor, now }, { params }) => {
    await moves.notify(db, hub, actor, params.id, now)
    return null
  })

  api.handle(contract.withdrawBlacklist, async ({ db, hub, actor, now }, { params }) => {
    await moves.withdraw(db, hub, actor, params.id, now)
    return null
  })

  api.handle(contract.answerBlacklist, async ({ db, hub, actor, now }, { params, body }) => {
    await moves.answer(db, hub, actor, params.id, body, now)
    return null
  })

  api.handle(contract.decideBlacklist, async ({ db, hub, actor, now }, { params, body }) => {
    await moves.decide(db, hub, actor, params.id, body, now)
    return null
  })

  api.handle(contract.emergencyBlacklist, async ({ db, hub, actor, now }, { params, body }) => {
    await moves.emergency(db, hub, actor, params.id, body.note, now)
    return null
  })

  api.handle(contract.appealBlacklist, async ({ db, hub, actor, now }, { params, body }) => {
    await moves.appeal(db, hub, actor, params.id, body, now)
    return null
  })

  api.handle(contract.decideAppeal, async ({ db, hub, actor, now }, { params, body }) => {
    await moves.decideAppeal(db, hub, actor, params.id, body, now)
    return null
  })

  api.handle(contract.liftBlacklist, async ({ db, hub, actor, now }, { params, body }) => {
    await moves.lift(db, hub, actor, params.id, body.note, now)
    return null
  })
}
