import { smsRules } from '#shared/account/rules.ts'
import { dayMs, minuteMs } from '#shared/calendar.ts'
import { Refusal } from '../http/refusal.ts'
import { countAttempt, type Counting } from './attempts.ts'

const minutes = dayMs / minuteMs

/**
 * Counts a first password that is about to go to a number by SMS. An administrator enters any number they like, so both are bounded: what one
 * number gets in a day, and what one person sends.
 */
export async function countFirstPassword(
  counting: Counting,
  { senderId, phonenumber }: { senderId: number; phonenumber: string },
): Promise<void> {
  const bySender = { scope: 'first passwords of sender', place: String(senderId), limit: smsRules.firstPasswordsPerSender, minutes }
  const toNumber = { scope: 'first passwords to number', place: phonenumber, limit: smsRules.firstPasswordsPerNumber, minutes }
  if (!(await countAttempt(counting, bySender)).isAllowed) throw new Refusal('too_many')
  if (!(await countAttempt(counting, toNumber)).isAllowed) throw new Refusal('sms_day_limit')
}
