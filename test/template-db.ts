import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { seedDemo } from '#db/seed/demo.ts'
import { leavesOut } from '#db/seed/timeline.ts'
import { dayMs, dayOf } from '#shared/calendar.ts'
import { readConfig } from '#server/config.ts'
import { CodeCounter } from '#server/db/codes.ts'
import { connect } from '#server/db/connect.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { AnswerCache } from '#server/http/answer-cache.ts'
import { Hub } from '#server/message/hub.ts'
import { handClock, systemClock } from '#server/outside/clock.ts'
import { smsSender } from '#server/outside/sms.ts'
import { folderStorage } from '#server/outside/storage.ts'

/** Runs `work` on a freshly migrated database of its own PostgreSQL, which is thrown away afterwards. */
export async function withTemplate<T>(work: (url: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'zhujitong-test-'))
  const embedded = await startEmbedded(folder, () => undefined)
  try {
    await migrate(embedded.url)
    return await work(embedded.url)
  } finally {
    await embedded.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs some work on a connection of its own as the owner of the server of `template`. */
async function asAdmin<T>(template: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(urlOf(template, 'postgres'))
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/**
 * A copy of the template database, about 40 ms in memory; dropped by `close`. Copied file by file: through the log of the database, which is the
 * default, making and dropping it takes more than twice the time of a processor.
 */
export async function copyDatabase(template: string, of = 'zhujitong'): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `copy_${process.pid}_${Math.random().toString(36).slice(2, 10)}`
  const admin = adminOf(template)
  await admin.query(`create database ${name} template ${of} strategy file_copy`)
  return { url: urlOf(template, name), drop: () => dropDatabase(admin, name) }
}

const admins = new Map<string, pg.Pool>()

/** The one connection over which this process makes and drops its copies. It keeps no process alive. */
function adminOf(template: string): pg.Pool {
  const known = admins.get(template)
  if (known) return known
  const admin = new pg.Pool({ connectionString: urlOf(template, 'postgres'), max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true })
  // The database may end before this process.
  admin.on('error', () => undefined)
  admins.set(template, admin)
  return admin
}

function urlOf(template: string, name: string): string {
  const url = new URL(template)
  url.pathname = `/${name}`
  return url.href
}

/**
 * Drops a database. Connections that are on their way out may go by themselves, for whoever closes one would hear of an error if it were ended; any others
 * are ended. Not `with (force)`: it is refused while a vacuum of the server's own runs there, which a plain drop just stops.
 */
async function dropDatabase(client: pg.Client | pg.Pool, name: string): Promise<void> {
  const open = `from pg_stat_activity where datname = '${name}' and usename = user`
  for (let tries = 0; tries < 50; tries++) {
    const { rows } = await client.query(`select 1 ${open}`)
    if (rows.length === 0) break
    await pause(10)
  }
  await client.query(`select pg_terminate_backend(pid) ${open}`)
  await client.query(`drop database if exists ${name}`)
}

/**
 * Makes a database for the whole run from the template, unless it is there. It gets its name only when `fill` is done, and takes the place of one whose
 * making failed.
 */
export const makeOnce = (template: string, name: string, fill: (url: string) => Promise<void>): Promise<void> =>
  asAdmin(template, async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', [name])
    const { rows } = await client.query(`select 1 from pg_database where datname = '${name}'`)
    if (rows.length > 0) return
    const making = `${name}_making`
    await dropDatabase(client, making)
    await client.query(`create database ${making} template zhujitong strategy file_copy`)
    await fill(urlOf(template, making))
    await client.query(`alter database ${making} rename to ${name}`)
  })

/** Ten o'clock in Shanghai, today or yesterday: the dice and the hour decide what happens in the market, so its tests make it at a known one. */
export function lastMorning(now: Date): Date {
  const morning = Date.parse(`${dayOf(now)}T10:00:00+08:00`)
  return new Date(morning <= now.getTime() ? morning : morning - dayMs)
}

/**
 * A copy of the demo market with its files. The first caller creates it for the whole run, now or at the moment `made`. Made at a known moment it has to be
 * whole: no step of it may be refused.
 */
export async function copyDemo(template: string, files: string, made?: Date): Promise<{ url: string; drop(): Promise<void> }> {
  const market = 'demo_market'
  const stored = join(tmpdir(), `zhujitong-demo-files-${new URL(template).port}`)
  await makeOnce(template, market, (url) => fillDemo(url, stored, made))
  cpSync(stored, files, { recursive: true })
  return copyDatabase(template, market)
}

async function fillDemo(url: string, stored: string, made?: Date): Promise<void> {
  rmSync(stored, { recursive: true, force: true })
  const { db, pool } = connect(url)
  const codes = new CodeCounter(url)
  const hub = new Hub(db)
  const said: string[] = []
  try {
    await seedDemo({
      db,
      pool,
      codes,
      replica: null,
      config: readConfig({ LOG_LEVEL: 'silent' }),
      secret: demoSecret,
      clock: made ? handClock(made) : systemClock,
      storage: folderStorage(stored),
      scan: null,
      hub,
      answerCache: new AnswerCache(0),
      sms: smsSender(undefined),
      writeLine: (line) => void (made ? said.push(line) : console.log(line)),
    })
  } finally {
    await hub.stop()
    await codes.end()
    await db.destroy()
  }
  const leftOut = said.filter((line) => line.startsWith(leavesOut))
  if (leftOut.length > 0) throw new Error(leftOut.join('\n'))
}

/** Sealed quotes of the market open under this secret only. */
export const demoSecret = 'a-secret-for-journeys-of-more-than-32-letters'
