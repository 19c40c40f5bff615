import * as contract from '#shared/blacklist/contract.ts'
import type { Api } from '../http/api.ts'
import { Refusal } from '../http/refusal.ts'
import * as moves from './moves.ts'
import { findEntries, findEntry, findMachinesOf, findScopes } from './queries.ts'

export function blacklistRoutes(api: Api): void {
  api.handle(contract.listBlacklist, ({ query }, { db, actor }) => findEntries(db, actor, query))

  api.handle(contract.listScopes, (_, { db, actor }) => findScopes(db, actor))

  api.handle(contract.listMachinesOf, ({ params }, { db, actor }) => findMachinesOf(db, actor, params.companyId))

  api.handle(contract.getBlacklist, async ({ params }, { db, actor, now }) => {
    const entry = await findEntry(db, actor, params.id, now)
    if (!entry) throw new Refusal('not_found')
    return entry
  })

  api.handle(contract.proposeBlacklist, ({ body }, { db, actor, now }) => moves.propose(db, actor, body, now))

  api.handle(contract.editBlacklist, async ({ body }, { db, actor, now }) => {
    await moves.edit(db, actor, body, now)
    return null
  })

  api.handle(contract.notifyBlacklist, async ({ params }, { db, hub, actor, now }) => {
    await moves.notify(db, hub, actor, params.id, now)
    return null
  })

  api.handle(contract.withdrawBlacklist, async ({ params }, { db, hub, actor, now }) => {
    await moves.withdraw(db, hub, actor, params.id, now)
    return null
  })

  api.handle(contract.answerBlacklist, async ({ params, body }, { db, hub, actor, now }) => {
    await moves.answer(db, hub, actor, params.id, body, now)
    return null
  })

  api.handle(contract.decideBlacklist, async ({ params, body }, { db, hub, actor, now }) => {
    await moves.decide(db, hub, actor, params.id, body, now)
    return null
  })

  api.handle(contract.emergencyBlacklist, async ({ params, body }, { db, hub, actor, now }) => {
    await moves.emergency(db, hub, actor, params.id, body.note, now)
    return null
  })

  api.handle(contract.appealBlacklist, async ({ params, body }, { db, hub, actor, now }) => {
    await moves.appeal(db, hub, actor, params.id, body, now)
    return null
  })

  api.handle(contract.decideAppeal, async ({ params, body }, { db, hub, actor, now }) => {
    await moves.decideAppeal(db, hub, actor, params.id, body, now)
    return null
  })

  api.handle(contract.liftBlacklist, async ({ params, body }, { db, hub, actor, now }) => {
    await moves.lift(db, hub, actor, params.id, body.note, now)
    return null
  })
}
