import { getArticle, getNotice, listArticles } from '#shared/article/contract.ts'
import * as manage from '#shared/article/manage.ts'
import type { Api } from '../api.ts'
import { Refusal } from '../http/refusal.ts'
import { insertFile } from '../file/queries.ts'
import * as managed from './manage.ts'
import { cleanHtml, findArticles, readArticle } from './queries.ts'

export function articleRoutes(api: Api): void {
  api.handle(listArticles, ({ db, now }, { query }) => findArticles(db, query, now))

  api.handle(getArticle, async ({ db, now }, { params }) => {
    const article = await readArticle(db, params.id, now)
    if (!article) throw new Refusal('not_found')
    return article
  })

  api.handle(getNotice, async ({ db, now }, { params }) => {
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

  api.handle(manage.listManagedArticles, ({ db, now }, { query }) => managed.findManagedArticles(db, query, now))

  api.handle(manage.getManagedArticle, async ({ db, now }, { params }) => {
    const article = await managed.findManagedArticle(db, params.id, now)
    if (!article) throw new Refusal('not_found')
    return article
  })

  api.handle(manage.addArticle, ({ db, actor, now }, { body }) => managed.insertArticle(db, actor, body, now))
  api.handle(manage.editArticle, ({ db, actor, now }, { body }) => managed.updateArticle(db, actor, body, now))

  api.handle(manage.publishArticle, async ({ db, actor, now }, { params, body }) => {
    await managed.publishArticle(db, actor, params.id, body.publishTime, now)
    return null
  })

  api.handle(manage.takeArticleOff, async ({ db, actor, now }, { params }) => {
    await managed.takeArticleOff(db, actor, params.id, now)
    return null
  })

  api.handle(manage.deleteArticle, async ({ db, actor, now }, { params }) => {
    await managed.deleteArticle(db, actor, params.id, now)
    return null
  })

  api.handle(manage.uploadArticleImage, async ({ db, storage, actor, upload, now }) => {
    const file = await upload?.()
    if (!file) throw new Refusal('bad_request')
    const { fileId, url, mime } = await insertFile({ db, storage, actor, now }, file)
    if (!mime.startsWith('image/')) {
      await db.deleteFrom('file').where('id', '=', fileId).execute()
      await storage.delete(fileId)
      throw new Refusal('file_kind')
    }
    await db.updateTable('file').set({ access: 'public' }).where('id', '=', fileId).execute()
    return { fileId, url }
  })

  api.handle(manage.previewArticle, (_, { body }) => ({ content: cleanHtml(body.content) }))
}
