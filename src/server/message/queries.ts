import { sql } from 'kysely'
import type { Rows } from '#shared/endpoint.ts'
import type { Message } from '#shared/message/contract.ts'
import { messageKinds, type MessageKind, type SystemSubject } from '#shared/message/rules.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { toMoment } from '#shared/calendar.ts'
import type { Db, Read } from '../db/connect.ts'
import type { Hub } from './hub.ts'

type Params = Record<string, string>

export type Outgoing = {
  accountIds: readonly number[]
  kind: MessageKind
  params: Params
  bizType: string
  bizId: number | string
  link: string
}

/** Stores the messages and sends them when the caller's transaction commits. */
export async function sendMessages(
  db: Read,
  hub: Hub,
  { accountIds, kind, params, bizType, bizId, link }: Outgoing,
  now: Date,
): Promise<void> {
  if (accountIds.length === 0) return
  const { subject, level } = messageKinds[kind]
  const title = zhCn.messages[kind].title(params)
  const content = zhCn.messages[kind].content(params)
  const rows = await db
    .insertInto('message')
    .values(
      [...new Set(accountIds)].map((accountId) => ({
        accountId,
        systemSubject: subject,
        kind,
        params: JSON.stringify(params),
        title: title.slice(0, 200),
        content: content.slice(0, 1000),
        level,
        bizType,
        bizId: String(bizId),
        link,
        createTime: now,
      })),
    )
    .returning(['id', 'accountId'])
    .execute()
  for (const { id, accountId } of rows)
    await hub.tell(db, accountId, {
      messageId: String(id),
      systemSubject: subject,
      title,
      content: content.slice(0, 1000),
      level,
      bizType,
      bizId: String(bizId),
      link,
      isRead: '0',
      readTime: null,
      createTime: toMoment(now),
    })
}

const columns = [
  'id',
  'systemSubject',
  'kind',
  'params',
  'title',
  'content',
  'level',
  'bizType',
  'bizId',
  'link',
  'isRead',
  'readTime',
  'createTime',
] as const

type Row = {
  id: number
  systemSubject: string
  kind: string
  params: unknown
  title: string
  content: string
  level: string
  bizType: string
  bizId: string
  link: string
  isRead: string
  readTime: string | null
  createTime: string
}

/** Messages are stored in Chinese with their parameters; another language is written out when they are read. */
function inLanguage(text: Text, { id, kind, params, ...row }: Row): Message {
  const words = text.messages[kind as MessageKind]
  const chinese = text.locale === 'zh-CN'
  return {
    ...row,
    messageId: String(id),
    systemSubject: row.systemSubject as SystemSubject,
    level: row.level as Message['level'],
    isRead: row.isRead as Message['isRead'],
    title: chinese ? row.title : words.title(params as Params),
    content: chinese ? row.content : words.content(params as Params),
  }
}

export async function findOwnMessages(
  db: Read,
  accountId: number,
  filter: {
    systemSubject?: string | undefined
    isRead?: string | undefined
    keyword?: string | undefined
    pageNum: number
    pageSize: number
  },
  text: Text,
): Promise<Rows<Message>> {
  let query = db.selectFrom('message').where('accountId', '=', accountId)
  if (filter.systemSubject) query = query.where('systemSubject', '=', filter.systemSubject)
  if (filter.isRead) query = query.where('isRead', '=', filter.isRead)
  if (filter.keyword) {
    const pattern = `%${filter.keyword.replace(/[\\%_]/g, '\\$&')}%`
    query = query.where((eb) => eb.or([eb('title', 'like', pattern), eb('content', 'like', pattern)]))
  }
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await query
    .select(columns)
    .orderBy('isRead')
    .orderBy('id', 'desc')
    .limit(filter.pageSize)
    .offset((filter.pageNum - 1) * filter.pageSize)
    .execute()
  return { total, rows: rows.map((row) => inLanguage(text, row)) }
}

export async function readMessage(db: Db, accountId: number, id: number, now: Date, text: Text): Promise<Message | undefined> {
  await db
    .updateTable('message')
    .set({ isRead: '1', readTime: now })
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .where('isRead', '=', '0')
    .execute()
  const row = await db.selectFrom('message').where('accountId', '=', accountId).where('id', '=', id).select(columns).executeTakeFirst()
  return row && inLanguage(text, row)
}

export async function markRead(db: Db, accountId: number, ids: readonly number[] | 'all', now: Date): Promise<void> {
  let query = db.updateTable('message').set({ isRead: '1', readTime: now }).where('accountId', '=', accountId).where('isRead', '=', '0')
  if (ids !== 'all') query = query.where('id', 'in', ids)
  await query.execute()
}

export async function deleteMessage(db: Db, accountId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('message').where('accountId', '=', accountId).where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

export async function countUnread(db: Read, accountId: number): Promise<number> {
  const { unread } = await db
    .selectFrom('message')
    .where('accountId', '=', accountId)
    .where('isRead', '=', '0')
    .select((eb) => eb.fn.countAll<number>().as('unread'))
    .executeTakeFirstOrThrow()
  return unread
}

/** The people of companies (lessors) or departments who should hear of something. */
export function accountsOfCompanies(db: Read, companyIds: readonly number[]): Promise<number[]> {
  if (companyIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('account')
    .where('companyId', 'in', companyIds)
    .where('userType', '=', '4')
    .where('status', '=', '0')
    .where('delFlag', '=', '0')
    .select('id')
    .execute()
    .then((rows) => rows.map(({ id }) => id))
}

export async function accountsOfDept(db: Read, deptId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from account where dept_id = ${deptId} and status = '0' and del_flag = '0'
    union select account_id from account_dept where dept_id = ${deptId}`.execute(db)
  return rows.map(({ id }) => id)
}
