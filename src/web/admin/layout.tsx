import { Outlet } from 'react-router'
import { adminItems } from '../admin-menu.ts'
import { PrivateFallback, PrivateLayout } from '../private-layout.tsx'
import { roleIn, useSession } from '../session.ts'
import { useText } from '../text.tsx'
import { Themed } from '../themed.tsx'

export const clientLoader = () => null
clientLoader.hydrate = true as const
export { PrivateFallback as HydrateFallback }

export default function AdminLayout() {
  const text = useText()
  const session = useSession()
  return (
    <Themed>
      <PrivateLayout title={roleIn(session) === 'auditor' ? text.admin.auditorTitle : text.admin.title} items={adminItems(text, session)}>
        <Outlet />
      </PrivateLayout>
    </Themed>
  )
}
