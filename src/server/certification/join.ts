import { sql } from 'kysely'
import { accountStatus, userType } from '#shared/account/rules.ts'
import { toMinute } from '#shared/calendar.ts'
import { signOf } from '#shared/certification/rules.ts'
import { paths } from '#shared/paths.ts'
import { delFlag, yesNo } from '#shared/rules.ts'
import type { Tx } from '../db/connect.ts'
import type { Deed } from '../deed.ts'
import { sendMessages } from '../message/queries.ts'
import { lockSealed, recordAccess } from '../quote/bidder-access.ts'
import type { Form } from './queries.ts'
import type { Passing, Place } from './settle.ts'

/** Comes before `settle` writes the lessor that the form names. */
export async function lockJoined(db: Tx, { creditCode }: Form): Promise<void> {
  const company = await db.selectFrom('company').where('creditCode', '=', String(creditCode)).select('id').executeTakeFirst()
  if (company) await lockSealed(db, company.id)
}

/**
 * Tells the administrators of a company that the platform is seating somebody among its people, who then read what those read; everybody there, where
 * nobody administers it. For a lessor it stands in the chain of each demand for which they have a sealed quote. It is no news that somebody stays where
 * they are, nor what an administrator of the company decides. Comes before the account changes.
 */
export async function recordJoin(deed: Deed, { accountId, kind, form }: Passing, { companyId, deptId }: Place): Promise<void> {
  const { db, actor, now } = deed
  if (actor.companyId === companyId) return
  const joining = await db
    .selectFrom('account')
    .where('id', '=', accountId)
    .select(['userName', 'name', 'companyId', 'userType'])
    .executeTakeFirstOrThrow()
  if (joining.companyId === companyId && joining.userType === signOf[kind].userType) return
  const isLessor = kind === 'rentout'
  let people = db
    .selectFrom('account')
    .where('companyId', '=', companyId)
    .where('userType', '=', isLessor ? userType.lessor : userType.lessee)
    .where('driverOnly', '=', false)
    .where('status', '=', accountStatus.active)
    .where('delFlag', '=', delFlag.present)
    .where('id', '<>', accountId)
  if (deptId !== null) people = people.where(sql<boolean>`dept_id in (select unnest(ancestors || id) from dept where id = ${deptId})`)
  const colleagues = await people.select(['id', 'isAdmin']).execute()
  const admins = colleagues.filter(({ isAdmin }) => isAdmin)
  // The message is the same whether the company has sealed quotes or none: the outbox shows the platform an SMS about it.
  if (isLessor) await recordAccess(deed, { companyId, move: 'bidderJoined', by: actor.accountId, note: joining.userName })
  await sendMessages(deed, {
    to: { accounts: (admins.length > 0 ? admins : colleagues).map(({ id }) => id) },
    kind: 'personJoined',
    params: {
      name: joining.name || String(form.contactName ?? form.applicantName ?? ''),
      userName: joining.userName,
      time: toMinute(now),
      lessor: isLessor ? yesNo.yes : '',
    },
    bizType: 'account',
    bizId: accountId,
    link: isLessor ? paths.companyPeople() : paths.people(),
  })
}
