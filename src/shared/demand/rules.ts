import { addDays, fromMoment, hourMs, toMoment } from '../calendar.ts'
import { canMove, type Moves } from '../lifecycle.ts'

/** 草稿, 待审核, 已驳回, 报价中, 评审中, 已成交, 部分成交, 流标, 已取消, 已完成. */
export const demandStatuses = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'] as const
export type DemandStatus = (typeof demandStatuses)[number]

export type DemandActor = 'owner' | 'approver' | 'lessor' | 'operator' | 'clock'

/** Every way a demand may change status. The API, the buttons and the tests all read this table. */
export const demandMoves = {
  publish: { from: ['0', '2'], to: '3', by: ['owner'] },
  submit: { from: ['0', '2'], to: '1', by: ['owner'] },
  approve: { from: ['1'], to: '3', by: ['approver'] },
  reject: { from: ['1'], to: '2', by: ['approver'] },
  amend: { from: ['3'], to: '3', by: ['owner'] },
  extend: { from: ['3'], to: '3', by: ['owner'] },
  open: { from: ['3'], to: '4', by: ['clock', 'owner'] },
  award: { from: ['4'], to: '5', by: ['owner', 'approver'] },
  awardPart: { from: ['4'], to: '6', by: ['owner', 'approver'] },
  giveUp: { from: ['5', '6'], to: '6', by: ['lessor'] },
  fail: { from: ['3', '4'], to: '7', by: ['owner', 'clock'] },
  cancel: { from: ['1', '3', '4'], to: '8', by: ['owner'] },
  takeDown: { from: ['1', '3', '4'], to: '8', by: ['operator'] },
} as const satisfies Moves<DemandStatus, DemandActor>
export type DemandMove = keyof typeof demandMoves

/** What the guards of the moves look at. `now` and the deadline are moments as the wire writes them. */
export type DemandFacts = { status: string; sealed: boolean; quoteDeadline: string | null; quoteCount: number; minQuotes: number }

/** Hours before the deadline until which a demand may be amended, and that quoters have at least after a change. */
export const amendHours = 24
/** Days the owner has to decide when too few quoted; then the clock opens what there is. */
export const fewDays = 3

/** The deadline has passed and fewer quoted than were asked for: extend, go on with a reason, or fail. */
export const isShort = (demand: DemandFacts, now: string): boolean =>
  demand.status === '3' && demand.quoteDeadline !== null && demand.quoteDeadline <= now && demand.quoteCount < demand.minQuotes

export function canMoveDemand(demand: DemandFacts, move: DemandMove, by: DemandActor, now: string): boolean {
  if (!canMove(demandMoves, move, demand.status, by)) return false
  if (by !== 'owner' || demand.status !== '3') return true
  switch (move) {
    case 'open':
      return !demand.sealed || isShort(demand, now)
    case 'fail':
      return isShort(demand, now)
    // Enough have quoted: what is due opens, nobody moves the deadline any more.
    case 'extend':
      return isShort(demand, now) || (demand.quoteDeadline !== null && demand.quoteDeadline > now)
    case 'amend':
      return demand.quoteDeadline !== null && demand.quoteDeadline > toMoment(new Date(fromMoment(now).getTime() + amendHours * hourMs))
    default:
      return true
  }
}

/** Statuses that the public library shows. */
export const publicStatuses = ['3', '4', '5', '6', '7', '9'] as const satisfies readonly DemandStatus[]

/** Prices are readable from here on. */
export const isOpened = (status: string) => ['4', '5', '6', '7', '9'].includes(status)

export const demandTypes = ['1', '2', '3'] as const
export const demandMethods = ['1', '2', '3', '4'] as const
export const projectTypes = ['railway', 'highway', 'municipal', 'building', 'water', 'metro', 'airport', 'port', 'other'] as const
export const sides = ['lessor', 'lessee'] as const
export const duties = ['fuelBy', 'operatorBy', 'transportBy', 'erectionBy', 'lodgingBy'] as const

/**
 * Deadline rules: at least 24 hours ahead (urgent: 2), at most 60 days; clarification ends before it.
 * Hires start today or later; leases over 20 years are refused (民法典 第七百零五条).
 */
export const deadlineRules = { hours: 24, urgentHours: 2, maxDays: 60, maxLeaseDays: 20 * 365 } as const

export type TimingProblem = { path: (string | number)[]; rule: string }

export function timingProblems(
  demand: {
    quoteDeadline: Date
    clarifyDeadline: Date | null
    urgent: boolean
    items: readonly { planStart: string; planEnd: string }[]
  },
  now: Date,
  today: string,
): TimingProblem[] {
  const ahead = demand.quoteDeadline.getTime() - now.getTime()
  const needed = (demand.urgent ? deadlineRules.urgentHours : deadlineRules.hours) * hourMs
  const problems: TimingProblem[] = []
  if (ahead < needed) problems.push({ path: ['quoteDeadline'], rule: demand.urgent ? 'deadline_urgent' : 'deadline_soon' })
  if (ahead > deadlineRules.maxDays * 24 * hourMs) problems.push({ path: ['quoteDeadline'], rule: 'deadline_far' })
  if (demand.clarifyDeadline && demand.clarifyDeadline >= demand.quoteDeadline)
    problems.push({ path: ['clarifyDeadline'], rule: 'clarify_late' })
  demand.items.forEach(({ planStart, planEnd }, index) => {
    if (planStart < today) problems.push({ path: ['items', index, 'planStart'], rule: 'start_past' })
    if (planEnd <= planStart) problems.push({ path: ['items', index, 'planEnd'], rule: 'ends_before_start' })
    else if (planEnd > addDays(planStart, deadlineRules.maxLeaseDays))
      problems.push({ path: ['items', index, 'planEnd'], rule: 'lease_too_long' })
  })
  return problems
}

/** Units whose amount of work must be estimated, or quotes cannot be compared. */
export const needsQuantity = (unit: string) => ['S', 'H', 'V', 'L', 'P'].includes(unit)
