import type { Certification } from '#shared/certification/contract.ts'
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
