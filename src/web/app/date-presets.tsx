import { addDays, addMonths, dayOf } from '#shared/calendar.ts'
import type { DatePreset } from './date-input.tsx'
import { useText } from './text.tsx'
import { closingTime, readDay } from './typed-date.ts'
import { usualDeadlines } from './usual-deadlines.ts'

/**
 * Usual deadlines and first days from today, usual lengths of a period from its first day, or later deadlines from the day of the one that
 * holds. `inForm`: under a field, which has no end before its first day.
 */
export function DatePresets({
  kind,
  since,
  inForm = false,
  onPick,
}: {
  kind: DatePreset
  since: string | undefined
  inForm?: boolean
  onPick: (day: string, time: string) => void
}) {
  const { dates } = useText().site
  const now = new Date()
  const today = dayOf(now)
  const first = readDay(since ?? '', today)
  const choices: Record<DatePreset, readonly (readonly [label: string, day: string])[]> = {
    deadline: usualDeadlines(now).map(
      (days) => [days === 1 ? dates.tomorrow(closingTime) : dates.days(days), addDays(today, days)] as const,
    ),
    extension: [1, 3, 7].map((days) => [`+${dates.days(days)}`, addDays(first ?? today, days)] as const),
    start: [
      [dates.inDays(7), addDays(today, 7)],
      [dates.inDays(15), addDays(today, 15)],
      [dates.nextMonth, addMonths(`${today.slice(0, 8)}01`, 1)],
    ],
    period: [1, 3, 6, 12].map((months) => [dates.months(months), addMonths(first ?? today, months)] as const),
  }
  return (
    <div className="row gap-6 date-presets" role="group" aria-label={dates.usual}>
      {choices[kind].map(([words, day]) => (
        <button
          key={words}
          type="button"
          className="button button-small"
          disabled={inForm && kind === 'period' && first === null}
          onClick={() => onPick(day, closingTime)}
        >
          {words}
        </button>
      ))}
    </div>
  )
}
