import { useQuery } from '@tanstack/react-query'
import { addDays } from '#shared/calendar.ts'
import { calendarDays, getWorkCalendar, maxDates, type CalendarDate } from '#shared/statistics/panel.ts'
import { nameIn } from '#shared/text/name-in.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import { call } from '../app/api.ts'
import { Loaded } from '../app/list-frame.tsx'
import { useText } from '../app/text.tsx'
import { Link } from '../ui/link.tsx'
import './work-calendar.css'

/** More dates of one day than this are only counted. */
const shownPerDay = 4

/** The next two weeks, day by day. On a phone the days without a date are left out. */
export function WorkCalendar() {
  const words = useText().statistics.panel
  const calendar = useQuery({ queryKey: [getWorkCalendar.url], queryFn: () => call(getWorkCalendar, {}), staleTime: 60_000 })
  return (
    <section className="panel stack">
      <h2>{words.calendar}</h2>
      <Loaded query={calendar} rows={4}>
        {({ from, dates }) => (
          <>
            {dates.length === 0 && <p className="soft">{words.calendarNone}</p>}
            <ol className="weeks">
              {Array.from({ length: calendarDays }, (_, index) => addDays(from, index)).map((day, index) => (
                <Day key={day} day={day} isToday={index === 0} dates={dates.filter((date) => date.day === day)} />
              ))}
            </ol>
            {dates.length >= maxDates && <p className="small faint">{words.calendarCapped(maxDates)}</p>}
          </>
        )}
      </Loaded>
    </section>
  )
}

function Day({ day, isToday, dates }: { day: string; isToday: boolean; dates: readonly CalendarDate[] }) {
  const text = useText()
  const words = text.statistics.panel
  const weekday = new Intl.DateTimeFormat(text.locale, { weekday: 'short', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))
  return (
    <li className={dates.length === 0 ? 'empty-day' : undefined} aria-current={isToday ? 'date' : undefined}>
      <p className="small faint num">
        <time dateTime={day}>
          {day.slice(5)} {weekday}
        </time>
      </p>
      {dates.length > 0 && (
        <ul>
          {dates.slice(0, shownPerDay).map((date, index) => (
            <li key={index}>
              <Link className={`date date-${date.kind}`} to={date.link} title={titleOf(text, date)}>
                <span className="num">
                  {words.dates[date.kind]} {date.time}
                </span>
                <span className="date-title">{titleOf(text, date)}</span>
              </Link>
            </li>
          ))}
          {dates.length > shownPerDay && <li className="small faint">{words.calendarMore(dates.length - shownPerDay)}</li>}
        </ul>
      )}
    </li>
  )
}

const titleOf = (text: Text, { title, titleEn = title }: CalendarDate) => nameIn(text, title, titleEn)
