import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { Id, line, Moment, optionalText, paging, paragraph, sorting } from '../fields.ts'
import { articleTabs } from './rules.ts'

/** Draft, waiting for its minute, on the site, taken off it. */
export const articleStates = ['draft', 'scheduled', 'published', 'offline'] as const
export type ArticleState = (typeof articleStates)[number]

const none = z.literal('').transform(() => undefined)
const tab = z.enum(articleTabs)
const params = z.object({ id: Id })

const Row = z.object({
  id: z.number(),
  tab,
  title: z.string(),
  state: z.enum(articleStates),
  top: z.boolean(),
  publishTime: z.string(),
  updateTime: z.string(),
  viewCount: z.number(),
  author: z.string(),
  version: z.number(),
})

export const articleSorts = ['publishTime'] as const
const filter = {
  ...sorting(articleSorts),
  tab: z.union([none, tab]).optional(),
  state: z.union([none, z.enum(articleStates)]).optional(),
  keyword: optionalText(60),
}

export const listManagedArticles = {
  method: 'GET',
  url: '/system/sysInformation/list',
  summary: 'All information and notices: drafts first, then by publication',
  access: 'article:edit',
  form: 'list',
  query: z.object({ ...paging(20), ...filter }),
  answer: Row,
} as const satisfies Endpoint

export const exportArticles = {
  method: 'GET',
  url: '/system/sysInformation/export',
  summary: 'The filtered list of information and notices as a workbook, 10,000 rows at most',
  access: 'article:edit',
  limit: 10,
  form: 'file',
  query: z.object(filter),
  answer: z.null(),
} as const satisfies Endpoint

export const getManagedArticle = {
  method: 'GET',
  url: '/system/sysInformation/:id',
  summary: 'One article to edit',
  access: 'article:edit',
  form: 'data',
  params,
  answer: Row.extend({ summary: z.string(), content: z.string(), source: z.string() }),
} as const satisfies Endpoint

export const ArticleInput = z.object({
  tab,
  title: line(4, 80),
  summary: paragraph(200).default(''),
  /** HTML; elements outside the allow list are dropped. */
  content: z.string().min(1).max(200_000),
  source: line(0, 40).default(''),
  author: line(0, 20).default(''),
  top: z.boolean().default(false),
})

export const addArticle = {
  method: 'POST',
  url: '/system/sysInformation',
  summary: 'A new article, as a draft',
  access: 'article:edit',
  form: 'data',
  audit: { action: 'article.add', bizType: 'article' },
  body: ArticleInput,
  answer: z.object({ id: z.number(), version: z.number() }),
} as const satisfies Endpoint

export const editArticle = {
  method: 'PUT',
  url: '/system/sysInformation',
  summary: 'Change an article, on the site or not',
  access: 'article:edit',
  form: 'data',
  audit: { action: 'article.edit', bizType: 'article' },
  body: ArticleInput.extend({ id: Id, version: z.number().int() }),
  answer: z.object({ id: z.number(), version: z.number() }),
} as const satisfies Endpoint

export const publishArticle = {
  method: 'PUT',
  url: '/system/sysInformation/:id/publish',
  summary: 'On the site now, or at a minute to come; refused if somebody has changed or published the article since',
  access: 'article:edit',
  form: 'data',
  audit: { action: 'article.publish', bizType: 'article' },
  params,
  body: z.object({ version: z.number().int(), publishTime: Moment.nullable().default(null) }),
  answer: z.null(),
} as const satisfies Endpoint

export const takeArticleOff = {
  method: 'PUT',
  url: '/system/sysInformation/:id/offline',
  summary: 'Off the site; it can be published again',
  access: 'article:edit',
  form: 'data',
  audit: { action: 'article.offline', bizType: 'article' },
  params,
  answer: z.null(),
} as const satisfies Endpoint

export const deleteArticle = {
  method: 'DELETE',
  url: '/system/sysInformation/:id',
  summary: 'Delete what is not on the site',
  access: 'article:edit',
  form: 'data',
  audit: { action: 'article.delete', bizType: 'article' },
  params,
  answer: z.null(),
} as const satisfies Endpoint

export const uploadArticleImage = {
  method: 'POST',
  url: '/system/sysInformation/image',
  summary: 'Upload a picture for an article; everybody may see it while the article is published',
  access: 'article:edit',
  limit: 60,
  form: 'data',
  /** The file is written to the storage, for which no transaction waits. */
  transaction: 'own',
  upload: true,
  answer: z.object({ fileId: z.string(), url: z.string() }),
} as const satisfies Endpoint

export const previewArticle = {
  method: 'POST',
  url: '/system/sysInformation/preview',
  summary: 'The content as the site would show it',
  access: 'article:edit',
  readsOnly: true,
  form: 'data',
  body: z.object({ content: z.string().max(200_000) }),
  answer: z.object({ content: z.string() }),
} as const satisfies Endpoint
