import type { ReactNode } from 'react'
import { Outlet, useLocation } from 'react-router'
import { firstPageUnder } from '#shared/account/landing.ts'
import { isOfConsole } from '#shared/account/rules.ts'
import { contractPages, paths } from '#shared/paths.ts'
import { useMenuCounts } from '../app/menu-counts.ts'
import { PrivateFallback, PrivateLayout } from '../app/private-layout.tsx'
import { RouteProblem } from '../app/route-problem.tsx'
import { contractRoleIn, roleIn, useSession } from '../app/session.ts'
import { loadPrivateWords, useText } from '../app/text.tsx'
import { workbenchGroups } from '../app/workbench-menu.ts'
import { Empty } from '../ui/parts.tsx'
import { Link } from '../ui/link.tsx'

export const clientLoader = async () => {
  await loadPrivateWords()
  return null
}
clientLoader.hydrate = true as const
export { PrivateFallback as HydrateFallback }

export default function WorkbenchLayout() {
  const text = useText()
  const session = useSession()
  const role = roleIn(session)
  const path = useLocation().pathname.replace(/\/$/, '')
  const goesOn = !role && contractRoleIn(session) && path.startsWith(contractPages)
  const isOpen = !session.info || role || goesOn || firstPageUnder(role, path) !== null
  return (
    <WorkbenchFrame>
      {goesOn && (
        <p className="notice notice-warn row between mb-16 no-print" role="status">
          <span>{text.contract.pages.goesOn}</span>
          <Link to={paths.certification}>{text.certification.title}</Link>
        </p>
      )}
      {isOpen ? (
        <Outlet />
      ) : (
        <Empty
          title={text.account.personal.uncertified}
          hint={text.account.personal.certifyText}
          action={
            <Link className="button button-primary" to={paths.certification}>
              {text.certification.title}
            </Link>
          }
        />
      )}
    </WorkbenchFrame>
  )
}

export function ErrorBoundary() {
  return (
    <WorkbenchFrame>
      <RouteProblem />
    </WorkbenchFrame>
  )
}

function WorkbenchFrame({ children }: { children: ReactNode }) {
  const text = useText()
  const session = useSession()
  const role = roleIn(session)
  const counts = useMenuCounts()
  const isConsole = isOfConsole(role)
  return (
    <PrivateLayout
      title={isConsole ? (role === 'auditor' ? text.admin.auditorTitle : text.admin.title) : text.site.action.workbench}
      groups={workbenchGroups(text, session, counts)}
    >
      {children}
    </PrivateLayout>
  )
}
