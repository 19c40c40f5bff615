import { sql, type RawBuilder } from 'kysely'
import { accountStatus, smsRules, userType } from '#shared/account/rules.ts'
import { dayMs, fromMoment, toMoment } from '#shared/calendar.ts'
import type { Received, Rows } from '#shared/endpoint.ts'
import type * as contract from '#shared/message/contract.ts'
import type { Message } from '#shared/message/contract.ts'
import { joinedKinds, messageKinds, sentSubjects, smsKinds, type MessageKind } from '#shared/message/kinds.ts'
import { isQuiet, lockedSubjects, subjectGroups, type SubjectGroup, type SystemSubject } from '#shared/message/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { inDept } from '#shared/paths.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { delFlag, yesNo } from '#shared/rules.ts'
import { lockAccountRow, type Actor } from '../actor/actor.ts'
import { companyOfAccount, deptsOfAccounts } from '../actor/scope.ts'
import type { Read } from '../db/connect.ts'
import { paged, sorted } from '../db/paging.ts'
import { contains, wordsOf } from '../db/search.ts'
import type { Context, Deed, Work } from '../deed.ts'
import { textOf } from '../http/locale.ts'
import { Refusal } from '../http/refusal.ts'
import { queueNotices } from '../outbox/queries.ts'
import type { Recipient } from './hub.ts'

/**
 * The receivers: these accounts, the people of these lessors, or the people of a department with those `named` beside them: ids, or an array that the
 * database makes. The link of a message to a department names it, because its people may work in another one when they follow it.
 */
export type Recipients =
  | { accounts: readonly number[] }
  | { companies: readonly number[] }
  | { dept: number; named?: readonly number[] | RawBuilder<number[]> }

export type Outgoing = {
  to: Recipients
  kind: MessageKind
  params: Record<string, string>
  bizType: string
  bizId: number | string
  link: string
  /** The demand whose bidders, or invited without a quote, are the receivers: until its opening the outbox shows nobody the SMS to them. */
  biddersOf?: number
}

/** What a message needs of the work that sends it. */
export type Sending = Pick<Work, 'db' | 'hub' | 'now' | 'afterCommit'>

/**
 * Stores the messages and sends them when the caller's transaction commits, each person as they chose for the
 * subject: not at all, quietly, or by SMS as well (outside their quiet hours; the same words up to a number in a day, and then in the app); some kinds
 * always go by SMS. Locked and deleted accounts get nothing. One statement, however many they are.
 */
export async function sendMessages(
  { db, hub, now, afterCommit }: Sending,
  { to, kind, params: given, bizType, bizId, link: address, biddersOf }: Outgoing,
): Promise<void> {
  const link = 'dept' in to ? inDept(address, to.dept) : address
  const { subject, level } = messageKinds[kind]
  const urgent = isAmong(kind, smsKinds)
  // A text that was cut in the middle of a sign is no JSON for the database.
  const params = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, (name === 'reason' ? withoutStop(value) : value).toWellFormed()]),
  )
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
    isRead: yesNo.no,
    readTime: null,
    createTime: toMoment(now),
    kind,
    params,
  }
  // Without a choice of their own, people get messages in the app and at once.
  const inApp = sql`(coalesce(in_app, ${yesNo.yes}) <> ${yesNo.no} or ${lockedSubjects.includes(subject)})`
  const isMuch = hasManyNotices({ title, now })
  const { rows } = await sql<{ recipients: Recipient[]; bySms: SmsWish[] }>`
    with people as (
      select a.id, a.phonenumber, c.in_app, c.push, c.sms, c.quiet_from, c.quiet_to
      from account a left join message_config c on c.account_id = a.id and c.system_subject = ${subject}
      where ${inAudience(to)} and a.status = ${accountStatus.active} and a.del_flag = ${delFlag.present}),
    joined as (${replacedBy({ kind, bizId, inApp })}),
    stored as (
      insert into message (account_id, system_subject, kind, params, title, content, level, biz_type, biz_id, link, create_time)
      select id, ${subject}, ${kind}, ${JSON.stringify(params)}::jsonb, ${title.slice(0, 200)}, ${content}, ${level}, ${bizType}, ${String(bizId)},
        ${link}, ${now.toISOString()}::timestamptz from people where ${inApp} or (not ${urgent} and sms = ${yesNo.yes} and ${isMuch})
      returning id, account_id)
    select coalesce((select json_agg(json_build_object('accountId', account_id, 'messageId', stored.id::text,
      'quiet', coalesce(push, ${yesNo.yes}) = ${yesNo.no} or account_id in (select account_id from joined),
      'replaces', (select count(*) from joined where joined.account_id = stored.account_id)))
      from stored join people on people.id = account_id), '[]') as recipients,
      coalesce((select json_agg(json_build_object('accountId', id, 'quietFrom', quiet_from, 'quietTo', quiet_to)) from people
      where (sms = ${yesNo.yes} or ${urgent}) and phonenumber is not null and id not in (select account_id from joined)
        and (${urgent} or not ${isMuch})
        and (${inApp} or not ${wasSentToday({ kind, title, now })})), '[]') as by_sms`.execute(db)
  const { recipients = [], bySms = [] } = rows[0] ?? {}
  if (recipients.length > 0) afterCommit(() => Promise.resolve(hub.announce(message, recipients)))
  await queueNotices(
    db,
    bySms.map((wish) => ({ accountId: wish.accountId, title, notBefore: urgent ? now : afterQuiet(wish, now), urgent, biddersOf })),
    now,
  )
}

