import { useEffect, useRef } from 'react'
import {
  get,
  set,
  useForm,
  type DefaultValues,
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  type Path,
  type PathValue,
  type ResolverResult,
  type UseFormReturn,
} from 'react-hook-form'
import type { z } from 'zod'
import type { FieldError } from '#shared/endpoint.ts'
import { fieldErrors } from '#shared/text/validation.ts'
import { ApiError } from './api.ts'
import { readForm } from './form-values.ts'
import { useText } from './text.tsx'
import { focusFirst } from './use-form.ts'

/** A form of react-hook-form whose fields hold `V` and whose submission sends `B`, the input of a call. */
export type CallForm<V extends FieldValues, B = unknown> = UseFormReturn<V, unknown, B> & {
  /** Sets several fields at once and clears their errors, for a choice that fills other fields. */
  change: (next: Partial<V>) => void
  /** Returns the error of a name, even if no field has registered the name. */
  errorAt: (name: string) => string | undefined
  errorCount: number
  /** Checks the form and sends it. A refusal of the server is shown beside the fields; `onInvalid` gets the names with errors. */
  submitting: (send: (body: B) => Promise<void>, onInvalid?: (names: readonly string[]) => void) => () => Promise<void>
  /** Shows a refusal of the server beside the fields. */
  refused: (error: unknown) => void
}

/**
 * Makes a form for the input of a call, with the schema of its contract as the resolver (decision 29). `body` builds the input from the fields, and
 * `problems` checks what the schema cannot and names the fields itself; all problems show at once. Errors appear when the form is sent and disappear
 * when their field changes. Nothing typed is lost.
 */
export function useCallForm<V extends FieldValues, S extends z.ZodType>({
  schema,
  values,
  body = (typed) => typed,
  nameOf = (path) => path,
  problems = () => [],
}: {
  schema: S
  values: V
  /** Builds the input of the call where its names differ from those of the form. */
  body?: (typed: V) => unknown
  /** Maps a path of the wire ("items.0.qty") to the name of the field that shows its error. */
  nameOf?: (path: string, typed: V) => string
  problems?: (typed: V) => readonly FieldError[]
}): CallForm<V, z.input<S>> {
  const text = useText()
  const named =
    (typed: V) =>
    ({ field, message }: FieldError) => ({ field: nameOf(field, typed), message })
  const form = useForm<V, unknown, z.input<S>>({
    defaultValues: values as DefaultValues<V>,
    mode: 'onSubmit',
    reValidateMode: 'onSubmit',
    shouldFocusError: false,
    resolver: (typed): ResolverResult<V, z.input<S>> => {
      const input = readForm(schema, body(typed))
      const parsed = schema.safeParse(input, { reportInput: true })
      const found = [...(parsed.success ? [] : fieldErrors(text, parsed.error.issues)).map(named(typed)), ...problems(typed)]
      // The schema has accepted the value, so it has the type of the call's input.
      return found.length === 0 ? { values: input as z.input<S>, errors: {} } : { values: {}, errors: nested<V>(found) }
    },
  })
  const { errors } = form.formState
  const names = namesOf(errors)

  // After a change of language the schema's errors are worded again; the server's words cannot be.
  const shownIn = useRef(text)
  useEffect(() => {
    if (shownIn.current === text) return
    shownIn.current = text
    const checked = names.filter((name) => errorIn(errors, name).type === 'schema')
    if (checked.length > 0) void form.trigger(checked as FieldPath<V>[])
  }, [text, form, errors, names])

  const refused = (error: unknown) => {
    if (!(error instanceof ApiError)) throw error
    form.clearErrors()
    const refusals = error.fields.map(named(form.getValues()))
    for (const { field, message } of refusals.toReversed()) form.setError(field as FieldPath<V>, { type: 'server', message })
    focusFirst()
  }
  return {
    ...form,
    change: (next) => {
      const changed = Object.keys(next) as Path<V>[]
      for (const name of changed) form.setValue(name, next[name] as PathValue<V, Path<V>>, { shouldDirty: true })
      form.clearErrors(changed)
    },
    errorAt: (name) => messageAt(errors, name),
    errorCount: names.length,
    submitting: (send, onInvalid) =>
      form.handleSubmit(
        (accepted) => send(accepted).catch(refused),
        (wrong) => {
          onInvalid?.(namesOf(wrong))
          focusFirst()
        },
      ),
    refused,
  }
}

/** Nests the first error of each name, as react-hook-form expects it. */
function nested<V extends FieldValues>(found: readonly FieldError[]): FieldErrors<V> {
  const errors: FieldErrors<V> = {}
  for (const { field, message } of found) if (messageAt(errors, field) === undefined) set(errors, field, { type: 'schema', message })
  return errors
}

function errorIn(errors: object, name: string): { type?: unknown; message?: unknown } {
  const found: unknown = get(errors, name)
  return typeof found === 'object' && found !== null ? found : {}
}

function messageAt(errors: object, name: string): string | undefined {
  const { message } = errorIn(errors, name)
  return typeof message === 'string' ? message : undefined
}

/** Lists the names that have an error. */
function namesOf(errors: object, above = ''): string[] {
  return Object.entries(errors).flatMap(([key, inner]) => {
    if (typeof inner !== 'object' || inner === null || key === 'ref') return []
    const name = above ? `${above}.${key}` : key
    return [...(typeof inner.message === 'string' ? [name] : []), ...namesOf(inner, name)]
  })
}
