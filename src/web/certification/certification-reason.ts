import type { Certification } from '#shared/certification/contract.ts'
import {
  activeCertifications,
  certificationStatus,
  type CertificationDocument,
  type CertificationKind,
} from '#shared/certification/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import type { Text } from '#shared/text/zh-cn.ts'

type Words = Pick<Text['certification'], 'leftFor'>

/** The note of an event as it is read: that of a certification which ended by a move names the department that its person went to. */
export const noteOf = ({ action, note }: Certification['events'][number], { leftFor }: Words): string =>
  action === 'leave' ? leftFor(note) : note

/** Why a certification was sent back or ended. What ended by a move has no reason of a reviewer. */
export function reasonOf({ events, reason }: Pick<Certification, 'events' | 'reason'>, words: Words): string {
  const last = events.at(-1)
  return last?.action === 'leave' ? noteOf(last, words) : reason
}

/** Why nobody can apply for this kind at present: another kind is in review or in force. Undefined where nothing stands in the way. */
export function otherKindBar(
  own: readonly Pick<Certification, 'kind' | 'status'>[],
  kind: CertificationKind,
  words: Pick<Text['certification'], 'other' | 'otherInReview'>,
): string | undefined {
  const active = own.find((one) => one.kind !== kind && isAmong(one.status, activeCertifications))
  if (!active) return undefined
  return active.status === certificationStatus.inReview ? words.otherInReview : words.other
}

/** The documents that end first, on the last day of the certification. */
export function firstToEnd({ validTo, form, documents }: Pick<Certification, 'validTo' | 'form' | 'documents'>): CertificationDocument[] {
  const ending = documents.filter((one) => one.validTo === validTo).map((one) => one.kind)
  return form.licenseValidTo === validTo ? [...new Set<CertificationDocument>(['license', ...ending])] : ending
}
