import { sql } from 'kysely'
import { dayMs, dayOf, startOfDay } from '#shared/calendar.ts'
import type { Received } from '#shared/endpoint.ts'
import type * as contract from '#shared/feedback/contract.ts'
import { feedbackLapseDays, feedbackLimits, feedbackMoves, waitingFeedback } from '#shared/feedback/rules.ts'
import { paths } from '#shared/paths.ts'
import { lockAccountRow, type Actor } from '../actor/actor.ts'
import type { Read, Tx } from '../db/connect.ts'
import { literals } from '../db/literals.ts'
import { paged } from '../db/paging.ts'
import { contains } from '../db/search.ts'
import type { Deed, Work } from '../deed.ts'
import { Refusal, refuseField } from '../http/refusal.ts'
import { sendMessages } from '../message/queries.ts'
import { workThrough, type Queue } from '../queue/queue.ts'
import type { Services } from '../services.ts'
import { claimFiles } from '../upload/claim.ts'

/** Stores the feedback with its pictures, which must be the author's own uploads. */
export async function insertFeedback(
  deed: Deed,
  { images, ...input }: Received<typeof contract.addFeedback>['body'],
): Promise<{ id: number }> {
  const { db, actor, codes, now } = deed
  const { accountId } = actor
  await refuseMany(deed)
  await refuseForeignImages(deed, images)
  const { id } = await db
    .insertInto('feedback')
    .values({ ...input, feedbackCode: await codes.next('FK', now), accountId, createTime: now, updateTime: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (images.length > 0)
    await db
      .insertInto('feedbackImage')
      .values(images.map((fileId, orderNum) => ({ feedbackId: id, fileId, orderNum })))
      .execute()
  return { id }
}

/** Refuses one more of somebody who has sent as many today as they may. Those of one person wait for each other, so that they are counted exactly. */
async function refuseMany({ db, actor, now }: Deed): Promise<void> {
  await lockAccountRow(db, actor.accountId)
  const { sent } = await db
    .selectFrom('feedback')
    .where('accountId', '=', actor.accountId)
    .where('createTime', '>=', startOfDay(dayOf(now)))
    .select((eb) => eb.fn.countAll<number>().as('sent'))
    .executeTakeFirstOrThrow()
  if (sent >= feedbackLimits.aDay) throw new Refusal('day_limit')
}

async function refuseForeignImages(deed: Deed, images: readonly string[]): Promise<void> {
  const own = await claimFiles(deed, 'feedback', images)
  if (images.some((id) => !own.get(id)?.startsWith('image/'))) refuseField(['images'], 'file_unknown')
}

const columnsOfFeedback = [
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
] as const

const feedbackWithAuthor = (db: Read) => db.selectFrom('feedback').innerJoin('account', 'account.id', 'feedback.accountId')

export async function listOwnFeedback(
  db: Read,
  { accountId }: Actor,
  { status, ...paging }: Received<typeof contract.listOwnFeedback>['query'],
) {
  let query = feedbackWithAuthor(db).where('feedback.accountId', '=', accountId)
  if (status) query = query.where('feedback.status', '=', status)
  const { total, rows } = await paged(query, paging, (page) => page.orderBy('feedback.id', 'desc').select(columnsOfFeedback))
  return { total, rows: rows.map(({ name: _, userName: __, ...row }) => ({ ...row, author: '' })) }
}

/** The longest waiting come first, and of the others the newest; the index `feedback_status` has this order. */
const waitingSince = sql`case when feedback.status in (${literals(waitingFeedback)}) then feedback.update_time end`

export async function listAllFeedback(db: Read, { status, keyword, todo, ...paging }: Received<typeof contract.listAllFeedback>['query']) {
  let query = feedbackWithAuthor(db)
  if (todo) query = query.where('feedback.status', 'in', waitingFeedback)
  if (status) query = query.where('feedback.status', '=', status)
  if (keyword) {
    const pattern = contains(keyword)
    const columns = ['feedback.title', 'feedback.feedbackCode', 'account.name', 'account.userName'] as const
    query = query.where((eb) => eb.or(columns.map((column) => eb(column, 'ilike', pattern))))
  }
  const { total, rows } = await paged(query, paging, (page) =>
    page
      .orderBy('feedback.status')
      .orderBy(waitingSince)
      .orderBy('feedback.updateTime', 'desc')
      .orderBy('feedback.id', 'desc')
      .select(columnsOfFeedback),
  )
  return { total, rows: rows.map(({ name, userName, ...row }) => ({ ...row, author: name || userName })) }
}

/** A person's own feedback; anybody's for those who answer it. */
export async function getFeedback(db: Read, actor: Actor, id: number) {
  const isAnswering = actor.permissions.includes('feedback:answer')
  const found = await feedbackWithAuthor(db)
    .where('feedback.id', '=', id)
    .$if(!isAnswering, (query) => query.where('feedback.accountId', '=', actor.accountId))
    .select([...columnsOfFeedback, 'content', 'contact'])
    .executeTakeFirst()
  if (!found) throw new Refusal('not_found')
  const { name, userName, ...row } = found
  const images = await db.selectFrom('feedbackImage').where('feedbackId', '=', id).orderBy('orderNum').select('fileId').execute()
  const replies = await db
    .selectFrom('feedbackReply')
    .where('feedbackId', '=', id)
    .orderBy('id')
    .select(['id', 'byOperator', 'content', 'at'])
    .execute()
  return { ...row, author: isAnswering ? name || userName : '', images: images.map(({ fileId }) => fileId), replies }
}

type Reply = { id: number; content: string }

export async function askAgain(deed: Deed, { id, content }: Reply): Promise<void> {
  const { db, actor, now } = deed
  const { accountId } = actor
  await refuseManyReplies(deed, id)
  await moveFeedback(deed, id, { move: 'ask', ownerId: accountId })
  await db.insertInto('feedbackReply').values({ feedbackId: id, accountId, byOperator: false, content, at: now }).execute()
}

async function refuseManyReplies({ db, actor: { accountId }, now }: Deed, id: number): Promise<void> {
  await lockAccountRow(db, accountId)
  const { replies, repliesToday } = await db
    .selectFrom('feedbackReply')
    .innerJoin('feedback', 'feedback.id', 'feedbackReply.feedbackId')
    .where('feedback.accountId', '=', accountId)
    .where('feedbackReply.byOperator', '=', false)
    .select([
      sql<number>`(count(*) filter (where feedback_id = ${id}))::int`.as('replies'),
      sql<number>`(count(*) filter (where at >= ${startOfDay(dayOf(now))}))::int`.as('repliesToday'),
    ])
    .executeTakeFirstOrThrow()
  if (replies >= feedbackLimits.replies) throw new Refusal('feedback_full')
  if (repliesToday >= feedbackLimits.repliesADay) throw new Refusal('day_limit')
}

/** Stores the operator's answer and sends it to the author. */
export async function answerFeedback(deed: Deed, { id, content, seen }: Reply & Seen): Promise<void> {
  const { db, actor, now } = deed
  const { accountId: author, title } = await moveFeedback(deed, id, { move: 'answer' })
  await refuseUnread(db, id, seen)
  await db.insertInto('feedbackReply').values({ feedbackId: id, accountId: actor.accountId, byOperator: true, content, at: now }).execute()
  await sendMessages(deed, {
    to: { accounts: [author] },
    kind: 'feedbackAnswered',
    params: { title, content: content.slice(0, 200) },
    bizType: 'feedback',
    bizId: id,
    link: paths.feedbackDetail(id),
  })
}

/** Closes the author's own feedback. */
export async function closeFeedback(deed: Deed, { id, satisfaction }: { id: number; satisfaction: number | null }): Promise<void> {
  await moveFeedback(deed, id, { move: 'close', ownerId: deed.actor.accountId, satisfaction })
}

/** Closes anybody's feedback, as the operator. */
export async function finishFeedback(deed: Deed, { id, seen }: { id: number } & Seen): Promise<void> {
  await moveFeedback(deed, id, { move: 'close' })
  await refuseUnread(deed.db, id, seen)
}

type Seen = { seen: number }

/** Refuses an operator's move while the thread has replies they have not read. The move has locked the feedback, so no reply comes meanwhile. */
async function refuseUnread(db: Tx, id: number, seen: number): Promise<void> {
  const { replies } = await db
    .selectFrom('feedbackReply')
    .where('feedbackId', '=', id)
    .select((eb) => eb.fn.countAll<number>().as('replies'))
    .executeTakeFirstOrThrow()
  if (Number(replies) !== seen) throw new Refusal('changed')
}

type Move = { move: 'answer' | 'ask' | 'close'; ownerId?: number; satisfaction?: number | null }

/** Makes the move if the state allows it, else refuses `feedback_closed`. With `ownerId`, only that person's own feedback is found. */
async function moveFeedback(
  { db, now }: Work,
  id: number,
  { move, ownerId, ...values }: Move,
): Promise<{ accountId: number; title: string }> {
  const { from, to } = feedbackMoves[move]
  let query = db
    .updateTable('feedback')
    .set({ status: to, updateTime: now, ...values })
    .where('id', '=', id)
  let found = db.selectFrom('feedback').where('id', '=', id)
  if (ownerId !== undefined) {
    query = query.where('accountId', '=', ownerId)
    found = found.where('accountId', '=', ownerId)
  }
  const moved = await query.where('status', 'in', from).returning(['accountId', 'title']).executeTakeFirst()
  if (moved) return moved
  throw new Refusal((await found.select('id').executeTakeFirst()) ? 'feedback_closed' : 'not_found')
}

const lapsed = (now: Date) => new Date(now.getTime() - feedbackLapseDays * dayMs).toISOString()

/** Feedback that was answered, and to which the author has added nothing for `feedbackLapseDays`. */
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
  async run({ db, now }, { id }) {
    const { numUpdatedRows } = await db
      .updateTable('feedback')
      .set({ status: feedbackMoves.lapse.to, updateTime: now })
      .where('id', '=', id)
      .where('status', 'in', feedbackMoves.lapse.from)
      .where('updateTime', '<', lapsed(now))
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },
}

/** Closes feedback that lapses. Answers how many it closed. */
export const lapseFeedback = (services: Services, signal?: AbortSignal) => workThrough(services, feedbackThatLapses, signal)
