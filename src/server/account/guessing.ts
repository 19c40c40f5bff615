import { loginRules } from '#shared/account/rules.ts'
import { Refusal } from '../http/refusal.ts'
import { networkOf } from '../http/limits.ts'
import { countAttempt, countFailure, forgetAttempts, uncountAttempt, type Counter, type Counting } from './attempts.ts'
import { deviceHash, type Client } from './devices.ts'

/** One try of a password for a name, as far as the limits are concerned. */
type Guess = { counters: readonly Counter[]; needsImageCode: boolean; isLast: boolean }

/**
 * Where a try comes from: a device that the account has signed in from, or a session of the account, `ownAccountId`. The id of a device is chosen by
 * the caller, so a session alone does not make one known.
 */
type Guessing = { name: string; address: string; isOwnDevice: boolean; ownAccountId: number | null; client: Client }

const minutes = loginRules.lockMinutes

const onDevice = { scope: 'password on device', limit: loginRules.deviceFailures, minutes } as const
const atNetwork = { scope: 'password', limit: loginRules.failures, minutes } as const
const anywhere = { scope: 'password anywhere', limit: loginRules.nameFailures, minutes } as const

/** The counters of a name on a device of its account: nobody else can use them up. */
const countersOfDevice = (name: string, device: Buffer): Counter[] => [{ ...onDevice, subject: name, place: device }]

/** Within a session, the password of its own account: its owner may mistype it, and whoever found the session open may not try on and on. */
export const ownPasswordCounter = (accountId: number): Counter => ({
  scope: 'own password',
  place: String(accountId),
  limit: loginRules.failures,
  minutes,
})

/** From elsewhere the narrowest counter comes first: an address that has used up its tries cannot use up those of everybody. */
function countersElsewhere(name: string, address: string): Counter[] {
  const place = networkOf(address)
  return [
    { ...atNetwork, subject: name, place },
    { ...anywhere, subject: name },
    { scope: 'password at address', place, limit: loginRules.addressFailures, minutes },
  ]
}

/** All counters that may refuse the password of an account, which has these names: of any device, at any network, and within a session. */
export const countersOfAccount = ({ id, names }: { id: number; names: readonly string[] }): Counter[] => [
  ownPasswordCounter(id),
  ...names.flatMap((subject) => [onDevice, atNetwork, anywhere].map((counter) => ({ ...counter, subject }))),
]

/**
 * Counts a try before the password is checked, and refuses one too many. The counters go by the name as it was typed, whether an account has it
 * or not, so they tell nobody which names exist.
 */
export async function beginGuess(counting: Counting, { name, address, isOwnDevice, ownAccountId, client }: Guessing): Promise<Guess> {
  const isOwn = isOwnDevice || ownAccountId !== null
  const counters = isOwnDevice
    ? countersOfDevice(name, deviceHash(counting.secret, client))
    : ownAccountId === null
      ? countersElsewhere(name, address)
      : [ownPasswordCounter(ownAccountId)]
  let needsImageCode = false
  let isLast = false
  for (const counter of counters) {
    const { tries, failures, isAllowed } = await countAttempt(counting, counter)
    if (!isAllowed) throw new Refusal(isOwn || counter.subject !== undefined ? 'account_locked' : 'too_many')
    needsImageCode ||= !isOwn && failures >= picturesFrom(counter)
    isLast ||= (isOwn || counter.subject !== undefined) && tries === counter.limit
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
