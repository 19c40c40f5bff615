import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { z } from 'zod'
import { dayMs } from '#shared/calendar.ts'
import { migrate } from '../db/migrate.ts'
import { syncFolder, type Storage } from '../outside/storage.ts'

/** Stops a backup or restore; its message is one sentence for the person at the terminal. */
export class BackupRefused extends Error {}

const Manifest = z.object({
  at: z.string(),
  lastMigration: z.string(),
  tables: z.record(z.string(), z.object({ rows: z.number(), columns: z.array(z.string()) })),
  sequences: z.record(z.string(), z.string()),
  files: z.number(),
  /** Files that the database refers to and the storage no longer had. */
  missing: z.array(z.string()),
  /** First half of the secret's SHA-256. It shows whether sealed quotes can be opened without revealing the secret. */
  secret: z.string(),
})
type Manifest = z.infer<typeof Manifest>

export const fingerprint = (secret: string): string => createHash('sha256').update(`backup:${secret}`).digest('hex').slice(0, 32)

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

type Table = { name: string; columns: string[] }

/** All tables with their writable columns; a table comes after the tables it refers to. */
async function tablesOf(client: pg.Client): Promise<Table[]> {
  const { rows: columns } = await client.query<{ table: string; column: string }>(`
    select c.table_name as table, c.column_name as column from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.table_name <> 'migration' and c.is_generated = 'NEVER'
    order by c.table_name, c.ordinal_position`)
  const { rows: needs } = await client.query<{ table: string; needed: string }>(`
    select distinct a.relname as table, b.relname as needed from pg_constraint f join pg_class a on a.oid = f.conrelid
    join pg_class b on b.oid = f.confrelid where f.contype = 'f' and f.connamespace = 'public'::regnamespace and a.oid <> b.oid`)
  const left = new Map([...Map.groupBy(columns, ({ table }) => table)].map(([name, list]) => [name, list.map(({ column }) => column)]))
  const ordered: Table[] = []
  while (left.size > 0) {
    const ready = [...left.keys()].filter((name) => needs.every(({ table, needed }) => table !== name || !left.has(needed)))
    if (ready.length === 0) throw new BackupRefused(`Tables point to each other in a circle: ${[...left.keys()].join(', ')}.`)
    for (const name of ready) {
      ordered.push({ name, columns: left.get(name) ?? [] })
      left.delete(name)
    }
  }
  return ordered
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** A folder of a backup that is not complete. */
const partOf = (folder: string) => `${folder}.part`
const nameAt = (moment: Date) => moment.toISOString().slice(0, 19).replaceAll(':', '-')

type Writing = { into: string; secret: string; withSecret: boolean; now: Date }

/**
 * Writes database and files into a new folder under `into`. The server may run meanwhile, because one snapshot is read.
 * The folder gets its name when it is complete. Returns its path.
 */
export async function writeBackup(url: string, storage: Storage, writing: Writing): Promise<{ folder: string; manifest: Manifest }> {
  const { into, now } = writing
  const folder = join(into, nameAt(now))
  if (existsSync(folder)) throw new BackupRefused(`The folder ${folder} exists already.`)
  const part = partOf(folder)
  await deleteAbandoned(into, now)
  try {
    await mkdir(join(part, 'database'), { recursive: true, mode: 0o700 })
    await mkdir(join(part, 'files'), { recursive: true })
    const manifest = await writeParts(url, storage, part, writing)
    for (const inner of ['database', 'files', '']) await syncFolder(join(part, inner))
    await rename(part, folder)
    await syncFolder(into)
    return { folder, manifest }
  } catch (error) {
    await rm(part, { recursive: true, force: true })
    throw error
  }
}

/** Removes what a backup left whose process was killed more than a day ago. */
async function deleteAbandoned(into: string, now: Date): Promise<void> {
  const dayAgo = partOf(nameAt(new Date(now.getTime() - dayMs)))
  for (const name of existsSync(into) ? await readdir(into) : [])
    if (/^[\dT-]{19}\.part$/.test(name) && name < dayAgo) await rm(join(into, name), { recursive: true, force: true })
}

async function writeParts(url: string, storage: Storage, part: string, { secret, withSecret, now }: Writing): Promise<Manifest> {
  const manifest: Manifest = {
    at: now.toISOString(),
    lastMigration: '',
    tables: {},
    sequences: {},
    files: 0,
    missing: [],
    secret: fingerprint(secret),
  }
  const files = await connected(url, async (client) => {
    await client.query('begin isolation level repeatable read read only')
    manifest.lastMigration = (await client.query<{ name: string }>('select max(name) as name from migration')).rows[0]?.name ?? ''
    for (const { name, columns } of await tablesOf(client)) {
      const list = columns.map(quoted).join(', ')
      const stream = client.query(copyTo(`copy ${quoted(name)} (${list}) to stdout`))
      await pipeline(stream, createGzip(), createWriteStream(join(part, 'database', `${name}.copy.gz`), { flush: true }))
      manifest.tables[name] = { rows: stream.rowCount ?? 0, columns }
    }
    const { rows: sequences } = await client.query<{ name: string; last: string | null }>(
      `select sequencename as name, last_value::text as last from pg_sequences where schemaname = 'public'`,
    )
    for (const { name, last } of sequences) if (last !== null) manifest.sequences[name] = last
    const { rows } = await client.query<{ id: string; thumb: boolean }>('select id, has_thumbnail as thumb from file')
    await client.query('commit')
    return rows
  })
  for (const { id, thumb } of files)
    for (const key of thumb ? [id, `${id}-thumb`] : [id]) {
      const content = await storage.get(key)
      if (content) {
        await writeFile(join(part, 'files', key), content, { flush: true })
        manifest.files++
      } else manifest.missing.push(key)
    }
  if (withSecret) await writeFile(join(part, 'secret'), secret, { mode: 0o600, flush: true })
  await writeFile(join(part, 'manifest.json'), JSON.stringify(manifest, null, 1), { flush: true })
  await writeFile(join(part, 'manifest.sha256'), await sums(part), { flush: true })
  return manifest
}

async function sums(folder: string): Promise<string> {
  const paths = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name !== 'manifest.sha256')
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted()
  const lines: string[] = []
  for (const path of paths) {
    const hash = createHash('sha256')
    await pipeline(createReadStream(join(folder, path)), hash)
    lines.push(`${hash.digest('hex')}  ${path}\n`)
  }
  return lines.join('')
}

