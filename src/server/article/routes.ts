import { getArticle, getNotice, listArticles } from '#shared/article/contract.ts'
import * as manage from '#shared/article/manage.ts'
import type { Api } from '../http/api.ts'
import { Refusal } from '../http/refusal.ts'
import { insertFile } from '../file/queries.ts'
import * as managed from './manage.ts'
import { cleanHtml, findArticles, readArticle } from './queries.ts'

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

  api.handle(manage.listManagedArticles, ({ query }, { db, now }) => managed.findManagedArticles(db, query, now))

  api.handle(manage.getManagedArticle, async ({ params }, { db, now }) => {
    const article = await managed.findManagedArticle(db, params.id, now)
    if (!article) throw new Refusal('not_found')
    return article
  })

  api.handle(manage.addArticle, ({ body }, { db, actor, now }) => managed.insertArticle(db, actor, body, now))
  api.handle(manage.editArticle, ({ body }, { db, actor, now }) => managed.updateArticle(db, actor, body, now))

  api.handle(manage.publishArticle, async ({ params, body }, { db, actor, now }) => {
    await managed.publishArticle(db, actor, params.id, body.publishTime, now)
    return null
  })

  api.handle(manage.takeArticleOff, async ({ params }, { db, actor, now }) => {
    await managed.takeArticleOff(db, actor, params.id, now)
    return null
  })

  api.handle(manage.deleteArticle, async ({ params }, { db, actor, now }) => {
    await managed.deleteArticle(db, actor, params.id, now)
    return null
  })

  api.handle(manage.uploadArticleImage, async (_, { db, storage, actor, upload, now }) => {
    const file = await upload?.()
    if (!file) throw new Refusal('bad_request')
    const { fileId, url, mime } = await insertFile(db, storage, actor, file, now)
    if (!mime.startsWith('image/')) {
      await db.deleteFrom('file').where('id', '=', fileId).execute()
      await storage.delete(fileId)
      throw new Refusal('file_kind')
    }
    await db.updateTable('file').set({ access: 'public' }).where('id', '=', fileId).execute()
    return { fileId, url }
  })

  api.handle(manage.previewArticle, ({ body }) => ({ content: cleanHtml(body.content) }))
}
