import { loginRules } from '#shared/account/rules.ts'
import { Refusal } from '../http/refusal.ts'
import { networkOf } from '../http/limits.ts'
import { countAttempt, countFailure, forgetAttempts, uncountAttempt, type Counter, type Counting } from './attempts.ts'
import { deviceHash, type Client } from './devices.ts'

/** One try of a password for a name, as far as the limits are concerned. */
export type Guess = { counters: readonly Counter[]; needsImageCode: boolean; isLast: boolean }

const minutes = loginRules.lockMinutes

/** The counters of a name on a device of its account: nobody else can use them up. */
const countersOfDevice = (name: string, device: Buffer): Counter[] => [
  { scope: 'password on device', subject: name, place: device, limit: loginRules.deviceFailures, minutes },
]

/** From elsewhere the narrowest counter comes first: an address that has used up its tries cannot use up those of everybody. */
function countersElsewhere(name: string, address: string): Counter[] {
  const place = networkOf(address)
  return [
    { scope: 'password', subject: name, place, limit: loginRules.failures, minutes },
    { scope: 'password anywhere', subject: name, limit: loginRules.nameFailures, minutes },
    { scope: 'password at address', place, limit: loginRules.addressFailures, minutes },
  ]
}

/**
 * Counts a try before the password is checked, and refuses one too many. The counters go by the name as it was typed, whether an account has it
 * or not, so they tell nobody which names exist.
 */
export async function beginGuess(
  counting: Counting,
  { name, address, isOwn, client }: { name: string; address: string; isOwn: boolean; client: Client },
): Promise<Guess> {
  const counters = isOwn ? countersOfDevice(name, deviceHash(counting.secret, client)) : countersElsewhere(name, address)
  let needsImageCode = false
  let isLast = false
  for (const counter of counters) {
    const { tries, failures, isAllowed } = await countAttempt(counting, counter)
    if (!isAllowed) throw new Refusal(counter.subject === undefined ? 'too_many' : 'account_locked')
    needsImageCode ||= !isOwn && failures >= picturesFrom(counter)
    isLast ||= counter.subject !== undefined && tries === counter.limit
  }
  return { counters, needsImageCode, isLast }
}

const picturesFrom = ({ subject }: Counter) => (subject === undefined ? loginRules.captchaAfterAtAddress : loginRules.captchaAfter)

/** The password was not checked. */
export async function withdrawGuess(counting: Counting, { counters }: Guess): Promise<void> {
  for (const counter of counters) await uncountAttempt(counting, counter)
}

/** The password was wrong. Gives whether the next try needs a picture code. */
export async function failGuess(counting: Counting, { counters }: Guess): Promise<boolean> {
  let needsImageCode = false
  for (const counter of counters) {
    const failures = await countFailure(counting, counter)
    needsImageCode ||= counters.length > 1 && failures >= picturesFrom(counter)
  }
  return needsImageCode
}

/** The password was right: the tries of this person are forgotten, those of others are not. */
export async function endGuess(counting: Counting, { counters: [own, ...others] }: Guess): Promise<void> {
  if (own) await forgetAttempts(counting, own)
  for (const counter of others) await uncountAttempt(counting, counter)
}
