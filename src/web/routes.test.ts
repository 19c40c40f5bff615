import { matchRoutes, type RouteObject } from 'react-router'
import { expect, test } from 'vitest'
import { leadingTo, paths, privateAreas, safeRedirect } from '#shared/paths.ts'
import routes from './routes.ts'

/** The address that each function returns and the page that answers there. A plain address needs no row: it must lead to some page. */
const expected = {
  home: [paths.home, '/', 'public/home-page.tsx'],
  demands: [paths.demands('?pageNum=2'), '/demand?pageNum=2', 'public/demand-list-page.tsx'],
  demand: [paths.demand(7), '/demand/detail?id=7', 'public/demand-detail-page.tsx'],
  equipment: [paths.equipment('?pageNum=2'), '/equipment?pageNum=2', 'public/equipment-list-page.tsx'],
  machinesOf: [paths.machinesOf(100, 106), '/equipment?fatherCategoryId=100&categoryId=106', 'public/equipment-list-page.tsx'],
  machine: [paths.machine(7), '/equipment/detail?id=7', 'public/equipment-detail-page.tsx'],
  savedSearch: [paths.savedSearch('demand', 'pageNum=2'), '/demand?pageNum=2', 'public/demand-list-page.tsx'],
  lessors: [paths.lessors, '/supplier', 'public/lessor-list-page.tsx'],
  lessor: [paths.lessor(7), '/supplier/detail?id=7', 'public/lessor-detail-page.tsx'],
  lessorMachine: [paths.lessorMachine(7), '/supplier/equdetail?id=7', 'public/equipment-detail-page.tsx'],
  articleHome: [paths.articleHome, '/notice', 'public/article-list-page.tsx'],
  articleTab: [paths.articleTab('2'), '/notice?tab=2', 'public/article-list-page.tsx'],
  article: [paths.article(7), '/notice/detail?id=7', 'public/article-detail-page.tsx'],
  about: [paths.about, '/aboutus', 'public/about-page.tsx'],
  contact: [paths.contact, '/contact', 'public/contact-page.tsx'],
  terms: [paths.terms, '/agreement/terms', 'public/agreement-page.tsx'],
  privacy: [paths.privacy, '/agreement/privacy', 'public/agreement-page.tsx'],
  rules: [paths.rules, '/agreement/rules', 'public/agreement-page.tsx'],
  help: [paths.help('faq'), '/help/faq', 'public/help-page.tsx'],
  register: [paths.register, '/register', 'public/register-page.tsx'],
  resetPassword: [paths.resetPassword, '/updatepassword', 'public/reset-password-page.tsx'],
  login: [paths.login('/demand'), '/login?redirect=%2Fdemand', 'public/login-page.tsx'],
  personal: [paths.personal, '/personal', 'personal/panel-page.tsx'],
  messages: [paths.messages, '/personal/aboutme', 'personal/messages-page.tsx'],
  subscriptions: [paths.subscriptions, '/personal/aboutme/subscriptions', 'personal/subscriptions-page.tsx'],
  feedback: [paths.feedback, '/personal/feedback', 'personal/feedback-list-page.tsx'],
  addFeedback: [paths.addFeedback, '/personal/feedback/add', 'personal/feedback-add-page.tsx'],
  feedbackIn: [paths.feedbackIn('4'), '/personal/feedback?status=4', 'personal/feedback-list-page.tsx'],
  feedbackDetail: [paths.feedbackDetail(7), '/personal/feedback/detail?id=7', 'personal/feedback-detail-page.tsx'],
  certification: [paths.certification, '/personal/myapprove', 'personal/certification-page.tsx'],
  certificationOf: [paths.certificationOf('lease'), '/personal/myapprove/lease', 'personal/certification-form-page.tsx'],
  changeCertification: [paths.changeCertification('dept'), '/personal/myapprove/dept?change=1', 'personal/certification-form-page.tsx'],
  safety: [paths.safety, '/personal/safety', 'personal/safety-page.tsx'],
  changePassword: [paths.changePassword, '/personal/safety/updatepassword', 'personal/change-password-page.tsx'],
  changePhone: [paths.changePhone, '/personal/safety/updatephone', 'personal/change-phone-page.tsx'],
  secondFactor: [paths.secondFactor, '/personal/safety/secondfactor', 'personal/second-factor-page.tsx'],
  cancelAccount: [paths.cancelAccount, '/personal/safety/cancel', 'personal/cancel-page.tsx'],
  favourites: [paths.favourites, '/personal/favourites', 'personal/favourites-page.tsx'],
  myInfo: [paths.myInfo, '/personal/myinfo', 'personal/info-page.tsx'],
  compare: [paths.compare([7, 8]), '/equipment/compare?ids=7,8', 'public/compare-page.tsx'],
  admin: [paths.admin, '/admin', 'admin/home-page.tsx'],
  reviews: [paths.reviews('?pageNum=2'), '/admin/certification?pageNum=2', 'admin/review-list-page.tsx'],
  reviewsIn: [paths.reviewsIn('4'), '/admin/certification?status=4', 'admin/review-list-page.tsx'],
  review: [paths.review(7), '/admin/certification/detail?id=7', 'admin/review-page.tsx'],
  equipmentReviews: [paths.equipmentReviews('?pageNum=2'), '/admin/equipment?pageNum=2', 'admin/equipment-list-page.tsx'],
  equipmentReview: [paths.equipmentReview(7), '/admin/equipment/detail?id=7', 'admin/equipment-review-page.tsx'],
  adminFeedback: [paths.adminFeedback('?pageNum=2'), '/admin/feedback?pageNum=2', 'admin/feedback-list-page.tsx'],
  adminFeedbackDetail: [paths.adminFeedbackDetail(7), '/admin/feedback/detail?id=7', 'admin/feedback-detail-page.tsx'],
  outbox: [paths.outbox, '/admin/outbox', 'admin/outbox-page.tsx'],
  allContracts: [paths.allContracts('?pageNum=2'), '/admin/contract?pageNum=2', 'admin/contract-list-page.tsx'],
  companies: [paths.companies('?pageNum=2'), '/admin/company?pageNum=2', 'admin/company-list-page.tsx'],
  company: [paths.company(7), '/admin/company/detail?id=7', 'admin/company-detail-page.tsx'],
  accounts: [paths.accounts('?pageNum=2'), '/admin/account?pageNum=2', 'admin/account-list-page.tsx'],
  account: [paths.account(7), '/admin/account/detail?id=7', 'admin/account-detail-page.tsx'],
  staff: [paths.staff(7), '/admin/account/staff?id=7', 'admin/staff-page.tsx'],
  cancellations: [paths.cancellations, '/admin/cancellation', 'admin/cancellation-list-page.tsx'],
  articles: [paths.articles('?pageNum=2'), '/admin/article?pageNum=2', 'admin/article-list-page.tsx'],
  editArticle: [paths.editArticle(7), '/admin/article/edit?id=7', 'admin/article-edit-page.tsx'],
  broadcasts: [paths.broadcasts, '/admin/broadcast', 'admin/broadcast-page.tsx'],
  contacts: [paths.contacts, '/admin/contact', 'admin/contact-list-page.tsx'],
  categories: [paths.categories, '/admin/category', 'admin/category-page.tsx'],
  dictionaries: [paths.dictionaries, '/admin/dictionary', 'admin/dictionary-page.tsx'],
  settings: [paths.settings, '/admin/setting', 'admin/setting-page.tsx'],
  audit: [paths.audit('?pageNum=2'), '/admin/audit?pageNum=2', 'admin/audit-page.tsx'],
  jobs: [paths.jobs, '/admin/job', 'admin/job-page.tsx'],
  system: [paths.system, '/admin/system', 'admin/system-page.tsx'],
  units: [paths.units, '/workbench/organization/list', 'workbench/unit-list-page.tsx'],
  people: [paths.people('?pageNum=2'), '/workbench/organization/userlist?pageNum=2', 'workbench/people-list-page.tsx'],
  companyPeople: [paths.companyPeople('?pageNum=2'), '/workbench/people?pageNum=2', 'workbench/people-list-page.tsx'],
  addUnit: [paths.addUnit('?pageNum=2'), '/workbench/organization/addlease?pageNum=2', 'workbench/unit-form-page.tsx'],
  addProject: [paths.addProject('?pageNum=2'), '/workbench/organization/adddept?pageNum=2', 'workbench/unit-form-page.tsx'],
  addPerson: [paths.addPerson('?pageNum=2'), '/workbench/organization/adduser?pageNum=2', 'workbench/person-form-page.tsx'],
  unitReviews: [paths.unitReviews, '/workbench/organization/review', 'workbench/review-list-page.tsx'],
  unitReview: [paths.unitReview(7), '/workbench/organization/reviewdetail?id=7', 'workbench/review-page.tsx'],
  ownDemands: [paths.ownDemands('?pageNum=2'), '/workbench/requirement/list?pageNum=2', 'workbench/demand-list-page.tsx'],
  ownDemandsIn: [paths.ownDemandsIn('4'), '/workbench/requirement/list?status=4', 'workbench/demand-list-page.tsx'],
  ownDemandsTodo: [paths.ownDemandsTodo('judge'), '/workbench/requirement/list?todo=judge', 'workbench/demand-list-page.tsx'],
  ownDemand: [paths.ownDemand(7), '/workbench/requirement/detail?id=7', 'workbench/demand-detail-page.tsx'],
  addDemand: [paths.addDemand('?pageNum=2'), '/workbench/requirement/add?pageNum=2', 'workbench/demand-form-page.tsx'],
  drafts: [paths.drafts, '/workbench/requirement/drafts', 'workbench/draft-list-page.tsx'],
  draft: [paths.draft(7), '/workbench/requirement/draftsadd?id=7', 'workbench/demand-form-page.tsx'],
  blacklist: [paths.blacklist('?pageNum=2'), '/workbench/blacklist?pageNum=2', 'workbench/blacklist-list-page.tsx'],
  addBlacklist: [paths.addBlacklist('?pageNum=2'), '/workbench/blacklist/add?pageNum=2', 'workbench/blacklist-form-page.tsx'],
  blacklistEntry: [paths.blacklistEntry(7), '/workbench/blacklist/detail?id=7', 'workbench/blacklist-detail-page.tsx'],
  statistics: [paths.statistics, '/workbench/statistics', 'workbench/statistics-page.tsx'],
  statisticsOf: [
    paths.statisticsOf({ from: '2026-11-01', to: '2026-11-30', figure: 'opened' }),
    '/workbench/statistics?from=2026-11-01&to=2026-11-30&figure=opened',
    'workbench/statistics-page.tsx',
  ],
  internal: [paths.internal, '/workbench/internal', 'workbench/internal-page.tsx'],
  transfers: [paths.transfers, '/workbench/internal?tab=transfers', 'workbench/internal-page.tsx'],
  transfersTodo: [
    paths.transfersTodo('transferAnswer'),
    '/workbench/internal?tab=transfers&todo=transferAnswer',
    'workbench/internal-page.tsx',
  ],
  ceilings: [paths.ceilings, '/workbench/ceilings', 'workbench/ceilings-page.tsx'],
  ownMachines: [paths.ownMachines, '/workbench/cequipment', 'workbench/equipment-list-page.tsx'],
  ownMachinesIn: [
    paths.ownMachinesIn({ auditStatus: '2', shelfStatus: '0' }),
    '/workbench/cequipment?auditStatus=2&shelfStatus=0',
    'workbench/equipment-list-page.tsx',
  ],
  addMachine: [paths.addMachine, '/workbench/cequipment/add', 'workbench/equipment-form-page.tsx'],
  editMachine: [paths.editMachine(7), '/workbench/cequipment/add?id=7', 'workbench/equipment-form-page.tsx'],
  importMachines: [paths.importMachines('?pageNum=2'), '/workbench/cequipment/import?pageNum=2', 'workbench/import-page.tsx'],
  market: [paths.market('?pageNum=2'), '/workbench/crequirement?pageNum=2', 'workbench/market-list-page.tsx'],
  marketIn: [paths.marketIn('quoted'), '/workbench/crequirement?scope=quoted', 'workbench/market-list-page.tsx'],
  contracts: [paths.contracts('?status=1'), '/workbench/contract/list?status=1', 'workbench/contract-list-page.tsx'],
  contract: [paths.contract(7), '/workbench/contract/detail?id=7', 'workbench/contract-page.tsx'],
  contractText: [paths.contractText(7, 2), '/workbench/contract/detail?id=7&tab=text&revision=2', 'workbench/contract-page.tsx'],
  addContract: [paths.addContract('?copy=7'), '/workbench/contract/add?copy=7', 'workbench/direct-contract-page.tsx'],
  editContract: [paths.editContract(7), '/workbench/contract/edit?id=7', 'workbench/contract-edit-page.tsx'],
  directPositions: [paths.directPositions(7), '/workbench/contract/positions?id=7', 'workbench/direct-positions-page.tsx'],
  addPositions: [paths.addPositions(7), '/workbench/contract/further?id=7', 'workbench/contract-add-page.tsx'],
  changeContract: [paths.changeContract(7), '/workbench/contract/change?id=7', 'workbench/contract-change-page.tsx'],
  ownDemandQuestions: [paths.ownDemandQuestions(7), '/workbench/requirement/detail?id=7#questions', 'workbench/demand-detail-page.tsx'],
  marketDemand: [paths.marketDemand(7), '/workbench/crequirement/detail?id=7', 'workbench/market-detail-page.tsx'],
} satisfies Record<PathWithArguments, [address: string, whole: string, page: string]> &
  Partial<Record<keyof typeof paths, [address: string, whole: string, page: string]>>

