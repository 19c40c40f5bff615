import { demandStatus, type DemandStatus } from '../demand/rules.ts'

type Asked = { status: DemandStatus; clarifyDeadline: string | null; quoteDeadline: string | null }

/** Until when a demand takes questions; null where it has no deadline. */
export const askedUntil = ({ clarifyDeadline, quoteDeadline }: Asked): string | null => clarifyDeadline ?? quoteDeadline

/** Whether a demand takes questions at this moment of the wire. */
export function mayAsk(demand: Asked, now: string): boolean {
  const until = askedUntil(demand)
  return demand.status === demandStatus.quoting && until !== null && until > now
}

/** Questions that one lessor may ask about one demand. */
export const maxQuestions = 20
/** How often the owner changes answers that stand under one demand, in 24 hours. First answers are not counted: others ask for them. */
export const maxCorrections = 20
