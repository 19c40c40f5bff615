import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { toMoment } from '#shared/calendar.ts'
import { getSession } from '../../app/session.ts'
import { useText } from '../../app/text.tsx'
import { useAutosave } from '../../app/use-autosave.ts'
import { usePageEnd } from '../../app/use-page-end.ts'
import { toast } from '../../ui/toast.tsx'
import { isTypedLater, openTyped, type QuoteFormState, type QuoteFormValues } from './quote-line.ts'

/** Milliseconds without a change after which the form is stored; storing in the browser costs nothing. */
const quietMs = 0

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
  const { draft: words } = useText().site
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const store = () => {
    if (isClosed.current || getSession().token === null) return
    sessionStorage.setItem(key, JSON.stringify({ ...getValues(), base: base.current, at: Date.now() }))
    setSavedAt(toMoment(new Date()).slice(11, 16))
  }
  useAutosave(form, { enabled: true, quietMs, save: store })
  const latest = useRef<{ isOpen: boolean; store: () => void; leave: () => void }>(null)
  useEffect(() => {
    latest.current = {
      isOpen: found !== 'none' || isDirty,
      store: () => {
        // What is offered stays until something else is typed.
        if (found === 'restored' || isDirty) store()
      },
      leave: () => {
        // A form that is replaced on its page, because the quote has changed, is not left.
        if (window.location.pathname + window.location.search === pathname + search) return
        toast('info', words.left, { label: words.goOn, run: () => void navigate(pathname + search) })
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
      if (isOpen() && getSession().token !== null) latest.current?.leave()
    }
  }, [])
  return {
    savedAt,
    /** Forgets what was stored: it was discarded. */
    clear: () => {
      isClosed.current = true
      sessionStorage.removeItem(key)
    },
    /** Forgets what was `sent`, and what was offered beside it. What was typed after the press stays: the form goes on with it from that receipt. */
    done: (sent: QuoteFormValues, sealHash: string) => {
      const stored = storedQuote(accountId, demandId)
      if (openTyped(sent, stored, base.current).kind === 'restored' && isTypedLater(stored, sent)) {
        base.current = sealHash
        sessionStorage.setItem(key, JSON.stringify({ ...(stored as object), base: sealHash }))
        return
      }
      isClosed.current = true
      sessionStorage.removeItem(key)
    },
  }
}
