import { useId, useLayoutEffect, useRef, type ReactNode } from 'react'
import { openDialogs } from './front-dialog.ts'

export type DialogKind = 'default' | 'info' | 'success' | 'warning' | 'error'

const field = '.dialog-content :is(input:not([type=hidden], [type=file], [type=checkbox], [type=radio]), select, textarea):enabled'

/**
 * Moves the focus from the button that closes the dialog, which the browser chooses, to where somebody goes on: its first field, or else its main button. Of
 * an action that loses something that is the way back. On a phone the keyboard would cover the question.
 */
function focusStart(dialog: HTMLDialogElement): void {
  if (dialog.querySelector('[autofocus]')) return
  const fields = matchMedia('(pointer: fine)').matches ? [field] : []
  const starts = [...fields, 'footer .button-primary', 'footer .button'].map((start) => dialog.querySelector<HTMLElement>(start))
  // A long dialog is read from its beginning.
  starts.find((start) => start !== null)?.focus({ preventScroll: true })
}

/** A modal dialog of the browser, which keeps the focus inside. It is 446 px wide and closes on Esc and on a click beside it. */
export function Dialog({
  open,
  onClose,
  title,
  kind = 'default',
  wide = false,
  children,
  actions,
  closeLabel,
}: {
  open: boolean
  onClose: () => void
  title: string
  kind?: DialogKind
  wide?: boolean
  children: ReactNode
  actions?: ReactNode
  closeLabel: string
}) {
  const ref = useRef<HTMLDialogElement>(null)
  /** Whether the press began beside the dialog. One that begins inside, such as selecting text, may end anywhere. */
  const pressedBeside = useRef(false)
  const titleId = useId()
  useLayoutEffect(() => {
    const dialog = ref.current
    if (!dialog || !open) return
    dialog.showModal()
    focusStart(dialog)
    openDialogs.set([...openDialogs.get(), dialog])
    return () => {
      openDialogs.set(openDialogs.get().filter((one) => one !== dialog))
      // Before it leaves the page, or the focus would not go back to where it was.
      dialog.close()
    }
  }, [open])
  return (
    <dialog
      ref={ref}
      className={`dialog dialog-${kind}${wide ? ' dialog-wide' : ''}`}
      aria-labelledby={titleId}
      // React lets these events of a dialog inside this one rise up to it.
      onClose={(event) => event.target === event.currentTarget && onClose()}
      onCancel={(event) => event.target === event.currentTarget && onClose()}
      onPointerDown={(event) => {
        pressedBeside.current = event.target === ref.current
      }}
      onClick={(event) => {
        if (pressedBeside.current && event.target === ref.current) onClose()
      }}
    >
      {open && (
        <div className="dialog-body">
          <header>
            <h2 id={titleId}>{title}</h2>
            <button type="button" className="icon-button" aria-label={closeLabel} onClick={onClose}>
              <svg viewBox="0 0 24 24" aria-hidden="true">
                <path d="M6 6l12 12M18 6L6 18" />
              </svg>
            </button>
          </header>
          <div className="dialog-content">{children}</div>
          {actions && <footer>{actions}</footer>}
        </div>
      )}
    </dialog>
  )
}
