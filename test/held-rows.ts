import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Db, Tx } from '#server/db/connect.ts'

/** A transaction of a test's own, beside those that the product opens. */
export const inTransaction = <T>(db: Db, run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run)

/**
 * Runs the calls while all rows of a table are locked, and lets go when each of them waits for one. So all of them have read what they read before
 * any of them writes: a check that is apart from its write lets more than one pass.
 */
export const whileHeld = <T>(db: Db, table: string, calls: readonly (() => Promise<T>)[]): Promise<T[]> =>
  whileChanging(db, { begin: (tx) => sql`select from ${sql.table(table)} for update`.execute(tx) }, calls)

/**
 * Runs the calls during another write, which commits when each of them waits for it. Each is made when the one before waits, so they have the lock in
 * their order. `end`: what that write does once they wait.
 */
export async function whileChanging<T>(
  db: Db,
  { begin, end }: { begin: (tx: Tx) => Promise<unknown>; end?: (tx: Tx) => Promise<unknown> },
  calls: readonly (() => Promise<T>)[],
): Promise<T[]> {
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = inTransaction(db, async (tx) => {
    await begin(tx)
    held.resolve()
    await released.promise
    await end?.(tx)
  })
  await held.promise
  const running: Promise<T>[] = []
  try {
    for (const call of calls) {
      running.push(call())
      await expect.poll(() => waitingForLocks(db)).toBe(running.length)
    }
  } finally {
    released.resolve()
    await holding
  }
  return Promise.all(running)
}

/** How many statements wait for a lock of another transaction. */
export async function waitingForLocks(db: Db): Promise<number> {
  const { rows } = await sql`select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length
}
