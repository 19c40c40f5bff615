import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { firstPageUnder } from '#shared/account/landing.ts'
import { roleIn, useSession } from '../app/session.ts'
import { Skeleton } from '../ui/parts.tsx'

/** A parent of the menu has no screen of its own: it leads to the first one below it. */
export default function FirstPage() {
  const session = useSession()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const first = firstPageUnder(roleIn(session), pathname.replace(/\/$/, ''))
  useEffect(() => {
    if (first) void navigate(first, { replace: true })
  }, [first, navigate])
  return <Skeleton rows={5} />
}
