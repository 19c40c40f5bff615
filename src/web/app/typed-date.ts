import { addDays } from '#shared/calendar.ts'

// What people type into a field for a day or a moment, and the presets beside it. Pure, with today as an argument.

/** The time of day at which deadlines usually end. */
export const closingTime = '17:00'

const isDay = (day: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(day) && day >= '0001-01-01' && !Number.isNaN(Date.parse(day)) && addDays(day, 0) === day

/** Reads a typed day as the wire writes it: 2026-11-21, 2026/1/2, 2026.1.2, 20261121, or 11-21 of this year. Null for anything else. */
export function readDay(typed: string, today: string): string | null {
  const text = typed.trim()
  const [, year = today.slice(0, 4), month, date] =
    /^(\d{4})(\d{2})(\d{2})$/.exec(text) ?? /^(?:(\d{4})[-/.\u5e74])?(\d{1,2})[-/.\u6708](\d{1,2})\u65e5?$/.exec(text) ?? []
  if (month === undefined || date === undefined) return null
  const day = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  return isDay(day) ? day : null
}

/** Reads a typed day with a time, 2026-11-21 17:00. A day alone ends at the closing time. Null for anything else. */
export function readMoment(typed: string, today: string): string | null {
  const [, dayText = '', hour = '', minute = ''] = /^(.+?)(?:[T\s]+(\d{1,2})[:\uff1a](\d{2})(?::\d{2})?)?$/.exec(typed.trim()) ?? []
  const day = readDay(dayText, today)
  if (day === null) return null
  if (hour === '') return `${day} ${closingTime}:00`
  return Number(hour) < 24 && Number(minute) < 60 ? `${day} ${hour.padStart(2, '0')}:${minute}:00` : null
}
