import { articleTab, type ArticleTab } from './article/rules.ts'
import type { AuditStatus, ShelfStatus } from './equipment/rules.ts'
import type { DemandTodo } from './demand/todo.ts'
import type { savedLists } from './favourite/input.ts'
import type { TransferTodo } from './internal/rules.ts'
import type { HelpName } from './text/reading.ts'

/** Where the pages stand that are for signed-in people only. */
export const privateAreas = ['/personal', '/workbench', '/admin'] as const

/** The start of every address of the pages about contracts, for the menus that mark them. */
export const contractPages = '/workbench/contract'

/** Every address of the site, for the links of its pages and for those that messages, tasks and searches carry. */
export const paths = {
  home: '/',
  demands: (query = '') => `/demand${query}`,
  demand: (id: number) => `/demand/detail?id=${id}`,
  equipment: (query = '') => `/equipment${query}`,
  machinesOf: (fatherCategoryId: number, categoryId: number) => `/equipment?fatherCategoryId=${fatherCategoryId}&categoryId=${categoryId}`,
  machine: (id: number) => `/equipment/detail?id=${id}`,
  /** A list with the filters it was saved with; a list's name is its address. */
  savedSearch: (list: (typeof savedLists)[number], query: string) => `/${list}${query ? `?${query}` : ''}`,
  lessors: '/supplier',
  lessor: (id: number) => `/supplier/detail?id=${id}`,
  lessorMachine: (id: number) => `/supplier/equdetail?id=${id}`,
  /** The first tab under its shortest address, which is the one that search engines know. */
  articleHome: '/notice',
  articleTab: (tab: ArticleTab = articleTab.industry) => `/notice?tab=${tab}`,
  article: (id: number) => `/notice/detail?id=${id}`,
  about: '/aboutus',
  contact: '/contact',
  terms: '/agreement/terms',
  privacy: '/agreement/privacy',
  rules: '/agreement/rules',
  helpHome: '/help',
  help: (name: HelpName) => `/help/${name}`,
  register: '/register',
  resetPassword: '/updatepassword',
  login: (to?: string) => leadingTo('/login', to),
  personal: '/personal',
  messages: '/personal/aboutme',
  subscriptions: '/personal/aboutme/subscriptions',
  feedback: '/personal/feedback',
  addFeedback: '/personal/feedback/add',
  feedbackIn: (status: string) => `/personal/feedback?status=${status}`,
  feedbackDetail: (id: number) => `/personal/feedback/detail?id=${id}`,
  certification: '/personal/myapprove',
  certificationOf: (kind: 'rentout' | 'lease' | 'dept') => `/personal/myapprove/${kind}`,
  changeCertification: (kind: 'rentout' | 'lease' | 'dept') => `/personal/myapprove/${kind}?change=1`,
  safety: '/personal/safety',
  changePassword: '/personal/safety/updatepassword',
  changePhone: '/personal/safety/updatephone',
  secondFactor: '/personal/safety/secondfactor',
  cancelAccount: '/personal/safety/cancel',
  favourites: '/personal/favourites',
  myInfo: '/personal/myinfo',
  comparePage: '/equipment/compare',
  compare: (ids: readonly number[]) => `/equipment/compare?ids=${ids.join(',')}`,
  admin: '/admin',
  reviews: (query = '') => `/admin/certification${query}`,
  reviewsIn: (status: string) => `/admin/certification?status=${status}`,
  review: (id: number) => `/admin/certification/detail?id=${id}`,
  equipmentReviews: (query = '') => `/admin/equipment${query}`,
  equipmentReview: (id: number) => `/admin/equipment/detail?id=${id}`,
  adminFeedback: (query = '') => `/admin/feedback${query}`,
  adminFeedbackDetail: (id: number) => `/admin/feedback/detail?id=${id}`,
  outbox: '/admin/outbox',
  allContracts: (query = '') => `/admin/contract${query}`,
  companies: (query = '') => `/admin/company${query}`,
  company: (id: number) => `/admin/company/detail?id=${id}`,
  accounts: (query = '') => `/admin/account${query}`,
  account: (id: number) => `/admin/account/detail?id=${id}`,
  staff: (id?: number) => (id === undefined ? '/admin/account/staff' : `/admin/account/staff?id=${id}`),
  cancellations: '/admin/cancellation',
  articles: (query = '') => `/admin/article${query}`,
  editArticle: (id?: number) => (id === undefined ? '/admin/article/edit' : `/admin/article/edit?id=${id}`),
  broadcasts: '/admin/broadcast',
  contacts: '/admin/contact',
  categories: '/admin/category',
  dictionaries: '/admin/dictionary',
  settings: '/admin/setting',
  audit: (query = '') => `/admin/audit${query}`,
  jobs: '/admin/job',
  system: '/admin/system',
  /** The parents of the workbench's menu. Each leads to the first page below it. */
  workbench: '/workbench',
  organization: '/workbench/organization',
  requirement: '/workbench/requirement',
  units: '/workbench/organization/list',
  people: (query = '') => `/workbench/organization/userlist${query}`,
  addUnit: (query = '') => `/workbench/organization/addlease${query}`,
  addProject: (query = '') => `/workbench/organization/adddept${query}`,
  addPerson: (query = '') => `/workbench/organization/adduser${query}`,
  /** The pages of people for a lessor, to whom the pages of organisations are closed. */
  companyPeople: (rest = '') => `/workbench/people${rest}`,
  unitReviews: '/workbench/organization/review',
  unitReview: (id: number) => `/workbench/organization/reviewdetail?id=${id}`,
  ownDemands: (query = '') => `/workbench/requirement/list${query}`,
  ownDemandsIn: (status: string) => `/workbench/requirement/list?status=${status}`,
  /** Those that wait for the person to do this. */
  ownDemandsTodo: (todo: DemandTodo) => `/workbench/requirement/list?todo=${todo}`,
  contracts: (query = '') => `/workbench/contract/list${query}`,
  contract: (id: number, tab = '') => `/workbench/contract/detail?id=${id}${tab && `&tab=${tab}`}`,
  contractText: (id: number, revision: number) => `/workbench/contract/detail?id=${id}&tab=text&revision=${revision}`,
  addContract: (query = '') => `/workbench/contract/add${query}`,
  editContract: (id: number) => `/workbench/contract/edit?id=${id}`,
  directPositions: (id: number) => `/workbench/contract/positions?id=${id}`,
  addPositions: (id: number) => `/workbench/contract/further?id=${id}`,
  changeContract: (id: number) => `/workbench/contract/change?id=${id}`,
  ownDemand: (id: number) => `/workbench/requirement/detail?id=${id}`,
  ownDemandQuestions: (id: number) => `/workbench/requirement/detail?id=${id}#questions`,
  addDemand: (query = '') => `/workbench/requirement/add${query}`,
  drafts: '/workbench/requirement/drafts',
  draft: (id: number) => `/workbench/requirement/draftsadd?id=${id}`,
  blacklist: (query = '') => `/workbench/blacklist${query}`,
  addBlacklist: (query = '') => `/workbench/blacklist/add${query}`,
  blacklistEntry: (id: number) => `/workbench/blacklist/detail?id=${id}`,
  statistics: '/workbench/statistics',
  statisticsOf: (query: { from: string; to: string; figure: string }) => `/workbench/statistics?${new URLSearchParams(query)}`,
  internal: '/workbench/internal',
  transfers: '/workbench/internal?tab=transfers',
  transfersTodo: (todo: TransferTodo) => `/workbench/internal?tab=transfers&todo=${todo}`,
  ceilings: '/workbench/ceilings',
  ownMachines: '/workbench/cequipment',
  ownMachinesIn: (filter: { auditStatus?: AuditStatus; shelfStatus?: ShelfStatus }) =>
    `/workbench/cequipment?${new URLSearchParams(filter)}`,
  addMachine: '/workbench/cequipment/add',
  editMachine: (id: number) => `/workbench/cequipment/add?id=${id}`,
  importMachines: (query = '') => `/workbench/cequipment/import${query}`,
  market: (query = '') => `/workbench/crequirement${query}`,
  marketIn: (scope: string) => `/workbench/crequirement?scope=${scope}`,
  marketDemand: (id: number) => `/workbench/crequirement/detail?id=${id}`,
}

/** The address of a list with all its rows: a bare address brings back the filters that the browser remembers. */
export const wholeList = (list: string): string => `${list}?pageNum=1`

/** The address of a record with the department that it belongs to, so that somebody of several departments can switch to that one. */
export const inDept = (address: string, deptId: number): string => address.replace(/\?[^#]*/, `$&&dept=${deptId}`)

/** The address of a page that leads on to `to`, where somebody wanted to go there. */
export const leadingTo = (path: string, to: string | null | undefined): string => (to ? `${path}?redirect=${encodeURIComponent(to)}` : path)

/** Only paths of our own, so that a link cannot send people elsewhere after signing in. */
export function safeRedirect(to: string | null): string {
  return to && /^\/(?![/\\])/.test(to) ? to : paths.home
}

/** The page of each step that comes before everything else. */
export const setupPath = { password: paths.changePassword, factor: paths.secondFactor } as const

/** The page of a step, which leads on to `to` once the step is done. */
export const setupAddress = (step: keyof typeof setupPath, to: string): string => leadingTo(setupPath[step], to)
