import { paths } from '../paths.ts'
import { PrivateFallback, PrivateLayout } from '../private-layout.tsx'
import { useText } from '../text.tsx'

export const clientLoader = () => null
clientLoader.hydrate = true as const
export { PrivateFallback as HydrateFallback }

export default function AdminLayout() {
  const text = useText()
  const { admin } = text.personal
  const under = (prefix: string) => (path: string) => path === prefix || path.startsWith(`${prefix}/`)
  return (
    <PrivateLayout
      title={admin.title}
      items={[
        { to: paths.admin, label: admin.overview },
        { to: paths.reviews(), label: admin.certifications, active: under(paths.reviews()) },
        { to: paths.equipmentReviews, label: text.equipment.review.title, active: under(paths.equipmentReviews) },
        { to: paths.adminFeedback(), label: admin.feedback, active: under(paths.adminFeedback()) },
        { to: paths.outbox, label: admin.outbox },
        { to: paths.ownDemands(), label: text.demand.own.list },
      ]}
    />
  )
}
