import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { dayOf } from '#shared/calendar.ts'
import { connect, type Db, type Read } from './connect.ts'

/**
 * The codes people read: XQ202611210007 is a prefix, a day in Shanghai and four digits or more. A code is taken on a connection of its own
 * and not in the caller's transaction, where everybody would wait for everybody's commit; a rolled back transaction leaves a gap. Because
 * nobody waits for another connection while holding this one, callers that hold a transaction cannot block each other. Callers that wait at the same
 * time are served by one statement.
 */
export class CodeCounter {
  private readonly db: Db
  private readonly pool: Pool
  private readonly waiting = new Map<string, Waiting[]>()

  constructor(url: string, bounds: Parameters<typeof connect>[2] = {}) {
    const { db, pool } = connect(url, 1, bounds)
    this.db = db
    this.pool = pool
  }

  async next(prefix: string, now: Date): Promise<string> {
    return (await this.take(prefix, now, 1))[0] as string
  }

  take(prefix: string, now: Date, count: number): Promise<string[]> {
    if (count === 0) return Promise.resolve([])
    const day = dayOf(now)
    const key = `${prefix} ${day}`
    return new Promise((done, failed) => {
      const others = this.waiting.get(key)
      if (others) return void others.push({ count, done, failed })
      this.waiting.set(key, [{ count, done, failed }])
      void this.serve(key, { prefix, day })
    })
  }

  /** Serves those who wait for such codes until nobody does. */
  private async serve(key: string, { prefix, day }: { prefix: string; day: string }): Promise<void> {
    for (let callers = this.waiting.get(key) ?? []; callers.length > 0; callers = this.waiting.get(key) ?? []) {
      this.waiting.set(key, [])
      const total = callers.reduce((sum, { count }) => sum + count, 0)
      try {
        const codes = await nextCodes(this.db, { prefix, day, count: total })
        for (const { count, done } of callers) done(codes.splice(0, count))
      } catch (error) {
        for (const { failed } of callers) failed(error)
      }
    }
    this.waiting.delete(key)
  }

  async end(): Promise<void> {
    await this.pool.end()
  }
}

type Waiting = { count: number; done: (codes: string[]) => void; failed: (error: unknown) => void }

/** Digits and letters that nobody takes for one another. */
const codeLetters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** A code that tells nobody how many others there are: BJ20261121K7M2QX9P is a prefix, a day in Shanghai and eight random letters. */
export function randomCode(prefix: string, now: Date): string {
  const letters = Array.from({ length: 8 }, () => codeLetters[randomInt(codeLetters.length)])
  return `${prefix}${dayOf(now).replaceAll('-', '')}${letters.join('')}`
}

/**
 * The commit does not wait for the disk: a code is used by a later commit that does wait, so a crash forgets only codes that nothing
 * stored uses.
 */
async function nextCodes(db: Read, { prefix, day, count }: { prefix: string; day: string; count: number }): Promise<string[]> {
  const { rows } = await sql<{ last: number }>`
    with relaxed as materialized (select set_config('synchronous_commit', 'off', true))
    insert into code_counter (prefix, day, last) select ${prefix}, ${day}::date, ${count}::integer from relaxed
    on conflict (prefix, day) do update set last = code_counter.last + excluded.last returning last`.execute(db)
  const [row] = rows
  if (!row) throw new Error(`no codes of ${prefix}`)
  const first = row.last - count + 1
  return Array.from({ length: count }, (_, index) => `${prefix}${day.replaceAll('-', '')}${String(first + index).padStart(4, '0')}`)
}
