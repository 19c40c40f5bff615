import type { ReactNode } from 'react'
import { useText } from './text.tsx'
import { Dialog, type DialogKind } from '../ui/dialog.tsx'

/** Asks for a confirmation: the consequences as its children, a way back, and a button with the name of the action. */
export function ConfirmDialog({
  open,
  onClose,
  title,
  kind = 'warning',
  wide = false,
  action,
  busy,
  onConfirm,
  children,
}: {
  open: boolean
  onClose: () => void
  title: string
  kind?: DialogKind
  wide?: boolean
  action: string
  busy: boolean
  /** Absent where nothing can be done: the way back alone is offered. */
  onConfirm: (() => void) | undefined
  children: ReactNode
}) {
  const text = useText()
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      kind={kind}
      wide={wide}
      closeLabel={text.site.action.close}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            {text.site.common.back}
          </button>
          {onConfirm && (
            <button
              type="button"
              className={kind === 'warning' ? 'button button-danger' : 'button button-primary'}
              aria-disabled={busy}
              onClick={onConfirm}
            >
              {action}
            </button>
          )}
        </>
      }
    >
      {children}
    </Dialog>
  )
}
