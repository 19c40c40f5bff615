import { useEffect, useRef, type RefObject } from 'react'
import { DayPicker } from 'react-day-picker'
import { enUS } from 'react-day-picker/locale/en-US'
import { zhCN } from 'react-day-picker/locale/zh-CN'
import { dayOf } from '#shared/calendar.ts'
import type { DateProps } from './date-input.tsx'
import { DatePresets } from './date-presets.tsx'
import { useText } from './text.tsx'
import { closingTime, readDay } from './typed-date.ts'
import { keepInWindow, placeBeside } from '../ui/place-beside.ts'
import 'react-day-picker/style.css'
import './date-popup.css'

/** Holds the number that the button shows, as its name must; the library says “1st”. */
const wholeDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full' })

type PopupProps = Pick<DateProps, 'value' | 'moment' | 'min' | 'since' | 'presets'> & {
  anchor: RefObject<HTMLElement | null>
  onPick: (value: string) => void
  onClose: () => void
}

/** The day of a date of the calendar, which is at midnight in the time zone of the browser, and back. */
const dayIn = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
const dateOf = (day: string | undefined): Date | undefined => (readDay(day ?? '', '') === null ? undefined : new Date(`${day}T00:00:00`))

const hours = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'))
const minutes = ['00', '15', '30', '45']

/** The calendar of a date field, in the top layer. It is walked through with the arrow keys, and Escape closes it. */
export function DatePopup({ anchor, value, moment = false, min, since, presets, onPick, onClose }: PopupProps) {
  const text = useText()
  const panel = useRef<HTMLDivElement>(null)
  const day = value.slice(0, 10)
  const time = value.slice(11, 16) || closingTime
  const selected = dateOf(day)
  const from = dateOf(since)
  useEffect(() => {
    if (!panel.current || !anchor.current) return
    placeBeside(panel.current, anchor.current)
    if (!panel.current.matches(':popover-open')) panel.current.showPopover()
    keepInWindow(panel.current)
    panel.current.querySelector<HTMLElement>('.rdp-day_button[tabindex="0"]')?.focus()
  }, [anchor])
  const close = () => panel.current?.hidePopover()
  const pick = (picked: string, at = time) => onPick(moment ? `${picked} ${at}:00` : picked)
  return (
    <div
      ref={panel}
      popover="auto"
      role="dialog"
      aria-label={text.site.dates.open}
      className="date-popup"
      onToggle={(event) => event.newState === 'closed' && onClose()}
    >
      {presets && (
        <DatePresets
          kind={presets}
          since={since}
          onPick={(picked, at) => {
            pick(picked, at)
            close()
          }}
        />
      )}
      <DayPicker
        mode="single"
        animate={false}
        captionLayout="dropdown"
        startMonth={new Date(1950, 0)}
        endMonth={new Date(new Date().getFullYear() + 20, 11)}
        weekStartsOn={1}
        fixedWeeks
        locale={text.locale === 'zh-CN' ? zhCN : enUS}
        {...(text.locale === 'en-US' && { labels: { labelDayButton: (day: Date) => wholeDay.format(day) } })}
        today={new Date(`${dayOf(new Date())}T00:00:00`)}
        defaultMonth={selected ?? from ?? new Date()}
        selected={selected}
        {...(min && { disabled: { before: new Date(`${min}T00:00:00`) } })}
        modifiers={{ inPeriod: from && selected && from < selected ? { from, to: selected } : [] }}
        modifiersClassNames={{ inPeriod: 'date-period' }}
        onSelect={(date) => {
          if (date) pick(dayIn(date))
          if (!moment) close()
        }}
      />
      <div className="row between gap-8">
        {moment && (
          <span className="row gap-4">
            <TimePart
              label={text.site.dates.hour}
              options={hours}
              value={time.slice(0, 2)}
              onChange={(hour) => day && pick(day, hour + time.slice(2))}
            />
            :
            <TimePart
              label={text.site.dates.minute}
              options={minutes}
              value={time.slice(3)}
              onChange={(minute) => day && pick(day, time.slice(0, 3) + minute)}
            />
          </span>
        )}
        <button
          type="button"
          className="link"
          onClick={() => {
            onPick('')
            close()
          }}
        >
          {text.site.dates.clear}
        </button>
        {moment && (
          <button type="button" className="button button-small" onClick={close}>
            {text.site.common.confirm}
          </button>
        )}
      </div>
    </div>
  )
}

function TimePart({
  label,
  options,
  value,
  onChange,
}: {
  label: string
  options: readonly string[]
  value: string
  onChange: (value: string) => void
}) {
  return (
    <select className="select" aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
      {!options.includes(value) && <option value={value}>{value}</option>}
      {options.map((option) => (
        <option key={option}>{option}</option>
      ))}
    </select>
  )
}
