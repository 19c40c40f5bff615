import { useCallback, useEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import { fieldErrors } from '#shared/text/validation.ts'
import { ApiError } from './api.ts'
import { useText } from './text.tsx'

export type Errors = Record<string, string>

/**
 * Checks with the contract's own schema and keeps what it found beside the fields, keyed by path ("items.0.qty");
 * what the server refuses lands in the same place. Nothing typed is lost.
 */
export function useForm<S extends z.ZodType>(schema: S) {
  const text = useText()
  const [errors, setErrors] = useState<Errors>({})
  const issues = useRef<readonly z.core.$ZodIssue[]>([])

  // In another language what the schema found is said anew; what the server said stays as it said it.
  useEffect(() => {
    const words = first(fieldErrors(text, issues.current))
    setErrors((before) => Object.fromEntries(Object.entries(before).map(([path, message]) => [path, words[path] ?? message])))
  }, [text])

  /** The value, as the input that the schema accepted, so that it can be sent as it is. */
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

  /** Checks something beside the form, such as what an SMS is sent with; the other errors stay. */
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

/** A form of named values: setting one clears its error; `submit` checks, sends, and what is refused stands beside the fields. */
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
  const submit = async (send: (body: z.input<S>) => Promise<void>, beside: object = {}): Promise<void> => {
    const body = form.check({ ...values, ...beside })
    if (!body) return
    setBusy(true)
    try {
      await send(body)
    } catch (error) {
      form.refused(error)
    } finally {
      setBusy(false)
    }
  }
  return { ...form, values, set, busy, submit }
}

function first(list: readonly { field: string; message: string }[]): Errors {
  const errors: Errors = {}
  for (const { field, message } of list) errors[field] ??= message
  return errors
}

/** Moves the focus to the first field with an error, once the page shows it. */
export function focusFirst(): void {
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>('[aria-invalid=true], .field-bad input, .field-bad select, .paper-bad button')?.focus(),
  )
}
