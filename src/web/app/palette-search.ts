import { isOfConsole, mayOpen } from '#shared/account/rules.ts'
import { listAccounts } from '#shared/account/manage.ts'
import { listCompanies } from '#shared/company/manage.ts'
import { listContracts } from '#shared/contract/contract.ts'
import { listAllContracts } from '#shared/contract/manage.ts'
import { listOwnDemands } from '#shared/demand/contract.ts'
import { isDemandCode } from '#shared/demand/rules.ts'
import { listOwnEquipment } from '#shared/equipment/contract.ts'
import { paths } from '#shared/paths.ts'
import { listPeople } from '#shared/person/contract.ts'
import { listDemandsForLessor } from '#shared/quote/contract.ts'
import { suggest } from '#shared/search/contract.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import type { OwnText } from '#shared/text/zh-cn/own.ts'
import { ApiError, call } from './api.ts'
import { adminGroups } from './admin-menu.ts'
import { machineName } from './format.ts'
import { contractRoleIn, mayIn, roleIn, type Session } from './session.ts'
import { peoplePaths, workbenchGroups } from './workbench-menu.ts'

type PaletteKind = keyof OwnText['palette']['kinds']
export type PaletteItem = { kind: PaletteKind; label: string; note: string; link: string }

/** Of each kind. */
const pageSize = 5

/** The pages that the person may open, by the words of the menus. */
export function pagesOf(text: Text, session: Session): PaletteItem[] {
  const { tabs, safety, factor } = text.personal
  const none = { tasks: {}, waiting: {} }
  const role = roleIn(session)
  const isConsole = isOfConsole(role)
  const own = isConsole ? adminGroups(text, session, none.waiting) : workbenchGroups(text, session, none)
  const area = role === 'auditor' ? text.admin.auditorTitle : isConsole ? text.admin.title : text.site.action.workbench
  const item = (link: string, label: string, note: string): PaletteItem => ({ kind: 'page', label, note, link })
  const personal: (readonly [string, string])[] = [
    ...((role ?? contractRoleIn(session)) ? [[paths.personal, tabs.panel] as const] : []),
    [paths.messages, tabs.messages],
    [paths.favourites, tabs.favourites],
    ...(mayOpen(role, paths.certification) ? [[paths.certification, tabs.certification] as const] : []),
    [paths.feedback, tabs.feedback],
    [paths.safety, tabs.safety],
    [paths.changePassword, safety.changePassword],
    [paths.secondFactor, factor.title],
    [paths.myInfo, text.account.personal.info],
  ]
  const { nav } = text.site
  const site: (readonly [string, string])[] = [
    [paths.home, nav.home],
    [paths.demands(), nav.demand],
    [paths.equipment(), nav.equipment],
    [paths.lessors, nav.lessor],
    [paths.articleHome, nav.article],
    [paths.about, nav.aboutus],
    [paths.contact, nav.contact],
  ]
  return [
    ...(mayIn(session, 'demand:edit') ? [item(paths.addDemand(), text.demand.own.publish, area)] : []),
    // A lessor's contracts come from the other side.
    ...(mayIn(session, 'contract:make') && role !== 'leaser' ? [item(paths.addContract(), text.contract.pages.direct.add, area)] : []),
    ...(mayIn(session, 'equipment:edit') ? [item(paths.addMachine, text.equipment.upload.title, area)] : []),
    ...own.flatMap(({ label, entries }) => entries.map((entry) => item(entry.to, entry.label, label ?? area))),
    ...personal.map(([link, label]) => item(link, label, text.account.personal.title)),
    ...site.map(([link, label]) => item(link, label, '')),
  ]
}

