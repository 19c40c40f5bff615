import { getArticle, getNotice, listArticles } from '#shared/article/contract.ts'
import type { Api } from '../http/api.ts'
import { Refusal } from '../http/refusal.ts'
import { findArticles, readArticle } from './queries.ts'

export function articleRoutes(api: Api): void {
  api.handle(listArticles, ({ query }, { db, now }) => findArticles(db, query, now))

  api.handle(getArticle, async ({ params }, { db, now }) => {
    const article = await readArticle(db, params.id, now)
    if (!article) throw new Refusal('not_found')
    return article
  })

  api.handle(getNotice, async ({ params }, { db, now }) => {
    const article = await readArticle(db, params.id, now)
    if (article?.tab !== '2') throw new Refusal('not_found')
    return {
      noticeId: article.id,
      noticeTitle: article.title,
      noticeType: article.top ? ('2' as const) : ('1' as const),
      noticeContent: article.content,
      status: '0' as const,
      createTime: article.publishTime,
    }
  })
}
