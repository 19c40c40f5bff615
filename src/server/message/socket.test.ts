import { sql } from 'kysely'
import { once } from 'node:events'
import { connect as connectTo, createServer, type AddressInfo, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { accountStatus, loginRules } from '#shared/account/rules.ts'
import { companyStatus } from '#shared/company/rules.ts'
import { deleteMessage, getMessage, readMessages } from '#shared/message/contract.ts'
import { buildApp } from '#server/app.ts'
import { openWorld } from '#test/world.ts'
import { insertSession } from '../account/sessions.ts'
import { edgeBounds } from '../http/bounds.ts'
import { Hub } from './hub.ts'

const world = await openWorld()
const { db, cast, clock } = world
const hub = new Hub(db, { socketsOfSession: 3, socketUnreadBytes: 1000 })
const { server } = await buildApp({ ...world.services, hub }, undefined, { sessionCheckMs: 20 })
let host = ''
beforeAll(async () => {
  await hub.listen(world.url, () => undefined)
  await server.listen({ port: 0, host: '127.0.0.1' })
  host = `127.0.0.1:${(server.server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await hub.stop()
  await server.close()
  await world.close()
})

const connect = (token: string | null, origin?: string) =>
  new WebSocket(`ws://${host}/schedule/websocket`, [token ?? ''], origin ? { origin } : {})
async function open(token: string | null, origin?: string) {
  const socket = connect(token, origin)
  await once(socket, 'open')
  return socket
}
const closeCode = async (socket: WebSocket) => ((await once(socket, 'close')) as [number])[0]
const heardBy = async (socket: WebSocket) => String(((await once(socket, 'message')) as [Buffer])[0])
const ping = async (socket: WebSocket) => {
  socket.send('ping')
  return heardBy(socket)
}
const givenSession = (accountId: number) => insertSession({ db, now: clock.now(), address: '', agent: '' }, { accountId })

test('the page of another site cannot connect, even with a good token', async () => {
  for (const origin of ['https://evil.example', 'null', `http://${host}.evil.example`]) {
    const [, response] = (await once(connect(cast.project.token, origin), 'unexpected-response')) as [unknown, { statusCode: number }]
    expect([origin, response.statusCode]).toEqual([origin, 403])
  }
  const own = await open(cast.project.token, `http://${host}`)
  expect(await ping(own)).toBe('pong')
  own.close()
})

test('no other address accepts a websocket', async () => {
  for (const path of ['/', '/prod-api/business/category/tree', '/healthz', '/nothing']) {
    const socket = new WebSocket(`ws://${host}${path}`, [cast.project.token ?? ''])
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }]
    expect([path, response.statusCode]).toEqual([path, 404])
  }
})

test('behind a proxy the page of the configured address connects', async () => {
  const behind = await buildApp({ ...world.services, config: { ...world.services.config, publicUrl: 'https://market.example' } })
  await behind.server.listen({ port: 0, host: '127.0.0.1' })
  const address = `ws://127.0.0.1:${(behind.server.server.address() as AddressInfo).port}/schedule/websocket`
  const socket = new WebSocket(address, [cast.project.token ?? ''], { origin: 'https://market.example' })
  await once(socket, 'open')
  socket.terminate()
  await behind.server.close()
})

test('a session has so many sockets and no more; when one closes, another may open', async () => {
  const token = await givenSession(cast.lessee.id)
  // All at once: what is counted may not be counted before the others are there.
  const sockets = Array.from({ length: 6 }, () => connect(token))
  const codes: number[] = []
  for (const socket of sockets) socket.on('close', (code) => codes.push(code))
  await expect.poll(() => codes).toEqual([1013, 1013, 1013])
  const left = sockets.filter(({ readyState }) => readyState === WebSocket.OPEN)
  expect(await Promise.all(left.map(ping))).toEqual(['pong', 'pong', 'pong'])
  const other = await open(cast.lessee.token)
  expect(await ping(other)).toBe('pong')
  for (const socket of [...left, other]) socket.close()
  await expect.poll(() => hub.size).toBe(0)
  const again = await open(token)
  expect(await ping(again)).toBe('pong')
  again.close()
})

test.each([
  ['pings of the protocol', (socket: WebSocket) => socket.ping()],
  ['pongs of the protocol', (socket: WebSocket) => socket.pong()],
  ['messages', (socket: WebSocket) => socket.send('ping')],
])('a client that sends %s without a pause is ended', async (_, send) => {
  const socket = await open(cast.lessor.token)
  const closed = closeCode(socket)
  for (let n = 0; n < 200; n++) send(socket)
  expect(await closed).toBe(1006)
  await expect.poll(() => hub.size).toBe(0)
})

test('a socket that sends nothing is ended, but not before the page of a tab in the background could send its ping of each minute', async () => {
  const impatient = await buildApp({ ...world.services, hub }, undefined, { socketSilentMs: 50 })
  await impatient.server.listen({ port: 0, host: '127.0.0.1' })
  const address = `ws://127.0.0.1:${(impatient.server.server.address() as AddressInfo).port}/schedule/websocket`
  expect(await closeCode(new WebSocket(address, [cast.lessor.token ?? '']))).toBe(1006)
  await impatient.server.close()
  expect(edgeBounds.socketSilentMs).toBeGreaterThan(60_000)
})

test('a ping of the protocol is answered', async () => {
  const socket = await open(cast.lessor.token)
  socket.ping()
  await once(socket, 'pong')
  socket.close()
})

test('a socket that does not read is ended rather than written to', () => {
  const sent: string[] = []
  let ended = 0
  const socket = {
    bufferedAmount: 1000,
    send: (text: string) => void sent.push(text),
    close: () => undefined,
    terminate: () => void ended++,
  }
  hub.send(socket, 'one')
  expect([sent, ended]).toEqual([['one'], 0])
  hub.send({ ...socket, bufferedAmount: 1001 }, 'two')
  expect([sent, ended]).toEqual([['one'], 1])
})

test('a socket ends with its session: when it runs out, and when its account or company is locked', async () => {
  const staying = await open(cast.lessor.token)
  const now = clock.now()
  const ending = async (accountId: number, end: () => Promise<unknown>) => {
    const socket = await open(await givenSession(accountId))
    const closed = closeCode(socket)
    await end()
    return closed
  }
  const lock = (status: (typeof accountStatus)[keyof typeof accountStatus]) =>
    db.updateTable('account').set({ status }).where('id', '=', cast.newcomer.id).execute()
  expect(await ending(cast.newcomer.id, () => lock(accountStatus.locked))).toBe(4001)
  await lock(accountStatus.active)
  const lockCompany = (status: (typeof companyStatus)[keyof typeof companyStatus]) =>
    db.updateTable('company').set({ status }).where('id', '=', cast.stranger.companyId).execute()
  expect(await ending(cast.stranger.id, () => lockCompany(companyStatus.locked))).toBe(4001)
  await lockCompany(companyStatus.active)
  // The row of a session may go without a signal that is heard here.
  expect(await ending(cast.newcomer.id, () => db.deleteFrom('session').where('accountId', '=', cast.newcomer.id).execute())).toBe(4001)
  expect(await ending(cast.newcomer.id, async () => clock.set(new Date(now.getTime() + loginRules.sessionMinutes * 60_000 + 1)))).toBe(4001)
  expect(await ping(staying)).toBe('pong')
  staying.close()
})

test('what somebody reads or deletes on one device is no longer counted as unread on their others', async () => {
  const message = { accountId: cast.lessor.id, systemSubject: '系统公告', kind: 'announcement', title: '开会', content: '' } as const
  const stored = await db.insertInto('message').values([message, message, message]).returning('id').execute()
  const [first = expect.fail(), second = expect.fail(), third = expect.fail()] = stored.map(({ id }) => id)
  const socket = await open(cast.lessor.token)
  const readFirst = () => cast.lessor.call(readMessages, { body: { messageIds: [first] } })
  for (const act of [
    readFirst,
    () => cast.lessor.call(getMessage, { params: { id: second } }),
    () => cast.lessor.call(deleteMessage, { params: { id: third } }),
  ]) {
    const heard = heardBy(socket)
    expect((await act()).code).toBe(200)
    expect(await heard).toBe('{"type":"unread"}')
  }
  // It was read already.
  expect((await readFirst()).code).toBe(200)
  expect(await ping(socket)).toBe('pong')
  socket.close()
})

test('once the process listens again after the database was away, its pages connect again, for they may have missed a message', async () => {
  const socket = await open(cast.lessor.token)
  const closed = closeCode(socket)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query in ('listen zhujitong', 'select 1')`.execute(db)
  expect(await closed).toBe(1012)
  // From here on nothing is missed.
  const again = await open(cast.lessor.token)
  const heard = heardBy(again)
  hub.announceUnread(cast.lessor.id)
  expect(await heard).toBe('{"type":"unread"}')
  again.close()
})

test('a connection to the database that falls silent is given up for another one', async () => {
  const { hostname, port } = new URL(world.url)
  const lines: Socket[] = []
  const relay = createServer((line) => {
    const onward = connectTo(Number(port), hostname)
    line.on('error', () => undefined).on('close', () => onward.destroy())
    lines.push(line)
    line.pipe(onward.on('error', () => undefined))
    onward.pipe(line)
  })
  await new Promise<void>((done) => relay.listen(0, '127.0.0.1', done))
  const url = Object.assign(new URL(world.url), { port: String((relay.address() as AddressInfo).port), search: '' })
  const patient = new Hub(db, edgeBounds, { every: 20, within: 1000 })
  const problems: unknown[] = []
  await patient.listen(url.href, (error) => problems.push(error))
  expect(lines).toHaveLength(1)
  lines[0]?.unpipe()
  await expect.poll(() => lines.length).toBe(2)
  expect(problems).toHaveLength(1)
  await patient.stop()
  for (const line of lines) line.destroy()
  relay.close()
})