/** A reason as somebody typed it, for a sentence that goes on after it and has a full stop of its own. */
const withoutStop = (reason: string) => reason.replace(/(?<=[^\s。.；;!！])[\s。.；;!！]+$/, '')

/**
 * Deletes the unread messages that one of a joined kind takes the place of; of whoever gets no messages in the app, none. Those that another
 * transaction is about to delete are left to it, so two that send to the same people do not wait for each other.
 */
const replacedBy = ({ kind, bizId, inApp }: { kind: MessageKind; bizId: number | string; inApp: RawBuilder<unknown> }) =>
  isAmong(kind, joinedKinds)
    ? sql`delete from message where id in (select m.id from message m join people on people.id = m.account_id
        where ${inApp} and m.is_read = ${sql.lit(yesNo.no)} and m.kind = ${sql.lit(kind)} and m.biz_id = ${String(bizId)} for update of m skip locked)
        returning account_id`
    : sql`select id as account_id from people where false`

/** Whether a person has had as many notices with these words as they get in a day: whoever signs in on many devices causes one each time. */
const hasManyNotices = ({ title, now }: { title: string; now: Date }) =>
  sql`((select count(*) from outbox o where o.account_id = people.id and o.params ->> 'title' = ${title}
    and o.create_time > ${new Date(now.getTime() - dayMs).toISOString()}::timestamptz) >= ${smsRules.sameNoticesPerDay})`

/** Whether the same news of a joined kind went to a person by SMS within a day. Whoever gets no messages in the app has no unread one that would say so. */
const wasSentToday = ({ kind, title, now }: { kind: MessageKind; title: string; now: Date }) =>
  isAmong(kind, joinedKinds)
    ? sql`exists (select from outbox o where o.account_id = people.id and o.params ->> 'title' = ${title}
        and o.create_time > ${new Date(now.getTime() - dayMs).toISOString()}::timestamptz)`
    : sql`false`

/** Whoever is locked or deleted is left out where the accounts are read, so an audience need not ask for it. */
const inAudience = (to: Recipients) =>
  'accounts' in to
    ? sql`a.id = any(${[...to.accounts]}::bigint[])`
    : 'companies' in to
      ? sql`a.company_id = any(${[...to.companies]}::bigint[]) and a.user_type = ${userType.lessor} and not a.driver_only`
      : sql`a.id in (select w.account_id from ${deptsOfAccounts} w where w.dept_id = ${to.dept}
          union select id from account where id = any(${to.named ?? []}::bigint[])
            and company_id = (select company_id from dept where id = ${to.dept}))`

/** Null where the person has chosen nothing. */
type SmsWish = { accountId: number; quietFrom: string | null; quietTo: string | null }

