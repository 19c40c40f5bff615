import { createStore } from './store.ts'

type Kind = 'success' | 'info' | 'warning' | 'error'
type Toast = { id: number; kind: Kind; message: string; action?: { label: string; run: () => void } }

/** Milliseconds for which a toast stays (specification 9). A toast with a button stays longer. */
const shownFor = 1500
const shownForAction = 6000

const toasts = createStore<readonly Toast[]>([])
let nextId = 1

export function toast(kind: Kind, message: string, action?: Toast['action']): void {
  if (!message) return
  const id = nextId++
  toasts.set([...toasts.get(), { id, kind, message, ...(action && { action }) }])
  setTimeout(() => toasts.set(toasts.get().filter((one) => one.id !== id)), action ? shownForAction : shownFor)
}

export const clearToasts = (): void => toasts.set([])

/** The toasts at the top centre, which screen readers announce. */
export function Toasts() {
  const shown = toasts.use()
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
