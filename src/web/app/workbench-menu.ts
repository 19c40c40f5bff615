import type { Role } from '#shared/account/rules.ts'
import { transferTodos } from '#shared/internal/rules.ts'
import { contractPages, paths } from '#shared/paths.ts'
import { contractTodos } from '#shared/statistics/panel.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import { adminGroups } from './admin-menu.ts'
import type { TaskCounts, WaitingCounts } from './menu-counts.ts'
import { mayIn, roleIn, type Session } from './session.ts'
import type { MenuGroup } from './side-menu.tsx'

/** The pages where an administrator looks after people: a lessor's stand at addresses of their own (specification 6.1). */
export const peoplePaths = (role: Role | null) =>
  role === 'leaser'
    ? { isCompany: true, list: paths.companyPeople, form: (query = '') => paths.companyPeople(`/edit${query}`) }
    : { isCompany: false, list: paths.people, form: paths.addPerson }

/** The workbench's menu for this person. Operators and auditors keep the menu of the console. */
export function workbenchGroups(text: Text, session: Session, counts: { tasks: TaskCounts; waiting: WaitingCounts }): MenuGroup[] {
  switch (roleIn(session)) {
    case 'operator':
    case 'auditor':
      return adminGroups(text, session, counts.waiting)
    case 'leaser':
      return lessorGroups(text, session, counts.tasks)
    case 'leaseholder':
    case 'projectUser':
      return organizationGroups(text, session, counts.tasks)
    default:
      return mayIn(session, 'contract:view') ? [contractsOf(text, counts.tasks)] : []
  }
}

/** Marks the list for its add and detail pages, and the drafts for the page of a draft (specification 2). */
const listOf = (path: string) => ['list', 'add', 'detail'].some((page) => path === `${paths.requirement}/${page}`)
const draftsOf = (path: string) => ['drafts', 'draftsadd'].some((page) => path === `${paths.requirement}/${page}`)

const startsWithOneOf = (prefixes: readonly string[]) => (path: string) => prefixes.some((prefix) => path.startsWith(prefix))

/** The specification's menu of organisations and project departments; what it does not name follows under headings of its own. */
function organizationGroups(text: Text, session: Session, tasks: TaskCounts): MenuGroup[] {
  const { organization } = text
  const isOrganization = roleIn(session) === 'leaseholder'
  const reviews = isOrganization && session.info?.user.isAdmin === true
  const base = paths.organization
  const supply = [
    ...(mayIn(session, 'internal:view') ? [{ to: paths.internal, label: text.internal.title, count: countOf(tasks, transferTodos) }] : []),
    ...(mayIn(session, 'ceiling:view') ? [{ to: paths.ceilings, label: text.ceiling.title }] : []),
  ]
  const organizations: MenuGroup = {
    label: organization.title,
    to: paths.organization,
    // The add pages mark their list.
    entries: [
      { to: paths.units, label: organization.list, active: startsWithOneOf([`${base}/list`, `${base}/adddept`, `${base}/addlease`]) },
      { to: paths.people(), label: organization.people, active: startsWithOneOf([`${base}/userlist`, `${base}/adduser`]) },
    ],
  }
  return [
    ...(isOrganization ? [organizations] : []),
    {
      label: organization.demands,
      to: paths.requirement,
      entries: [
        { to: paths.ownDemands(), label: text.demand.own.list, active: listOf, count: tasks.judge },
        ...(mayIn(session, 'demand:edit') ? [{ to: paths.drafts, label: text.demand.own.drafts, active: draftsOf }] : []),
      ],
    },
    {
      entries: [
        { to: paths.blacklist(), label: text.blacklist.title, active: startsWithOneOf([paths.blacklist()]) },
        { to: paths.statistics, label: text.statistics.title },
      ],
    },
    contractsOf(text, tasks),
    ...(supply.length > 0 ? [{ label: organization.supply, entries: supply }] : []),
    ...(reviews
      ? [
          {
            label: organization.reviews,
            entries: [
              {
                to: paths.unitReviews,
                label: text.certification.review.title,
                active: startsWithOneOf([paths.unitReviews]),
                count: tasks.review,
              },
            ],
          },
        ]
      : []),
  ]
}

function lessorGroups(text: Text, session: Session, tasks: TaskCounts): MenuGroup[] {
  const { organization } = text
  return [
    {
      entries: [
        { to: paths.ownMachines, label: text.equipment.own.title, active: startsWithOneOf([paths.ownMachines]) },
        { to: paths.market(), label: text.quote.title, active: startsWithOneOf([paths.market()]), count: tasks.recommended },
      ],
    },
    {
      label: organization.credit,
      entries: [{ to: paths.blacklist(), label: text.blacklist.titleOwn, active: startsWithOneOf([paths.blacklist()]) }],
    },
    contractsOf(text, tasks),
    ...(mayIn(session, 'user:view')
      ? [
          {
            label: organization.ownCompany,
            entries: [{ to: paths.companyPeople(), label: organization.people, active: startsWithOneOf([paths.companyPeople()]) }],
          },
        ]
      : []),
  ]
}

const countOf = (tasks: TaskCounts, kinds: readonly (keyof TaskCounts)[]) => kinds.reduce((sum, kind) => sum + (tasks[kind] ?? 0), 0)

const contractsOf = ({ contract }: Text, tasks: TaskCounts): MenuGroup => ({
  label: contract.group,
  entries: [
    {
      to: paths.contracts(),
      label: contract.title,
      active: startsWithOneOf([contractPages]),
      count: countOf(tasks, contractTodos),
    },
  ],
})
