import sanitizeHtml from 'sanitize-html'
import type { Db, Read } from '../db/connect.ts'

type Tab = '1' | '2' | '3'

const published = (db: Read, now: Date) => db.selectFrom('article').where('status', '=', '1').where('publishTime', '<=', now.toISOString())

/** What an editor may write; everything else is dropped, whoever stored it. Headings start under the page's own. */
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

const card = ['id', 'tab', 'title', 'summary', 'source', 'top', 'publishTime'] as const

export async function findArticles(db: Read, { tab, pageNum, pageSize }: { tab: Tab; pageNum: number; pageSize: number }, now: Date) {
  const list = published(db, now).where('tab', '=', tab)
  const { total } = await list.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await list
    .orderBy('top', 'desc')
    .orderBy('publishTime', 'desc')
    .limit(pageSize)
    .offset((pageNum - 1) * pageSize)
    .select(card)
    .execute()
  return { total, rows }
}

export async function readArticle(db: Db, id: number, now: Date) {
  await db
    .updateTable('article')
    .set((eb) => ({ viewCount: eb('viewCount', '+', 1) }))
    .where('id', '=', id)
    .where('status', '=', '1')
    .execute()
  const article = await published(db, now)
    .where('id', '=', id)
    .select([...card, 'content', 'author', 'viewCount'])
    .executeTakeFirst()
  if (!article) return undefined
  const neighbour = (direction: 'asc' | 'desc') =>
    published(db, now)
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
