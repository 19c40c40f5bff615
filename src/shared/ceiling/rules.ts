import { daysBetween } from '../calendar.ts'

/** Days of a hire from which the long-term price holds. */
const longTermDays = 180

/** Whether the long-term price holds for a hire. */
export const isLongTerm = (planStart: string, planEnd: string): boolean => daysBetween(planStart, planEnd) >= longTermDays
