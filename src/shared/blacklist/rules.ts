import { addDays } from '../calendar.ts'
import type { Moves } from '../lifecycle.ts'

/** 拟列入, 告知中, 生效, 申诉中, 已解除, 已到期, 不予列入. */
export const blacklistStatuses = ['0', '1', '2', '3', '4', '5', '6'] as const
export type BlacklistStatus = (typeof blacklistStatuses)[number]

/** 1 关注: a mark. 2 限制: cannot quote. 3 禁入: cannot quote nor be awarded; on the platform, off the shelf. */
export const blacklistLevels = [1, 2, 3] as const
export const blacklistReasons = ['quit', 'forgery', 'accident', 'arrears', 'collusion', 'rent', 'other'] as const
export const subjectKinds = ['company', 'machine', 'person'] as const
/** With these an entry may hold at once; the hearing follows. */
export const emergencyReasons: readonly string[] = ['accident', 'forgery']

/** The decider is somebody else than the proposer; the database holds that too. */
export const blacklistMoves = {
  notify: { from: ['0'], to: '1', by: ['proposer'] },
  emergency: { from: ['0'], to: '2', by: ['decider'] },
  withdraw: { from: ['0', '1'], to: '6', by: ['proposer'] },
  decide: { from: ['1'], to: '2', by: ['decider'] },
  drop: { from: ['1'], to: '6', by: ['decider'] },
  appeal: { from: ['2'], to: '3', by: ['subject'] },
  keep: { from: ['3'], to: '2', by: ['decider'] },
  uphold: { from: ['3'], to: '4', by: ['decider'] },
  lift: { from: ['2'], to: '4', by: ['decider'] },
  expire: { from: ['2', '3'], to: '5', by: ['clock'] },
} as const satisfies Moves<BlacklistStatus, 'proposer' | 'decider' | 'subject' | 'clock'>
export type BlacklistMove = keyof typeof blacklistMoves

export const blacklistRules = { factsMin: 50, answerDays: 7, appealEveryDays: 90, maxYears: 3 } as const

export const inForce = (status: string) => status === '2' || status === '3'

/** Three years at the most; a longer one needs a new decision. */
export function periodProblem(from: string, to: string): 'ends_before_start' | 'blacklist_long' | null {
  if (to <= from) return 'ends_before_start'
  return to > addDays(from, 1096) ? 'blacklist_long' : null
}
