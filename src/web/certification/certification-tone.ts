import { certificationStatus, type CertificationStatus } from '#shared/certification/rules.ts'
import type { Tone } from '../ui/parts.tsx'

export const certificationTone: Record<CertificationStatus, Tone> = {
  [certificationStatus.unsubmitted]: 'plain',
  [certificationStatus.inReview]: 'amber',
  [certificationStatus.passed]: 'good',
  [certificationStatus.rejected]: 'bad',
  [certificationStatus.expired]: 'bad',
  [certificationStatus.changing]: 'amber',
  [certificationStatus.revoked]: 'bad',
}
