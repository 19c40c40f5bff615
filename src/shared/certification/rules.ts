import { userType, type Role, type UserType } from '../account/rules.ts'
import { canMove, isAmong, type Moves } from '../lifecycle.ts'

/** lessor (出租方), lessee (承租方), project department (项目部); the last part of the personal page's path. */
export const certificationKinds = ['rentout', 'lease', 'dept'] as const
export type CertificationKind = (typeof certificationKinds)[number]

/** Which certification an account has or waits for. */
export const certSign = { none: 0, rentout: 1, lease: 2, dept: 3 } as const satisfies Record<CertificationKind | 'none', number>

/** What an account becomes by a certification of the kind. */
export const signOf = {
  rentout: { certSign: certSign.rentout, userType: userType.lessor },
  lease: { certSign: certSign.lease, userType: userType.lessee },
  dept: { certSign: certSign.dept, userType: userType.project },
} as const satisfies Record<CertificationKind, { certSign: number; userType: UserType }>

/** `changing` is a change in review: what was passed stays in force. An account's and a company's `audit` have the same values. */
export const certificationStatus = {
  unsubmitted: '0',
  inReview: '1',
  passed: '2',
  rejected: '3',
  expired: '4',
  changing: '5',
  revoked: '6',
} as const
export const certificationStatuses = Object.values(certificationStatus)
export type CertificationStatus = (typeof certificationStatus)[keyof typeof certificationStatus]

const { unsubmitted, inReview, passed, rejected, expired, changing, revoked } = certificationStatus
/** In force: what was passed stays so while a change is in review. */
export const passedCertifications = [passed, changing] as const
/** A reviewer is to decide. */
export const waitingCertifications = [inReview, changing] as const
/** The applicant may hand in; those that were never sent back are drafts. */
export const editableCertifications = [unsubmitted, rejected, expired, revoked] as const
/** The form is stored unchecked: nothing is in review or in force, and nothing was sent back. */
export const draftCertifications = [unsubmitted, expired, revoked] as const
/** No other kind can be applied for beside one of these. */
export const activeCertifications = [inReview, passed, changing] as const

/** What was in force has ended. A company's role ends with it, for everybody who has it through the company. */
export const endedCertifications = [expired, revoked] as const

export const isCertified = (status: string): boolean => isAmong(status, passedCertifications)

/** The certifications of an account's company, as lessor and as lessee. */
export type CompanyAudits = { lessorAudit: string | null; lesseeAudit: string | null }

/** What decides the role of an account beside its company. */
type RoleFacts = { userType: string; auditStatus: string; driverOnly: boolean }

/**
 * The role an account has; null before its certification has passed, and once that of its company has ended: no record of the account alone
 * gives a role back. A project department may stand below a company that was never certified. A driver stays one, whatever becomes of the company.
 */
export function roleOf({ userType: type, auditStatus, driverOnly }: RoleFacts, company?: CompanyAudits): Role | null {
  if (driverOnly) return 'driver'
  switch (type) {
    case userType.operator:
      return 'operator'
    case userType.auditor:
      return 'auditor'
  }
  if (!isCertified(auditStatus) || isAmong(companyAudit(type, company), endedCertifications)) return null
  return roleOfType(type)
}

const companyAudit = (type: string, company?: CompanyAudits) => (type === userType.lessor ? company?.lessorAudit : company?.lesseeAudit)

function roleOfType(type: string): Role | null {
  switch (type) {
    case userType.lessee:
      return 'leaseholder'
    case userType.project:
      return 'projectUser'
    case userType.lessor:
      return 'leaser'
  }
  return null
}

/**
 * The role in which an account goes on with the contracts of its company. It outlives a certification that has run out, of the account or of its company,
 * and also holds while they renew it; it ends with one that was revoked (`revoked`: that of the account, and none has passed since).
 */
export function contractRoleOf(facts: RoleFacts & { companyId: number | null; revoked: boolean }, company?: CompanyAudits): Role | null {
  const role = roleOf(facts, company)
  if (role !== null) return role
  const isEnded = facts.revoked || companyAudit(facts.userType, company) === revoked
  return facts.companyId === null || isEnded ? null : roleOfType(facts.userType)
}

/**
 * `back` is how a change in review returns to what was passed: withdrawn or rejected, the old data stay in force. `outlast` is how one goes on as an
 * application: what was passed has run out while the change waits.
 */
export const certificationMoves = {
  submit: { from: editableCertifications, to: inReview, by: ['applicant'] },
  change: { from: [passed], to: changing, by: ['applicant'] },
  withdraw: { from: [inReview], to: unsubmitted, by: ['applicant'] },
  pass: { from: waitingCertifications, to: passed, by: ['reviewer'] },
  reject: { from: [inReview], to: rejected, by: ['reviewer'] },
  back: { from: [changing], to: passed, by: ['applicant', 'reviewer'] },
  revoke: { from: passedCertifications, to: revoked, by: ['reviewer'] },
  expire: { from: [passed], to: expired, by: ['clock'] },
  outlast: { from: [changing], to: inReview, by: ['clock'] },
} as const satisfies Moves<CertificationStatus, 'applicant' | 'reviewer' | 'clock'>

/** A step in the history of a certification. */
export type CertificationStep = 'submit' | 'withdraw' | 'pass' | 'reject' | 'revoke' | 'expire' | 'leave'

