import type { ReactNode } from 'react'
import { Field } from './parts.tsx'

/** A form without the checks of the browser, because errors appear beside the fields in the language of the page. */
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

/** A field that narrows what stands below it as one types. Enter does not send the form around it. */
export function SearchInput({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  return (
    <input
      className="input"
      type="search"
      aria-label={label}
      placeholder={label}
      maxLength={40}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.preventDefault()
      }}
    />
  )
}

type FieldProps = {
  label: string
  error?: string | undefined
  hint?: string | undefined
  required?: boolean
  disabled?: boolean
  className?: string
  /** Stands beside the label. */
  tip?: ReactNode
}

export type TextKind = {
  autoComplete?: string
  maxLength?: number
  inputMode?: 'numeric' | 'decimal' | 'text' | 'tel'
  placeholder?: string
}

type TextProps = FieldProps &
  TextKind & {
    value: string
    onChange: (value: string) => void
    type?: 'text' | 'tel' | 'email' | 'number'
    min?: string | undefined
    max?: string | undefined
    step?: string
    /** Uses digits of one width, for amounts. */
    numeric?: boolean
    /** An element beside the control, such as a button that fills it. */
    beside?: ReactNode
  }

/** A text or a number, with its label, hint and error. */
export function TextField({
  label,
  error,
  hint,
  required = false,
  className = '',
  tip,
  disabled,
  value,
  onChange,
  type = 'text',
  numeric = false,
  beside,
  ...rest
}: TextProps) {
  return (
    <Field label={label} error={error} hint={hint} required={required} className={className} tip={tip}>
      {(control) => {
        const input = (
          <input
            {...control}
            {...rest}
            className={numeric ? 'input num' : 'input'}
            type={type}
            value={value}
            disabled={disabled}
            onChange={(event) => onChange(event.target.value)}
          />
        )
        return beside ? (
          <div className="row input-row">
            {input}
            {beside}
          </div>
        ) : (
          input
        )
      }}
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
}: FieldProps & { value: string; onChange: (value: string) => void; maxLength?: number }) {
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

export type SelectOptions<T extends string> = readonly (readonly [value: T, label: string])[]

type SelectProps<T extends string> = FieldProps & { value: T | ''; options: SelectOptions<T> } & (
    | { blank?: undefined; onChange: (value: T) => void }
    /** The label of the empty option. Without it an option is always chosen. */
    | { blank: string; onChange: (value: T | '') => void }
  )

/** A select. Its value is always one of its options. */
export function SelectField<T extends string>(props: SelectProps<T>) {
  const { label, error, hint, required = false, className = '', tip, disabled, value, options, blank } = props
  const choose = (text: string) => {
    const chosen = options.find(([option]) => option === text)
    if (chosen) props.onChange(chosen[0])
    else if (props.blank !== undefined) props.onChange('')
  }
  return (
    <Field label={label} error={error} hint={hint} required={required} className={className} tip={tip}>
      {(control) => (
        <select {...control} className="select" value={value} disabled={disabled} onChange={(event) => choose(event.target.value)}>
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
  hint,
  error,
  value,
  onChange,
  disabled,
}: {
  label: string
  hint?: string
  error?: string | undefined
  value: boolean
  onChange: (value: boolean) => void
  disabled?: boolean
}) {
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={value}
        disabled={disabled}
        aria-invalid={error ? true : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      {hint === undefined ? (
        label
      ) : (
        <span>
          {label} <span className="small faint">{hint}</span>
        </span>
      )}
      {error && <span className="field-error">{error}</span>}
    </label>
  )
}