/** Now, or the end of the quiet hours if it is one of them. */
function afterQuiet(wish: SmsWish, now: Date): Date {
  const moment = toMoment(now)
  const minute = moment.slice(11, 16)
  const quietTo = wish.quietTo ?? ''
  if (!isQuiet(minute, { quietFrom: wish.quietFrom ?? '', quietTo })) return now
  const end = fromMoment(`${moment.slice(0, 10)} ${quietTo}:00`)
  return end > now ? end : new Date(end.getTime() + dayMs)
}

const defaultConfig = { inApp: yesNo.yes, push: yesNo.yes, sms: yesNo.no, quietFrom: '', quietTo: '' }

/** Every subject that is sent, with the person's own choice or the defaults. */
export async function listMessageConfig(db: Read, { accountId }: Actor, text: Text) {
  const rows = await db
    .selectFrom('messageConfig')
    .where('accountId', '=', accountId)
    .select(['systemSubject', 'inApp', 'push', 'sms', 'quietFrom', 'quietTo'])
    .execute()
  const chosen = new Map(rows.map((row) => [row.systemSubject, row]))
  return sentSubjects.map((systemSubject) => ({
    ...defaultConfig,
    ...chosen.get(systemSubject),
    systemSubject,
    label: text.account.message.subjects[systemSubject],
    group: groupOf(systemSubject),
    locked: lockedSubjects.includes(systemSubject),
  }))
}

const groupOf = (subject: SystemSubject): SubjectGroup =>
  (Object.keys(subjectGroups) as SubjectGroup[]).find((group) => isAmong(subject, subjectGroups[group])) ?? 'account'

export async function saveMessageConfig(
  { db, actor: { accountId } }: Deed,
  list: Received<typeof contract.saveMessageConfig>['body'],
): Promise<void> {
  // Of two that are saved at once the second one replaces the first.
  await lockAccountRow(db, accountId)
  await db.deleteFrom('messageConfig').where('accountId', '=', accountId).execute()
  await db
    .insertInto('messageConfig')
    .values([...new Map(list.map((one) => [one.systemSubject, { ...one, accountId }])).values()])
    .execute()
}

