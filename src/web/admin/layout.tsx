import { Outlet } from 'react-router'
import { adminGroups } from '../app/admin-menu.ts'
import { useMenuCounts } from '../app/menu-counts.ts'
import { PrivateFallback, PrivateLayout } from '../app/private-layout.tsx'
import { RouteProblem } from '../app/route-problem.tsx'
import { roleIn, useSession } from '../app/session.ts'
import { loadPrivateWords, useText } from '../app/text.tsx'
import type { ReactNode } from 'react'
import './admin.css'

export const clientLoader = async () => {
  await loadPrivateWords()
  return null
}
clientLoader.hydrate = true as const
export { PrivateFallback as HydrateFallback }

export default function AdminLayout() {
  return (
    <AdminFrame>
      <Outlet />
    </AdminFrame>
  )
}

export function ErrorBoundary() {
  return (
    <AdminFrame>
      <RouteProblem />
    </AdminFrame>
  )
}

function AdminFrame({ children }: { children: ReactNode }) {
  const text = useText()
  const session = useSession()
  const { waiting } = useMenuCounts()
  return (
    <PrivateLayout
      title={roleIn(session) === 'auditor' ? text.admin.auditorTitle : text.admin.title}
      groups={adminGroups(text, session, waiting)}
    >
      {children}
    </PrivateLayout>
  )
}
