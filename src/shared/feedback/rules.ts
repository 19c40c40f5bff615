import { canMove, type Moves } from '../lifecycle.ts'

export const feedbackTypes = ['suggestion', 'fault', 'data', 'complaint', 'other'] as const
export type FeedbackType = (typeof feedbackTypes)[number]

/** 0 received, 1 in work (the person asked again), 2 answered, 3 closed. */
export const feedbackStatuses = ['0', '1', '2', '3'] as const
export type FeedbackStatus = (typeof feedbackStatuses)[number]

export const feedbackMoves = {
  take: { from: ['0'], to: '1', by: ['operator'] },
  answer: { from: ['0', '1', '2'], to: '2', by: ['operator'] },
  ask: { from: ['0', '1', '2'], to: '1', by: ['person'] },
  close: { from: ['0', '1', '2'], to: '3', by: ['person', 'operator'] },
  lapse: { from: ['2'], to: '3', by: ['clock'] },
} as const satisfies Moves<FeedbackStatus, 'person' | 'operator' | 'clock'>

export const mayMove = (move: keyof typeof feedbackMoves, status: string, by: 'person' | 'operator' | 'clock') =>
  canMove(feedbackMoves, move, status, by)

/** Days after the last answer when an answered one closes by itself. */
export const feedbackLapseDays = 15
export const feedbackImages = 6
