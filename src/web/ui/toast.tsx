import { useSyncExternalStore } from 'react'

type Kind = 'success' | 'info' | 'warning' | 'error'
type Toast = { id: number; kind: Kind; message: string; action?: { label: string; run: () => void } }

/** Milliseconds a toast stays (specification 9). One with something to click stays longer. */
const shownFor = 1500
const shownForAction = 6000

let toasts: readonly Toast[] = []
let nextId = 1
const listeners = new Set<() => void>()

function set(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

export function toast(kind: Kind, message: string, action?: Toast['action']): void {
  if (!message) return
  const id = nextId++
  set([...toasts, { id, kind, message, ...(action && { action }) }])
  setTimeout(() => set(toasts.filter((one) => one.id !== id)), action ? shownForAction : shownFor)
}

export const clearToasts = (): void => set([])

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
const nothing: readonly Toast[] = []

/** Top-centre, read out by screen readers. */
export function Toasts() {
  const shown = useSyncExternalStore(
    subscribe,
    () => toasts,
    () => nothing,
  )
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map(({ id, kind, message, action }) => (
        <div key={id} className={`toast toast-${kind}`}>
          {message}
          {action && (
            <button type="button" className="link" onClick={action.run}>
              {action.label}
            </button>
          )}
        </div>
      ))}
    </div>
  )
}
