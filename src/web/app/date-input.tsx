import { lazy, Suspense, useRef, useState } from 'react'
import { dayOf, minuteOf } from '#shared/calendar.ts'
import { useText } from './text.tsx'
import { readDay, readMoment } from './typed-date.ts'
import type { Control } from '../ui/parts.tsx'

// The calendar comes with its library when somebody opens it; the field itself is a text that anybody can type into.
const DatePopup = lazy(async () => ({ default: (await import('./date-popup.tsx')).DatePopup }))

export type DatePreset = 'deadline' | 'extension' | 'start' | 'period'

export type DateProps = {
  /** The day or the moment as the wire writes it, or the text that is being typed. */
  value: string
  onChange: (value: string) => void
  /** A day and a minute instead of a day. */
  moment?: boolean
  min?: string | undefined
  /** The first day of the period that this field ends, or the day of the deadline that it moves. Presets and the calendar start from it. */
  since?: string | undefined
  presets?: DatePreset | undefined
  disabled?: boolean | undefined
  /** The name in a plain form. */
  name?: string
  placeholder?: string
}

/** A field for a day or a moment. What is typed is read when the field is left; what cannot be read stays, so the form can say so. */
export function DateInput({
  control,
  value,
  onChange,
  moment = false,
  ...rest
}: DateProps & { control: Partial<Control> & { 'aria-label'?: string } }) {
  const { dates } = useText().site
  const { disabled, name, placeholder = moment ? dates.momentFormat : dates.dayFormat, ...calendar } = rest
  const box = useRef<HTMLSpanElement>(null)
  const [typed, setTyped] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(false)
  const shown = typed ?? (moment ? minuteOf(value) : value)
  const read = (text: string) => (text.trim() === '' ? '' : ((moment ? readMoment : readDay)(text, dayOf(new Date())) ?? text))
  return (
    <span ref={box} className="date-box">
      <input
        {...control}
        // A plain form is not sent with a day that the server would refuse.
        ref={(field) => field?.setCustomValidity(name && value && !readDay(value, dayOf(new Date())) ? dates.dayFormat : '')}
        className="input num"
        type="text"
        autoComplete="off"
        name={name}
        placeholder={placeholder}
        maxLength={20}
        disabled={disabled}
        value={shown}
        onChange={(event) => {
          setTyped(event.target.value)
          onChange(read(event.target.value))
        }}
        onBlur={() => setTyped(null)}
        onKeyDown={(event) => {
          // A plain form sends what stands in the field.
          if (event.key === 'Enter' && typed !== null) event.currentTarget.value = read(typed)
          if (event.key === 'ArrowDown' && event.altKey) setOpen(true)
        }}
      />
      <button
        type="button"
        className="date-open"
        aria-label={dates.open}
        aria-expanded={isOpen}
        disabled={disabled}
        onClick={() => setOpen(true)}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M4 6h16v14H4zM4 10h16M8 3v5M16 3v5" />
        </svg>
      </button>
      {isOpen && (
        <Suspense>
          <DatePopup
            {...calendar}
            anchor={box}
            moment={moment}
            value={value}
            onPick={(picked) => {
              setTyped(null)
              onChange(picked)
            }}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </span>
  )
}
