import { addDays, dayOf, fromMoment, hourMs } from '#shared/calendar.ts'
import { closingTime } from './typed-date.ts'

/** So many days ahead usual deadlines end at the closing time. Tomorrow is left out where it would come sooner than a day, and half an hour to publish. */
export const usualDeadlines = (now: Date): number[] =>
  [1, 3, 7].slice(fromMoment(`${addDays(dayOf(now), 1)} ${closingTime}:00`).getTime() - now.getTime() < 24.5 * hourMs ? 1 : 0)
