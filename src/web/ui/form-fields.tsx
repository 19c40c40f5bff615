import type { ReactNode } from 'react'
import { Field } from './parts.tsx'

/** Asks nothing of the browser's own checks: errors stand beside the fields in the page's language. */
export function SubmitForm({ className = 'stack', onSubmit, children }: { className?: string; onSubmit: () => void; children: ReactNode }) {
  return (
    <form
      className={className}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
    </form>
  )
}

type Common = {
  label: string
  error?: string | undefined
  hint?: string | undefined
  required?: boolean
  disabled?: boolean
  className?: string
}

type TextProps = Common & {
  value: string
  onChange: (value: string) => void
  type?: 'text' | 'tel' | 'email' | 'date' | 'number' | 'time'
  autoComplete?: string
  maxLength?: number
  inputMode?: 'numeric' | 'decimal' | 'text' | 'tel'
  placeholder?: string
}

/** A line of text, a number, a date: label, control, hint and error as one. */
export function TextField({
  label,
  error,
  hint,
  required = false,
  className = '',
  disabled,
  value,
  onChange,
  type = 'text',
  ...rest
}: TextProps) {
  return (
    <Field label={label} error={error} hint={hint} required={required} className={className}>
      {(control) => (
        <input
          {...control}
          {...rest}
          className="input"
          type={type}
          value={value}
          disabled={disabled}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

/** A day and a minute. The form keeps it as the wire writes it; the browser's field wants a T and no seconds. */
export function MomentField({ value, onChange, ...rest }: Common & { value: string; onChange: (value: string) => void }) {
  const { label, error, hint, required = false, className = '', disabled } = rest
  return (
    <Field label={label} error={error} hint={hint} required={required} className={className}>
      {(control) => (
        <input
          {...control}
          className="input"
          type="datetime-local"
          disabled={disabled}
          value={value.slice(0, 16).replace(' ', 'T')}
          onChange={(event) => onChange(event.target.value ? `${event.target.value.replace('T', ' ')}:00` : '')}
        />
      )}
    </Field>
  )
}

export function TextareaField({
  label,
  error,
  hint,
  required = false,
  className = 'span-all',
  disabled,
  value,
  onChange,
  maxLength,
}: Common & { value: string; onChange: (value: string) => void; maxLength?: number }) {
  return (
    <Field label={label} error={error} hint={hint} required={required} className={className}>
      {(control) => (
        <textarea
          {...control}
          className="textarea"
          value={value}
          disabled={disabled}
          maxLength={maxLength}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

export function SelectField({
  label,
  error,
  hint,
  required = false,
  className = '',
  disabled,
  value,
  onChange,
  options,
  blank,
}: Common & {
  value: string
  onChange: (value: string) => void
  options: readonly (readonly [value: string, label: string])[]
  /** The words of no choice; absent: there always is one. */
  blank?: string
}) {
  return (
    <Field label={label} error={error} hint={hint} required={required} className={className}>
      {(control) => (
        <select {...control} className="select" value={value} disabled={disabled} onChange={(event) => onChange(event.target.value)}>
          {blank !== undefined && <option value="">{blank}</option>}
          {options.map(([option, words]) => (
            <option key={option} value={option}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

export function CheckField({
  label,
  value,
  onChange,
  disabled,
}: {
  label: string
  value: boolean
  onChange: (value: boolean) => void
  disabled?: boolean
}) {
  return (
    <label className="check">
      <input type="checkbox" checked={value} disabled={disabled} onChange={(event) => onChange(event.target.checked)} />
      {label}
    </label>
  )
}
