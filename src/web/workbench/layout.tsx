import { Outlet } from 'react-router'
import { adminItems } from '../app/admin-menu.ts'
import { paths } from '#shared/paths.ts'
import { PrivateFallback, PrivateLayout, type MenuItem } from '../app/private-layout.tsx'
import type { Text } from '#shared/text/zh-cn.ts'
import { mayIn, roleIn, useSession } from '../app/session.ts'
import { useText } from '../app/text.tsx'
import { Empty } from '../ui/parts.tsx'
import { Link } from '../ui/link.tsx'

export const clientLoader = () => null
clientLoader.hydrate = true as const
export { PrivateFallback as HydrateFallback }

/** Marks the list for its add and detail pages, and the drafts for the page of a draft (specification 2). */
const listOf = (path: string) =>
  ['/workbench/requirement/list', '/workbench/requirement/add', '/workbench/requirement/detail'].includes(path)
const draftsOf = (path: string) => ['/workbench/requirement/drafts', '/workbench/requirement/draftsadd'].includes(path)

const startsWithOneOf = (prefixes: readonly string[]) => (path: string) => prefixes.some((prefix) => path.startsWith(prefix))

/** The organisation's menu. Its add pages mark their list. */
function organizationItems(text: Text, admin: boolean): MenuItem[] {
  const { organization } = text
  const base = '/workbench/organization'
  return [
    {
      to: paths.units,
      label: organization.list,
      group: organization.title,
      active: startsWithOneOf([`${base}/list`, `${base}/adddept`, `${base}/addlease`]),
    },
    { to: paths.people(), label: organization.people, active: startsWithOneOf([`${base}/userlist`, `${base}/adduser`]) },
    ...(admin ? [{ to: paths.unitReviews, label: text.certification.review.title, active: startsWithOneOf([paths.unitReviews]) }] : []),
  ]
}

export default function WorkbenchLayout() {
  const text = useText()
  const session = useSession()
  const role = roleIn(session)
  const console = role === 'operator' || role === 'auditor'
  const items: MenuItem[] = console
    ? adminItems(text, session)
    : role === 'leaser'
      ? [
          { to: paths.ownMachines, label: text.equipment.own.title, active: (path) => path.startsWith('/workbench/cequipment') },
          { to: paths.market(), label: text.quote.title, active: (path) => path.startsWith('/workbench/crequirement') },
          { to: paths.blacklist(), label: text.blacklist.titleOwn, active: startsWithOneOf(['/workbench/blacklist']) },
        ]
      : role
        ? [
            ...(role === 'leaseholder' ? organizationItems(text, session.info?.user.isAdmin === true) : []),
            {
              to: paths.ownDemands(),
              label: text.demand.own.list,
              active: listOf,
              ...(role === 'leaseholder' && { group: text.organization.demands }),
            },
            ...(mayIn(session, 'demand:edit') ? [{ to: paths.drafts, label: text.demand.own.drafts, active: draftsOf }] : []),
            {
              to: paths.blacklist(),
              label: text.blacklist.title,
              active: startsWithOneOf(['/workbench/blacklist']),
            },
            { to: paths.statistics, label: text.statistics.title },
            ...(mayIn(session, 'internal:view') ? [{ to: paths.internal, label: text.internal.title }] : []),
            ...(mayIn(session, 'ceiling:view') ? [{ to: paths.ceilings, label: text.ceiling.title }] : []),
          ]
        : []
  return (
    <PrivateLayout
      title={console ? (role === 'auditor' ? text.admin.auditorTitle : text.admin.title) : text.site.action.workbench}
      items={items}
    >
      {session.info && !role ? (
        <Empty
          title={text.account.personal.uncertified}
          hint={text.account.personal.certifyText}
          action={
            <Link className="button button-primary" to={paths.certification}>
              {text.certification.title}
            </Link>
          }
        />
      ) : (
        <Outlet />
      )}
    </PrivateLayout>
  )
}
