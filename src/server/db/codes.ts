import { sql } from 'kysely'
import type { Db } from './connect.ts'

type Waiting = { count: number; take: (codes: string[]) => void; fail: (error: unknown) => void }

/** Of each database, those who wait for codes of a prefix and day while others are being taken. */
const queues = new WeakMap<Db, Map<string, Waiting[]>>()

/**
 * XQ202611210007: prefix, day in Shanghai, four digits or more. Gaps are allowed, so it is taken outside the caller's
 * transaction: inside, everybody would wait for everybody's commit.
 */
export async function nextCode(db: Db, prefix: string, day: string): Promise<string> {
  return (await nextCodes(db, prefix, day, 1))[0] as string
}

/** Those who come while codes are being taken are served together afterwards, in their order. */
export async function nextCodes(db: Db, prefix: string, day: string, count: number): Promise<string[]> {
  if (count === 0) return []
  const own = queues.get(db) ?? new Map<string, Waiting[]>()
  queues.set(db, own)
  const key = prefix + day.replaceAll('-', '')
  return new Promise((take, fail) => {
    const waiting = { count, take, fail }
    const queue = own.get(key)
    if (queue) queue.push(waiting)
    else {
      own.set(key, [waiting])
      void serve(db, own, key, prefix, day)
    }
  })
}

async function serve(db: Db, own: Map<string, Waiting[]>, key: string, prefix: string, day: string): Promise<void> {
  for (;;) {
    const served = own.get(key) ?? []
    if (served.length === 0) {
      own.delete(key)
      return
    }
    own.set(key, [])
    try {
      const count = served.reduce((sum, one) => sum + one.count, 0)
      let next = (await takeNumbers(db, prefix, day, count)) - count
      for (const one of served) one.take(Array.from({ length: one.count }, () => `${key}${String(++next).padStart(4, '0')}`))
    } catch (error) {
      for (const one of served) one.fail(error)
    }
  }
}

/**
 * The last of so many numbers. Its commit does not wait for the disk: a number is used by a later one that does, and what a crash forgets
 * was not used by anything that is remembered.
 */
async function takeNumbers(db: Db, prefix: string, day: string, count: number): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    with hurry as materialized (select set_config('synchronous_commit', 'off', true))
    insert into code_counter (prefix, day, last) select ${prefix}, ${day}::date, ${count}::integer from hurry
    on conflict (prefix, day) do update set last = code_counter.last + excluded.last returning last`.execute(db)
  const [row] = rows
  if (!row) throw new Error(`no numbers of ${prefix}`)
  return row.last
}
