// Ten thousand websockets in one process: what each costs, whether all are heard, how long one message to each takes.
//   npm run bench:sockets            COUNT=10000 by default
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { WebSocket } from 'ws'
import { startEmbedded } from '#server/db/embedded.ts'

const count = Number(process.env.COUNT ?? 10_000)
const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'zhujitong-sockets-'))
const say = (line: string) => void process.stdout.write(`${line}\n`)

const database = await startEmbedded(join(folder, 'postgres'), () => undefined)
const port = await freePort()
const server = spawn(process.execPath, ['--expose-gc', join(root, 'src/server/main.ts')], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
  env: {
    ...process.env,
    NODE_ENV: 'production',
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: database.url,
    TOKEN_SECRET: 'a-secret-for-the-bench-of-more-than-32-letters',
    DEMO: '0',
    LOG_LEVEL: 'error',
  },
})
const client = new pg.Client(database.url)
const sockets: WebSocket[] = []
try {
  await until(() => fetch(`http://127.0.0.1:${port}/readyz`).then(({ ok }) => ok))
  await client.connect()
  // One person and one session for each connection; the token of session n is "bench-n".
  await client.query(
    `with people as (
       insert into account (user_name, password_hash, user_type, audit_status)
       select 'bench' || n, 'none', '9', '2' from generate_series(1, $1::int) n returning id, user_name)
     insert into session (token_hash, account_id, created_at, expires_at)
     select sha256(convert_to('bench-' || substr(user_name, 6), 'UTF8')), id, now(), now() + interval '1 hour' from people`,
    [count],
  )
  await pause(3000)
  const before = memory()
  const began = performance.now()
  let heard = 0
  for (let first = 1; first <= count; first += 250)
    await Promise.all(Array.from({ length: Math.min(250, count - first + 1) }, (_, index) => open(first + index, () => heard++)))
  const opened = performance.now() - began
  await pause(5000)
  const idle = memory()
  say(
    `connections         ${sockets.filter((socket) => socket.readyState === WebSocket.OPEN).length} of ${count}, opened in ${(opened / 1000).toFixed(1)} s`,
  )
  say(`memory              ${mb(before)} MB before, ${mb(idle)} MB with all idle: ${((idle - before) / count / 1024).toFixed(1)} KB each`)

  const pinged = performance.now()
  await Promise.all(sockets.map((socket) => answer(socket)))
  say(`heartbeats          all ${count} answered within ${(performance.now() - pinged).toFixed(0)} ms`)

  const { rows } = await client.query<{ id: number }>(`select id from account where user_name like 'bench%'`)
  const told = performance.now()
  const message = { messageId: '1', systemSubject: '系统公告', title: 'bench', content: '', isRead: '0' }
  await client.query('begin')
  for (let first = 0; first < rows.length; first += 1000)
    await client.query(
      `select pg_notify('zhujitong', json_build_object('kind', 'message', 'accountId', id, 'message', $2::json)::text) from unnest($1::bigint[]) id`,
      [rows.slice(first, first + 1000).map(({ id }) => id), JSON.stringify(message)],
    )
  await client.query('commit')
  await until(() => Promise.resolve(heard >= count), 30_000)
  say(`one message to each ${heard} heard, the last after ${((performance.now() - told) / 1000).toFixed(2)} s`)
  await pause(10_000)
  say(`memory afterwards   ${mb(memory())} MB`)
} finally {
  for (const socket of sockets) socket.terminate()
  await client.end()
  const ended = new Promise((done) => server.once('exit', done))
  server.kill('SIGTERM')
  await ended
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}

function open(n: number, onMessage: () => void): Promise<void> {
  return new Promise((done, fail) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/schedule/websocket`, [`bench-${n}`], { perMessageDeflate: false })
    sockets.push(socket)
    socket.once('open', () => done())
    socket.once('error', fail)
    socket.on('message', (data: Buffer) => {
      if (data.toString() !== 'pong') onMessage()
    })
    // As every client does, so that the server does not take it for gone.
    setInterval(() => socket.readyState === WebSocket.OPEN && socket.send('ping'), 20_000).unref()
  })
}

function answer(socket: WebSocket): Promise<void> {
  return new Promise((done) => {
    const hear = (data: Buffer) => {
      if (data.toString() !== 'pong') return
      socket.off('message', hear)
      done()
    }
    socket.on('message', hear)
    socket.send('ping')
  })
}

/** Resident bytes of the server process. */
function memory(): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) * 1024
}

function mb(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(0)
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, ms)
  })
}

async function until(check: () => Promise<boolean>, limit = 60_000): Promise<void> {
  const end = Date.now() + limit
  while (Date.now() < end) {
    if (await check().catch(() => false)) return
    await pause(20)
  }
  throw new Error('it did not come about in time')
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = probe.address() as AddressInfo
      probe.close(() => done(free))
    })
  })
}
