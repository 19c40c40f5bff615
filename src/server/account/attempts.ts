import { sql, type RawBuilder } from 'kysely'
import { minuteMs } from '#shared/calendar.ts'
import { keyedHash } from '../actor/keyed-hash.ts'
import type { Read } from '../db/connect.ts'

/** What attempts are counted with: on the pool where a refusal must not undo the count. */
export type Counting = { db: Read; now: Date; secret: string }

/**
 * At most `limit` attempts in so many minutes, counted from the first of them; once the limit is reached, from the last. `subject` is the name
 * that is tried, `place` where from; either may be left out.
 */
export type Counter = { scope: string; subject?: string; place?: string | Buffer; limit: number; minutes: number }

/**
 * Counts one attempt before it is checked, in one statement, so that of any number at once no more than `limit` are checked. Gives whether this
 * one may be, and how many before it were wrong.
 */
export async function countAttempt(
  { db, now, secret }: Counting,
  counter: Counter,
): Promise<{ tries: number; failures: number; isAllowed: boolean }> {
  const { scope, subject, limit, minutes } = counter
  const start = new Date(now.getTime() - minutes * minuteMs)
  const { rows } = await sql<{ tries: number; failures: number }>`
    insert into attempt (key, subject, since, tries)
      values (${keyOf(secret, counter)}, ${subject === undefined ? null : subjectOf(secret, scope, subject)}, ${now}, 1)
    on conflict (key) do update set
      tries = case when attempt.since <= ${start} then 1 else attempt.tries + 1 end,
      failures = case when attempt.since <= ${start} then 0 else attempt.failures end,
      since = case when attempt.since <= ${start} or attempt.tries + 1 = ${limit} then ${now} else attempt.since end
    returning tries, failures`.execute(db)
  const { tries = 1, failures = 0 } = rows[0] ?? {}
  return { tries, failures, isAllowed: tries <= limit }
}

/** Counts an attempt that was checked and wrong. Gives how many there are. */
export async function countFailure({ db, secret }: Counting, counter: Counter): Promise<number> {
  const row = await db
    .updateTable('attempt')
    .set((eb) => ({ failures: eb('failures', '+', 1) }))
    .where('key', '=', keyOf(secret, counter))
    .returning('failures')
    .executeTakeFirst()
  // Forgotten meanwhile, by somebody who signed in.
  return row?.failures ?? 0
}

/** Takes back an attempt that was not checked after all, or was right. */
export async function uncountAttempt({ db, secret }: Counting, counter: Counter): Promise<void> {
  await db
    .updateTable('attempt')
    .set((eb) => ({ tries: eb('tries', '-', 1) }))
    .where('key', '=', keyOf(secret, counter))
    .where('tries', '>', 0)
    .execute()
}

export async function forgetAttempts({ db, secret }: Omit<Counting, 'now'>, counter: Counter): Promise<void> {
  await db.deleteFrom('attempt').where('key', '=', keyOf(secret, counter)).execute()
}

/** Forgets everything that these count; one with a subject and no place stands for those of its scope at every place. */
export async function forgetAttemptsEverywhere({ db, secret }: Omit<Counting, 'now'>, counters: readonly Counter[]): Promise<void> {
  await db
    .deleteFrom('attempt')
    .where((eb) => eb.or(counters.map((counter) => isCountedBy(secret, counter))))
    .execute()
}

/** Since when one of these has reached its limit, null where none has; one with a subject and no place stands for those of its scope at every place. */
export async function findLock(
  { db, secret }: Omit<Counting, 'now'>,
  { counters, after }: { counters: readonly Counter[]; after: Date },
): Promise<string | null> {
  const { since } = await db
    .selectFrom('attempt')
    .where((eb) => eb.or(counters.map((counter) => eb.and([isCountedBy(secret, counter), eb('tries', '>=', counter.limit)]))))
    .where('since', '>', after.toISOString())
    .select((eb) => eb.fn.max('since').as('since'))
    .executeTakeFirstOrThrow()
  return since
}

const isCountedBy = (secret: string, counter: Counter): RawBuilder<boolean> =>
  counter.subject === undefined || counter.place !== undefined
    ? sql<boolean>`key = ${keyOf(secret, counter)}`
    : sql<boolean>`subject = ${subjectOf(secret, counter.scope, counter.subject)}`

/** Counters of one scope and subject have it in common, wherever they are. */
const subjectOf = (secret: string, scope: string, subject: string): Buffer =>
  keyedHash(secret, 'attempt', `subject ${JSON.stringify([scope, subject])}`)

const keyOf = (secret: string, { scope, subject = '', place = '' }: Counter): Buffer =>
  keyedHash(secret, 'attempt', JSON.stringify([scope, subject, typeof place === 'string' ? place : place.toString('hex')]))
