// npm run faults: breaks each part of a running market and compares the acknowledged writes with the stored ones.
//   npm run faults -- database disk      only these; KILLS=50 of app and database each
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded, type Embedded } from '#server/db/embedded.ts'
import { demandStatus } from '#shared/demand/rules.ts'
import { freePort } from '#test/free-port.ts'
import { measure, pause, root, writeLine, startProgram, until, type Running } from '../load/product.ts'
import { crowds } from './crowds.ts'
import { Market, type Count } from './market.ts'
import { startWire } from './wire.ts'

const only = process.argv.slice(2)
const kills = Number(process.env.KILLS ?? 50)
const folder = mkdtempSync(join(tmpdir(), 'zhujitong-faults-'))
// Started by root the product becomes another user, who reads the clock in here.
chmodSync(folder, 0o711)
const failures: string[] = []
const secret = 'a-secret-for-the-faults-of-more-than-32-letters'

type Stage = {
  settings: Record<string, string>
  /** Where the market's calls go from now on. */
  door(origin: string): void
  app: Running
  market: Market
  database: Embedded
  wire: Awaited<ReturnType<typeof startWire>>
  restart(signal: NodeJS.Signals): Promise<number>
}
type Fault = {
  name: string
  expected: string
  run(stage: Stage): Promise<{ seen: string; held: boolean }>
  environment?: Record<string, string>
}

const nothingLost = ({ lost, double, wrong }: Count) => lost + double + wrong === 0
const counted = ({ acknowledged, found, lost, double, wrong, refused }: Count) =>
  `acknowledged ${acknowledged}, found ${found}, lost ${lost}, double ${double}, wrong ${wrong}, told to come again ${JSON.stringify(refused)}`

