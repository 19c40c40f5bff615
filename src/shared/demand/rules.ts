import { addDays } from '../calendar.ts'
import { canMove, type Moves } from '../lifecycle.ts'

/** 草稿, 待审核, 已驳回, 报价中, 评审中, 已成交, 部分成交, 流标, 已取消, 已完成. */
export const demandStatuses = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'] as const
export type DemandStatus = (typeof demandStatuses)[number]

export type DemandActor = 'owner' | 'clock'

/** Every way a demand may change status. The API, the buttons and the tests all read this table. */
export const demandMoves = {
  publish: { from: ['0'], to: '3', by: ['owner'] },
  open: { from: ['3'], to: '4', by: ['clock', 'owner'] },
  award: { from: ['4'], to: '5', by: ['owner'] },
  awardPart: { from: ['4'], to: '6', by: ['owner'] },
  fail: { from: ['4'], to: '7', by: ['owner', 'clock'] },
  cancel: { from: ['3', '4'], to: '8', by: ['owner'] },
} as const satisfies Moves<DemandStatus, DemandActor>
export type DemandMove = keyof typeof demandMoves

export function canMoveDemand(demand: { status: string; sealed: boolean }, move: DemandMove, by: DemandActor): boolean {
  if (move === 'open' && by === 'owner' && demand.sealed) return false
  return canMove(demandMoves, move, demand.status, by)
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

const hourMs = 3_600_000

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
