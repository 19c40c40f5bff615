import { sql } from 'kysely'
import { dayOf } from '#shared/calendar.ts'
import { feedbackLapseDays, feedbackMoves, type FeedbackStatus, type FeedbackType } from '#shared/feedback/rules.ts'
import type { z } from 'zod'
import type { FeedbackInput } from '#shared/feedback/contract.ts'
import type { Actor } from '../actor/actor.ts'
import { audited } from '../audit/log.ts'
import type { Db, Read } from '../db/connect.ts'
import { nextCode } from '../db/codes.ts'
import { Refusal, refuseField } from '../http/refusal.ts'
import type { Hub } from '../message/hub.ts'
import { workThrough, type Queue } from '../queue/queue.ts'
import { sendMessages } from '../message/queries.ts'
import type { Services } from '../services.ts'

export async function insertFeedback(
  db: Db,
  accountId: number,
  { images, ...input }: z.output<typeof FeedbackInput>,
  now: Date,
): Promise<number> {
  if (images.length > 0) {
    const own = await db
      .selectFrom('file')
      .where('id', 'in', images)
      .where('accountId', '=', accountId)
      .where('mime', 'like', 'image/%')
      .select('id')
      .execute()
    if (own.length !== new Set(images).size) refuseField(['images'], 'file_unknown')
  }
  const feedbackCode = await nextCode(db, 'FK', dayOf(now))
  return db.transaction().execute(async (tx) => {
    const { id } = await tx
      .insertInto('feedback')
      .values({ ...input, feedbackCode, accountId, createTime: now, updateTime: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (images.length > 0)
      await tx
        .insertInto('feedbackImage')
        .values(images.map((fileId, orderNum) => ({ feedbackId: id, fileId, orderNum })))
        .execute()
    return id
  })
}

type Filter = { status?: FeedbackStatus | undefined; keyword?: string | undefined; pageNum: number; pageSize: number }

/** Of one person newest first; of everybody what has waited longest first. */
export async function findFeedback(db: Read, accountId: number | null, { status, keyword, pageNum, pageSize }: Filter) {
  let query = db.selectFrom('feedback').innerJoin('account', 'account.id', 'feedback.accountId')
  if (accountId !== null) query = query.where('feedback.accountId', '=', accountId)
  if (status) query = query.where('feedback.status', '=', status)
  if (keyword) {
    const pattern = `%${keyword.replace(/[\\%_]/g, '\\$&')}%`
    query = query.where((eb) => eb.or([eb('feedback.title', 'like', pattern), eb('feedback.feedbackCode', 'like', pattern)]))
  }
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const ordered =
    accountId === null ? query.orderBy('feedback.status').orderBy('feedback.updateTime') : query.orderBy('feedback.id', 'desc')
  const rows = await ordered
    .limit(pageSize)
    .offset((pageNum - 1) * pageSize)
    .select([
      'feedback.id',
      'feedbackCode',
      'type',
      'title',
      'feedback.status',
      'satisfaction',
      'feedback.createTime',
      'updateTime',
      'account.name',
      'account.userName',
    ])
    .execute()
  return {
    total,
    rows: rows.map(({ name, userName, ...row }) => ({
      ...row,
      type: row.type as FeedbackType,
      status: row.status as FeedbackStatus,
      author: accountId === null ? name || userName : '',
    })),
  }
}

/** The author's own; anybody's for those who answer. */
export async function findOneFeedback(db: Read, id: number, accountId: number, answers: boolean) {
  let query = db.selectFrom('feedback').innerJoin('account', 'account.id', 'feedback.accountId').where('feedback.id', '=', id)
  if (!answers) query = query.where('feedback.accountId', '=', accountId)
  const found = await query
    .select([
      'feedback.id',
      'feedbackCode',
      'type',
      'title',
      'content',
      'contact',
      'feedback.status',
      'satisfaction',
      'feedback.createTime',
      'updateTime',
      'account.name',
      'account.userName',
    ])
    .executeTakeFirst()
  if (!found) return undefined
  const { name, userName, ...row } = found
  const images = await db.selectFrom('feedbackImage').where('feedbackId', '=', id).orderBy('orderNum').select('fileId').execute()
  const replies = await db
    .selectFrom('feedbackReply')
    .where('feedbackId', '=', id)
    .orderBy('id')
    .select(['id', 'byOperator', 'content', 'at'])
    .execute()
  return {
    ...row,
    type: row.type as FeedbackType,
    status: row.status as FeedbackStatus,
    author: answers ? name || userName : '',
    images: images.map(({ fileId }) => fileId),
    replies,
  }
}

/** Moves if its state allows; the row found is the caller's to see. Missing: 404, moved on: 409. */
async function move(db: Read, id: number, name: 'answer' | 'ask' | 'close', accountId: number | null, values: object, now: Date) {
  const { from, to } = feedbackMoves[name]
  let query = db
    .updateTable('feedback')
    .set({ status: to, updateTime: now, ...values })
    .where('id', '=', id)
  if (accountId !== null) query = query.where('accountId', '=', accountId)
  const moved = await query.where('status', 'in', from).returning(['accountId', 'title']).executeTakeFirst()
  if (moved) return moved
  let there = db.selectFrom('feedback').where('id', '=', id)
  if (accountId !== null) there = there.where('accountId', '=', accountId)
  throw new Refusal((await there.select('id').executeTakeFirst()) ? 'feedback_closed' : 'not_found')
}

export function askAgain(db: Db, id: number, accountId: number, content: string, now: Date): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await move(tx, id, 'ask', accountId, {}, now)
    await tx.insertInto('feedbackReply').values({ feedbackId: id, accountId, byOperator: false, content, at: now }).execute()
  })
}