type PathWithArguments = { [K in keyof typeof paths]: (typeof paths)[K] extends string ? never : K }[keyof typeof paths]

const plainAddresses = Object.entries(paths).flatMap(([name, path]) => (typeof path === 'string' ? [[name, path] as const] : []))

const pageAt = (address: string): string | undefined => {
  const route = matchRoutes(routes as RouteObject[], address)?.at(-1)?.route
  return route && 'file' in route && typeof route.file === 'string' ? route.file : undefined
}

test.each(Object.entries(expected))('%s leads to its page', (_name, [address, whole, page]) => {
  expect(address).toBe(whole)
  expect(pageAt(address.replace(/\?.*/, ''))).toBe(page)
})

test.each(plainAddresses)('%s leads to some page', (_name, address) => {
  expect(pageAt(address)).toMatch(/-page\.tsx$/)
  expect(pageAt(address)).not.toMatch(/(not-found|missing)-page/)
})

test('[S2.4] an unknown address below a private area stays in its frame, another one in the public frame', () => {
  for (const area of privateAreas) expect(pageAt(`${area}/nothing/here`)).toBe('app/missing-page.tsx')
  for (const address of ['/nothing', '/demand/detail/7', '/x/workbench/y']) expect(pageAt(address)).toBe('public/not-found-page.tsx')
})

