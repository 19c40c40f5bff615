import { sql } from 'kysely'
import type { z } from 'zod'
import type { addArticle, ArticleState, editArticle } from '#shared/article/manage.ts'
import { fromMoment } from '#shared/calendar.ts'
import type { ArticleTab } from '#shared/article/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { audited } from '../audit/log.ts'
import type { Db, Read, Tx } from '../db/connect.ts'
import { contains } from '../db/search.ts'
import { Refusal } from '../http/refusal.ts'
import { cleanHtml } from './queries.ts'

type Filter = {
  tab?: ArticleTab | undefined
  state?: ArticleState | undefined
  keyword?: string | undefined
  pageNum: number
  pageSize: number
}

const stateAt = (now: Date) =>
  sql<ArticleState>`case status when '0' then 'draft' when '2' then 'offline'
    else case when publish_time > ${now.toISOString()}::timestamptz then 'scheduled' else 'published' end end`

const columns = (now: Date) =>
  ['id', 'tab', 'title', stateAt(now).as('state'), 'top', 'publishTime', 'updateTime', 'viewCount', 'author'] as const

export async function findManagedArticles(db: Read, filter: Filter, now: Date) {
  let query = db.selectFrom('article')
  if (filter.tab) query = query.where('tab', '=', filter.tab)
  if (filter.state) query = query.where(stateAt(now), '=', filter.state)
  if (filter.keyword) query = query.where('title', 'like', contains(filter.keyword))
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await query
    .orderBy(sql`status = '0' desc`)
    .orderBy('publishTime', 'desc')
    .orderBy('id', 'desc')
    .limit(filter.pageSize)
    .offset((filter.pageNum - 1) * filter.pageSize)
    .select(columns(now))
    .execute()
  return { total, rows }
}

export function findManagedArticle(db: Read, id: number, now: Date) {
  return db
    .selectFrom('article')
    .where('id', '=', id)
    .select([...columns(now), 'summary', 'content', 'source', 'version'])
    .executeTakeFirst()
}

/** Pictures of an article are for everybody, and stay as long as it does. */
async function keepImages(tx: Tx, actor: Actor, articleId: number, content: string): Promise<void> {
  const ids = [...new Set([...content.matchAll(/\/prod-api\/file\/([0-9a-f-]{36})/g)].map(([, id = '']) => id))]
  await tx.deleteFrom('articleImage').where('articleId', '=', articleId).execute()
  if (ids.length === 0) return
  const known = await tx
    .selectFrom('file')
    .where('id', 'in', ids)
    .where('mime', 'like', 'image/%')
    // Nobody's private paper becomes public by being named here.
    .where((eb) => eb.or([eb('accountId', '=', actor.accountId), eb('access', '=', 'public')]))
    .select('id')
    .execute()
  if (known.length === 0) return
  await tx
    .insertInto('articleImage')
    .values(known.map(({ id }) => ({ articleId, fileId: id })))
    .execute()
  await tx
    .updateTable('file')
    .set({ access: 'public' })
    .where(
      'id',
      'in',
      known.map(({ id }) => id),
    )
    .execute()
}

export function insertArticle(db: Db, actor: Actor, input: z.output<typeof addArticle.body>, now: Date) {
  const content = cleanHtml(input.content)
  return db.transaction().execute((tx) =>
    audited(tx, actor, { action: 'article.add', bizType: 'article' }, now, async () => {
      const made = await tx
        .insertInto('article')
        .values({ ...input, content, status: '0', publishTime: now, accountId: actor.accountId, createTime: now, updateTime: now })
        .returning(['id', 'version'])
        .executeTakeFirstOrThrow()
      await keepImages(tx, actor, made.id, content)
      return made
    }),
  )
}

export function updateArticle(db: Db, actor: Actor, { id, version, ...input }: z.output<typeof editArticle.body>, now: Date) {
  const content = cleanHtml(input.content)
  return db.transaction().execute((tx) =>
    audited(tx, actor, { action: 'article.edit', bizType: 'article', id }, now, async () => {
      const held = await tx.selectFrom('article').where('id', '=', id).forUpdate().select('version').executeTakeFirst()
      if (!held) throw new Refusal('not_found')
      if (held.version !== version) throw new Refusal('changed')
      const made = await tx
        .updateTable('article')
        .set((eb) => ({ ...input, content, updateTime: now, version: eb('version', '+', 1) }))
        .where('id', '=', id)
        .returning(['id', 'version'])
        .executeTakeFirstOrThrow()
      await keepImages(tx, actor, id, content)
      return made
    }),
  )
}

/** At once, or at a minute to come: the public list looks at the clock, so nothing has to be done then. */
export async function publishArticle(db: Db, actor: Actor, id: number, publishTime: string | null, now: Date): Promise<void> {
  await db.transaction().execute((tx) =>
    audited(tx, actor, { action: 'article.publish', bizType: 'article', id }, now, async () => {
      const { numUpdatedRows } = await tx
        .updateTable('article')
        .set((eb) => ({
          status: '1',
          publishTime: publishTime === null ? now : fromMoment(publishTime),
          updateTime: now,
          version: eb('version', '+', 1),
        }))
        .where('id', '=', id)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw new Refusal('not_found')
    }),
  )
}

export async function takeArticleOff(db: Db, actor: Actor, id: number, now: Date): Promise<void> {
  await db.transaction().execute((tx) =>
    audited(tx, actor, { action: 'article.offline', bizType: 'article', id }, now, async () => {
      const held = await tx.selectFrom('article').where('id', '=', id).forUpdate().select('status').executeTakeFirst()
      if (!held) throw new Refusal('not_found')
      if (held.status !== '1') throw new Refusal('changed')
      await tx
        .updateTable('article')
        .set((eb) => ({ status: '2', top: false, updateTime: now, version: eb('version', '+', 1) }))
        .where('id', '=', id)
        .execute()
    }),
  )
}

export async function deleteArticle(db: Db, actor: Actor, id: number, now: Date): Promise<void> {
  await db.transaction().execute((tx) =>
    audited(tx, actor, { action: 'article.delete', bizType: 'article', id }, now, async () => {
      const held = await tx.selectFrom('article').where('id', '=', id).forUpdate().select('status').executeTakeFirst()
      if (!held) throw new Refusal('not_found')
      if (held.status === '1') throw new Refusal('article_published')
      await tx.deleteFrom('article').where('id', '=', id).execute()
    }),
  )
}
