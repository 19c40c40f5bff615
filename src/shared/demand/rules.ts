import { addDays, dayOf, hourMs } from '../calendar.ts'
import type { FieldProblem } from '../endpoint.ts'
import { isAmong, type Moves } from '../lifecycle.ts'

/** 草稿, 待审核, 已驳回, 报价中, 评审中, 已成交, 部分成交, 流标, 已取消, 已完成. */
export const demandStatus = {
  draft: '0',
  submitted: '1',
  rejected: '2',
  quoting: '3',
  reviewing: '4',
  awarded: '5',
  awardedPart: '6',
  failed: '7',
  cancelled: '8',
  completed: '9',
} as const
export const demandStatuses = Object.values(demandStatus)
export type DemandStatus = (typeof demandStatus)[keyof typeof demandStatus]

const { draft, submitted, rejected, quoting, reviewing, awarded, awardedPart, failed, cancelled, completed } = demandStatus
/** Not published yet: only the owner's side knows of them. */
export const unpublishedDemands = [draft, submitted, rejected] as const
/** Under way: somebody still has to act. */
export const openDemands = [submitted, quoting, reviewing] as const
/** States of a demand after its opening. `failed` is also reached without one, so ask `isOpened`. */
export const openedDemands = [reviewing, awarded, awardedPart, failed, completed] as const
export const awardedDemands = [awarded, awardedPart, completed] as const
/** Statuses that the public library shows. */
export const publicStatuses = [quoting, reviewing, awarded, awardedPart, failed, completed] as const

export type DemandActor = 'owner' | 'approver' | 'lessor' | 'operator' | 'clock'

/** Every way a demand may change status. The API, the buttons and the tests all read this table. */
export const demandMoves = {
  publish: { from: [draft, rejected], to: quoting, by: ['owner'] },
  submit: { from: [draft, rejected], to: submitted, by: ['owner'] },
  approve: { from: [submitted], to: quoting, by: ['approver'] },
  reject: { from: [submitted], to: rejected, by: ['approver', 'clock'] },
  amend: { from: [quoting], to: quoting, by: ['owner'] },
  extend: { from: [quoting], to: quoting, by: ['owner'] },
  open: { from: [quoting], to: reviewing, by: ['clock', 'owner'] },
  award: { from: [reviewing], to: awarded, by: ['owner', 'approver'] },
  awardPart: { from: [reviewing], to: awardedPart, by: ['owner', 'approver'] },
  giveUp: { from: [awarded, awardedPart], to: awardedPart, by: ['lessor'] },
  lapse: { from: [awarded, awardedPart], to: awardedPart, by: ['owner', 'clock'] },
  complete: { from: [awarded, awardedPart], to: completed, by: ['clock'] },
  fail: { from: [quoting, reviewing], to: failed, by: ['owner', 'clock'] },
  cancel: { from: [...openDemands, rejected], to: cancelled, by: ['owner'] },
  takeDown: { from: openDemands, to: cancelled, by: ['operator'] },
} as const satisfies Moves<DemandStatus, DemandActor>
export type DemandMove = keyof typeof demandMoves

/** A step in the history of a demand: a move, or another step of the demand, its quotes or its awards. */
export type DemandStep =
  | DemandMove
  | 'quote'
  | 'change'
  | 'confirm'
  | 'withdraw'
  | 'accept'
  | 'moveContractDue'
  | 'awardSubmit'
  | 'awardApprove'
  | 'awardReject'
  | 'awardApprovalOff'
  | 'approvalOff'
  | 'reopenRest'
  | 'invite'
  | 'uninvite'
  | 'blacklist'
  | 'passwordReset'
  | 'bidderJoined'

/** A demand may be amended until this many hours before its deadline, so bidders always have that long after a change. */
export const amendHours = 24
/** Days the owner has to decide when too few quoted; then the clock opens what there is. */
export const fewDays = 3
/** Days after the opening in which the owner decides; then the clock lets the demand fail (domain 1.7), so many days after it has reminded them. */
export const decisionDays = 30
export const decisionReminder = 3

/** What the owner's side may do with one demand again and again, each with the moves that it writes into the record. */
export const ownerSteps = {
  change: ['amend', 'extend', 'invite', 'uninvite'],
  extend: ['amend', 'extend'],
  submit: ['submit'],
  submitAward: ['awardSubmit'],
  reopenRest: ['reopenRest'],
} as const
export type OwnerStep = keyof typeof ownerSteps
/** What one amendment does to the list of the invited is no change of its own on that day, and never stands in the way of an extension. */
export const invitingMoves = ['invite', 'uninvite'] as const
/**
 * How often the owner's side takes each of `ownerSteps`, in a day and in all, so that the record can always be read whole and nobody who quotes is told of
 * changes without end. What ends or opens a demand is never refused for it.
 */
export const stepLimits = { aDay: 20, inAll: 1000 } as const

/** Demands that one person publishes in a day, those that have ended included: lessors are told of each. */
export const demandsADay = 200

/** Drafts of one person, of 60,000 characters at most. */
export const maxDrafts = 200

/** Whether the quotes may be read. A demand that ended before its opening was never opened, and its quotes stay sealed. */
export const isOpened = ({ status, openTime }: { status: DemandStatus; openTime: string | null }): boolean =>
  openTime !== null && isAmong(status, openedDemands)

/** Whether each winner of an award has given up or lapsed since. The status stays 部分成交, although nothing is awarded any more. */
export const isWithoutWinner = (status: DemandStatus, hasWinner: boolean): boolean => status === awardedPart && !hasWinner

export const demandType = { public: '1', invited: '2', internal: '3' } as const
export const demandTypes = Object.values(demandType)
export type DemandType = (typeof demandType)[keyof typeof demandType]

