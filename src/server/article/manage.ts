import { sql, type RawBuilder } from 'kysely'
import type * as contract from '#shared/article/manage.ts'
import type { ArticleState } from '#shared/article/manage.ts'
import { articleStatus } from '#shared/article/rules.ts'
import { fromMoment } from '#shared/calendar.ts'
import type { Download, Received } from '#shared/endpoint.ts'
import { exportLimit } from '#shared/rules.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import type { Read } from '../db/connect.ts'
import { paged, sorted } from '../db/paging.ts'
import { contains } from '../db/search.ts'
import { nextVersion } from '../db/version.ts'
import type { Caller, Context, Deed } from '../deed.ts'
import { uploadFile } from '../file/queries.ts'
import type { Actor } from '../actor/actor.ts'
import { Refusal, refuseField } from '../http/refusal.ts'
import { claimFiles } from '../upload/claim.ts'
import { listWorkbook } from '../workbook/list-workbook.ts'
import { cleanHtml } from './queries.ts'

const stateAt = (now: Date) =>
  sql<ArticleState>`case status when ${sql.lit(articleStatus.draft)} then 'draft' when ${sql.lit(articleStatus.offline)} then 'offline'
    else case when publish_time > ${now.toISOString()}::timestamptz then 'scheduled' else 'published' end end`

/** As `stateAt` has it, as conditions that an index finds. */
function isInState(state: ArticleState, now: Date): RawBuilder<boolean> {
  const { published } = articleStatus
  if (state === 'draft' || state === 'offline') return sql<boolean>`status = ${sql.lit(articleStatus[state])}`
  const due = sql`publish_time ${sql.raw(state === 'scheduled' ? '>' : '<=')} ${now.toISOString()}::timestamptz`
  return sql<boolean>`(status = ${sql.lit(published)} and ${due})`
}

const columnsOfArticle = (now: Date) =>
  ['id', 'tab', 'title', stateAt(now).as('state'), 'top', 'publishTime', 'updateTime', 'viewCount', 'author', 'version'] as const

type Filter = Received<typeof contract.exportArticles>['query']

export function listManagedArticles(db: Read, filter: Filter & { pageNum: number; pageSize: number }, now: Date) {
  let query = db.selectFrom('article')
  if (filter.tab) query = query.where('tab', '=', filter.tab)
  if (filter.state) query = query.where(isInState(filter.state, now))
  if (filter.keyword) query = query.where('title', 'like', contains(filter.keyword))
  return paged(query, filter, (page) =>
    sorted(page.select(columnsOfArticle(now)), {
      sort: filter.sort,
      columns: { publishTime: { column: sql.ref('article.publish_time') } },
      id: 'article.id',
      usual: (some) =>
        some
          // Of one state an index is in order already.
          .$if(filter.state === undefined, (all) => all.orderBy(sql`status = ${sql.lit(articleStatus.draft)} desc`))
          .orderBy('publishTime', 'desc')
          .orderBy('id', 'desc'),
    }),
  )
}

/** Writes the filtered list as a workbook. */
export async function articlesWorkbook(db: Read, { filter, text, now }: { filter: Filter; text: Text; now: Date }): Promise<Download> {
  const words = text.admin.articles
  return listWorkbook({
    title: text.admin.menu.articles,
    text,
    columns: [
      { label: words.titleField, width: 48, value: (row) => row.title },
      { label: words.tab, width: 12, value: (row) => words.tabs[row.tab] },
      { label: words.state, width: 10, value: (row) => words.states[row.state] },
      { label: words.publishTime, width: 20, format: 'moment', value: (row) => (row.state === 'draft' ? null : row.publishTime) },
      { label: words.updated, width: 20, format: 'moment', value: (row) => row.updateTime },
      { label: words.views, width: 10, format: 'whole', value: (row) => row.viewCount },
      { label: words.author, width: 14, value: (row) => row.author },
    ],
    list: await listManagedArticles(db, { ...filter, pageNum: 1, pageSize: exportLimit }, now),
  })
}