/** Returns the manifest of a backup, after checking that every file has the hash it was written with. */
export async function readBackup(folder: string): Promise<Manifest> {
  const path = join(folder, 'manifest.json')
  if (!existsSync(path)) throw new BackupRefused(`There is no backup in ${folder}.`)
  const written = await readFile(join(folder, 'manifest.sha256'), 'utf8')
  const now = await sums(folder)
  if (now !== written) {
    const known = new Set(written.split('\n'))
    const wrong = now.split('\n').find((line) => !known.has(line)) ?? written.split('\n').find((line) => !now.includes(line)) ?? ''
    throw new BackupRefused(`The backup is damaged: ${wrong.slice(66)}.`)
  }
  return Manifest.parse(JSON.parse(await readFile(path, 'utf8')))
}

/**
 * Fills an empty database and storage from a backup, of this version or an older one: the schema of that time first, the
 * rows, then the later migrations. Refuses a database that has accounts.
 */
export async function restoreBackup(url: string, storage: Storage, folder: string): Promise<Manifest> {
  const manifest = await readBackup(folder)
  await migrate(url, { until: manifest.lastMigration })
  await connected(url, async (client) => {
    const { rows } = await client.query<{ used: boolean; newer: boolean }>(
      'select exists (select 1 from account) as used, (select max(name) from migration) > $1 as newer',
      [manifest.lastMigration],
    )
    if (rows[0]?.used) throw new BackupRefused('The database is not empty: somebody has an account in it. Restore into an empty one.')
    if (rows[0]?.newer)
      throw new BackupRefused('The database is of a newer version than the backup. Restore into one that nothing was started on.')
    await client.query('begin')
    const tables = await tablesOf(client)
    await client.query(`truncate ${tables.map(({ name }) => quoted(name)).join(', ')} restart identity cascade`)
    for (const { name } of tables) {
      const saved = manifest.tables[name]
      if (!saved) continue
      // The backup contains the rows that triggers made, so no trigger may run again.
      await client.query(`alter table ${quoted(name)} disable trigger user`)
      const stream = client.query(copyFrom(`copy ${quoted(name)} (${saved.columns.map(quoted).join(', ')}) from stdin`))
      await pipeline(createReadStream(join(folder, 'database', `${name}.copy.gz`)), createGunzip(), stream)
      const { rows: counted } = await client.query<{ n: string }>(`select count(*) as n from ${quoted(name)}`)
      if (Number(counted[0]?.n) !== saved.rows) throw new BackupRefused(`The table ${name} has not as many rows as the backup says.`)
      await client.query(`alter table ${quoted(name)} enable trigger user`)
    }
    for (const [name, last] of Object.entries(manifest.sequences)) await client.query('select setval($1::regclass, $2)', [name, last])
    // Before the commit: where the storage fails, the database is still empty, and the restore can be repeated.
    for (const key of await readdir(join(folder, 'files'))) await storage.put(key, await readFile(join(folder, 'files', key)))
    await client.query('commit')
    await client.query('analyze')
  })
  await migrate(url)
  return manifest
}
