import { useState, type ReactNode } from 'react'
import { useText } from './text.tsx'
import { Field } from './ui/parts.tsx'

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

/** A password that can be looked at while it is typed. */
export function PasswordField({
  label,
  error,
  hint,
  value,
  onChange,
  autoComplete,
}: Common & { value: string; onChange: (value: string) => void; autoComplete: 'current-password' | 'new-password' }) {
  const { account } = useText()
  const [shown, setShown] = useState(false)
  return (
    <Field label={label} error={error} hint={hint} required>
      {(control) => (
        <div style={{ position: 'relative' }}>
          <input
            {...control}
            className="input"
            type={shown ? 'text' : 'password'}
            autoComplete={autoComplete}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            style={{ paddingRight: 52 }}
          />
          <button
            type="button"
            className="icon-button"
            style={{ position: 'absolute', right: 2, top: 2 }}
            aria-label={shown ? account.hide : account.show}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          >
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d="M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12z" />
              <circle cx="12" cy="12" r="3" />
              {!shown && <path d="M4 4l16 16" />}
            </svg>
          </button>
        </div>
      )}
    </Field>
  )
}

/** A new password: what it must hold, how strong it is, and once more so that a slip shows. */
export function NewPasswordFields({
  label,
  value,
  onChange,
  repeat,
  onRepeat,
  errors,
}: {
  label: string
  value: string
  onChange: (value: string) => void
  repeat: string
  onRepeat: (value: string) => void
  errors: Record<string, string>
}) {
  const { register } = useText().personal
  const strength = strengthOf(value)
  const differs = repeat !== '' && !value.startsWith(repeat) && repeat !== value
  return (
    <>
      <PasswordField
        label={label}
        error={errors.password}
        hint={value ? `${register.passwordHint} · ${register.strength[strength]}` : register.passwordHint}
        value={value}
        onChange={onChange}
        autoComplete="new-password"
      />
      <PasswordField
        label={register.repeat}
        error={errors.repeat ?? (differs ? register.repeatWrong : undefined)}
        value={repeat}
        onChange={onRepeat}
        autoComplete="new-password"
      />
    </>
  )
}

/** 0 refused, 1 short or plain, 2 good, 3 long and mixed. */
function strengthOf(password: string): 0 | 1 | 2 | 3 {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z0-9]/].filter((kind) => kind.test(password)).length
  if (password.length < 8 || kinds < 2) return 0
  if (kinds < 3) return 1
  return password.length >= 12 && kinds === 4 ? 3 : 2
}
