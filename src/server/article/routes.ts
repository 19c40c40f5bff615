import * as contract from '#shared/article/contract.ts'
import * as manage from '#shared/article/manage.ts'
import type { Api } from '../api.ts'
import { takenByStaff } from '../audit/log.ts'
import { textOf } from '../http/locale.ts'
import * as managed from './manage.ts'
import * as articles from './queries.ts'

export function articleRoutes(api: Api): void {
  api.handle(contract.listArticles, ({ db, now }, { query }) => articles.listArticles(db, query, now))
  api.handle(contract.getArticle, (context, { params }) => articles.getArticle(context, params.id))
  api.handle(contract.getArticleNotice, (context, { params }) => articles.getArticleNotice(context, params.id))

  api.handle(manage.listManagedArticles, ({ db, now }, { query }) => managed.listManagedArticles(db, query, now))
  api.handle(manage.exportArticles, (context, { query }) =>
    takenByStaff(context, { action: 'article.export', bizType: 'article', after: query }, () =>
      managed.articlesWorkbook(context.db, { filter: query, text: textOf(context.locale), now: context.now }),
    ),
  )
  api.handle(manage.getManagedArticle, ({ db, now }, { params }) => managed.getManagedArticle(db, params.id, now))
  api.handle(manage.addArticle, (deed, { body }) => managed.insertArticle(deed, body))
  api.handle(manage.editArticle, (deed, { body }) => managed.updateArticle(deed, body))
  api.handle(manage.publishArticle, (deed, { params, body }) => managed.publishArticle(deed, { ...params, ...body }))
  api.handle(manage.takeArticleOff, (deed, { params }) => managed.takeArticleOff(deed, params.id))
  api.handle(manage.deleteArticle, (deed, { params }) => managed.deleteArticle(deed, params.id))
  api.handle(manage.uploadArticleImage, (context) => managed.uploadArticleImage(context))
  api.handle(manage.previewArticle, (_, { body }) => ({ content: articles.cleanHtml(body.content) }))
}