export const demandMethod = { enquiry: '1', auction: '2', negotiation: '3', direct: '4' } as const
export const demandMethods = Object.values(demandMethod)
export type DemandMethod = (typeof demandMethod)[keyof typeof demandMethod]
/** The methods of new demands. Nothing would differ in the other two, so they stay with the demands that have them (decision 45). */
export const offeredMethods = [demandMethod.enquiry, demandMethod.direct] as const

export const projectTypes = ['railway', 'highway', 'municipal', 'building', 'water', 'metro', 'airport', 'port', 'other'] as const
export type ProjectType = (typeof projectTypes)[number]
/** When the lessee pays: each month, each quarter, or at the end of the hire. */
export const paymentCycles = ['month', 'quarter', 'end'] as const
export type PaymentCycle = (typeof paymentCycles)[number]
export const sides = ['lessor', 'lessee'] as const
export const duties = ['fuelBy', 'operatorBy', 'transportBy', 'erectionBy', 'lodgingBy'] as const

/** Lines of one demand, and so of one offer. */
export const maxLines = 20

/**
 * Deadline rules: at least 24 hours ahead (urgent: 2), at most 60 days; clarification ends before it.
 * Hires start today or later; leases over 20 years are refused (民法典 第七百零五条).
 */
export const deadlineRules = { hours: 24, urgentHours: 2, maxDays: 60, maxLeaseDays: 20 * 365 } as const

/** Whether the hire of a line is over on this day: nothing of it can be let any more. */
export const isHireOver = ({ planEnd }: { planEnd: string }, day: string): boolean => planEnd <= day

/** Whether a line starts by the day on which the quotes close, so that hardly anything is awarded by then. Both may be blank in a form. */
export const startsBeforeAward = ({ planStart }: { planStart: string }, quoteDeadline: string): boolean =>
  planStart !== '' && planStart <= quoteDeadline.slice(0, 10)

/** Why a demand with these lines cannot take quotes until then. */
export function deadlineProblems(
  deadline: Date,
  { urgent, items }: { urgent: boolean; items: readonly { planEnd: string }[] },
  now: Date,
): FieldProblem[] {
  const ahead = deadline.getTime() - now.getTime()
  const rules: string[] = []
  if (ahead < (urgent ? deadlineRules.urgentHours : deadlineRules.hours) * hourMs) rules.push(urgent ? 'deadline_urgent' : 'deadline_soon')
  if (ahead > deadlineRules.maxDays * 24 * hourMs) rules.push('deadline_far')
  // A hire that is over by then could not be awarded.
  else if (items.some((item) => isHireOver(item, dayOf(deadline)))) rules.push('deadline_hire')
  return rules.map((rule) => ({ path: ['quoteDeadline'], rule }))
}

export function timingProblems(
  demand: {
    quoteDeadline: Date
    clarifyDeadline: Date | null
    urgent: boolean
    items: readonly { planStart: string; planEnd: string }[]
    /**
     * Of an amendment, the lines whose first day and those whose last day it changes, and whether it changes the end of the questions: the other days
     * stay as they were checked.
     */
    changed?: { starts: readonly object[]; ends: readonly { planEnd: string }[]; clarify: boolean }
  },
  now: Date,
  today: string,
): FieldProblem[] {
  const { urgent, items } = demand
  const { starts, ends, clarify } = demand.changed ?? { starts: items, ends: items, clarify: true }
  const problems = deadlineProblems(demand.quoteDeadline, { urgent, items: ends }, now)
  if (demand.clarifyDeadline && demand.clarifyDeadline >= demand.quoteDeadline)
    problems.push({ path: ['clarifyDeadline'], rule: 'clarify_late' })
  else if (clarify && demand.clarifyDeadline && demand.clarifyDeadline <= now)
    problems.push({ path: ['clarifyDeadline'], rule: 'clarify_past' })
  items.forEach((item, index) => {
    const { planStart, planEnd } = item
    if (starts.includes(item) && planStart < today) problems.push({ path: ['items', index, 'planStart'], rule: 'start_past' })
    if (planEnd <= planStart) problems.push({ path: ['items', index, 'planEnd'], rule: 'ends_before_start' })
    else if (planEnd > addDays(planStart, deadlineRules.maxLeaseDays))
      problems.push({ path: ['items', index, 'planEnd'], rule: 'lease_too_long' })
  })
  return problems
}

/** Units whose amount of work must be estimated, or quotes cannot be compared. */
export const needsQuantity = (unit: string) => ['S', 'H', 'V', 'L', 'P'].includes(unit)

/** Units of time. Only for these a minimum term in days counts (decision 61). */
export const hasMinimumTerm = (unit: string) => !needsQuantity(unit)

/** The line without the term that its rent unit has no use for: an estimated quantity of a hire by time, a minimum term of one by work. */
export const fitToUnit = <Line extends { rentUnit: string; estQuantity: number | null; minRentDays: number }>(line: Line): Line =>
  needsQuantity(line.rentUnit) ? { ...line, minRentDays: 0 } : { ...line, estQuantity: null }

/** The value that a line requires of the main parameter of its category, if it is one number; comparisons in SQL read both parts. */
export function mainRequirement(spec: { rule: 'ge' | 'le' | 'eq' | 'in'; value: string } | undefined) {
  if (!spec || spec.rule === 'in' || spec.value.trim() === '' || !Number.isFinite(Number(spec.value)))
    return { mainRule: null, mainValue: null }
  return { mainRule: spec.rule, mainValue: Number(spec.value) }
}

/** In each status so many of the demands that hold words are counted, and one more where there are more. */
export const mostInStatus = 1000

/** Whether the words begin as the number of a demand does. Names of projects begin with other letters, such as TJ-12. */
export const isDemandCode = (words: string): boolean => /^xq\d/i.test(words)