test('every page can be linked to', () => {
  const unlinked = new Set(['public/not-found-page.tsx', 'app/missing-page.tsx', 'public/gallery-page.tsx'])
  const pages = routes.flatMap(({ children = [] }) => children.map(({ file }) => file)).filter((file) => !unlinked.has(file))
  const linked = [...Object.values(expected).map(([, , page]) => page), ...plainAddresses.map(([, address]) => pageAt(address))]
  expect(new Set(linked)).toEqual(new Set(pages))
})

test('what only signed-in people open stands under a private area', () => {
  const areas = new Set(routes.map(({ file }) => file.split('/')[0]).filter((area) => area !== 'public'))
  expect(new Set(privateAreas)).toEqual(new Set([...areas].map((area) => `/${area}`)))
})

test('only an address of our own is followed after signing in', () => {
  expect(safeRedirect('/demand/detail?id=7')).toBe('/demand/detail?id=7')
  for (const to of [null, '', 'https://a.cn', '//a.cn', '/\\a.cn', 'javascript:alert(1)']) expect(safeRedirect(to)).toBe('/')
})

test('whoever goes on from signing in to registering still comes to the page they wanted, at its very place', () => {
  const wanted = paths.ownDemandQuestions(7)
  const address = new URL(leadingTo(paths.register, wanted), 'https://a.cn')
  expect(safeRedirect(address.searchParams.get('redirect'))).toBe(wanted)
  expect(leadingTo(paths.register, null)).toBe(paths.register)
})
