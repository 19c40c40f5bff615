import { useEffect, type ReactNode } from 'react'
import { Outlet, useLocation, useNavigate } from 'react-router'
import { workbenchHome } from '#shared/account/landing.ts'
import { mayOpen, openBeforeCertification } from '#shared/account/rules.ts'
import { paths } from '#shared/paths.ts'
import { PrivateFallback, PrivateLayout } from '../app/private-layout.tsx'
import { RouteProblem } from '../app/route-problem.tsx'
import { contractRoleIn, roleIn, useSession } from '../app/session.ts'
import { loadPrivateWords, useText } from '../app/text.tsx'
import { Skeleton } from '../ui/parts.tsx'
import './personal.css'

// Rendered in the browser only, because the server has no session.
export const clientLoader = async () => {
  await loadPrivateWords()
  return null
}
clientLoader.hydrate = true as const
export { PrivateFallback as HydrateFallback }

export default function PersonalLayout() {
  return (
    <PersonalFrame>
      <Outlet />
    </PersonalFrame>
  )
}

export function ErrorBoundary() {
  return (
    <PersonalFrame>
      <RouteProblem />
    </PersonalFrame>
  )
}

function PersonalFrame({ children }: { children: ReactNode }) {
  const text = useText()
  const session = useSession()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const { tabs } = text.personal
  const role = roleIn(session)
  const contractRole = contractRoleIn(session)
  const home = workbenchHome(role) ?? (!role && contractRole ? paths.contracts() : null)
  // People without a certification are sent to it, with the reason. The pages that they need for it stay open; so do all where contracts go on.
  const uncertified =
    session.info !== null && role === null && contractRole === null && !openBeforeCertification(pathname.replace(/\/$/, ''))
  useEffect(() => {
    if (uncertified) void navigate(`${paths.certification}?from=${encodeURIComponent(pathname)}`, { replace: true })
  }, [uncertified, navigate, pathname])
  const under = (prefix: string) => (path: string) => path === prefix || path.startsWith(`${prefix}/`)
  return (
    <PrivateLayout
      title={text.account.personal.title}
      groups={[
        {
          entries: [
            { to: paths.personal, label: tabs.panel },
            { to: paths.safety, label: tabs.safety, active: under(paths.safety) },
            { to: paths.messages, label: tabs.messages, badge: session.unread, active: under(paths.messages) },
            { to: paths.feedback, label: tabs.feedback, active: under(paths.feedback) },
            ...(mayOpen(role, paths.certification)
              ? [{ to: paths.certification, label: tabs.certification, active: under(paths.certification) }]
              : []),
            { to: paths.favourites, label: tabs.favourites },
            ...(home ? [{ to: home, label: text.site.action.workbench }] : []),
          ],
        },
      ]}
    >
      {uncertified ? <Skeleton rows={4} /> : children}
    </PrivateLayout>
  )
}
