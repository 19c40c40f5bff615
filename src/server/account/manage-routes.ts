import * as cancellation from '#shared/account/cancellation.ts'
import * as contract from '#shared/account/manage.ts'
import type { Api } from '../http/api.ts'
import { Refusal } from '../http/refusal.ts'
import { decideCancellation, findCancellations } from './cancellation-review.ts'
import * as manage from './manage.ts'

/** The accounts as the people who run the platform handle them. */
export function accountManageRoutes(api: Api): void {
  api.handle(contract.listAccounts, ({ query }, { db }) => manage.findAccounts(db, query))

  api.handle(contract.getAccount, async ({ params }, { db, now }) => {
    const account = await manage.findAccount(db, params.id, now)
    if (!account) throw new Refusal('not_found')
    return account
  })

  api.handle(contract.lockAccount, async ({ params, body }, { db, hub, actor, now }) => {
    await manage.setAccountLock(db, hub, actor, params.id, true, body.reason, now)
    return null
  })

  api.handle(contract.unlockAccount, async ({ params, body }, { db, hub, actor, now }) => {
    await manage.setAccountLock(db, hub, actor, params.id, false, body.reason, now)
    return null
  })

  api.handle(contract.resetAccountPassword, async ({ params, body }, { actor, now, ...services }) => {
    await manage.resetAccountPassword(services, actor, params.id, body.reason, now)
    return null
  })

  api.handle(contract.endAccountSessions, ({ params, body }, { db, hub, actor, now }) =>
    manage.endAccountSessions(db, hub, actor, params.id, body.reason, now),
  )

  api.handle(contract.addStaff, ({ body }, { actor, now, ...services }) => manage.insertStaff(services, actor, body, now))

  api.handle(contract.editStaff, async ({ body }, { db, hub, actor, now }) => {
    await manage.updateStaff(db, hub, actor, body, now)
    return null
  })

  api.handle(cancellation.listCancellations, ({ query }, { db, now }) => findCancellations(db, query, now))

  api.handle(cancellation.finishCancellation, async ({ params, body }, { actor, now, ...services }) => {
    await decideCancellation(services, actor, params.id, { finish: true, note: body.note }, now)
    return null
  })

  api.handle(cancellation.refuseCancellation, async ({ params, body }, { actor, now, ...services }) => {
    await decideCancellation(services, actor, params.id, { finish: false, note: body.note }, now)
    return null
  })
}
