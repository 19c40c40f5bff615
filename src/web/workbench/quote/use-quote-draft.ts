import { useCallback, useEffect, useRef, useState } from 'react'
import { toMoment } from '#shared/calendar.ts'
import { getSession } from '../../app/session.ts'
import { readTab, writeTab } from '../../app/tab-storage.ts'
import { useAutosave } from '../../app/use-autosave.ts'
import { useLeftToast } from '../../app/use-left-toast.ts'
import { usePageEnd } from '../../app/use-page-end.ts'
import { isTypedLater, openTyped, type QuoteFormState, type QuoteFormValues } from './quote-line.ts'

/** Milliseconds without a change after which the form is stored; storing in the browser costs nothing. */
const quietMs = 0

const keyOf = (accountId: number, demandId: number) => `quote:${accountId}:${demandId}`

/**
 * Reads a quote that was typed in this tab and not submitted. It is kept in the session storage, which survives a reload and a lost connection
 * but not the tab, so prices do not stay on a computer that others use.
 */
export const storedQuote = (accountId: number, demandId: number): unknown => readTab(keyOf(accountId, demandId))

/**
 * Stores the form while it is typed. Leaving the page says that the quote is still there and leads back; closing the tab, which loses it, asks
 * first.
 */
export function useQuoteDraft(
  form: QuoteFormState,
  {
    accountId,
    demandId,
    found,
    receipt,
  }: { accountId: number; demandId: number; found: 'none' | 'restored' | 'offered'; receipt: string | null },
) {
  const base = useRef(receipt)
  const [savedAt, setSavedAt] = useState('')
  const isClosed = useRef(false)
  const key = keyOf(accountId, demandId)
  const { getValues } = form
  const { isDirty } = form.formState
  const sayLeft = useLeftToast()
  const store = () => {
    if (isClosed.current || getSession().token === null) return
    const isStored = writeTab(key, { ...getValues(), base: base.current, at: Date.now() })
    if (isStored) setSavedAt(toMoment(new Date()).slice(11, 16))
  }
  useAutosave(form, { enabled: true, quietMs, save: store })
  const latest = useRef<{ isOpen: boolean; store: () => void }>(null)
  useEffect(() => {
    latest.current = {
      isOpen: found !== 'none' || isDirty,
      store: () => {
        // What is offered stays until something else is typed.
        if (found === 'restored' || isDirty) store()
      },
    }
  })
  usePageEnd(useCallback(() => latest.current?.store(), []))
  useEffect(() => {
    const isOpen = () => latest.current?.isOpen === true && !isClosed.current
    const warn = (event: BeforeUnloadEvent) => {
      if (isOpen()) event.preventDefault()
    }
    window.addEventListener('beforeunload', warn)
    return () => {
      window.removeEventListener('beforeunload', warn)
      if (isOpen() && getSession().token !== null) sayLeft()
    }
  }, [sayLeft])
  return {
    savedAt,
    /** Forgets what was stored: it was discarded. */
    clear: () => {
      isClosed.current = true
      writeTab(key, undefined)
    },
    /** Forgets what was `sent`, and what was offered beside it. What was typed after the press stays: the form goes on with it from that receipt. */
    done: (sent: QuoteFormValues, sealHash: string) => {
      const stored = storedQuote(accountId, demandId)
      if (openTyped(sent, stored, base.current).kind === 'restored' && isTypedLater(stored, sent)) {
        base.current = sealHash
        writeTab(key, { ...(stored as object), base: sealHash })
        return
      }
      isClosed.current = true
      writeTab(key, undefined)
    },
  }
}
