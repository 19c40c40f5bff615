/** Every link of the site is a function here. */
export const paths = {
  home: '/',
  demands: (query = '') => `/demand${query}`,
  demand: (id: number) => `/demand/detail?id=${id}`,
  equipment: (query = '') => `/equipment${query}`,
  machine: (id: number) => `/equipment/detail?id=${id}`,
  suppliers: '/supplier',
  supplier: (id: number) => `/supplier/detail?id=${id}`,
  supplierMachine: (id: number) => `/supplier/equdetail?id=${id}`,
  notices: (tab = '1') => `/notice?tab=${tab}`,
  notice: (id: number) => `/notice/detail?id=${id}`,
  about: '/aboutus',
  contact: '/contact',
  terms: '/agreement/terms',
  privacy: '/agreement/privacy',
  login: (to?: string) => (to ? `/login?redirect=${encodeURIComponent(to)}` : '/login'),
  personal: '/personal',
  messages: '/personal/aboutme',
  myInfo: '/personal/myinfo',
  ownDemands: (query = '') => `/workbench/requirement/list${query}`,
  ownDemand: (id: number) => `/workbench/requirement/detail?id=${id}`,
  addDemand: (query = '') => `/workbench/requirement/add${query}`,
  drafts: '/workbench/requirement/drafts',
  draft: (id: number) => `/workbench/requirement/draftsadd?id=${id}`,
  ownMachines: '/workbench/cequipment',
  market: (query = '') => `/workbench/crequirement${query}`,
  marketDemand: (id: number) => `/workbench/crequirement/detail?id=${id}`,
}

/** Only paths of our own, so that a link cannot send people elsewhere after signing in. */
export function safeRedirect(to: string | null): string {
  return to && /^\/(?![/\\])/.test(to) ? to : paths.home
}
