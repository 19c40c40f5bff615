import type { OutboxTemplate } from '#shared/outbox/contract.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { maskPhone, smsRules } from '#shared/account/rules.ts'
import type { OutboxStatus } from '#shared/outbox/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { audited } from '../audit/log.ts'
import type { Db, Read } from '../db/connect.ts'
import { Refusal } from '../http/refusal.ts'
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
      return { content: words.notice(letter.title), params: [['title', letter.title.slice(0, 20)]] }
  }
}

/**
 * Sends at once and keeps what was sent. With a real provider a code itself is not kept; without one the outbox is where
 * the operator reads it, and the log says it too. False when the provider refused.
 */
export async function sendSms({ db, sms, say }: Pick<Services, 'db' | 'sms' | 'say'>, letter: Letter, now: Date): Promise<boolean> {
  const { content, params } = wordsOf(letter)
  let error = ''
  try {
    await sms.send({ phonenumber: letter.phonenumber, template: letter.template, params }, now)
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
      status: error ? '2' : '1',
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
        content: zhCn.personal.sms.notice(title),
        provider: '',
        createTime: now,
        notBefore,
      })),
    )
    .execute()
}

/** Sends what waits. Each letter is taken by one instance only: its row is claimed before it leaves. */
export async function flushOutbox({ db, sms, say, clock }: Services): Promise<number> {
  let sent = 0
  for (;;) {
    const now = clock.now()
    const claimed = await db
      .updateTable('outbox')
      .set({ status: '1', provider: sms.name, sentTime: now })
      .where('id', '=', (eb) =>
        eb
          .selectFrom('outbox as waiting')
          .where('waiting.status', '=', '0')
          .where('waiting.notBefore', '<=', now.toISOString())
          .orderBy('waiting.notBefore')
          .limit(1)
          .forUpdate()
          .skipLocked()
          .select('waiting.id'),
      )
      .returning(['id', 'phonenumber', 'content'])
      .executeTakeFirst()
    if (!claimed) return sent
    try {
      await sms.send({ phonenumber: claimed.phonenumber, template: 'notice', params: [['title', claimed.content]] }, now)
      if (sms.name === 'local') say(`SMS to ${maskPhone(claimed.phonenumber)}: ${claimed.content}`)
      sent++
    } catch (failure) {
      await db
        .updateTable('outbox')
        .set({ status: '2', error: (failure as Error).message.slice(0, 500), sentTime: null })
        .where('id', '=', claimed.id)
        .execute()
    }
  }
}

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
    .select(['id', 'phonenumber', 'template', 'content', 'provider', 'status', 'error', 'createTime', 'sentTime'])
    .execute()
  return { total, rows: rows.map((row) => ({ ...row, template: row.template as OutboxTemplate, status: row.status as '0' | '1' | '2' })) }
}

/** A notice that failed waits again. */
export async function resendLetter(db: Db, actor: Actor, id: number, now: Date): Promise<void> {
  await db.transaction().execute((tx) =>
    audited(tx, actor, { action: 'outbox.resend', bizType: 'outbox', id }, now, async () => {
      const letter = await tx.selectFrom('outbox').where('id', '=', id).forUpdate().select(['status', 'template']).executeTakeFirst()
      if (!letter) throw new Refusal('not_found')
      if (letter.template !== 'notice') throw new Refusal('outbox_code')
      if (letter.status !== '2') throw new Refusal('changed')
      await tx.updateTable('outbox').set({ status: '0', error: '', notBefore: now }).where('id', '=', id).execute()
    }),
  )
}
