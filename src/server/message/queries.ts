import { sql } from 'kysely'
import type { Rows } from '#shared/endpoint.ts'
import type { Message } from '#shared/message/contract.ts'
import {
  isQuiet,
  lockedSubjects,
  messageKinds,
  subjectGroups,
  systemSubjects,
  type MessageKind,
  type SubjectGroup,
  type SystemSubject,
} from '#shared/message/rules.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { fromMoment, toMoment } from '#shared/calendar.ts'
import type { YesNo } from '#shared/rules.ts'
import type { Db, Read } from '../db/connect.ts'
import type { Work } from '../deed.ts'
import { queueNotices } from '../outbox/queries.ts'

type Params = Record<string, string>

/** The people who should hear of something: these, those of companies that let machines, or those of a department. */
export type Recipients = { accounts: readonly number[] } | { companies: readonly number[] } | { dept: number }

export type Outgoing = {
  to: Recipients
  kind: MessageKind
  params: Params
  bizType: string
  bizId: number | string
  link: string
}

/** What a message needs of the work that sends it. */
export type Sending = Pick<Work, 'hub' | 'now'> & { db: Read }

/**
 * Stores the messages and sends them when the caller's transaction commits, each person as he wants to hear of the
 * subject: not at all, quietly, or by SMS as well (outside his quiet hours). One statement, however many they are.
 */
export async function sendMessages({ db, hub, now }: Sending, { to, kind, params, bizType, bizId, link }: Outgoing): Promise<void> {
  const { subject, level } = messageKinds[kind]
  const title = zhCn.messages[kind].title(params)
  const content = zhCn.messages[kind].content(params).slice(0, 1000)
  const message = {
    systemSubject: subject,
    title,
    content,
    level,
    bizType,
    bizId: String(bizId),
    link,
    isRead: '0' as const,
    readTime: null,
    createTime: toMoment(now),
    kind,
    params,
  }
  // Who never changed his wishes hears in the app and at once.
  const { rows } = await sql<{ bySms: Wish[] }>`
    with people as (
      select a.id, a.phonenumber, c.in_app, c.push, c.sms, c.quiet_from, c.quiet_to
      from account a left join message_config c on c.account_id = a.id and c.system_subject = ${subject} where ${among(to)}),
    stored as (
      insert into message (account_id, system_subject, kind, params, title, content, level, biz_type, biz_id, link, create_time)
      select id, ${subject}, ${kind}, ${JSON.stringify(params)}::jsonb, ${title.slice(0, 200)}, ${content}, ${level}, ${bizType}, ${String(bizId)},
        ${link}, ${now.toISOString()}::timestamptz from people where coalesce(in_app, '1') <> '0' or ${lockedSubjects.includes(subject)}
      returning id, account_id),
    told as (select account_id, stored.id, coalesce(push, '1') = '0' as quiet from stored join people on people.id = account_id),
    sent as (${hub.signals('told', message)})
    select coalesce((select json_agg(json_build_object('phonenumber', phonenumber, 'quietFrom', quiet_from, 'quietTo', quiet_to)) from people
      where sms = '1' and phonenumber is not null), '[]') as by_sms, (select count(signal) from sent)`.execute(db)
  await queueNotices(
    db,
    (rows[0]?.bySms ?? []).map((wish) => ({ phonenumber: wish.phonenumber, title, notBefore: afterQuiet(wish, now) })),
    now,
  )
}

const among = (to: Recipients) =>
  'accounts' in to
    ? sql`a.id = any(${[...to.accounts]}::bigint[])`
    : 'companies' in to
      ? sql`a.company_id = any(${[...to.companies]}::bigint[]) and a.user_type = '4' and a.status = '0' and a.del_flag = '0'`
      : sql`a.id in (select id from account where dept_id = ${to.dept} and status = '0' and del_flag = '0'
          union select account_id from account_dept where dept_id = ${to.dept})`

type Wish = { phonenumber: string; quietFrom: string; quietTo: string }

/** Now, or the end of the quiet hours that it is. */
function afterQuiet(wish: Wish, now: Date): Date {
  const moment = toMoment(now)
  const minute = moment.slice(11, 16)
  if (!isQuiet(minute, wish)) return now
  const end = fromMoment(`${moment.slice(0, 10)} ${wish.quietTo}:00`)
  return end > now ? end : new Date(end.getTime() + 86_400_000)
}

/** Every subject, with what the person chose or the defaults. */
export async function findConfig(db: Read, accountId: number, text: Text) {
  const rows = await db
    .selectFrom('messageConfig')
    .where('accountId', '=', accountId)
    .select(['systemSubject', 'inApp', 'push', 'sms', 'quietFrom', 'quietTo'])
    .execute()
  const chosen = new Map(rows.map((row) => [row.systemSubject, row]))
  const groupOf = (subject: SystemSubject) =>
    (Object.keys(subjectGroups) as SubjectGroup[]).find((group) => (subjectGroups[group] as readonly string[]).includes(subject)) ??
    'account'
  return systemSubjects.map((systemSubject) => ({
    ...({ inApp: '1', push: '1', sms: '0', quietFrom: '', quietTo: '', ...chosen.get(systemSubject) } as {
      inApp: '0' | '1'
      push: '0' | '1'
      sms: '0' | '1'
      quietFrom: string
      quietTo: string
    }),
    systemSubject,
    label: text.account.message.subjects[systemSubject],
    group: groupOf(systemSubject),
    locked: lockedSubjects.includes(systemSubject),
  }))
}

export async function saveConfig(
  db: Db,
  accountId: number,
  list: readonly { systemSubject: string; inApp: YesNo; push: YesNo; sms: YesNo; quietFrom: string; quietTo: string }[],
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('messageConfig').where('accountId', '=', accountId).execute()
    await tx
      .insertInto('messageConfig')
      .values([...new Map(list.map((one) => [one.systemSubject, { ...one, accountId }])).values()])
      .execute()
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
    isRead?: YesNo | undefined
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

export async function markRead(
  db: Db,
  accountId: number,
  what: { messageIds: readonly number[] } | { all: true; systemSubject?: string | undefined },
  now: Date,
): Promise<void> {
  let query = db.updateTable('message').set({ isRead: '1', readTime: now }).where('accountId', '=', accountId).where('isRead', '=', '0')
  if ('messageIds' in what) query = query.where('id', 'in', what.messageIds)
  else if (what.systemSubject) query = query.where('systemSubject', '=', what.systemSubject)
  await query.execute()
}

export async function deleteMessage(db: Db, accountId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('message').where('accountId', '=', accountId).where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

/** Those of the ids, or all that are read. How many went. */
export async function deleteMessages(db: Db, accountId: number, ids: readonly number[] | undefined): Promise<number> {
  let query = db.deleteFrom('message').where('accountId', '=', accountId)
  query = ids ? query.where('id', 'in', ids) : query.where('isRead', '=', '1')
  const { numDeletedRows } = await query.executeTakeFirst()
  return Number(numDeletedRows)
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
