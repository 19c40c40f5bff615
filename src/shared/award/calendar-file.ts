import { addDays } from '../calendar.ts'

/** A whole day in a calendar. `uid` stays the same when the file is made again, so that calendars replace the day. */
type CalendarDay = { uid: string; day: string; title: string; place: string; note: string }

/**
 * Writes days as an iCalendar file (RFC 5545) with a reminder at nine in the morning of the day before. It holds no prices, because calendars are
 * shared with others.
 */
export function calendarFile(days: readonly CalendarDay[], { now, product }: { now: Date; product: string }): string {
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, '')
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${escaped(product)}//award//ZH`,
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    ...days.flatMap(({ uid, day, title, place, note }) => [
      'BEGIN:VEVENT',
      `UID:${uid}`,
      `DTSTAMP:${stamp}`,
      `DTSTART;VALUE=DATE:${compact(day)}`,
      `DTEND;VALUE=DATE:${compact(nextDay(day))}`,
      `SUMMARY:${escaped(title)}`,
      `LOCATION:${escaped(place)}`,
      `DESCRIPTION:${escaped(note)}`,
      'TRANSP:TRANSPARENT',
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      `DESCRIPTION:${escaped(title)}`,
      'TRIGGER:-PT15H',
      'END:VALARM',
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

const compact = (day: string) => day.replaceAll('-', '')
const nextDay = (day: string) => addDays(day, 1)

/** Backslash, semicolon, comma and line break have a meaning of their own in a text (RFC 5545, 3.3.11). */
const escaped = (text: string) => text.replace(/[\\;,]/g, String.raw`\$&`).replace(/\r\n|\r|\n/g, String.raw`\n`)

/** A line has at most 75 octets; a longer one goes on after a line break and a space, never inside a character (RFC 5545, 3.1). */
function folded(line: string): string {
  const parts: string[] = []
  let part = ''
  let octets = 0
  for (const character of line) {
    const size = new TextEncoder().encode(character).length
    // A part that follows begins with the space.
    if (octets + size > (parts.length === 0 ? 75 : 74)) {
      parts.push(part)
      part = ''
      octets = 0
    }
    part += character
    octets += size
  }
  return [...parts, part].join('\r\n ')
}
