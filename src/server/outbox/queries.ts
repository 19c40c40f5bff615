import { sql } from 'kysely'
import type { OutboxTemplate } from '#shared/outbox/contract.ts'
import { outboxStatus } from '#shared/outbox/rules.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { maskPhone, smsRules } from '#shared/account/rules.ts'
import type { OutboxStatus } from '#shared/outbox/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { audited } from '../audit/log.ts'
import type { Db, Read } from '../db/connect.ts'
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
 * Sends at once and keeps what was sent. With a real provider a code itself is not kept; without one the outbox is where
 * the operator reads it, and the log says it too. False when the provider refused.
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

/** Notices by SMS wait for the clock: within the transaction of the deed nothing leaves yet, and quiet hours hold them back. */
export async function queueNotices(
  db: Read,
  notices: readonly { phonenumber: string; title: string; notBefore: Date }[],
  now: Date,
): Promise<void> {
  if (notices.length === 0) return
  await db
    .insertInto('outbox')
    .values(
      notices.map(({ phonenumber, title, notBefore }) => ({
        phonenumber,
        template: 'notice',
        content: wordsOf({ phonenumber, template: 'notice', title }).content,
        params: JSON.stringify({ title }),
        provider: '',
        createTime: now,
        notBefore,
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
  async run({ db: tx, now, sms, say }, { id }) {
    const waiting = await tx
      .selectFrom('outbox')
      .where('id', '=', id)
      .where('status', '<>', outboxStatus.sent)
      .forUpdate()
      .skipLocked()
      .select(['phonenumber', 'content', sql<{ title: string } | null>`params`.as('params')])
      .executeTakeFirst()
    if (!waiting) return false
    const { phonenumber } = waiting
    const letter = { phonenumber, template: 'notice', title: waiting.params?.title ?? titleOf(waiting.content) } as const
    const { content, params } = wordsOf(letter)
    const providerId = await sms.send({ phonenumber, template: letter.template, params }, now)
    if (sms.name === 'local') say(`SMS to ${maskPhone(phonenumber)}: ${content}`)
    await tx
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

/** Sends the notices that wait. How many left. */
export const flushOutbox = (services: Services, signal?: AbortSignal): Promise<number> => workThrough(services, waitingNotices, signal)

export async function findOutbox(
  db: Db,
  {
    phonenumber,
    status,
    pageNum,
    pageSize,
  }: { phonenumber?: string | undefined; status?: OutboxStatus | undefined; pageNum: number; pageSize: number },
) {
  let query = db.selectFrom('outbox')
  if (phonenumber) query = query.where('phonenumber', 'like', `${phonenumber.replace(/\D/g, '')}%`)
  if (status) query = query.where('status', '=', status)
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await query
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset((pageNum - 1) * pageSize)
    .select(['id', 'phonenumber', 'template', 'content', 'provider', 'providerId', 'status', 'error', 'createTime', 'sentTime'])
    .execute()
  return { total, rows: rows.map((row) => ({ ...row, template: row.template as OutboxTemplate, status: row.status as '0' | '1' | '2' })) }
}

/** A notice that failed is due again, with all its tries before it. */
export async function resendLetter(db: Db, actor: Actor, id: number, now: Date): Promise<void> {
  await db.transaction().execute((tx) =>
    audited(tx, actor, { action: 'outbox.resend', bizType: 'outbox', id }, now, async () => {
      const letter = await tx.selectFrom('outbox').where('id', '=', id).forUpdate().select(['status', 'template']).executeTakeFirst()
      if (!letter) throw new Refusal('not_found')
      if (letter.template !== 'notice') throw new Refusal('outbox_code')
      if (letter.status !== outboxStatus.failed) throw new Refusal('changed')
      await tx.updateTable('outbox').set({ status: outboxStatus.waiting, error: '', notBefore: now }).where('id', '=', id).execute()
      await releaseItem(tx, 'sendSms', String(id))
    }),
  )
}
