import { addMonths } from '../calendar.ts'
import { isAmong, type Moves } from '../lifecycle.ts'

/** 拟列入, 告知中, 生效, 申诉中, 已解除, 已到期, 不予列入. */
export const blacklistStatus = {
  proposed: '0',
  notified: '1',
  inForce: '2',
  appealed: '3',
  lifted: '4',
  expired: '5',
  dropped: '6',
} as const
export const blacklistStatuses = Object.values(blacklistStatus)
export type BlacklistStatus = (typeof blacklistStatus)[keyof typeof blacklistStatus]

const { proposed, notified, inForce: decided, appealed, lifted, expired, dropped } = blacklistStatus
/** They hold, during an appeal too. */
export const entriesInForce = [decided, appealed] as const
/** The subject may still answer until the hearing ends; an emergency entry holds before that. */
export const heardEntries = [notified, decided, appealed] as const
/** Somebody is to decide: about the entry, or about the appeal. */
export const entriesToDecide = [notified, appealed] as const

/** 关注: a mark. 限制: cannot quote. 禁入: cannot quote nor be awarded; on the platform, off the shelf. */
export const blacklistLevel = { watched: 1, restricted: 2, barred: 3 } as const
export const blacklistLevels = Object.values(blacklistLevel)
export type BlacklistLevel = (typeof blacklistLevel)[keyof typeof blacklistLevel]

export const proposedReasons = ['quit', 'forgery', 'accident', 'arrears', 'collusion', 'other'] as const
/** With those of entries from before: the subject is a lessor, who owes no rent. */
export const blacklistReasons = [...proposedReasons, 'rent'] as const
export type BlacklistReason = (typeof blacklistReasons)[number]
export const subjectKinds = ['company', 'machine', 'person'] as const
export type SubjectKind = (typeof subjectKinds)[number]
/** With these an entry may hold at once; the hearing follows. */
export const emergencyReasons = ['accident', 'forgery'] as const

/** The decider is somebody else than the proposer; the database holds that too. `lapse` ends a hearing that nobody has decided within the period. */
export const blacklistMoves = {
  notify: { from: [proposed], to: notified, by: ['proposer'] },
  emergency: { from: [proposed], to: decided, by: ['decider'] },
  withdraw: { from: [proposed, notified], to: dropped, by: ['proposer'] },
  decide: { from: [notified], to: decided, by: ['decider'] },
  drop: { from: [proposed, notified], to: dropped, by: ['decider'] },
  appeal: { from: [decided], to: appealed, by: ['subject'] },
  keep: { from: [appealed], to: decided, by: ['decider'] },
  uphold: { from: [appealed], to: lifted, by: ['decider'] },
  lift: { from: [decided], to: lifted, by: ['decider'] },
  expire: { from: entriesInForce, to: expired, by: ['clock'] },
  lapse: { from: [notified], to: dropped, by: ['clock'] },
} as const satisfies Moves<BlacklistStatus, 'proposer' | 'decider' | 'subject' | 'clock'>
export type BlacklistMove = keyof typeof blacklistMoves
/** A step in the history of an entry: a move, or another step of its proposer, its subject or the clock. */
export type BlacklistStep = BlacklistMove | 'propose' | 'edit' | 'answer' | 'enforce'

/**
 * `writtenADay`: proposals and changes of them that one person writes in a day; `noticesADay`: hearings that they begin in 24 hours; `noticesOfLessor`:
 * those against the same lessor in seven days; `shownSteps`: the newest of an entry that its page shows.
 */
export const blacklistRules = {
  factsMin: 50,
  answerDays: 7,
  appealEveryDays: 90,
  maxYears: 3,
  writtenADay: 100,
  noticesADay: 20,
  noticesOfLessor: 3,
  shownSteps: 300,
} as const

/** A decider drops what the subject was told of. A proposal that nobody outside knows of is its proposer's, as long as they have a part in it. */
export const mayDrop = ({ status, hasProposer }: { status: BlacklistStatus; hasProposer: boolean }) =>
  isAmong(status, blacklistMoves.drop.from) && (status !== proposed || !hasProposer)

/** Whether nobody has decided yet if the entry restricts its subject. */
export const isUndecided = (status: BlacklistStatus) => isAmong(status, [proposed, notified])

export const inForce = (status: BlacklistStatus) => isAmong(status, entriesInForce)

/** Three years at the most; a longer one needs a new decision. One that is over would restrict nobody. */
export function periodProblem(from: string, to: string, today: string): 'ends_before_start' | 'blacklist_long' | 'over_already' | null {
  if (to <= from) return 'ends_before_start'
  if (to <= today) return 'over_already'
  return to > addMonths(from, 12 * blacklistRules.maxYears) ? 'blacklist_long' : null
}
