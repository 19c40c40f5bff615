import { useEffect, useRef, useState } from 'react'
import { useAutosave } from '../app/use-autosave.ts'
import type { QuoteFormState } from './quote-line.ts'

/** Milliseconds without a change after which the form is stored; storing in the browser costs nothing. */
const quietMs = 300

const keyOf = (accountId: number, demandId: number) => `quote:${accountId}:${demandId}`

/**
 * Reads a quote that was typed in this tab and not submitted. It is kept in the session storage, which survives a reload and a lost connection
 * but not the tab, so prices do not stay on a computer that others use.
 */
export function storedQuote(accountId: number, demandId: number): unknown {
  const stored = sessionStorage.getItem(keyOf(accountId, demandId))
  if (!stored) return undefined
  try {
    return JSON.parse(stored)
  } catch {
    // Somebody edited the storage: there is nothing to restore.
    return undefined
  }
}

/** Stores the form while it is typed, and asks before the tab is closed with a quote that was not submitted. */
export function useQuoteDraft(
  form: QuoteFormState,
  { accountId, demandId, restored }: { accountId: number; demandId: number; restored: boolean },
) {
  const [savedAt, setSavedAt] = useState('')
  const isClosed = useRef(false)
  const key = keyOf(accountId, demandId)
  const { getValues } = form
  const { isDirty } = form.formState
  useAutosave(form, {
    enabled: true,
    quietMs,
    save: () => {
      sessionStorage.setItem(key, JSON.stringify(getValues()))
      setSavedAt(new Date().toTimeString().slice(0, 5))
    },
  })
  const latest = useRef<{ isOpen: boolean; store: () => void }>(null)
  useEffect(() => {
    latest.current = { isOpen: restored || isDirty, store: () => sessionStorage.setItem(key, JSON.stringify(getValues())) }
  })
  useEffect(() => {
    const isOpen = () => latest.current?.isOpen === true && !isClosed.current
    const warn = (event: BeforeUnloadEvent) => {
      if (isOpen()) event.preventDefault()
    }
    window.addEventListener('beforeunload', warn)
    return () => {
      window.removeEventListener('beforeunload', warn)
      // A page that is left within the quiet time stores what was typed last.
      if (isOpen()) latest.current?.store()
    }
  }, [])
  return {
    savedAt,
    /** Forgets what was stored: it was submitted or discarded. */
    clear: () => {
      isClosed.current = true
      sessionStorage.removeItem(key)
    },
  }
}
