// Ten thousand websockets in one process: what each costs, whether all are heard, how long one message to each takes.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { WebSocket } from 'ws'
import { startEmbedded } from '#server/db/embedded.ts'
import { pause, writeLine, startServer, until } from './product.ts'
import type { Bench } from './servers.ts'

const count = 10_000

export async function rows({ put }: Pick<Bench, 'put'>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'zhujitong-sockets-'))

  const database = await startEmbedded(join(folder, 'postgres'), () => undefined)
  const server = await startServer(database.url, join(folder, 'data'))
  const client = new pg.Client(database.url)
  const sockets: WebSocket[] = []
  try {
    await client.connect()
    // One person and one session for each connection; the token of session n is "bench-n".
    await client.query(
      `with people as (
         insert into account (user_name, password_hash, user_type, audit_status)
         select 'bench' || n, 'none', '1', '2' from generate_series(1, $1::int) n returning id, user_name)
       insert into session (token_hash, account_id, created_at, expires_at)
       select sha256(convert_to('bench-' || substr(user_name, 6), 'UTF8')), id, now(), now() + interval '1 hour' from people`,
      [count],
    )
    await pause(3000)
    const before = server.memoryMb()
    const began = performance.now()
    let heard = 0
    for (let first = 1; first <= count; first += 250)
      await Promise.all(
        Array.from({ length: Math.min(250, count - first + 1) }, (_, index) => open(first + index, () => heard++, server.port, sockets)),
      )
    const opened = performance.now() - began
    await pause(5000)
    const idle = server.memoryMb()
    const there = sockets.filter((socket) => socket.readyState === WebSocket.OPEN).length
    const each = ((idle - before) * 1024) / count
    writeLine(`    opened in ${(opened / 1000).toFixed(1)} s; ${before.toFixed(0)} MB before, ${idle.toFixed(0)} MB with all idle`)
    put(`${count} websockets in one process`, `${there} there, ${each.toFixed(1)} KB each`, '≤ 25 KB each', there === count && each <= 25)

    const pinged = performance.now()
    await Promise.all(sockets.map((socket) => answer(socket)))
    writeLine(`    heartbeats: all ${count} answered within ${(performance.now() - pinged).toFixed(0)} ms`)

    const { rows } = await client.query<{ id: number }>(`select id from account where user_name like 'bench%'`)
    const sentAt = performance.now()
    const message = { systemSubject: '系统公告', title: 'bench', content: '', isRead: '0' }
    await client.query('begin')
    for (let first = 0; first < rows.length; first += 1000)
      await client.query(
        `select pg_notify('zhujitong', json_build_object('kind', 'messages', 'message', $2::json, 'to', json_build_array(json_build_array(id, '1', 0)))::text) from unnest($1::bigint[]) id`,
        [rows.slice(first, first + 1000).map(({ id }) => id), JSON.stringify(message)],
      )
    await client.query('commit')
    await until(() => Promise.resolve(heard >= count), 30_000)
    const took = (performance.now() - sentAt) / 1000
    put('one message to each of them', `${heard} heard, the last after ${took.toFixed(2)} s`, '≤ 2 s', took <= 2)

    // An account receives a message at one process that another process sent, so some connections move over there.
    const other = await startServer(database.url, join(folder, 'other'))
    try {
      const moved = new Map<number, (at: number) => void>()
      for (const { id, n } of (
        await client.query<{ id: number; n: number }>(
          `select id, substr(user_name, 6)::int as n from account where user_name like 'bench%' order by id limit 200`,
        )
      ).rows)
        await open(n, () => moved.get(id)?.(performance.now()), other.port, sockets)
      const people = rows.slice(0, 200).map(({ id }) => id)
      const times: number[] = []
      for (let at = 0; at < 1000; at++) {
        const id = people[(at * 37) % people.length] ?? 0
        const began = performance.now()
        const arrived = new Promise<number>((done) => moved.set(id, done))
        await client.query(
          `select pg_notify('zhujitong', json_build_object('kind', 'messages', 'message', $2::json, 'to', json_build_array(json_build_array($1::bigint, '1', 0)))::text)`,
          [id, JSON.stringify(message)],
        )
        times.push((await arrived) - began)
      }
      times.sort((a, b) => a - b)
      const p99 = times[990] ?? Infinity
      put(
        'a message across two processes',
        `p50 ${times[500]?.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms of 1000`,
        'p99 ≤ 100 ms',
        p99 <= 100,
      )
    } finally {
      await other.stop()
    }
  } finally {
    for (const socket of sockets) socket.terminate()
    await client.end()
    await server.stop()
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function open(n: number, onMessage: () => void, port: number, sockets: WebSocket[]): Promise<void> {
  return new Promise((done, fail) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/schedule/websocket`, [`bench-${n}`], { perMessageDeflate: false })
    sockets.push(socket)
    socket.once('open', () => done())
    socket.once('error', fail)
    socket.on('message', (data: Buffer) => {
      if (data.toString() !== 'pong') onMessage()
    })
    // Heartbeat, as every client sends it, so that the server does not close the connection.
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
