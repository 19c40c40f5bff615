import { sql } from 'kysely'
import sanitizeHtml from 'sanitize-html'
import type * as contract from '#shared/article/contract.ts'
import { articleStatus, articleTab, noticeType } from '#shared/article/rules.ts'
import type { Received } from '#shared/endpoint.ts'
import { enableStatus } from '#shared/rules.ts'
import type { Db, Read } from '../db/connect.ts'
import { paged } from '../db/paging.ts'
import { Refusal } from '../http/refusal.ts'

/** The status stands in the text, because the index of the list is partial. */
const publishedArticles = (db: Read, now: Date) =>
  db.selectFrom('article').where('status', '=', sql.lit(articleStatus.published)).where('publishTime', '<=', now.toISOString())

/** Drops all elements and attributes outside an allow list, whoever stored them. Headings start under the page's own. */
export const cleanHtml = (html: string): string =>
  sanitizeHtml(html, {
    allowedTags:
      'h2 h3 h4 p br hr blockquote ul ol li strong b em i u s sub sup code pre a img figure figcaption table thead tbody tr th td span'.split(
        ' ',
      ),
    allowedAttributes: {
      a: ['href', 'title', 'rel'],
      img: ['src', 'alt', 'width', 'height'],
      th: ['colspan', 'rowspan'],
      td: ['colspan', 'rowspan'],
    },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['https'] },
    allowProtocolRelative: false,
    // Pictures are our own files or come over https.
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !/^(https:|\/prod-api\/file\/[0-9a-f-]{36}$)/.test(attribs.src ?? ''),
    transformTags: {
      h1: 'h2',
      a: sanitizeHtml.simpleTransform('a', { rel: 'noopener nofollow' }),
    },
  })

const cardColumns = ['id', 'tab', 'title', 'summary', 'source', 'top', 'publishTime'] as const

export function listArticles(db: Read, { tab, ...paging }: Received<typeof contract.listArticles>['query'], now: Date) {
  return paged(publishedArticles(db, now).where('tab', '=', tab), paging, (page) =>
    page.orderBy('top', 'desc').orderBy('publishTime', 'desc').orderBy('id', 'desc').select(cardColumns),
  )
}

type At = { db: Db; now: Date }

/** A published article with its neighbours. Counts the view, which needs no transaction with what is read. */
export async function getArticle({ db, now }: At, id: number) {
  await db
    .updateTable('article')
    .set((eb) => ({ viewCount: eb('viewCount', '+', 1) }))
    .where('id', 'in', publishedArticles(db, now).where('id', '=', id).select('id'))
    .execute()
  const article = await publishedArticles(db, now)
    .where('id', '=', id)
    .select([...cardColumns, 'content', 'author', 'viewCount'])
    .executeTakeFirst()
  if (!article) throw new Refusal('not_found')
  const neighbour = (direction: 'asc' | 'desc') =>
    publishedArticles(db, now)
      .where('tab', '=', article.tab)
      .where('id', direction === 'asc' ? '>' : '<', id)
      .orderBy('id', direction)
      .select(['id', 'title'])
      .executeTakeFirst()
  return {
    ...article,
    content: cleanHtml(article.content),
    previous: (await neighbour('desc')) ?? null,
    next: (await neighbour('asc')) ?? null,
  }
}

/** A published article of the tab of notices, in the shape of RuoYi's sys_notice. */
export async function getArticleNotice(at: At, id: number) {
  const article = await getArticle(at, id)
  if (article.tab !== articleTab.notices) throw new Refusal('not_found')
  return {
    noticeId: article.id,
    noticeTitle: article.title,
    noticeType: article.top ? noticeType.announcement : noticeType.notice,
    noticeContent: article.content,
    status: enableStatus.enabled,
    createTime: article.publishTime,
  }
}
