import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { sql } from 'kysely'
import { afterAll, inject } from 'vitest'
import { connect } from '#server/db/connect.ts'
import { copyDemo, lastMorning } from './template-db.ts'

/** A copy of the demo market as it is at the last ten o'clock in the morning, for one test file. */
export async function openDemo() {
  const folder = mkdtempSync(join(tmpdir(), 'zhujitong-market-'))
  const now = lastMorning(new Date())
  const { url, drop } = await copyDemo(inject('template'), folder, now)
  const { db } = connect(url)
  afterAll(async () => {
    await db.destroy()
    await drop()
    rmSync(folder, { recursive: true, force: true })
  })
  const rows = async <R>(query: ReturnType<typeof sql<R>>): Promise<R[]> => (await query.execute(db)).rows
  const count = async (query: ReturnType<typeof sql<{ n: number }>>) => (await rows(query))[0]?.n ?? 0
  return { folder, now, url, db, rows, count }
}
