import { useText } from '../app/text.tsx'
import { PasswordField } from './password-field.tsx'

/** A new password with its rules and its strength. It is typed once, so it can be read while it is typed and a slip shows. */
export function NewPasswordField({ value, ...field }: Omit<Parameters<typeof PasswordField>[0], 'hint' | 'autoComplete' | 'isReadable'>) {
  const { register } = useText().personal
  return (
    <PasswordField
      {...field}
      hint={value ? `${register.passwordHint} · ${register.strength[strengthOf(value)]}` : register.passwordHint}
      value={value}
      autoComplete="new-password"
      isReadable
    />
  )
}

/** Rates a password: 0 is refused, 1 is short or plain, 2 is good, 3 is long and mixed. */
function strengthOf(password: string): 0 | 1 | 2 | 3 {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z0-9]/].filter((kind) => kind.test(password)).length
  if (password.length < 8 || kinds < 2) return 0
  if (kinds < 3) return 1
  return password.length >= 12 && kinds === 4 ? 3 : 2
}
