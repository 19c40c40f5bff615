import type { ReactElement, ReactNode } from 'react'
import { useController, type FieldPath, type FieldPathByValue, type FieldValues } from 'react-hook-form'
import type { TermName } from '#shared/text/terms.ts'
import {
  CheckField as PlainCheck,
  SelectField as PlainSelect,
  TextareaField as PlainArea,
  TextField as PlainText,
  type SelectOptions,
  type TextKind,
} from '../ui/form-fields.tsx'
import { Field, type Control } from '../ui/parts.tsx'
import type { CallForm } from './call-form.ts'
import { DateField as PlainDate } from './date-field.tsx'
import type { DateProps } from './date-input.tsx'
import { MoneyField as PlainMoney } from './money-field.tsx'
import { Term } from './term.tsx'

// Fields that are bound to the form of a call by their name: each shows its value and its error and reports changes to the form.

type FieldOf<V extends FieldValues, B, Value> = { form: CallForm<V, B>; name: FieldPathByValue<V, Value>; label: string }
type Shared = { hint?: string | undefined; required?: boolean; disabled?: boolean; className?: string }
/** `term`: the word of the trade that a question mark beside the label explains. */
type Explained = { term?: TermName | undefined }

const tipOf = (term: TermName | undefined, label: string): ReactNode => term && <Term name={term} label={label} />

function useField<V extends FieldValues, B, Value>(form: CallForm<V, B>, name: FieldPathByValue<V, Value>) {
  const { field, fieldState } = useController({ control: form.control, name })
  const value: unknown = field.value
  return {
    value,
    text: typeof value === 'string' ? value : '',
    error: fieldState.error?.message,
    onChange: (next: string | boolean) => {
      field.onChange(next)
      form.clearErrors(name)
    },
  }
}

export function TextField<V extends FieldValues, B>({
  form,
  name,
  ...rest
}: FieldOf<V, B, string> & Shared & TextKind & { type?: 'text' | 'tel' | 'email'; beside?: ReactNode }) {
  const { text, error, onChange } = useField(form, name)
  return <PlainText {...rest} value={text} error={error} onChange={onChange} />
}

export function MoneyField<V extends FieldValues, B>({
  form,
  name,
  term,
  ...rest
}: FieldOf<V, B, string> & Shared & Explained & { maxLength?: number }) {
  const { text, error, onChange } = useField(form, name)
  return <PlainMoney {...rest} tip={tipOf(term, rest.label)} value={text} error={error} onChange={onChange} />
}

/** A number, stored as it is typed; the schema checks it when the form is sent. */
export function NumberField<V extends FieldValues, B>({
  form,
  name,
  term,
  ...rest
}: FieldOf<V, B, string> &
  Shared &
  Explained & { min?: string; max?: string; step?: string; placeholder?: string; inputMode?: 'numeric' | 'decimal'; numeric?: boolean }) {
  const { text, error, onChange } = useField(form, name)
  return <PlainText {...rest} tip={tipOf(term, rest.label)} type="number" value={text} error={error} onChange={onChange} />
}

type DateShared = Shared & Pick<DateProps, 'min' | 'since' | 'presets'>

export function DateField<V extends FieldValues, B>({ form, name, ...rest }: FieldOf<V, B, string> & DateShared) {
  const { text, error, onChange } = useField(form, name)
  return <PlainDate {...rest} value={text} error={error} onChange={onChange} />
}

/** A day and a minute, stored as the wire writes them. */
export function MomentField<V extends FieldValues, B>({ form, name, ...rest }: FieldOf<V, B, string> & DateShared) {
  const { text, error, onChange } = useField(form, name)
  return <PlainDate {...rest} moment value={text} error={error} onChange={onChange} />
}

export function AreaField<V extends FieldValues, B>({ form, name, ...rest }: FieldOf<V, B, string> & Shared & { maxLength?: number }) {
  const { text, error, onChange } = useField(form, name)
  return <PlainArea {...rest} value={text} error={error} onChange={onChange} />
}

export function SelectField<V extends FieldValues, B>({
  form,
  name,
  term,
  ...rest
}: FieldOf<V, B, string> & Shared & Explained & { options: SelectOptions<string>; blank?: string }) {
  const { text, error, onChange } = useField(form, name)
  return <PlainSelect {...rest} tip={tipOf(term, rest.label)} value={text} error={error} onChange={onChange} />
}

export function CheckField<V extends FieldValues, B>({
  form,
  name,
  ...rest
}: FieldOf<V, B, boolean> & { hint?: string; disabled?: boolean }) {
  const { value, error, onChange } = useField(form, name)
  return <PlainCheck {...rest} value={value === true} error={error} onChange={onChange} />
}

/** Any other control under a label, with the error at its name. */
export function ControlField<V extends FieldValues, B>({
  form,
  name,
  children,
  ...rest
}: {
  form: CallForm<V, B>
  name: FieldPath<V>
  label: string
  hint?: string
  required?: boolean
  className?: string
  children: (control: Control) => ReactElement
}) {
  return (
    <Field {...rest} error={form.errorAt(name)}>
      {children}
    </Field>
  )
}
