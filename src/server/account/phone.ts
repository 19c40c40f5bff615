import type * as contract from '#shared/account/contract.ts'
import { isOlderFactor, maskPhone } from '#shared/account/rules.ts'
import type { Received } from '#shared/endpoint.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { hashToken } from '../actor/hash.ts'
import { transact, type Context, type Work } from '../deed.ts'
import { sendSms } from '../outbox/queries.ts'
import { lockLeaver } from './cancellation.ts'
import { redeemSmsCode } from './codes.ts'
import { carryContacts } from './contacts.ts'
import { forgetDevices } from './devices.ts'
import { sendAccountNotice } from './notice.ts'
import { confirmPassword, refuseTakenPhone } from './passwords.ts'
import { countFactorTry, redeemFactor } from './second-factor.ts'
import { endSessionsOf } from './sessions.ts'
import { findFactor } from './tickets.ts'

/** Changes the own phone number; the code went to the new one. Whoever has a second factor confirms with it, too. */
export async function changePhone(
  context: Context,
  { password, phonenumber, smsCode, code = '' }: Received<typeof contract.resetPhoneNumber>['body'],
): Promise<void> {
  const { db, actor, now, token } = context
  const { accountId } = actor
  await confirmPassword(context, { password, field: 'password' })
  const factor = await findFactor(db, accountId)
  const hasFactor = factor?.confirmedAt != null
  if (hasFactor) await countFactorTry(context)
  await redeemSmsCode(context, { type: 'phone', phonenumber, code: smsCode })
  // A factor that has just been set up proves no more than the password did.
  const phoneChangedAt = isOlderFactor(factor?.confirmedAt ?? null, now) ? null : now
  const before = await transact(context, { now }, async (work) => {
    await lockLeaver(work.db, accountId)
    const account = await work.db.selectFrom('account').where('id', '=', accountId).select('phonenumber').executeTakeFirstOrThrow()
    if (account.phonenumber === phonenumber) return null
    await carryContacts(work, { accountId, phonenumber })
    await work.db.updateTable('account').set({ phonenumber, phoneChangedAt }).where('id', '=', accountId).execute()
    // Only now, so that neither a wrong SMS code nor a taken number uses up a recovery code.
    if (hasFactor) await redeemFactor(work, accountId, code)
    await followPhoneChange(work, { accountId, phonenumber, exceptToken: token })
    await context.claimAnswer?.(work.db, null)
    return account.phonenumber
  }).catch(refuseTakenPhone)
  await notifyOldNumber(context, { before, phonenumber })
}

/** What follows a change of an account's number by anybody: its devices prove themselves anew, and its person gets a message. */
export async function followPhoneChange(
  work: Work,
  { accountId, phonenumber, exceptToken = null }: { accountId: number; phonenumber: string; exceptToken?: string | null },
): Promise<void> {
  await forgetDevices(work.db, accountId, exceptToken === null ? null : hashToken(exceptToken))
  await endSessionsOf(work, accountId, exceptToken)
  await sendAccountNotice(work, { accountId, kind: 'phoneChanged', params: { phone: maskPhone(phonenumber) } })
}

/**
 * Sends an SMS to the number that an account had until now, after the change holds: whoever holds that phone may know nothing of it. One that the
 * provider refuses waits in the outbox and undoes nothing.
 */
export async function notifyOldNumber(
  context: Context,
  { before, phonenumber }: { before: string | null; phonenumber: string },
): Promise<void> {
  const title = zhCn.personal.sms.phoneChanged(maskPhone(phonenumber))
  if (before) await sendSms(context, { template: 'notice', phonenumber: before, title }, context.now)
}
