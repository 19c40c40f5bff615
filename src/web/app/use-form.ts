import type { UseQueryResult } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import { fieldErrors } from '#shared/text/validation.ts'
import { ApiError } from './api.ts'
import { isOutdated } from './outdated.ts'
import { useText } from './text.tsx'

export type Errors = Record<string, string>

/**
 * Checks a value with the schema of its contract. Errors of the schema and refusals of the server are keyed by path ("items.0.qty").
 */
export function useForm<S extends z.ZodType>(schema: S) {
  const text = useText()
  const [errors, setErrors] = useState<Errors>({})
  const issues = useRef<readonly z.core.$ZodIssue[]>([])

  // After a change of language the schema's errors are worded again; the server's words cannot be.
  useEffect(() => {
    const words = first(fieldErrors(text, issues.current))
    setErrors((before) => Object.fromEntries(Object.entries(before).map(([path, message]) => [path, words[path] ?? message])))
  }, [text])

  /** Returns the value as the input of the call, or null if the schema refuses it. */
  const check = useCallback(
    (value: unknown): z.input<S> | null => {
      const parsed = schema.safeParse(value, { reportInput: true })
      issues.current = parsed.error?.issues ?? []
      if (parsed.success) {
        setErrors({})
        return value as z.input<S>
      }
      setErrors(first(fieldErrors(text, parsed.error.issues)))
      focusFirst()
      return null
    },
    [schema, text],
  )

  /** Checks another input of the same page, such as that of the SMS call, and leaves the other errors in place. */
  const checkPart = useCallback(
    <P extends z.ZodType>(part: P, value: unknown): z.output<P> | null => {
      const parsed = part.safeParse(value, { reportInput: true })
      if (parsed.success) return parsed.data
      issues.current = [...issues.current, ...parsed.error.issues]
      setErrors((before) => ({ ...before, ...first(fieldErrors(text, parsed.error.issues)) }))
      focusFirst()
      return null
    },
    [text],
  )

  const refused = useCallback((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
    issues.current = []
    setErrors(first(error.fields))
    focusFirst()
  }, [])

  const clear = useCallback(
    (path: string) =>
      setErrors((before) => Object.fromEntries(Object.entries(before).filter(([key]) => key !== path && !key.startsWith(`${path}.`)))),
    [],
  )

  return { errors, check, checkPart, refused, clear, setErrors }
}

export type FormState = Pick<ReturnType<typeof useForm>, 'errors' | 'checkPart' | 'refused' | 'clear'>

/**
 * A form of named values. Setting a value clears its error, and `change` sets several. `submit` checks and sends and shows a refusal beside the
 * fields; `onOutdated` runs where the refusal says that the object has changed.
 */
export function useFields<S extends z.ZodType, V extends Record<string, unknown>>(schema: S, blank: V) {
  const form = useForm(schema)
  const [values, setValues] = useState(blank)
  const [busy, setBusy] = useState(false)
  const set =
    <K extends keyof V & string>(name: K) =>
    (value: V[K]) => {
      setValues((before) => ({ ...before, [name]: value }))
      form.clear(name)
    }
  const change = (part: Partial<V>) => {
    setValues((before) => ({ ...before, ...part }))
    for (const name of Object.keys(part)) form.clear(name)
  }
  const submit = async (send: (body: z.input<S>) => Promise<void>, beside: object = {}, onOutdated?: () => unknown): Promise<void> => {
    const body = form.check({ ...values, ...beside })
    if (!body) return
    setBusy(true)
    try {
      await send(body)
    } catch (error) {
      form.refused(error)
      if (isOutdated(error)) onOutdated?.()
    } finally {
      setBusy(false)
    }
  }
  return { ...form, values, set, change, setValues, busy, submit }
}

function first(list: readonly { field: string; message: string }[]): Errors {
  const errors: Errors = {}
  for (const { field, message } of list) errors[field] ??= message
  return errors
}

/** Focuses the first field with an error, after the page has rendered it. */
export function focusFirst(): void {
  requestAnimationFrame(() =>
    document
      .querySelector<HTMLElement>(
        '[aria-invalid=true], .field-bad:not(:has([aria-invalid=true])) :is(input:not([hidden]), select, [contenteditable=true]), .paper-bad button',
      )
      ?.focus(),
  )
}

/** The first field to type into. */
const firstField = 'main form :is(input:not([type=file], [type=checkbox], [type=radio]), textarea)'

/**
 * Puts the cursor into the first field of a form that people open in order to type, unless another field has it. On a phone the keyboard would
 * cover half of the page. `when`: runs again when it changes, and waits while it is false.
 */
export function useFirstField(when: unknown = true): void {
  useEffect(() => {
    if (when === false) return
    const focused = document.activeElement
    // The link that led here still has the focus where it stands in a menu.
    const isFree = focused === document.body || focused?.matches('main, main h1, nav a')
    if (isFree && matchMedia('(pointer: fine)').matches) document.querySelector<HTMLElement>(firstField)?.focus()
  }, [when])
}

/**
 * The answer of a query that has come since this was opened for the record of that key; undefined before. For forms and decisions: somebody may have
 * replaced the answer from before, also where asking anew fails. One that has been shown stays while it is asked again, also where that fails.
 */
export function useNewAnswer<Data>({ data, dataUpdatedAt }: Pick<UseQueryResult<Data>, 'data' | 'dataUpdatedAt'>, key: string | number) {
  const [opened, setOpened] = useState(() => ({ key, at: Date.now() }))
  if (opened.key !== key) setOpened({ key, at: Date.now() })
  return dataUpdatedAt < opened.at ? undefined : data
}
