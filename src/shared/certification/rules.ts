import { canMove, type Moves } from '../lifecycle.ts'

/** lessor (出租方), lessee (承租方), project department (项目部); the last part of the personal page's path. */
export const certificationKinds = ['rentout', 'lease', 'dept'] as const
export type CertificationKind = (typeof certificationKinds)[number]

/** certSign on the wire: 1 lessor, 2 lessee, 3 project department. userType likewise. */
export const signOf: Record<CertificationKind, { certSign: number; userType: string }> = {
  rentout: { certSign: 1, userType: '4' },
  lease: { certSign: 2, userType: '2' },
  dept: { certSign: 3, userType: '3' },
}

/**
 * 0 not submitted, 1 in review, 2 passed, 3 rejected, 4 expired, 5 a change in review (what was passed stays in force),
 * 6 revoked.
 */
export const certificationStatuses = ['0', '1', '2', '3', '4', '5', '6'] as const
export type CertificationStatus = (typeof certificationStatuses)[number]

/** `back` is how a change in review returns to what was passed: withdrawn or rejected, the old data stay in force. */
export const certificationMoves = {
  submit: { from: ['0', '3', '4', '6'], to: '1', by: ['applicant'] },
  change: { from: ['2'], to: '5', by: ['applicant'] },
  withdraw: { from: ['1'], to: '0', by: ['applicant'] },
  pass: { from: ['1', '5'], to: '2', by: ['reviewer'] },
  reject: { from: ['1'], to: '3', by: ['reviewer'] },
  back: { from: ['5'], to: '2', by: ['applicant', 'reviewer'] },
  revoke: { from: ['2', '5'], to: '6', by: ['reviewer'] },
  expire: { from: ['2', '5'], to: '4', by: ['clock'] },
} as const satisfies Moves<CertificationStatus, 'applicant' | 'reviewer' | 'clock'>

export const mayMove = (move: keyof typeof certificationMoves, status: string, by: 'applicant' | 'reviewer' | 'clock') =>
  canMove(certificationMoves, move, status, by)

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

/** Papers that run out: their last day is asked for. */
export const datedDocuments: readonly CertificationDocument[] = ['safetyPermit', 'erectionQualification', 'constructionQualification']

/** What each kind may hand in, in the order of the form. */
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

/**
 * Which papers are still missing (domain 1.4). Of a group in one array any complete alternative will do: both sides of the
 * legal person's card, or an authorisation with the agent's card.
 */
export function missingDocuments(
  kind: CertificationKind,
  form: { ownErection?: boolean },
  given: ReadonlySet<string>,
): CertificationDocument[] {
  const missing: CertificationDocument[] = []
  const needed = (...kinds: CertificationDocument[]) => missing.push(...kinds.filter((one) => !given.has(one)))
  switch (kind) {
    case 'rentout': {
      needed('license')
      const byAgent = given.has('authorization') && given.has('agentId')
      if (!byAgent) {
        if (given.has('authorization')) needed('agentId')
        else needed('legalIdFront', 'legalIdBack')
      }
      if (form.ownErection) needed('safetyPermit', 'erectionQualification')
      break
    }
    case 'lease':
      needed('license', 'authorization')
      break
    case 'dept':
      if (!given.has('winningNotice')) needed('appointment')
  }
  return missing
}

/** Fields that stand together are mended together: a region is three, the unit above too. */
export function fieldsToMend(reasons: readonly { field: string }[]): string[] {
  const together = [
    ['provinceId', 'cityId', 'districtId'],
    ['parentDeptId', 'parentName', 'parentCreditCode'],
  ]
  return [...new Set(reasons.flatMap(({ field }) => together.find((group) => group.includes(field)) ?? [field]))]
}

/** Days before a paper runs out at which its owner is told, once each. */
export const reminderDays = [90, 60, 30, 7, 0] as const

/** The threshold that a paper with so many days left has reached; null while it is further away. */
export function reachedThreshold(daysLeft: number): (typeof reminderDays)[number] | null {
  return reminderDays.findLast((days) => daysLeft <= days) ?? null
}
