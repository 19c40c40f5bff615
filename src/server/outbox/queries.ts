import { sql } from 'kysely'
import { maskPhone, smsRules } from '#shared/account/rules.ts'
import type { Received } from '#shared/endpoint.ts'
import type * as contract from '#shared/outbox/contract.ts'
import { outboxStatus } from '#shared/outbox/rules.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import type { Read } from '../db/connect.ts'
import { paged } from '../db/paging.ts'
import type { Deed } from '../deed.ts'
import { Refusal } from '../http/refusal.ts'
import { releaseItem, workThrough, type Queue } from '../queue/queue.ts'
import type { Services } from '../services.ts'

export type Letter = { phonenumber: string } & (
  | { template: 'code'; code: string }
  | { template: 'registered' }
  | { template: 'notice'; title: string }
  | { template: 'firstPassword'; userName: string; password: string }
)

function wordsOf(letter: Letter): { content: string; params: [string, string][] } {
  const words = zhCn.personal.sms
  switch (letter.template) {
    case 'code':
      return { content: words.code(letter.code, smsRules.minutes), params: [['code', letter.code]] }
    case 'registered':
      return { content: words.registered, params: [] }
    case 'firstPassword':
      return {
        content: words.firstPassword(letter.userName, letter.password),
        params: [
          ['name', letter.userName],
          ['password', letter.password],
        ],
      }
    case 'notice':
      // Providers reject a longer variable.
      return { content: words.notice(letter.title), params: [['title', [...letter.title].slice(0, 20).join('')]] }
  }
}

/**
 * Sends at once and stores the text that was sent. With a real provider a code or password is not stored; without one, the operator reads it
 * in the outbox and in the log. False when the provider refused.
 */
export async function sendSms({ db, sms, say }: Pick<Services, 'db' | 'sms' | 'say'>, letter: Letter, now: Date): Promise<boolean> {
  const { content, params } = wordsOf(letter)
  let error = ''
  let providerId = ''
  try {
    providerId = await sms.send({ phonenumber: letter.phonenumber, template: letter.template, params }, now)
    if (sms.name === 'local') say(`SMS to ${maskPhone(letter.phonenumber)}: ${content}`)
  } catch (failure) {
    error = (failure as Error).message.slice(0, 500)
    say(`SMS to ${maskPhone(letter.phonenumber)} failed: ${error}`)
  }
  const hidden = (letter.template === 'code' || letter.template === 'firstPassword') && sms.name !== 'local'
  await db
    .insertInto('outbox')
    .values({
      phonenumber: letter.phonenumber,
      template: letter.template,
      content: hidden ? zhCn.personal.sms.hidden : content,
      provider: sms.name,
      providerId,
      status: error ? outboxStatus.failed : outboxStatus.sent,
      error,
      createTime: now,
      notBefore: now,
      sentTime: error ? null : now,
    })
    .execute()
  return !error
}

/** Stores notices for the job that sends them: nothing leaves before the caller's transaction holds, nor in quiet hours. */
export async function queueNotices(
  db: Read,
  notices: readonly { phonenumber: string; title: string; notBefore: Date; biddersOf?: number | undefined }[],
  now: Date,
): Promise<void> {
  if (notices.length === 0) return
  await db
    .insertInto('outbox')
    .values(
      notices.map(({ phonenumber, title, notBefore, biddersOf = null }) => ({
        phonenumber,
        template: 'notice',
        content: wordsOf({ phonenumber, template: 'notice', title }).content,
        params: JSON.stringify({ title }),
        provider: '',
        createTime: now,
        notBefore,
        sealedBy: biddersOf,
      })),
    )
    .execute()
}

/** The title of a notice that the version before stored as a finished sentence only. */
function titleOf(content: string): string {
  const [before = '', after = ''] = zhCn.personal.sms.notice('\n').split('\n')
  return content.slice(before.length, content.length - after.length)
}

/**
 * The row stays locked while the provider is asked, and is marked as sent after the provider's yes: of a process that dies in between,
 * the row waits again. The provider may then get the notice twice; it never gets lost.
 */
const waitingNotices: Queue<{ key: string; id: number }> = {
  job: 'sendSms',
  find: (db, now, ready) =>
    db
      .selectFrom('outbox')
      .where('template', '=', 'notice')
      .where('status', '<>', outboxStatus.sent)
      .where('notBefore', '<=', now.toISOString())
      .where(ready(sql.ref('outbox.id')))
      .orderBy('notBefore')
      .limit(200)
      .select(['id', sql<string>`id::text`.as('key')])
      .execute(),
  async run({ db, now, sms, say }, { id }) {
    const waiting = await db
      .selectFrom('outbox')
      .where('id', '=', id)
      .where('status', '<>', outboxStatus.sent)
      .forUpdate()
      .skipLocked()
      .select(['phonenumber', 'content', 'params'])
      .executeTakeFirst()
    if (!waiting) return false
    const { phonenumber } = waiting
    const letter = { phonenumber, template: 'notice', title: waiting.params?.title ?? titleOf(waiting.content) } as const
    const { content, params } = wordsOf(letter)
    const providerId = await sms.send({ phonenumber, template: letter.template, params }, now)
    if (sms.name === 'local') say(`SMS to ${maskPhone(phonenumber)}: ${content}`)
    await db
      .updateTable('outbox')
      .set({ status: outboxStatus.sent, error: '', provider: sms.name, providerId, sentTime: now })
      .where('id', '=', id)
      .execute()
    return true
  },
  failed: (tx, { id }, error) =>
    tx
      .updateTable('outbox')
      .set({ status: outboxStatus.failed, error })
      .where('id', '=', id)
      .where('status', '<>', outboxStatus.sent)
      .execute(),
}

/** Sends the notices that are due. Answers how many it sent. */
export const flushOutbox = (services: Services, signal?: AbortSignal): Promise<number> => workThrough(services, waitingNotices, signal)

/** A notice to bidders appears with the opening, because its receivers are those who have quoted. */
export const isUnsealed = sql<boolean>`(outbox.sealed_by is null
  or exists (select from demand d where d.id = outbox.sealed_by and d.open_time is not null))`

export function listOutbox(db: Read, { phonenumber, status, ...paging }: Received<typeof contract.listOutbox>['query']) {
  let query = db.selectFrom('outbox').where(isUnsealed)
  if (phonenumber) query = query.where('phonenumber', 'like', `${phonenumber.replace(/\D/g, '')}%`)
  if (status) query = query.where('status', '=', status)
  return paged(query, paging, (page) =>
    page
      .orderBy('id', 'desc')
      .select(['id', 'phonenumber', 'template', 'content', 'provider', 'providerId', 'status', 'error', 'createTime', 'sentTime']),
  )
}

/** Makes a notice that failed due again, with all its tries before it. Codes and passwords are too old to be sent again. */
export async function resendLetter({ db, now }: Deed, id: number): Promise<void> {
  const letter = await db
    .selectFrom('outbox')
    .where('id', '=', id)
    .where(isUnsealed)
    .forUpdate()
    .select(['status', 'template'])
    .executeTakeFirst()
  if (!letter) throw new Refusal('not_found')
  if (letter.template !== 'notice') throw new Refusal('outbox_code')
  if (letter.status !== outboxStatus.failed) throw new Refusal('changed')
  await db.updateTable('outbox').set({ status: outboxStatus.waiting, error: '', notBefore: now }).where('id', '=', id).execute()
  await releaseItem(db, 'sendSms', String(id))
}
