import { useEffect, useState, type ReactNode } from 'react'
import { useBlocker } from 'react-router'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { addLeaveGuard } from './leave-guards.ts'
import { getSession } from './session.ts'
import { useLatest } from './use-latest.ts'

/** Asks before a page is left whose content would be lost, by a link of the site, by signing out or by closing the tab. */
export function LeaveGuard({
  when,
  title,
  action = title,
  children,
}: {
  /** A function is asked at the moment of leaving, with the address that follows, so the page's own way out can be let through. */
  when: boolean | ((to: string) => boolean)
  title: string
  action?: string
  children: ReactNode
}) {
  const isUp = (to: string) => (typeof when === 'function' ? when(to) : when)
  // Once the session has ended, nothing of it stays on the page.
  const blocker = useBlocker(({ nextLocation }) => getSession().token !== null && isUp(nextLocation.pathname + nextLocation.search))
  const latest = useLatest(isUp)
  const [signOut, setSignOut] = useState<{ answer: (leaves: boolean) => void } | null>(null)
  useEffect(() => addLeaveGuard((to) => (latest()(to) ? new Promise((answer) => setSignOut({ answer })) : Promise.resolve(true))), [latest])
  const isOn = when !== false
  useEffect(() => {
    if (!isOn) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isOn])
  const decide = (leaves: boolean) => {
    if (leaves) blocker.proceed?.()
    else blocker.reset?.()
    signOut?.answer(leaves)
    setSignOut(null)
  }
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked' || signOut !== null}
      onClose={() => decide(false)}
      title={title}
      action={action}
      busy={false}
      onConfirm={() => decide(true)}
    >
      <p>{children}</p>
    </ConfirmDialog>
  )
}