export const mayMove = (move: keyof typeof certificationMoves, status: string, by: 'applicant' | 'reviewer' | 'clock') =>
  canMove(certificationMoves, move, status, by)

/** A rejected paper has to be handed in again. */
export const paperStatus = { waiting: '0', passed: '1', rejected: '2' } as const
export const paperStatuses = Object.values(paperStatus)
export type PaperStatus = (typeof paperStatus)[keyof typeof paperStatus]

/** How often a certification is submitted in a day: its reviewers are told each time, and anybody may name a unit that reviews it. */
export const submitsADay = 10

export const certificationDocuments = [
  'license',
  'legalIdFront',
  'legalIdBack',
  'authorization',
  'agentId',
  'safetyPermit',
  'erectionQualification',
  'bankPermit',
  'fleetList',
  'safetyPledge',
  'constructionQualification',
  'appointment',
  'winningNotice',
  'sealRecord',
] as const
export type CertificationDocument = (typeof certificationDocuments)[number]

/** Papers that show a person's identity: erased with the account. */
export const identityDocuments: readonly CertificationDocument[] = ['legalIdFront', 'legalIdBack', 'agentId', 'authorization']

/** Documents with an end: the form asks for their last day. */
export const datedDocuments: readonly CertificationDocument[] = ['safetyPermit', 'erectionQualification', 'constructionQualification']

/** Papers for which the platform has a template, and the certifications that ask for them. */
export const templateDocuments = ['authorization', 'safetyPledge'] as const satisfies readonly CertificationDocument[]
export const templateKinds = ['rentout', 'lease'] as const satisfies readonly CertificationKind[]

/** The documents that each kind may submit, in the order of the form. */
export const documentsOf: Record<CertificationKind, readonly CertificationDocument[]> = {
  rentout: [
    'license',
    'legalIdFront',
    'legalIdBack',
    'authorization',
    'agentId',
    'safetyPermit',
    'erectionQualification',
    'bankPermit',
    'fleetList',
    'safetyPledge',
  ],
  lease: ['license', 'authorization', 'constructionQualification'],
  dept: ['appointment', 'winningNotice', 'sealRecord'],
}

/** Alternatives, of which one has to be handed in whole. The first is asked for where none was begun. */
const alternatives: Partial<Record<CertificationKind, readonly (readonly CertificationDocument[])[]>> = {
  rentout: [
    ['legalIdFront', 'legalIdBack'],
    ['authorization', 'agentId'],
  ],
  dept: [['appointment'], ['winningNotice']],
}

/** The alternative that was handed in whole, or the one that was begun. */
function chosenAlternative(kind: CertificationKind, given: ReadonlySet<string>) {
  const groups = alternatives[kind] ?? []
  return (
    groups.find((group) => group.every((one) => given.has(one))) ?? groups.toReversed().find((group) => group.some((one) => given.has(one)))
  )
}

/**
 * Which papers are still missing (domain 1.4). Of alternatives any complete one will do: both sides of the legal person's card, or an
 * authorisation with the agent's card.
 */
export function missingDocuments(
  kind: CertificationKind,
  form: { ownErection?: boolean },
  given: ReadonlySet<string>,
): CertificationDocument[] {
  const either = chosenAlternative(kind, given) ?? alternatives[kind]?.[0] ?? []
  const needed: Record<CertificationKind, readonly CertificationDocument[]> = {
    rentout: ['license', ...either, ...(form.ownErection ? (['safetyPermit', 'erectionQualification'] as const) : [])],
    lease: ['license', 'authorization'],
    dept: either,
  }
  return needed[kind].filter((one) => !given.has(one))
}

const documentMarks = ['required', 'either', 'optional'] as const
export type DocumentMark = (typeof documentMarks)[number]

/**
 * Whether a paper is required, one of several that will do, or may be left out. It follows what has been handed in: of two alternatives the one
 * that was begun is required, and the other may be left out.
 */
export function documentMark(
  kind: CertificationKind,
  document: CertificationDocument,
  form: { ownErection?: boolean },
  given: ReadonlySet<string>,
): DocumentMark {
  const own = alternatives[kind]?.find((group) => group.includes(document))
  if (own) {
    const chosen = chosenAlternative(kind, given)
    if (!chosen) return 'either'
    return chosen === own ? 'required' : 'optional'
  }
  return missingDocuments(kind, form, new Set()).includes(document) ? 'required' : 'optional'
}

/** Fields that are corrected together: the three parts of a region, the three of the unit above, and the two days of a period. */
export function fieldsToMend(reasons: readonly { field: string }[]): string[] {
  const together = [
    ['provinceId', 'cityId', 'districtId'],
    ['parentDeptId', 'parentName', 'parentCreditCode'],
    ['startDate', 'plannedEndDate'],
  ]
  return [...new Set(reasons.flatMap(({ field }) => together.find((group) => group.includes(field)) ?? [field]))]
}

/** Days before a document expires at which its owner gets a reminder, once each. */
export const reminderDays = [90, 60, 30, 7, 0] as const

/** The reminder threshold that a document with `days` left has reached; null before the first. */
export function reachedThreshold(daysLeft: number): (typeof reminderDays)[number] | null {
  return reminderDays.findLast((days) => daysLeft <= days) ?? null
}
