import { useEffect, type ReactNode } from 'react'
import { useBlocker, type BlockerFunction } from 'react-router'
import { ConfirmDialog } from './confirm-dialog.tsx'

/** Asks before a page is left whose content would be lost, by a link of the site or by closing the tab. */
export function LeaveGuard({
  when,
  title,
  action = title,
  children,
}: {
  /** A function is asked at the moment of leaving, so the page's own way out can be let through. */
  when: boolean | BlockerFunction
  title: string
  action?: string
  children: ReactNode
}) {
  const blocker = useBlocker(when)
  const isOn = when !== false
  useEffect(() => {
    if (!isOn) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isOn])
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      onClose={() => blocker.reset?.()}
      title={title}
      action={action}
      busy={false}
      onConfirm={() => blocker.proceed?.()}
    >
      <p>{children}</p>
    </ConfirmDialog>
  )
}