const columnsOfMessage = [
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

type MessageRow = Omit<Message, 'messageId'> & { id: number; kind: MessageKind; params: Record<string, string> }

/** Messages are stored in Chinese with their parameters; another language is made from these when they are read. */
function inLanguage(text: Text, { id, kind, params, ...row }: MessageRow): Message {
  const message = { ...row, messageId: String(id) }
  if (text.locale === 'zh-CN') return message
  const words = text.messages[kind]
  return { ...message, title: words.title(params), content: words.content(params) }
}

type Reader = Pick<Context, 'db' | 'locale'> & { actor: Actor }

export async function listOwnMessages(
  { db, actor, locale }: Reader,
  { systemSubject, isRead, keyword, sort, ...paging }: Received<typeof contract.listOwnMessages>['query'],
): Promise<Rows<Message>> {
  let query = db.selectFrom('message').where('accountId', '=', actor.accountId)
  if (systemSubject) query = query.where('systemSubject', '=', systemSubject)
  if (isRead) query = query.where('isRead', '=', isRead)
  if (keyword) query = query.where(holdsKeyword(textOf(locale), keyword))
  const { total, rows } = await paged(query, paging, (page) =>
    sorted(page, {
      sort,
      columns: { createTime: { column: sql.ref('message.create_time') } },
      id: 'message.id',
      usual: (every) => every.orderBy('isRead').orderBy('createTime', 'desc').orderBy('id', 'desc'),
    }).select(columnsOfMessage),
  )
  return { total, rows: rows.map((row) => inLanguage(textOf(locale), row)) }
}

/** Whether the words that a message is shown by hold the keyword: those that are stored, in another language those of its kind and its parameters. */
function holdsKeyword(text: Text, keyword: string): RawBuilder<boolean> {
  const words = wordsOf(keyword)
  const stored = sql<boolean>`(lower(title || ' ' || content) like all(${words.map(contains)}::text[]))`
  if (text.locale === 'zh-CN') return stored
  const shown = words.map(
    (word) => sql`(kind = any(${kindsThatSay(text, word)}::text[])
      or exists (select from jsonb_each_text(params) p where lower(p.value) like ${contains(word)}))`,
  )
  return sql<boolean>`(${stored} or ${sql.join(shown, sql` and `)})`
}

/** The kinds whose words, whatever is put into them, hold this one in lower case. */
function kindsThatSay(text: Text, word: string): MessageKind[] {
  const blank = new Proxy<Record<string, string>>({}, { get: () => '' })
  return (Object.keys(messageKinds) as MessageKind[]).filter((kind) => {
    const { title, content } = text.messages[kind]
    return `${title(blank)}\n${content(blank)}`.toLowerCase().includes(word)
  })
}

/** An own message, which is marked as read by this. */
export async function getMessage(deed: Deed & Pick<Reader, 'locale'>, id: number): Promise<Message> {
  const { db, actor, locale } = deed
  await markRead(deed, { messageIds: [id] })
  const row = await db
    .selectFrom('message')
    .where('accountId', '=', actor.accountId)
    .where('id', '=', id)
    .select(columnsOfMessage)
    .executeTakeFirst()
  if (!row) throw new Refusal('not_found')
  return inLanguage(textOf(locale), row)
}

/** Marks own messages as read: these, all, or all of a subject or with a keyword. */
export async function markRead(deed: Deed & Pick<Reader, 'locale'>, which: Received<typeof contract.readMessages>['body']): Promise<void> {
  const { actor, now } = deed
  let query = deed.db
    .updateTable('message')
    .set({ isRead: yesNo.yes, readTime: now })
    .where('accountId', '=', actor.accountId)
    .where('isRead', '=', yesNo.no)
  if ('messageIds' in which) query = query.where('id', 'in', which.messageIds)
  else {
    if (which.systemSubject) query = query.where('systemSubject', '=', which.systemSubject)
    if (which.keyword) query = query.where(holdsKeyword(textOf(deed.locale), which.keyword))
  }
  const { numUpdatedRows } = await query.executeTakeFirst()
  if (numUpdatedRows > 0n) announceUnread(deed)
}

/** The other pages of the person, on any device, count their unread messages again. */
const announceUnread = ({ hub, afterCommit, actor }: Deed) => afterCommit(() => Promise.resolve(hub.announceUnread(actor.accountId)))

export async function deleteMessage(deed: Deed, id: number): Promise<void> {
  if ((await deleteMessages(deed, [id])) === 0) throw new Refusal('not_found')
}

/** Deletes own messages: those of the ids, or all that are read. Answers how many it deleted. */
export async function deleteMessages(deed: Deed, ids: readonly number[] | undefined): Promise<number> {
  const own = deed.db.deleteFrom('message').where('accountId', '=', deed.actor.accountId)
  const { numDeletedRows } = await (ids ? own.where('id', 'in', ids) : own.where('isRead', '=', yesNo.yes)).executeTakeFirst()
  // Those that are read are counted nowhere.
  if (ids && numDeletedRows > 0n) announceUnread(deed)
  return Number(numDeletedRows)
}

export async function countUnread(db: Read, { accountId }: Actor): Promise<number> {
  const { unread } = await db
    .selectFrom('message')
    .where('accountId', '=', accountId)
    .where('isRead', '=', sql.lit(yesNo.no))
    .select((eb) => eb.fn.countAll<number>().as('unread'))
    .executeTakeFirstOrThrow()
  return unread
}

/** The messages about an object, one row for all people who got the same at the same moment; with a `companyId` those of its people. */
export function findMessagesAbout(
  db: Read,
  { bizType, id, companyId }: { bizType: 'demand' | 'contract'; id: number; companyId: number | null },
) {
  return (
    db
      .selectFrom('message')
      .innerJoin('account', 'account.id', 'message.accountId')
      .leftJoin('dept', 'dept.id', 'account.deptId')
      // As text: the index of the messages about an object is partial.
      .where('bizType', '=', sql.lit(bizType))
      .where('bizId', '=', String(id))
      .$if(companyId !== null, (query) => query.where(companyOfAccount, '=', companyId))
      .groupBy(['kind', 'message.createTime'])
      .orderBy('message.createTime')
      .select([
        'kind',
        'message.createTime',
        sql<Record<string, string>>`(array_agg(params order by message.id))[1]`.as('params'),
        (eb) => eb.fn.countAll<number>().as('people'),
      ])
      .execute()
  )
}
