import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { dayOf } from '#shared/calendar.ts'
import { connect, type Db, type Read } from './connect.ts'

/**
 * The codes people read: XQ202611210007 is a prefix, a day in Shanghai and four digits or more. A code is taken on a connection of its own
 * and not in the caller's transaction, where everybody would wait for everybody's commit; a rolled back transaction leaves a gap. Because
 * nobody waits for another connection while holding this one, callers that hold a transaction cannot block each other.
 */
export class CodeCounter {
  private readonly db: Db
  private readonly pool: Pool

  constructor(url: string) {
    const { db, pool } = connect(url, 1)
    this.db = db
    this.pool = pool
  }

  async next(prefix: string, now: Date): Promise<string> {
    return (await this.take(prefix, now, 1))[0] as string
  }

  take(prefix: string, now: Date, count: number): Promise<string[]> {
    return nextCodes(this.db, prefix, dayOf(now), count)
  }

  async end(): Promise<void> {
    await this.pool.end()
  }
}

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
async function nextCodes(db: Read, prefix: string, day: string, count: number): Promise<string[]> {
  if (count === 0) return []
  const { rows } = await sql<{ last: number }>`
    with relaxed as materialized (select set_config('synchronous_commit', 'off', true))
    insert into code_counter (prefix, day, last) select ${prefix}, ${day}::date, ${count}::integer from relaxed
    on conflict (prefix, day) do update set last = code_counter.last + excluded.last returning last`.execute(db)
  const [row] = rows
  if (!row) throw new Error(`no codes of ${prefix}`)
  const first = row.last - count + 1
  return Array.from({ length: count }, (_, index) => `${prefix}${day.replaceAll('-', '')}${String(first + index).padStart(4, '0')}`)
}
