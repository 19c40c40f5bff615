import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { Id, paging } from '../fields.ts'
import { enableStatus } from '../rules.ts'
import { articleTab, articleTabs, noticeTypes } from './rules.ts'

const ArticleCard = z.object({
  id: z.number(),
  tab: z.enum(articleTabs),
  title: z.string(),
  summary: z.string(),
  source: z.string(),
  top: z.boolean(),
  publishTime: z.string(),
})

export const listArticles = {
  method: 'GET',
  url: '/system/sysInformation/firstPageList',
  summary: 'Published information; tab 1 industry and policy, 2 platform notices, 3 deal publications',
  access: 'public',
  form: 'list',
  shared: true,
  query: z.object({ ...paging(5), tab: z.enum(articleTabs).default(articleTab.industry) }),
  answer: ArticleCard,
} as const satisfies Endpoint

const Neighbour = z.object({ id: z.number(), title: z.string() }).nullable()

export const getArticle = {
  method: 'GET',
  url: '/system/sysInformation/firstPageList/:id',
  summary: 'One published article with its neighbours',
  access: 'public',
  form: 'data',
  params: z.object({ id: Id }),
  /** `content` is HTML of an allow list: no script, no style, no frame, links and pictures of http(s) or our own. */
  answer: ArticleCard.extend({ content: z.string(), author: z.string(), viewCount: z.number(), previous: Neighbour, next: Neighbour }),
} as const satisfies Endpoint

export const getArticleNotice = {
  method: 'GET',
  url: '/system/notice/firstPageList/:id',
  summary: 'A platform notice (tab 2) in the shape of RuoYi’s sys_notice',
  access: 'public',
  form: 'data',
  params: z.object({ id: Id }),
  answer: z.object({
    noticeId: z.number(),
    noticeTitle: z.string(),
    noticeType: z.enum(noticeTypes),
    noticeContent: z.string(),
    status: z.literal(enableStatus.enabled),
    createTime: z.string(),
  }),
} as const satisfies Endpoint
