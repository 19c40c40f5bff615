import { fromMoment, hourMs, minuteMs, toMinute } from '../calendar.ts'
import { isAmong } from '../lifecycle.ts'
import { privateAreas } from '../paths.ts'

/** A driver runs a lessor's machines (机手) and acts for nobody: they have no permission, and of the private pages those about themselves alone. */
export const roles = ['leaseholder', 'projectUser', 'leaser', 'driver', 'operator', 'auditor'] as const
export type Role = (typeof roles)[number]

export const userType = { ordinary: '1', lessee: '2', project: '3', lessor: '4', auditor: '8', operator: '9' } as const
export const userTypes = Object.values(userType)
export type UserType = (typeof userType)[keyof typeof userType]

/** Those whose role comes from a certification, their own or their company's. */
export const certifiedTypes = [userType.lessee, userType.project, userType.lessor] as const

/** Who works for the platform, and who audits one organisation. */
export const staffTypes = [userType.auditor, userType.operator] as const
export const isStaff = (type: UserType): type is (typeof staffTypes)[number] => isAmong(type, staffTypes)

/** Whether the pages of a role are those of the console: of the platform's operators and of the auditors of organisations. */
export const isOfConsole = (role: Role | null): role is 'operator' | 'auditor' => role === 'operator' || role === 'auditor'

/** Nobody signs in to a locked account. */
export const accountStatus = { active: '0', locked: '1' } as const
export const accountStatuses = Object.values(accountStatus)
export type AccountStatus = (typeof accountStatus)[keyof typeof accountStatus]

/** The duties of an operator, by who does what. */
export const operatorDuties = ['certification', 'equipment', 'content', 'people', 'blacklist', 'settings', 'system'] as const
export type OperatorDuty = (typeof operatorDuties)[number]

const closedTo: Record<string, readonly string[]> = {
  leaseholder: ['/workbench/cequipment', '/workbench/crequirement'],
  projectUser: ['/workbench/cequipment', '/workbench/crequirement', '/workbench/organization'],
  leaser: ['/workbench/organization', '/workbench/requirement', '/workbench/statistics'],
  // A certification is their company's, not theirs.
  driver: ['/workbench', '/personal/myapprove'],
}
const closedToNoRole = ['/workbench/cequipment', '/workbench/crequirement', '/workbench/organization']

/** The specification's table of workbench paths that a role may not open; the page then leads to the role's home. */
export function mayOpen(role: Role | null, path: string): boolean {
  const address = path.toLowerCase()
  if (isUnder(address, '/admin')) return isOfConsole(role)
  const closed = (role && closedTo[role]) ?? closedToNoRole
  return !closed.some((prefix) => isUnder(address, prefix))
}

const isUnder = (path: string, prefix: string) => path === prefix || path.startsWith(`${prefix}/`)

/** Personal pages open without a certification: applying for one, account security, and help. */
export function openBeforeCertification(path: string): boolean {
  return ['/personal/myapprove', '/personal/safety', '/personal/feedback', '/personal/myinfo'].some((prefix) => isUnder(path, prefix))
}

const guarded = [...privateAreas, '/demand/detail', '/equipment/detail', '/supplier/detail']

/** Paths that lead to /login when no token is stored: every path that contains one of the words, also where no page answers. */
export function needsLogin(path: string): boolean {
  const address = path.toLowerCase()
  return guarded.some((part) => address.includes(part))
}

/** Password: 8–20 characters, three of the four kinds. */
export function isStrongPassword(password: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z0-9]/].filter((kind) => kind.test(password)).length
  return password.length >= 8 && password.length <= 20 && kinds >= 3
}

/** What picture codes and SMS codes are for; a code serves its own purpose only. */
export const smsTypes = ['login', 'register', 'forget', 'phone', 'cancel'] as const
/** A code for signing is sent by a call of its own, to the own number of somebody signed in. */
export type AskedSmsType = (typeof smsTypes)[number]
export type SmsType = AskedSmsType | 'sign'
export const codeTypes = [...smsTypes, 'contact'] as const
/** Letters in the picture of a code. */
export const imageCodeLength = 4

/**
 * Minutes, seconds, and how often. A number gets ten codes a day that strangers ask for, five of them from one address, and ten more that its
 * owner asks for. First passwords are counted for the number and for whoever sends them.
 */
export const smsRules = {
  minutes: 5,
  resendAfter: 60,
  perDay: 10,
  /** Codes for signing: of an account for one contract, and for all of them. */
  signPerContract: 10,
  signPerDay: 100,
  perAddressDay: 5,
  perAddressHour: 30,
  tries: 5,
  firstPasswordsPerNumber: 5,
  firstPasswordsPerSender: 100,
  /** Numbers that an administrator gives colleagues: changed ones, and new ones that somebody has. */
  numbersPerAdmin: 20,
  /** Notices with the same words that one person gets by choice. */
  sameNoticesPerDay: 20,
} as const

