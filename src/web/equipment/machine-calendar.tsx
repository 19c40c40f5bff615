import { addDays, overlaps } from '#shared/calendar.ts'
import { monthMarks, spansOf, weeksOf, type DaysTaken } from '#shared/equipment/calendar.ts'
import { useText } from '../app/text.tsx'

/** About six months. */
const stripDays = 183

/** Six months as one strip with the taken periods, the same periods in words, and each day behind a click. */
export function MachineCalendar({ today, taken }: { today: string; taken: readonly DaysTaken[] }) {
  const { equipment, search } = useText()
  const spans = spansOf(today, stripDays, taken)
  return (
    <>
      <div className="strip" aria-hidden="true">
        <div className="strip-days">
          {spans.map(({ from, left, width }) => (
            <span key={from} className="strip-taken" style={{ left: `${left}%`, width: `${width}%` }} />
          ))}
        </div>
        <div className="strip-months small soft num">
          {monthMarks(today, stripDays).map(({ month, left }) => (
            <span key={month} style={{ left: `${left}%` }}>
              {month.slice(2)}
            </span>
          ))}
        </div>
      </div>
      <ul className="calendar-legend small">
        <li className="legend-free">{equipment.calendarFree}</li>
        <li className="legend-taken">{equipment.calendarTaken}</li>
        {spans.map(({ from, to }) => (
          <li key={from} className="num soft">
            {/* A hire ends on the day before it is free again. */}
            {`${from < today ? today : from} – ${addDays(to, -1)}`}
          </li>
        ))}
      </ul>
      <details className="no-print">
        <summary>{search.calendar.days}</summary>
        <div className="calendar">
          {[today.slice(0, 7), ...monthMarks(today, stripDays).map(({ month }) => month)].slice(0, 6).map((month) => (
            <Month key={month} month={month} today={today} taken={taken} />
          ))}
        </div>
      </details>
    </>
  )
}

function Month({ month, today, taken }: { month: string; today: string; taken: readonly DaysTaken[] }) {
  const { equipment, search } = useText()
  return (
    <table>
      <caption className="num">{month}</caption>
      <thead>
        <tr>
          {search.calendar.weekdays.map((weekday) => (
            <th key={weekday} scope="col">
              {weekday}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(month).map((week) => (
          <tr key={week.find(Boolean)}>
            {week.map((date, index) => {
              if (!date) return <td key={`empty-${index}`} />
              const isTaken = taken.some((one) => overlaps(one, { from: date, to: addDays(date, 1) }))
              const state = date < today ? 'past' : isTaken ? 'taken' : ''
              return (
                <td
                  key={date}
                  className={`${state} ${date === today ? 'today' : ''}`.trim() || undefined}
                  title={date === today ? search.calendar.today : isTaken ? equipment.calendarTaken : equipment.calendarFree}
                >
                  {Number(date.slice(8))}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
