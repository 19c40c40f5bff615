import { sql } from 'kysely'
import { accountStatus, maskPhone, smsRules } from '#shared/account/rules.ts'
import type { Received } from '#shared/endpoint.ts'
import type * as contract from '#shared/outbox/contract.ts'
import { outboxStatus, type outboxStates } from '#shared/outbox/rules.ts'
import { paths } from '#shared/paths.ts'
import { delFlag } from '#shared/rules.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { decrypt, encrypt, keyedHash } from '../actor/keyed-hash.ts'
import type { Config } from '../config.ts'
import type { Read } from '../db/connect.ts'
import { listOf, listPage, orderOf, pageId } from '../db/paging.ts'
import type { Deed } from '../deed.ts'
import { Refusal } from '../http/refusal.ts'
import { releaseItem, workThrough, type Queue } from '../queue/queue.ts'
import type { Services } from '../services.ts'
import { isUnsealed } from '../queue/unsealed.ts'

export type Letter = { phonenumber: string } & (
  | { template: 'code'; code: string }
  | { template: 'signCode'; code: string; title: string }
  | { template: 'registered' }
  | { template: 'notice'; title: string }
  | { template: 'firstPassword'; userName: string; password: string }
)

/** The text of an SMS, and the parameters of its template at a provider. */
export function wordsOf(
  letter: Letter,
  { site, publicUrl }: Pick<Config, 'site' | 'publicUrl'>,
): { content: string; params: [string, string][] } {
  const words = zhCn.personal.sms
  switch (letter.template) {
    case 'code':
      return { content: words.code(letter.code, smsRules.minutes), params: [['code', letter.code]] }
    case 'signCode':
      return {
        content: words.signCode(letter.code, smsRules.minutes, letter.title),
        params: [
          ['code', letter.code],
          ['title', short(letter.title)],
        ],
      }
    case 'registered':
      return { content: words.registered, params: [] }
    case 'firstPassword':
      return {
        content: words.firstPassword(site.name, publicUrl ? publicUrl + paths.login() : '', letter.userName, letter.password),
        params: [
          ['name', letter.userName],
          ['password', letter.password],
        ],
      }
    case 'notice':
      return { content: words.notice(letter.title), params: [['title', short(letter.title)]] }
  }
}

/** Providers reject a longer variable. */
const short = (title: string) => [...title].slice(0, 20).join('')

/**
 * Sends at once and stores the text that was sent. In the demo, where no SMS leaves, codes and passwords are read in the outbox and where the
 * process runs. Anywhere else nobody but the phone gets to see them. False when the provider refused.
 */
