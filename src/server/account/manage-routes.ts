import * as cancellation from '#shared/account/cancellation.ts'
import * as contract from '#shared/account/manage.ts'
import { lockAdmins, operators } from '../actor/last-admin.ts'
import type { Api } from '../api.ts'
import type { Tx } from '../db/connect.ts'
import * as review from './cancellation-review.ts'
import * as manage from './manage.ts'

/** The administrators are locked before the account that is audited, as by whoever erases one of them. */
const holdAdmins = ({ db }: { db: Tx }) => lockAdmins(db, operators)

/** The accounts as the people who run the platform handle them. */
export function accountManageRoutes(api: Api): void {
  api.handle(contract.listAccounts, ({ db }, { query }) => manage.listAccounts(db, query))
  api.handle(contract.getAccount, (context, { params }) => manage.getAccount(context, params.id))
  api.handle(contract.lockAccount, (deed, { params }) => manage.lockAccount(deed, params.id), holdAdmins)
  api.handle(contract.unlockAccount, (deed, { params }) => manage.unlockAccount(deed, params.id))
  api.handle(contract.resetAccountPassword, (context, { params, body }) => manage.resetAccountPassword(context, { ...params, ...body }))
  api.handle(contract.endAccountSessions, (deed, { params }) => manage.endAccountSessions(deed, params.id))
  api.handle(contract.addStaff, (context, { body }) => manage.addStaff(context, body))
  api.handle(contract.editStaff, (deed, { body }) => manage.editStaff(deed, body), holdAdmins)

  api.handle(cancellation.listCancellations, (context, { query }) => review.listCancellations(context, query))
  api.handle(
    cancellation.finishCancellation,
    (deed, { params, body }) => review.finishCancellation(deed, { ...params, ...body }),
    ({ db }, { params }) => review.lockToFinish(db, params.id),
  )
  api.handle(cancellation.refuseCancellation, (deed, { params, body }) => review.refuseCancellation(deed, { ...params, ...body }))
}
