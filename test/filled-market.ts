import pg from 'pg'
import { inject } from 'vitest'
import { recordingDatabase, Stopwatch } from './load/database-time.ts'
import { fillMarket } from './load/large.ts'
import { copyDatabase, makeOnce } from './template-db.ts'

/**
 * A database of some thousand rows in each table and `more`, whose statements are noted and explained. Its small tables are planned as large ones are.
 */
export async function openFilledMarket(...more: readonly string[]) {
  const [template, market] = [inject('template'), 'filled_market']
  await makeOnce(template, market, fill)
  const { url, drop } = await copyDatabase(template, market)
  const { db, pool, sent } = recordingDatabase(url)
  const stopwatch = await Stopwatch.open(url, { seqscan: 'off' })
  const client = new pg.Client(url)
  await client.connect()
  for (const statements of more) await client.query(statements)
  await client.query('vacuum (analyze)')
  await client.end()
  const close = async () => {
    await stopwatch.close()
    await pool.end()
    await drop()
  }
  return { db, pool, sent, stopwatch, close }
}

/** The rows that every such market has. */
async function fill(url: string) {
  const client = new pg.Client(url)
  await client.connect()
  await fillMarket(client, { companies: 1200, machines: 3000, demands: 3000, messages: 9000 })
  await client.end()
}