export async function sendSms(
  { db, sms, writeLine, secret, config }: Pick<Services, 'db' | 'sms' | 'writeLine' | 'secret' | 'config'>,
  letter: Letter,
  now: Date,
): Promise<boolean> {
  const { content: clear, params } = wordsOf(letter, config)
  const isOpen = config.demo && sms.name === 'local'
  const content = isOpen || !secretTemplates.includes(letter.template) ? clear : zhCn.personal.sms.hidden
  let error = ''
  let providerId = ''
  try {
    providerId = await sms.send({ phonenumber: letter.phonenumber, template: letter.template, params }, now)
    if (sms.name === 'local') writeLine(`SMS to ${maskPhone(letter.phonenumber)}: ${content}`)
  } catch (failure) {
    error = (failure as Error).message.slice(0, 500)
    writeLine(`SMS to ${maskPhone(letter.phonenumber)} failed: ${error}`)
  }
  await db
    .insertInto('outbox')
    .values({
      phoneSealed: encrypt(secret, 'phone', letter.phonenumber),
      phoneHash: keyedHash(secret, 'phone', letter.phonenumber),
      template: letter.template,
      content,
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

const secretTemplates: readonly Letter['template'][] = ['code', 'signCode', 'firstPassword']

/**
 * Stores notices for the job that sends them: nothing leaves before the caller's transaction holds, nor in quiet hours. Urgent ones leave before
 * all others that are due.
 */
export async function queueNotices(
  db: Read,
  notices: readonly { accountId: number; title: string; notBefore: Date; urgent?: boolean; biddersOf?: number | undefined }[],
  now: Date,
): Promise<void> {
  if (notices.length === 0) return
  await db
    .insertInto('outbox')
    .values(
      notices.map(({ accountId, title, notBefore, urgent = false, biddersOf = null }) => ({
        accountId,
        template: 'notice',
        content: zhCn.personal.sms.notice(title),
        params: JSON.stringify({ title }),
        provider: '',
        createTime: now,
        notBefore,
        urgent,
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
const waitingNotices: Queue<{ key: string; id: number; isSealed: boolean }> = {
  job: 'sendSms',
  find: (db, now, ready) =>
    db
      .selectFrom('outbox')
      .where('template', '=', 'notice')
      .where('status', '<>', outboxStatus.sent)
      .where('notBefore', '<=', now.toISOString())
      .where(ready(sql.ref('outbox.id')))
      .orderBy('urgent', 'desc')
      .orderBy('notBefore')
      .limit(200)
      .select(['id', sql<string>`id::text`.as('key'), sql<boolean>`not ${isUnsealed('outbox')}`.as('isSealed')])
      .execute(),
  async run({ db, now, sms, writeLine, config, secret }, { id }) {
    const waiting = await db
      .selectFrom('outbox')
      .where('id', '=', id)
      .where('status', '<>', outboxStatus.sent)
      .forUpdate()
      .skipLocked()
      .select((eb) => [
        'content',
        'params',
        // The number that the account has now, none while it is locked; the version before stored one with the notice.
        eb
          .selectFrom('account')
          .whereRef('account.id', '=', 'outbox.accountId')
          .select(
            sql<string>`case when account.status = ${sql.lit(accountStatus.active)} and account.del_flag = ${sql.lit(delFlag.present)}
              then coalesce(account.phonenumber, '') else '' end`.as('phonenumber'),
          )
          .as('current'),
        'phonenumber as stored',
        'phoneSealed',
      ])
      .executeTakeFirst()
    if (!waiting) return false
    // One to the number that an account had before belongs to no account.
    const phonenumber = (waiting.current ?? waiting.stored) || (waiting.phoneSealed ? readNumber(secret, waiting.phoneSealed) : '')
    if (!phonenumber) {
      // The account has no number any more, or was locked since.
      await db.deleteFrom('outbox').where('id', '=', id).execute()
      return false
    }
    const letter = { phonenumber, template: 'notice', title: waiting.params?.title ?? titleOf(waiting.content) } as const
    const { content, params } = wordsOf(letter, config)
    const providerId = await sms.send({ phonenumber, template: letter.template, params }, now)
    if (sms.name === 'local') writeLine(`SMS to ${maskPhone(phonenumber)}: ${content}`)
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

/** Notices that failed. Nobody can send a code or a first password again. */
export const isToResend = sql<boolean>`(outbox.status = ${sql.lit(outboxStatus.failed)} and outbox.template = 'notice' and ${isUnsealed('outbox')})`

/** As it is written in the index `outbox_status`. */
const state = sql<(typeof outboxStates)[number]>`(case when outbox.status = ${sql.lit(outboxStatus.sent)} and outbox.provider = 'local'
  then 'local' else outbox.status end)`

/** The numbers are masked. `phonenumber` finds a whole number only, because they are encrypted. */
export async function listOutbox(
  { db, secret }: Pick<Services, 'db' | 'secret'>,
  { phonenumber, status, todo, sort, ...paging }: Received<typeof contract.listOutbox>['query'],
) {
  let query = db.selectFrom('outbox').where(isUnsealed('outbox'))
  if (phonenumber) {
    const number = phonenumber.replace(/\D/g, '')
    query = query.where(
      sql<boolean>`(outbox.phone_hash = ${keyedHash(secret, 'phone', number)}
        or outbox.account_id = any(array(select id from account where phonenumber = ${number})))`,
    )
  }
  if (status) query = query.where(state, '=', status)
  if (todo) query = query.where(isToResend)
  const list = listOf(
    query,
    'outbox.id',
    orderOf({ sort, columns: { createTime: { column: sql.ref('outbox.create_time') } }, id: 'outbox.id' }),
  )
  const card = db
    .selectFrom('outbox')
    .where('outbox.id', '=', pageId)
    .leftJoin('account', 'account.id', 'outbox.accountId')
    .select([
      'outbox.id',
      'outbox.phoneSealed',
      sql<string>`coalesce(account.phonenumber, outbox.phonenumber)`.as('phonenumber'),
      'outbox.template',
      'outbox.content',
      'outbox.provider',
      'outbox.providerId',
      state.as('status'),
      'outbox.error',
      'outbox.createTime',
      'outbox.sentTime',
    ])
  const { rows, ...counted } = await listPage(db, { list, paging, card })
  return {
    ...counted,
    rows: rows.map(({ phoneSealed, ...row }) => ({
      ...row,
      phonenumber: maskPhone(phoneSealed ? readNumber(secret, phoneSealed) : row.phonenumber),
    })),
  }
}

/** Nothing where the database came from a platform with another secret: the letter is shown all the same. */
function readNumber(secret: string, sealed: Buffer): string {
  try {
    return decrypt(secret, 'phone', sealed)
  } catch {
    return ''
  }
}

/** Makes a notice that failed due again, with all its tries before it. Codes and passwords are too old to be sent again. */
export async function resendLetter({ db, now }: Deed, id: number): Promise<void> {
  const letter = await db
    .selectFrom('outbox')
    .where('id', '=', id)
    .where(isUnsealed('outbox'))
    .forUpdate()
    .select(['status', 'template'])
    .executeTakeFirst()
  if (!letter) throw new Refusal('not_found')
  if (letter.template !== 'notice') throw new Refusal('outbox_code')
  if (letter.status !== outboxStatus.failed) throw new Refusal('changed')
  await db.updateTable('outbox').set({ status: outboxStatus.waiting, error: '', notBefore: now }).where('id', '=', id).execute()
  await releaseItem(db, 'sendSms', String(id))
}