/** Calls each list that the person may read. `failed` counts those that brought no answer. */
export async function searchAll(text: Text, session: Session, words: string): Promise<{ items: PaletteItem[]; failed: number }> {
  const searches = [
    ...(mayIn(session, 'demand:view') ? [ownDemands(words)] : []),
    ...(mayIn(session, 'quote:edit') ? [demandsForLessor(words)] : []),
    ...contracts(session, words),
    ...(mayIn(session, 'equipment:edit') ? [ownMachines(text, words)] : []),
    ...(mayIn(session, 'user:view') ? [people(session, words)] : []),
    ...(mayIn(session, 'account:manage') ? [accounts(words)] : []),
    ...(mayIn(session, 'company:manage') ? [companies(words)] : []),
    library(words),
  ]
  const found = await Promise.allSettled(searches)
  const items = found.flatMap((search) => (search.status === 'fulfilled' ? search.value : []))
  for (const search of found) if (search.status === 'rejected' && !(search.reason instanceof ApiError)) throw search.reason
  return { items: withoutRepeats(items), failed: found.filter(({ status }) => status === 'rejected').length }
}

const withoutRepeats = (items: readonly PaletteItem[]) => [...new Map(items.map((item) => [item.link, item])).values()]

const demandFilter = (words: string) => ({ pageSize, ...(isDemandCode(words) ? { demandCode: words } : { projectName: words }) })

const ownDemands = async (words: string): Promise<PaletteItem[]> =>
  (await call(listOwnDemands, { query: demandFilter(words) }, true)).rows.map(({ id, title, demandCode, projectName }) => ({
    kind: 'demand',
    label: title,
    note: demandCode ?? projectName,
    link: paths.ownDemand(id),
  }))

/** The demands that the lessor has quoted, whatever became of the quote. */
async function demandsForLessor(words: string): Promise<PaletteItem[]> {
  const scopes = ['quoted', 'won', 'lost'] as const
  const found = await Promise.all(scopes.map((scope) => call(listDemandsForLessor, { query: { ...demandFilter(words), scope } }, true)))
  return found.flatMap(({ rows }) =>
    rows.map(({ id, title, demandCode, projectName }) => ({
      kind: 'demand',
      label: title,
      note: demandCode ?? projectName,
      link: paths.marketDemand(id),
    })),
  )
}

/** For the platform's people every contract, for everybody else those of their units or company. */
function contracts(session: Session, words: string): Promise<PaletteItem[]>[] {
  const query = { pageSize, keyword: words }
  const item = ({ id, title, contractCode }: { id: number; title: string; contractCode: string }): PaletteItem => ({
    kind: 'contract',
    label: title,
    note: contractCode,
    link: paths.contract(id),
  })
  if (mayIn(session, 'contract:look')) return [call(listAllContracts, { query }, true).then(({ rows }) => rows.map(item))]
  return mayIn(session, 'contract:view') ? [call(listContracts, { query }, true).then(({ rows }) => rows.map(item))] : []
}

const ownMachines = async (text: Text, words: string): Promise<PaletteItem[]> =>
  (await call(listOwnEquipment, { query: { pageSize, name: words } }, true)).rows.map((machine) => ({
    kind: 'ownMachine',
    label: machineName(text, machine),
    note: machine.equipmentCode,
    link: paths.editMachine(machine.id),
  }))

const people = async (session: Session, words: string): Promise<PaletteItem[]> =>
  (await call(listPeople, { query: { pageSize, userName: words } }, true)).rows.map(({ name, userName, deptName }) => ({
    kind: 'person',
    label: name || userName,
    note: deptName,
    link: peoplePaths(roleIn(session)).list(`?userName=${encodeURIComponent(userName)}`),
  }))

const accounts = async (words: string): Promise<PaletteItem[]> =>
  (await call(listAccounts, { query: { pageSize, keyword: words } }, true)).rows.map(({ userId, name, userName, companyName }) => ({
    kind: 'person',
    label: name || userName,
    note: companyName,
    link: paths.account(userId),
  }))

const companies = async (words: string): Promise<PaletteItem[]> =>
  (await call(listCompanies, { query: { pageSize, keyword: words } }, true)).rows.map(({ id, enterpriseName, creditCode }) => ({
    kind: 'company',
    label: enterpriseName,
    note: creditCode ?? '',
    link: paths.company(id),
  }))

const libraryKinds = { category: 'category', equipment: 'machine', supplier: 'company', demand: 'library' } as const
const library = async (words: string): Promise<PaletteItem[]> =>
  (await call(suggest, { query: { keyword: words } }, true)).map(({ kind, label, note, link }) => ({
    kind: libraryKinds[kind],
    label,
    note,
    link,
  }))
