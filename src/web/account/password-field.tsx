import { useState } from 'react'
import { useText } from '../app/text.tsx'
import { Field } from '../ui/parts.tsx'

/** A password field that can show what is typed. */
export function PasswordField({
  label,
  error,
  hint,
  value,
  onChange,
  autoComplete,
  isReadable = false,
}: {
  label: string
  error?: string | undefined
  hint?: string | undefined
  value: string
  onChange: (value: string) => void
  autoComplete: 'current-password' | 'new-password'
  /** Shows the password as long as the field has the focus, until the person hides it. */
  isReadable?: boolean
}) {
  const { account } = useText()
  const [chosen, setChosen] = useState<boolean | null>(null)
  const [focused, setFocused] = useState(false)
  const shown = chosen ?? (isReadable && focused)
  return (
    <Field label={label} error={error} hint={hint} required>
      {(control) => (
        <div className="password-field">
          <input
            {...control}
            className="input"
            type={shown ? 'text' : 'password'}
            autoComplete={autoComplete}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            onFocus={() => setFocused(true)}
            onBlur={() => setFocused(false)}
          />
          <button
            type="button"
            className="icon-button"
            aria-label={shown ? account.hide : account.show}
            aria-pressed={shown}
            // The field keeps the focus, so the button turns around what the person sees.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => setChosen(!shown)}
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
