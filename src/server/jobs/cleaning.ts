import { sql } from 'kysely'
import { hourMs } from '#shared/calendar.ts'
import { contactStatus } from '#shared/contact/rules.ts'
import type { Tx } from '../db/connect.ts'
import type { Services } from '../services.ts'
import { forgetSettledItems, workThrough, type Queue } from '../queue/queue.ts'

/** In hours. */
const halfYear = 183 * 24

/** What is of no use any more, by the table it stands in. */
const deletions = {
  session: (tx, now) => tx.deleteFrom('session').where('expiresAt', '<', now.toISOString()).execute(),
  smsCode: (tx, now) => tx.deleteFrom('smsCode').where('createdAt', '<', before(now, 48)).execute(),
  // SMS to a number instead of an account. The index of numbers finds them, because no older one is left.
  outbox: (tx, now) => tx.deleteFrom('outbox').where('phoneHash', 'is not', null).where('createTime', '<', before(now, 48)).execute(),
  // Sign-in records are kept for half a year (the network security law asks for that much).
  signIn: (tx, now) => tx.deleteFrom('signIn').where('at', '<', before(now, halfYear)).execute(),
  // Once a request was answered, its purpose has ended (personal information protection law, art. 19).
  contact: (tx, now) =>
    tx.deleteFrom('contact').where('status', '=', contactStatus.handled).where('handleTime', '<', before(now, halfYear)).execute(),
  signInTicket: (tx, now) => tx.deleteFrom('signInTicket').where('expiresAt', '<', now.toISOString()).execute(),
  imageCode: (tx, now) => tx.deleteFrom('imageCode').where('expiresAt', '<', now.toISOString()).execute(),
  callLimit: (tx, now) => tx.deleteFrom('callLimit').where('since', '<', before(now, 24)).execute(),
  idempotency: (tx, now) => tx.deleteFrom('idempotency').where('at', '<', before(now, 24)).execute(),
  loginFailure: (tx, now) => tx.deleteFrom('loginFailure').where('at', '<', before(now, 1)).execute(),
  attempt: (tx, now) => tx.deleteFrom('attempt').where('since', '<', before(now, 24)).execute(),
  failedItem: (tx, now) => forgetSettledItems(tx, now),
} satisfies Record<string, (tx: Tx, now: Date) => Promise<unknown>>

const before = (now: Date, hours: number) => new Date(now.getTime() - hours * hourMs).toISOString()

const expiredRecords: Queue<{ key: string }> = {
  job: 'cleaning',
  async find(db, _, ready) {
    const { rows } = await sql<{
      key: string
    }>`select key from unnest(${Object.keys(deletions)}::text[]) key where ${ready(sql.ref('key'))}`.execute(db)
    return rows
  },
  async run({ db: tx, now }, { key }) {
    await deletions[key as keyof typeof deletions](tx, now)
    return false
  },
}

export const deleteExpired = (services: Services, signal?: AbortSignal) => workThrough(services, expiredRecords, signal)
