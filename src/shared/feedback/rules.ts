import { canMove, type Moves } from '../lifecycle.ts'

export const feedbackTypes = ['suggestion', 'fault', 'data', 'complaint', 'other'] as const
export type FeedbackType = (typeof feedbackTypes)[number]

/** `inWork` also after the person has asked again. */
export const feedbackStatus = { received: '0', inWork: '1', answered: '2', closed: '3' } as const
export const feedbackStatuses = Object.values(feedbackStatus)
export type FeedbackStatus = (typeof feedbackStatus)[keyof typeof feedbackStatus]

const { received, inWork, answered, closed } = feedbackStatus
/** An operator is to answer. */
export const waitingFeedback = [received, inWork] as const
const notClosed = [...waitingFeedback, answered] as const

export const feedbackMoves = {
  take: { from: [received], to: inWork, by: ['operator'] },
  answer: { from: notClosed, to: answered, by: ['operator'] },
  ask: { from: notClosed, to: inWork, by: ['person'] },
  close: { from: notClosed, to: closed, by: ['person', 'operator'] },
  lapse: { from: [answered], to: closed, by: ['clock'] },
} as const satisfies Moves<FeedbackStatus, 'person' | 'operator' | 'clock'>

export const mayMove = (move: keyof typeof feedbackMoves, status: string, by: 'person' | 'operator' | 'clock') =>
  canMove(feedbackMoves, move, status, by)

/** Days after the last answer when an answered one closes by itself. */
export const feedbackLapseDays = 15
export const feedbackImages = 6

/** What one person sends and adds in a day, and adds to one feedback in all: the operators read it. */
export const feedbackLimits = { aDay: 20, repliesADay: 50, replies: 200 } as const
