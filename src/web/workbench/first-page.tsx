import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { firstPageUnder } from '#shared/account/landing.ts'
import { paths } from '#shared/paths.ts'
import { roleIn, useSession } from '../app/session.ts'
import { Skeleton } from '../ui/parts.tsx'

/** A parent of the menu has no screen of its own: it leads to the first one below it, or to the certification, which says why. */
export default function FirstPage() {
  const session = useSession()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const first = firstPageUnder(roleIn(session), pathname.replace(/\/$/, ''))
  useEffect(() => {
    const reason = first === paths.certification ? `?from=${encodeURIComponent(pathname)}` : ''
    if (first) void navigate(first + reason, { replace: true })
  }, [first, pathname, navigate])
  return <Skeleton rows={5} />
}