export function answerFeedback(db: Db, hub: Hub, actor: Actor, id: number, content: string, now: Date): Promise<void> {
  return db.transaction().execute((tx) =>
    audited(tx, actor, { action: 'feedback.answer', bizType: 'feedback', id }, now, async () => {
      const { accountId: author, title } = await move(tx, id, 'answer', null, {}, now)
      await tx
        .insertInto('feedbackReply')
        .values({ feedbackId: id, accountId: actor.accountId, byOperator: true, content, at: now })
        .execute()
      await sendMessages(
        { db: tx, hub, now },
        {
          to: { accounts: [author] },
          kind: 'feedbackAnswered',
          params: { title, content: content.slice(0, 200) },
          bizType: 'feedback',
          bizId: id,
          link: `/personal/feedback/detail?id=${id}`,
        },
      )
    }),
  )
}

export async function closeFeedback(db: Db, id: number, accountId: number, satisfaction: number | null, now: Date): Promise<void> {
  await move(db, id, 'close', accountId, { satisfaction }, now)
}

export async function finishFeedback(db: Db, actor: Actor, id: number, now: Date): Promise<void> {
  await db.transaction().execute((tx) =>
    audited(tx, actor, { action: 'feedback.close', bizType: 'feedback', id }, now, async () => {
      await move(tx, id, 'close', null, {}, now)
    }),
  )
}

const lapsed = (now: Date) => new Date(now.getTime() - feedbackLapseDays * 86_400_000).toISOString()

/** What was answered and left alone closes by itself. */
const feedbackThatLapses: Queue<{ key: string; id: number }> = {
  job: 'cleaning',
  find: (db, now, ready) =>
    db
      .selectFrom('feedback')
      .where('status', 'in', feedbackMoves.lapse.from)
      .where('updateTime', '<', lapsed(now))
      .where(ready(sql`'feedback:' || feedback.id`))
      .limit(1000)
      .select(['id', sql<string>`'feedback:' || id`.as('key')])
      .execute(),
  async run({ db: tx, now }, { id }) {
    const { numUpdatedRows } = await tx
      .updateTable('feedback')
      .set({ status: feedbackMoves.lapse.to, updateTime: now })
      .where('id', '=', id)
      .where('status', 'in', feedbackMoves.lapse.from)
      .where('updateTime', '<', lapsed(now))
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },
}

/** How many closed. */
export const lapseFeedback = (services: Services, signal?: AbortSignal) => workThrough(services, feedbackThatLapses, signal)
