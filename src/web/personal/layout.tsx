import { useSession } from '../session.ts'
import { paths } from '../paths.ts'
import { PrivateFallback, PrivateLayout } from '../private-layout.tsx'
import { roleIn } from '../session.ts'
import { workbenchHome } from '../shell.tsx'
import { useText } from '../text.tsx'

// Rendered in the browser only: what it shows is the person's own.
export const clientLoader = () => null
clientLoader.hydrate = true as const
export { PrivateFallback as HydrateFallback }

export default function PersonalLayout() {
  const text = useText()
  const session = useSession()
  const { personal } = text.account
  const home = workbenchHome(roleIn(session))
  return (
    <PrivateLayout
      title={personal.title}
      items={[
        { to: paths.personal, label: personal.panel },
        { to: paths.messages, label: personal.messages, badge: session.unread },
        { to: paths.myInfo, label: personal.info },
        ...(home ? [{ to: home, label: text.site.action.workbench }] : []),
      ]}
    />
  )
}