export async function getManagedArticle(db: Read, id: number, now: Date) {
  const article = await db
    .selectFrom('article')
    .where('id', '=', id)
    .select([...columnsOfArticle(now), 'summary', 'content', 'source'])
    .executeTakeFirst()
  if (!article) throw new Refusal('not_found')
  return article
}

type Stored = { id: number; version: number }

export async function insertArticle(deed: Deed, input: Received<typeof contract.addArticle>['body']): Promise<Stored> {
  const { db, actor, now } = deed
  const content = cleanHtml(input.content)
  const times = { publishTime: now, createTime: now, updateTime: now }
  const article = await db
    .insertInto('article')
    .values({ ...input, content, status: articleStatus.draft, accountId: actor.accountId, ...times })
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow()
  await saveImages(deed, article.id, content)
  return article
}

/** Changes an article if nobody changed it meanwhile. */
export async function updateArticle(deed: Deed, { id, version, ...input }: Received<typeof contract.editArticle>['body']): Promise<Stored> {
  const { db, now } = deed
  const article = await lockArticle(deed, id)
  if (article.version !== version) throw new Refusal('changed')
  const content = cleanHtml(input.content)
  const stored = await db
    .updateTable('article')
    .set({ ...input, content, updateTime: now, version: nextVersion })
    .where('id', '=', id)
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow()
  await saveImages(deed, id, content)
  return stored
}

type Publication = Stored & { publishTime: string | null }

/**
 * Publishes at once or at a minute to come, if nobody changed or published the article meanwhile. The public list compares that minute with the clock, so
 * no job has to publish it then.
 */
export async function publishArticle(deed: Deed, { id, version, publishTime }: Publication): Promise<void> {
  const { db, now } = deed
  const article = await lockArticle(deed, id)
  if (article.version !== version) throw new Refusal('changed')
  if (publishTime !== null && fromMoment(publishTime) <= now) refuseField(['publishTime'], 'minute_past')
  await db
    .updateTable('article')
    .set({
      status: articleStatus.published,
      publishTime: publishTime === null ? now : fromMoment(publishTime),
      updateTime: now,
      version: nextVersion,
    })
    .where('id', '=', id)
    .execute()
}

export async function takeArticleOff(deed: Deed, id: number): Promise<void> {
  const { db, now } = deed
  const { status } = await lockArticle(deed, id)
  if (status !== articleStatus.published) throw new Refusal('changed')
  await db
    .updateTable('article')
    .set({ status: articleStatus.offline, top: false, updateTime: now, version: nextVersion })
    .where('id', '=', id)
    .execute()
}

export async function deleteArticle(deed: Deed, id: number): Promise<void> {
  const { status } = await lockArticle(deed, id)
  if (status === articleStatus.published) throw new Refusal('article_published')
  await deed.db.deleteFrom('article').where('id', '=', id).execute()
}

async function lockArticle({ db }: Deed, id: number) {
  const article = await db.selectFrom('article').where('id', '=', id).forUpdate().select(['status', 'version']).executeTakeFirst()
  if (!article) throw new Refusal('not_found')
  return article
}

/** Binds the pictures to the article: they are as public as it is, and none is deleted before it. */
async function saveImages(deed: Deed, articleId: number, content: string): Promise<void> {
  const { db } = deed
  const ids = [...new Set([...content.matchAll(/\/prod-api\/file\/([0-9a-f-]{36})/g)].map(([, id = '']) => id))]
  await db.deleteFrom('articleImage').where('articleId', '=', articleId).execute()
  // An editor who names somebody else's private file does not make it public.
  const claimed = await claimFiles(deed, 'article', ids)
  const images = [...claimed].filter(([, mime]) => mime.startsWith('image/'))
  if (images.length === 0) return
  await db
    .insertInto('articleImage')
    .values(images.map(([fileId]) => ({ articleId, fileId })))
    .execute()
}

type Uploading = Pick<Context, 'db' | 'storage' | 'now'> & Pick<Caller, 'upload'> & { actor: Actor }

/** Stores the picture of the request for articles. Any other file is refused. */
export async function uploadArticleImage(at: Uploading): Promise<{ fileId: string; url: string }> {
  const { fileId, url } = await uploadFile(at, { purpose: 'article', picturesOnly: true })
  return { fileId, url }
}
