import * as cancellation from '#shared/account/cancellation.ts'
import * as contract from '#shared/account/manage.ts'
import type { Api } from '../api.ts'
import { Refusal } from '../http/refusal.ts'
import { decideCancellation, findCancellations } from './cancellation-review.ts'
import * as manage from './manage.ts'

/** The accounts as the people who run the platform handle them. */
export function accountManageRoutes(api: Api): void {
  api.handle(contract.listAccounts, ({ db }, { query }) => manage.findAccounts(db, query))

  api.handle(contract.getAccount, async ({ db, now }, { params }) => {
    const account = await manage.findAccount(db, params.id, now)
    if (!account) throw new Refusal('not_found')
    return account
  })

  api.handle(contract.lockAccount, async ({ db, hub, actor, now }, { params, body }) => {
    await manage.setAccountLock(db, hub, actor, params.id, true, body.reason, now)
    return null
  })

  api.handle(contract.unlockAccount, async ({ db, hub, actor, now }, { params, body }) => {
    await manage.setAccountLock(db, hub, actor, params.id, false, body.reason, now)
    return null
  })

  api.handle(contract.resetAccountPassword, async ({ actor, now, ...services }, { params, body }) => {
    await manage.resetAccountPassword(services, actor, params.id, body.reason, now)
    return null
  })

  api.handle(contract.endAccountSessions, ({ db, hub, actor, now }, { params, body }) =>
    manage.endAccountSessions(db, hub, actor, params.id, body.reason, now),
  )

  api.handle(contract.addStaff, ({ actor, now, ...services }, { body }) => manage.insertStaff(services, actor, body, now))

  api.handle(contract.editStaff, async ({ db, hub, actor, now }, { body }) => {
    await manage.updateStaff(db, hub, actor, body, now)
    return null
  })

  api.handle(cancellation.listCancellations, ({ db, now }, { query }) => findCancellations(db, query, now))

  api.handle(cancellation.finishCancellation, async ({ actor, now, ...services }, { params, body }) => {
    await decideCancellation(services, actor, params.id, { finish: true, note: body.note }, now)
    return null
  })

  api.handle(cancellation.refuseCancellation, async ({ actor, now, ...services }, { params, body }) => {
    await decideCancellation(services, actor, params.id, { finish: false, note: body.note }, now)
    return null
  })
}
