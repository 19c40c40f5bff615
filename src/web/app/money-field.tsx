import type { ReactNode } from 'react'
import { TextField } from '../ui/form-fields.tsx'
import { money } from './format.ts'

type MoneyProps = {
  label: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  hint?: string | undefined
  required?: boolean
  disabled?: boolean
  className?: string
  maxLength?: number
  tip?: ReactNode
}

/** An amount of yuan. Under the field it stands with separators, so nobody counts zeros. */
export function MoneyField({ hint, ...rest }: MoneyProps) {
  const grouped = Number(rest.value) >= 1000 ? money(rest.value) : ''
  return <TextField {...rest} inputMode="decimal" hint={[grouped, hint].filter(Boolean).join(' · ')} />
}