/**
 * Codes for one ticket, codes for one account in so many minutes, how many recovery codes are given, and how often a day a person begins to set the
 * factor up: that it was switched on or off goes by SMS each time.
 */
export const factorRules = { tries: 5, triesPerAccount: 10, minutes: 10, recoveryCodes: 10, startsADay: 20 } as const

/**
 * Hours after an administrator gave an account its number, or a number changed, in which no code for signing goes to it. Whoever got hold of a password,
 * or administers the account, could otherwise sign at once with a phone of their own; meanwhile the old number and the other administrators have been told.
 */
const signWaitHours = 24

/** The minute from which codes for signing are sent again, for a number that changed at this moment; null where they are sent now. */
export function signCodesFrom(phoneChangedAt: string | null, now: Date): string | null {
  if (phoneChangedAt === null) return null
  const from = Math.ceil((fromMoment(phoneChangedAt).getTime() + signWaitHours * hourMs) / minuteMs) * minuteMs
  return from > now.getTime() ? toMinute(new Date(from)) : null
}

/** Whether a second factor has been on for longer than the wait: a change of number that it confirms needs none. */
export const isOlderFactor = (confirmedAt: string | null, now: Date): boolean =>
  confirmedAt !== null && signCodesFrom(confirmedAt, now) === null

/** Who decides about others signs in with two factors: operators, and the administrators of organisations. */
export const needsSecondFactor = ({ userType: type, isAdmin }: { userType: UserType; isAdmin: boolean }): boolean =>
  type === userType.operator || isAdmin

export const setupSteps = ['password', 'factor'] as const
export type SetupStep = (typeof setupSteps)[number]

/** What somebody has to do before anything else is answered: choose a new password of their own, then set up a second factor. */
export function setupOf(
  person: { userType: UserType; isAdmin: boolean; mustChangePassword: boolean; hasSecondFactor: boolean },
  isDemo: boolean,
): SetupStep | null {
  if (person.mustChangePassword) return 'password'
  return !isDemo && needsSecondFactor(person) && !person.hasSecondFactor ? 'factor' : null
}

export const signInWays = ['password', 'sms', 'register', 'switch'] as const
export type SignInWay = (typeof signInWays)[number]

/** A new password must differ from this many before it. */
export const passwordsRemembered = 3

/** A stopped cancellation waits for the operator: something is in the way of the erasure. */
export const cancellationStatus = { cooling: '0', withdrawn: '1', stopped: '2', erased: '3', refused: '4' } as const
export const cancellationStatuses = Object.values(cancellationStatus)
export const undecidedCancellations = [cancellationStatus.cooling, cancellationStatus.stopped] as const
export type CancellationStatus = (typeof cancellationStatus)[keyof typeof cancellationStatus]

/** Days between asking for the cancellation of an account and its erasure (domain 1.16). */
export const coolingDays = 7

/** 138****5678, and of a landline 028****4321. */
export const maskPhone = (phone: string): string => phone.replace(/^(\d{3})[\d-]+([\d-]{4})$/, '$1****$2')

/** Every number of a mobile, a landline or a hotline within a text, for what is logged: also with spaces and brackets, and with the code of the country. */
export const maskPhones = (text: string): string =>
  [
    /(?<!\d)(?:(?:\+|00)?86[- ]?)?1[3-9]\d[- ]?\d{4}[- ]?\d{4}(?!\d)/g,
    /(?<!\d)(?:0|(?:\+|00)?86[- ]?(?:\(0\)[- ]?)?\(?0?)[1-9]\d{1,2}\)?[- ]?[1-9]\d{2,3} ?\d{4}(?:-\d{1,6})?(?!\d)/g,
    /(?<!\d)400[- ]?\d{3}[- ]?\d{4}(?!\d)/g,
  ].reduce((masked, phone) => masked.replace(phone, (found) => `${found.slice(0, 3)}****${found.slice(-4)}`), text)

/**
 * Wrong passwords in ten minutes (decision 38). Five for one name from one address refuse that name there; `nameFailures` refuse the name, and
 * `addressFailures` the address, to devices that the account has not signed in from. Neither concerns the account's own devices, which have
 * a count of their own, nor SMS codes. A picture code is asked for first.
 */
export const loginRules = {
  failures: 5,
  lockMinutes: 10,
  captchaAfter: 2,
  captchaAfterAtAddress: 20,
  nameFailures: 30,
  addressFailures: 100,
  deviceFailures: 10,
  noticeMinutes: 60,
  sessionMinutes: 720,
  sessions: 20,
  devices: 20,
} as const
