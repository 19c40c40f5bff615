import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useFrontDialog } from './front-dialog.ts'
import { createStore } from './store.ts'

type Kind = 'success' | 'info' | 'warning' | 'error'
type Toast = { id: number; kind: Kind; message: string; action?: { label: string; run: () => void } }

/** Milliseconds for which a toast stays: 1500 by specification 9, longer where something went wrong and has to be read (decision 43). */
const shownFor: Record<Kind, number> = { success: 1500, info: 1500, warning: 4000, error: 4000 }
/** Whoever reads slowly or works by keyboard still reaches its button (WCAG 2.2.1). */
const shownForAction = 20_000

const toasts = createStore<readonly Toast[]>([])
export const getToasts = toasts.get
let nextId = 1

export function toast(kind: Kind, message: string, action?: Toast['action']): void {
  if (!message) return
  const id = nextId++
  // What fails three times says so once, and keeps the button that the first one brought.
  const isSame = (one: Toast) => one.kind === kind && one.message === message
  const button = action ?? toasts.get().find(isSame)?.action
  toasts.set([...toasts.get().filter((one) => !isSame(one)), { id, kind, message, ...(button && { action: button }) }])
  setTimeout(() => close(id), button ? shownForAction : shownFor[kind])
}

const close = (id: number): void => toasts.set(toasts.get().filter((one) => one.id !== id))
export const clearToasts = (): void => toasts.set([])

/**
 * The toasts at the top centre, which screen readers announce. One with a button stands long, so it can be closed. While a dialog is open they
 * stand in it: what is outside is neither announced nor pressed.
 */
export function Toasts({ closeLabel }: { closeLabel: string }) {
  const dialog = useFrontDialog()
  return (
    <>
      <Region closeLabel={closeLabel} isFront={!dialog} />
      {dialog && createPortal(<Region closeLabel={closeLabel} isFront />, dialog)}
    </>
  )
}

/** A screen reader announces only what comes into a region that it knows already, so the toasts come a moment after their region. */
function Region({ closeLabel, isFront }: { closeLabel: string; isFront: boolean }) {
  const shown = toasts.use()
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    const later = setTimeout(() => setReady(isFront), 100)
    return () => clearTimeout(later)
  }, [isFront])
  return (
    <div className="toasts" role="status" aria-live="polite">
      {isFront &&
        isReady &&
        shown.map(({ id, kind, message, action }) => (
          <div key={id} className={`toast toast-${kind}`}>
            {message}
            {action && (
              <>
                <button
                  type="button"
                  className="link"
                  onClick={() => {
                    close(id)
                    action.run()
                  }}
                >
                  {action.label}
                </button>
                <button type="button" className="icon-button toast-close" aria-label={closeLabel} onClick={() => close(id)}>
                  <svg viewBox="0 0 24 24" aria-hidden="true">
                    <path d="M6 6l12 12M18 6L6 18" />
                  </svg>
                </button>
              </>
            )}
          </div>
        ))}
    </div>
  )
}
