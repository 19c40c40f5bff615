import { Outlet } from 'react-router'
import { adminItems } from '../app/admin-menu.ts'
import { PrivateFallback, PrivateLayout } from '../app/private-layout.tsx'
import { roleIn, useSession } from '../app/session.ts'
import { loadPrivateWords, useText } from '../app/text.tsx'

export const clientLoader = async () => {
  await loadPrivateWords()
  return null
}
clientLoader.hydrate = true as const
export { PrivateFallback as HydrateFallback }

export default function AdminLayout() {
  const text = useText()
  const session = useSession()
  return (
    <PrivateLayout title={roleIn(session) === 'auditor' ? text.admin.auditorTitle : text.admin.title} items={adminItems(text, session)}>
      <Outlet />
    </PrivateLayout>
  )
}