const clockFile = join(folder, 'clock')
const disk = join(folder, 'disk')
/** A small disk of memory, where this user may mount one. */
const hasDisk = (() => {
  mkdirSync(disk)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=700m', 'tmpfs', disk], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

const ready = (app: Running, limitMs = 30_000) =>
  until(() => fetch(`${app.origin}/readyz`, { signal: AbortSignal.timeout(2000) }).then(({ ok }) => ok), limitMs)
/** Keeps the market busy for `ms` while `harm` runs, and then until the product has recovered by itself. */
async function through({ app, market }: Stage, ms: number, harm: () => Promise<void>): Promise<number> {
  market.begin()
  await pause(ms)
  await harm()
  const recovered = await ready(app)
  await pause(ms)
  await market.end()
  await ready(app)
  return recovered
}

const faults: Fault[] = [
  {
    name: 'app',
    expected: `${kills} SIGKILLs of the app: nothing lost or double, each recovery ≤ 10 s`,
    async run(stage) {
      stage.market.begin()
      const times: number[] = []
      for (let n = 0; n < kills; n++) {
        await pause(100 + Math.random() * 300)
        times.push(await stage.restart('SIGKILL'))
      }
      await stage.market.end()
      const count = await stage.market.count()
      return {
        seen: `longest recovery ${Math.max(...times)} ms; ${counted(count)}`,
        held: nothingLost(count) && Math.max(...times) <= 10_000,
      }
    },
  },
  {
    name: 'database',
    expected: `${kills} SIGKILLs of the database: nothing lost or double, each recovery ≤ 10 s`,
    async run({ app, market, database }) {
      market.begin()
      const times: number[] = []
      for (let n = 0; n < kills; n++) {
        await pause(100 + Math.random() * 300)
        const pid = database.pid()
        if (pid) process.kill(pid, 'SIGKILL')
        await pause(60)
        times.push(60 + (await ready(app)))
      }
      await market.end()
      const count = await market.count()
      return {
        seen: `longest recovery ${Math.max(...times)} ms; ${counted(count)}`,
        held: nothingLost(count) && Math.max(...times) <= 10_000,
      }
    },
  },
  {
    name: 'rolling',
    expected: 'two instances behind nginx are restarted in turn under load, three times each: not one call fails',
    environment: { DRAIN_SECONDS: '4', DATABASE_CONNECTIONS: '10' },
    async run({ market, settings, door, app }) {
      const ports = [await freePort(), await freePort()]
      const start = (port: number) => startProgram('src/server/main.ts', { ...settings, PORT: String(port) })
      const instances = await Promise.all(ports.map(start))
      const front = await freePort()
      const file = join(folder, 'nginx.conf')
      writeFileSync(
        file,
        readFileSync(join(root, 'deploy/nginx.conf'), 'utf8')
          .replace('@APPS@', ports.map((port) => `server 127.0.0.1:${port} max_fails=0;`).join(' '))
          .replace('@LISTEN@', `127.0.0.1:${front}`)
          // All these people come from one address.
          .replace('rate=100r/s', 'rate=5000r/s'),
      )
      const nginx = spawn('nginx', ['-c', file, '-g', 'daemon off;'], { stdio: 'ignore' })
      const notStarted = new Promise<never>((_, fail) => {
        nginx.once('error', ({ message }) => fail(new Error(`nginx cannot be started (${message}); its Debian package is called nginx`)))
      })
      try {
        const origin = `http://127.0.0.1:${front}`
        await Promise.race([notStarted, until(() => fetch(`${origin}/healthz`).then(({ ok }) => ok), 5000)])
        door(origin)
        market.begin(6)
        const reads = measure({
          port: front,
          connections: 4,
          seconds: 60,
          pauseMs: 50,
          requests: [{ path: '/' }, { path: '/prod-api/business/region/tree' }],
        })
        for (let round = 0; round < 3; round++)
          for (const [at, port] of ports.entries()) {
            await instances[at]?.stop()
            instances[at] = await start(port)
            await pause(500)
          }
        await market.end()
        door(app.origin)
        const { answers } = await reads
        const count = await market.count()
        const failed = Object.keys(count.refused).filter((kind) => kind === 'broken' || Number(kind) >= 500)
        return {
          seen: `reads ${JSON.stringify(answers)}; ${counted(count)}`,
          held: nothingLost(count) && failed.length === 0 && Object.keys(answers).join() === '200',
        }
      } finally {
        nginx.kill()
        await Promise.all(instances.map((one) => one.stop()))
      }
    },
  },
  {
    name: 'restart',
    expected: 'the database is restarted in order five times: calls wait or are told 503, nothing lost',
    async run(stage) {
      const times: number[] = []
      for (let n = 0; n < 5; n++)
        times.push(
          await through(stage, 400, async () => {
            const pid = stage.database.pid()
            if (pid) process.kill(pid, 'SIGINT')
            await pause(60)
          }),
        )
      const count = await stage.market.count()
      return {
        seen: `longest recovery ${Math.max(...times)} ms; ${counted(count)}`,
        held: nothingLost(count) && Math.max(...times) <= 10_000,
      }
    },
  },
  {
    name: 'network',
    expected: 'the wire to the database is cut for 3 s and goes dead for 5 s: 503 or waiting, recovery ≤ 10 s',
    async run(stage) {
      const times: number[] = []
      for (const harm of ['cut', 'die'] as const)
        times.push(
          await through(stage, 1000, async () => {
            stage.wire[harm]()
            await pause(harm === 'cut' ? 3000 : 5000)
            stage.wire.mend()
          }),
        )
      const count = await stage.market.count()
      return {
        seen: `recovery ${times.join(' and ')} ms; ${counted(count)}`,
        held: nothingLost(count) && Math.max(...times) <= 10_000 && (count.refused['503'] ?? 0) > 0,
      }
    },
  },
  {
    name: 'disk',
    expected: 'the disk is full for 5 s: what writes is told 503, nothing half is stored, and it goes on by itself',
    async run(stage) {
      if (!hasDisk) return { seen: 'not run: this user may not mount a disk', held: false }
      const ballast = join(disk, 'ballast')
      const recovered = await through(stage, 1000, async () => {
        const end = Date.now() + 5000
        while (Date.now() < end) {
          for (let size = 64; size >= 1 / 64; size /= 4)
            for (;;) {
              const { bavail, bsize } = statfsSync(disk)
              if (bavail * bsize < size * 1_048_576) break
              writeFileSync(ballast, Buffer.alloc(size * 1_048_576), { flag: 'a' })
            }
          // The write-ahead log reuses existing files; this forces it to need new ones.
          await stage.market
            .query('create table ballast as select repeat(md5(n::text), 30) as text from generate_series(1, 100000) n')
            .catch(() => undefined)
          await pause(50)
        }
        rmSync(ballast, { force: true })
      })
      const count = await stage.market.count()
      return {
        seen: `recovery ${recovered} ms; ${counted(count)}`,
        held: nothingLost(count) && recovered <= 10_000 && (count.refused['503'] ?? 0) > 0,
      }
    },
  },
  {
    name: 'slow',
    expected: 'every commit waits 100 ms for its disk: slower, nothing refused that was begun, reads not held up',
    async run({ app, market }) {
      await market.query('alter system set commit_delay = 100000')
      await market.query('alter system set commit_siblings = 0')
      await market.query('select pg_reload_conf()')
      market.begin(8)
      await pause(500)
      const reads = await measure({
        port: app.port,
        connections: 4,
        seconds: 5,
        requests: [{ path: '/prod-api/business/equipment/firstPageList?pageSize=12' }],
      })
      await market.end()
      for (const name of ['commit_delay', 'commit_siblings']) await market.query(`alter system reset ${name}`)
      await market.query('select pg_reload_conf()')
      const count = await market.count()
      return {
        seen: `reads p99 ${reads.p99.toFixed(0)} ms; ${counted(count)}`,
        held: nothingLost(count) && reads.p99 < 500 && count.acknowledged > 0,
      }
    },
  },
  {
    name: 'connections',
    expected: 'no database connection is left for 5 s: 503 within 6 s instead of hanging, recovery by itself',
    async run(stage) {
      const taken: pg.Client[] = []
      let slowest = 0
      const recovered = await through(stage, 500, async () => {
        await stage.market.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'zhujitong' and pid <> pg_backend_pid()`,
        )
        for (;;) {
          const client = new pg.Client(stage.database.url)
          client.on('error', () => undefined)
          const open = await client.connect().then(
            () => true,
            () => false,
          )
          if (!open) break
          taken.push(client)
        }
        const began = Date.now()
        await fetch(`${stage.app.origin}/prod-api/business/equipment/firstPageList?pageNum=2`)
        slowest = Date.now() - began
        await pause(5000)
        await Promise.all(taken.map((client) => client.end()))
      })
      const count = await stage.market.count()
      return {
        seen: `${taken.length} taken, answer after ${slowest} ms, recovery ${recovered} ms; ${counted(count)}`,
        held: nothingLost(count) && slowest < 6000 && recovered <= 10_000,
      }
    },
  },
  {
    name: 'clock',
    expected: 'the clock jumps two days ahead and back: what is due opens once, nobody is lost, quotes go on',
    environment: { NODE_OPTIONS: `--import ${root}test/faults/clock.mjs`, CLOCK_FILE: clockFile },
    async run(stage) {
      const { market } = stage
      const due = await market.publish(25 * 3_600_000)
      market.begin()
      await pause(1500)
      writeFileSync(clockFile, String(2 * 86_400_000))
      // What the demo market has due before is opened first.
      const statusNow = async () => (await market.query<{ status: string }>('select status from demand where id = $1', [due]))[0]?.status
      await until(async () => (await statusNow()) === demandStatus.reviewing, 30_000).catch(() => undefined)
      writeFileSync(clockFile, '0')
      await pause(2000)
      await market.end()
      const [opened] = await market.query<{ n: string; status: string }>(
        `select (select count(*) from demand_event where demand_id = d.id and move = 'open') as n, status from demand d where id = $1`,
        [due],
      )
      const count = await market.count()
      return {
        seen: `opened ${opened?.n} times, status ${opened?.status}; ${counted(count)}`,
        held: nothingLost(count) && Number(opened?.n) === 1 && opened?.status === demandStatus.reviewing,
      }
    },
  },
  ...crowds,
]

/** A demo market, made once and copied for every fault. */
async function makeMarket(): Promise<void> {
  const database = await startEmbedded(join(folder, 'market'), () => undefined)
  const app = await startProgram('src/server/main.ts', {
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: database.url,
    TOKEN_SECRET: secret,
    DEMO: '1',
  })
  await app.stop()
  await database.stop()
}

async function play({ name, expected, run, environment = {} }: Fault): Promise<void> {
  const own = join(name === 'disk' && hasDisk ? disk : folder, `postgres-${name}`)
  execFileSync('cp', ['-a', join(folder, 'market'), own])
  const database = await startEmbedded(own, () => undefined, { practice: true })
  const wire = await startWire(new URL(database.url))
  const settings: Record<string, string> = {
    DATA_DIR: join(folder, `data-${name}`),
    DATABASE_URL: wire.url,
    TOKEN_SECRET: secret,
    DEMO: '1',
    CACHE_MS: '1000',
    LOG_LEVEL: process.env.VERBOSE ? 'error' : 'silent',
    ...environment,
  }
  let app = await startProgram('src/server/main.ts', settings)
  settings.PORT = String(app.port)
  let door: string | null = null
  const market = new Market(
    () => door ?? app.origin,
    () => database.url,
  )
  try {
    await market.prepare()
    const stage: Stage = {
      get app() {
        return app
      },
      settings,
      door: (origin) => void (door = origin),
      market,
      database,
      wire,
      restart: async (signal) => {
        await app.stop(signal)
        const began = Date.now()
        app = await startProgram('src/server/main.ts', settings)
        return Date.now() - began
      },
    }
    const { seen, held } = await run(stage)
    writeLine(`${held ? 'held  ' : 'FAILED'} ${name}\n       expected: ${expected}\n       seen: ${seen}`)
    if (!held) failures.push(name)
  } catch (error) {
    writeLine(`FAILED ${name}: ${String(error)}`)
    failures.push(name)
  } finally {
    await market.end()
    await app.stop()
    wire.close()
    await database.stop()
  }
}

try {
  await makeMarket()
  for (const fault of faults) if (only.length === 0 || only.includes(fault.name)) await play(fault)
} finally {
  if (hasDisk) execFileSync('umount', ['--lazy', disk])
  rmSync(folder, { recursive: true, force: true })
}
writeLine(failures.length === 0 ? 'all held' : `failed: ${failures.join(', ')}`)
process.exitCode = failures.length === 0 ? 0 : 1
