import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { StartRefused } from '../config.ts'

const folder = fileURLToPath(new URL('../../../db/migrations/', import.meta.url))
/** Any constant, the same in every instance. */
const lockKey = 7_263_541
const lockNotAvailable = '55P03'

/** `until`: nothing after that one, for a backup of an older version. */
type Options = Partial<Patience> & { until?: string }
/** For how long a migration waits for a lock at once and altogether. */
type Patience = { lockMs: number; allMs: number; writeLine: (line: string) => void }

/** Runs what has not run yet, each file in a transaction, under a lock: whoever starts first. Returns the names that ran. */
export async function migrate(
  url: string,
  { until, lockMs = 2000, allMs = 300_000, writeLine = () => undefined }: Options = {},
): Promise<string[]> {
  const client = new pg.Client(url)
  // The query that was under way fails and says why.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey])
    await client.query(
      'create table if not exists migration (name text primary key, sha256 text not null, at timestamptz not null default now())',
    )
    const { rows } = await client.query<{ name: string; sha256: string }>('select name, sha256 from migration')
    const done = new Map(rows.map((row) => [row.name, row.sha256]))
    const ran: string[] = []
    const names = readdirSync(folder)
    if (until && !names.includes(until))
      throw new StartRefused(`This version does not know the migration ${until}; it is older than the backup.`)
    for (const name of names.filter((file) => file.endsWith('.sql') && (!until || file <= until)).toSorted()) {
      const sql = readFileSync(folder + name, 'utf8')
      const sha256 = createHash('sha256').update(sql).digest('hex')
      if (done.has(name)) {
        if (done.get(name) !== sha256)
          throw new StartRefused(`The migration ${name} was changed after it ran; migrations only move forward.`)
        continue
      }
      await run(client, { name, sql, sha256 }, { lockMs, allMs, writeLine })
      ran.push(name)
    }
    return ran
  } finally {
    await client.end()
  }
}

/**
 * Whoever asks for a table waits behind a migration that waits for it, for as long as a backup reads it. So the migration gives way after a moment
 * and is tried again.
 */
async function run(
  client: pg.Client,
  { name, sql, sha256 }: { name: string; sql: string; sha256: string },
  { lockMs, allMs, writeLine }: Patience,
): Promise<void> {
  const since = performance.now()
  for (let tries = 1; ; tries++)
    try {
      await client.query('begin')
      await client.query(`set local lock_timeout = ${lockMs}`)
      await client.query(sql)
      await client.query('insert into migration (name, sha256) values ($1, $2)', [name, sha256])
      await client.query('commit')
      return
    } catch (error) {
      if ((error as pg.DatabaseError).code !== lockNotAvailable) throw error
      await client.query('rollback')
      if (performance.now() - since > allMs)
        throw new StartRefused(`The migration ${name} did not get its locks; end what holds them, such as a backup, and start again.`)
      if (tries === 1) writeLine(`The migration ${name} waits for a lock that something else holds, such as a backup.`)
      await pause(lockMs)
    }
}
