export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs
const shanghaiMs = 8 * 3_600_000

/** Days in the half-open period [start, end), both `yyyy-MM-dd`. */
export function daysBetween(start: string, end: string): number {
  return Math.round((Date.parse(`${end}T00:00:00Z`) - Date.parse(`${start}T00:00:00Z`)) / dayMs)
}

/** Whole days of 24 hours since a moment of the wire; none while it is still to come. */
export const daysSince = (moment: string, now: Date): number =>
  Math.max(0, Math.floor((now.getTime() - fromMoment(moment).getTime()) / dayMs))

/** No day is later than 9999-12-31: later years have more digits, and days are compared as text. */
export function addDays(day: string, days: number): string {
  return dayAt(Date.parse(`${day}T00:00:00Z`) + days * dayMs)
}

/** The same day some months later, or the last day of that month where it has none. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const lastDate = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return dayAt(Date.UTC(year, month - 1 + months, Math.min(date, lastDate)))
}

const dayAt = (utcMs: number): string => new Date(Math.min(utcMs, lastDayMs)).toISOString().slice(0, 10)
const lastDayMs = Date.UTC(9999, 11, 31)

/** Whether two half-open periods share a day. */
export function overlaps(a: { from: string; to: string }, b: { from: string; to: string }): boolean {
  return a.from < b.to && b.from < a.to
}

/** An instant as the wire writes it: `yyyy-MM-dd HH:mm:ss` in Asia/Shanghai (no summer time since 1991). */
export function toMoment(at: Date): string {
  return new Date(at.getTime() + shanghaiMs).toISOString().slice(0, 19).replace('T', ' ')
}

/** A moment of the wire to the minute: `yyyy-MM-dd HH:mm`; without a moment it is empty. */
export const minuteOf = (moment: string | null): string => (moment ?? '').slice(0, 16)

/** An instant to the minute, as people read it. */
export const toMinute = (at: Date): string => minuteOf(toMoment(at))

export function fromMoment(moment: string): Date {
  return new Date(`${moment.replace(' ', 'T')}+08:00`)
}

/** The first instant of a day, as the database takes it. */
export const startOfDay = (day: string): string => fromMoment(`${day} 00:00:00`).toISOString()

/** The calendar day in Asia/Shanghai. */
export function dayOf(at: Date): string {
  return toMoment(at).slice(0, 10)
}

type Hire = { planStart: string; planEnd: string }

/** The most units that are used on one day of a hire. The last day of each hire is not part of it. */
export function mostAtOnce(uses: readonly (Hire & { qty: number })[], { planStart, planEnd }: Hire): number {
  const days = [planStart, ...uses.map((use) => use.planStart).filter((day) => planStart < day && day < planEnd)]
  const usedOn = (day: string) => uses.reduce((sum, use) => (use.planStart <= day && day < use.planEnd ? sum + use.qty : sum), 0)
  return Math.max(...days.map(usedOn))
}
