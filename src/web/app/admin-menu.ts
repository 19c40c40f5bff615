import type { Permission } from '#shared/account/permissions.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import { contractPages, paths } from '#shared/paths.ts'
import { mayIn, roleIn, type Session } from './session.ts'
import type { MenuEntry, MenuGroup } from './side-menu.tsx'
import type { WaitingCounts } from './menu-counts.ts'

const under = (prefix: string) => (path: string) => path === prefix || path.startsWith(`${prefix}/`)

/** The console's menu for this operator or auditor. The workbench pages that they may open show it as well. */
export function adminGroups(text: Text, session: Session, waiting: WaitingCounts): MenuGroup[] {
  const { menu } = text.admin
  type Entry = MenuEntry & { may: Permission }
  const groups: [string, Entry[]][] = [
    ['', [{ to: paths.admin, label: menu.overview, may: 'admin:view' }]],
    [
      menu.review,
      [
        {
          to: paths.reviews(),
          label: menu.certification,
          may: 'certification:review',
          count: waiting.certification,
          active: under(paths.reviews()),
        },
        {
          to: paths.equipmentReviews(),
          label: menu.equipment,
          may: 'equipment:review',
          count: waiting.equipment,
          active: under(paths.equipmentReviews()),
        },
        { to: paths.ownDemands(), label: text.demand.own.list, may: 'demand:view', active: under(paths.requirement) },
        // An auditor reads those of their organisation as its people do.
        roleIn(session) === 'auditor'
          ? { to: paths.contracts(), label: text.contract.title, may: 'contract:view', active: under(contractPages) }
          : {
              to: paths.allContracts(),
              label: text.contract.title,
              may: 'contract:look',
              active: (path) => path === paths.allContracts() || path.startsWith(contractPages),
            },
        { to: paths.blacklist(), label: menu.blacklist, may: 'blacklist:view', count: waiting.blacklist, active: under(paths.blacklist()) },
      ],
    ],
    [
      menu.members,
      [
        { to: paths.companies(), label: menu.companies, may: 'company:manage', active: under(paths.companies()) },
        { to: paths.accounts(), label: menu.accounts, may: 'account:manage', active: under(paths.accounts()) },
        { to: paths.cancellations, label: menu.cancellations, may: 'cancellation:decide', count: waiting.cancellation },
      ],
    ],
    [
      menu.content,
      [
        { to: paths.articles(), label: menu.articles, may: 'article:edit', active: under(paths.articles()) },
        { to: paths.broadcasts, label: menu.broadcasts, may: 'broadcast:send' },
        {
          to: paths.adminFeedback(),
          label: menu.feedback,
          may: 'feedback:answer',
          count: waiting.feedback,
          active: under(paths.adminFeedback()),
        },
        { to: paths.contacts, label: menu.contacts, may: 'contact:handle', count: waiting.contact },
      ],
    ],
    [
      menu.platform,
      [
        { to: paths.statistics, label: text.statistics.title, may: 'statistics:view' },
        { to: paths.categories, label: menu.categories, may: 'category:edit' },
        { to: paths.dictionaries, label: menu.dictionaries, may: 'setting:edit' },
        { to: paths.settings, label: menu.settings, may: 'setting:edit' },
        { to: paths.outbox, label: menu.outbox, may: 'outbox:view', count: waiting.outbox },
        { to: paths.audit(), label: menu.audit, may: 'audit:view' },
        { to: paths.jobs, label: menu.jobs, may: 'system:view', count: waiting.jobs },
        { to: paths.system, label: menu.system, may: 'system:view' },
      ],
    ],
  ]
  return groups.flatMap(([label, entries]) => {
    const own = entries.filter(({ may }) => mayIn(session, may)).map(({ may: _, ...entry }) => entry)
    return own.length > 0 ? [{ ...(label && { label }), entries: own }] : []
  })
}
