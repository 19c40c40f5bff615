/** A published one with a later `publishTime` waits for its minute. */
export const articleStatus = { draft: '0', published: '1', offline: '2' } as const
export type ArticleStatus = (typeof articleStatus)[keyof typeof articleStatus]

/** Industry and policy, platform notices, publications of deals. */
export const articleTab = { industry: '1', notices: '2', deals: '3' } as const
export const articleTabs = Object.values(articleTab)
export type ArticleTab = (typeof articleTab)[keyof typeof articleTab]

/** In the shape of RuoYi’s sys_notice. */
export const noticeType = { notice: '1', announcement: '2' } as const
export const noticeTypes = Object.values(noticeType)
