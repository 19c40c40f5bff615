import { addDays, daysBetween } from '../calendar.ts'

/** Days on which a machine is let or blocked; it is free on the day `to`. */
export type DaysTaken = { from: string; to: string }

/** The first day from which a machine is free: today, or the end of the periods that follow on each other from today. */
export function freeFrom(today: string, taken: readonly DaysTaken[]): string {
  let day = today
  for (const { from, to } of taken.toSorted((a, b) => a.from.localeCompare(b.from))) if (from <= day && to > day) day = to
  return day
}

/** Where taken periods lie on a strip of some days from today, in percent of its length. Periods beyond its ends are cut. */
export function spansOf(today: string, days: number, taken: readonly DaysTaken[]): (DaysTaken & { left: number; width: number })[] {
  const end = addDays(today, days)
  return taken.flatMap(({ from, to }) => {
    const start = from < today ? today : from
    const stop = to > end ? end : to
    if (start >= stop) return []
    return { from, to, left: (daysBetween(today, start) / days) * 100, width: (daysBetween(start, stop) / days) * 100 }
  })
}

/** The first of each month on a strip of some days from today, with its place in percent. */
export function monthMarks(today: string, days: number): { month: string; left: number }[] {
  const first = Number(today.slice(0, 4)) * 12 + Number(today.slice(5, 7))
  const months = Array.from({ length: 13 }, (_, at) => {
    const month = `${Math.floor((first + at) / 12)}-${String(((first + at) % 12) + 1).padStart(2, '0')}`
    return { month, left: (daysBetween(today, `${month}-01`) / days) * 100 }
  })
  return months.filter(({ left }) => left < 100)
}

/** The weeks of a month, Monday first; null stands for a day of another month. */
export function weeksOf(month: string): (string | null)[][] {
  const start = new Date(`${month}-01T00:00:00Z`)
  const days = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 0)).getUTCDate()
  const lead = (start.getUTCDay() + 6) % 7
  const cells = [
    ...Array.from({ length: lead }, () => null),
    ...Array.from({ length: days }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`),
  ]
  return Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) =>
    Array.from({ length: 7 }, (__, weekday) => cells[week * 7 + weekday] ?? null),
  )
}
