import { useState } from 'react'
import { DateInput, type DateProps } from './date-input.tsx'
import { DatePresets } from './date-presets.tsx'
import { Field } from '../ui/parts.tsx'

type Labelled = { label: string; error?: string | undefined; hint?: string | undefined; required?: boolean; className?: string }

/** A day, or with `moment` a day and a minute, under its label. Usual days stand under the field, one press away. */
export function DateField({ label, error, hint, required = false, className = '', presets, ...date }: Labelled & DateProps) {
  const { moment, since, disabled, onChange } = date
  return (
    <Field label={label} error={error} hint={hint} required={required} className={className}>
      {(control) => (
        <>
          <DateInput {...date} control={control} />
          {presets && !disabled && (
            <DatePresets kind={presets} since={since} inForm onPick={(day, time) => onChange(moment ? `${day} ${time}:00` : day)} />
          )}
        </>
      )}
    </Field>
  )
}

/** Two days as one filter: the second calendar shows the period and offers usual lengths. */
export function DateRangeFilter({
  label,
  names,
  words,
  values,
}: {
  label: string
  names: readonly [from: string, to: string]
  words: readonly [from: string, to: string]
  values: readonly [from: string | undefined, to: string | undefined]
}) {
  const [from, setFrom] = useState(values[0] ?? '')
  const [to, setTo] = useState(values[1] ?? '')
  return (
    <div className="field wide">
      <span className="legend">{label}</span>
      <div className="range-pair">
        <DateInput
          control={{ 'aria-label': `${label} ${words[0]}` }}
          name={names[0]}
          placeholder={words[0]}
          value={from}
          onChange={setFrom}
        />
        <span aria-hidden="true">–</span>
        <DateInput
          control={{ 'aria-label': `${label} ${words[1]}` }}
          name={names[1]}
          placeholder={words[1]}
          value={to}
          since={from}
          presets="period"
          onChange={setTo}
        />
      </div>
    </div>
  )
}
