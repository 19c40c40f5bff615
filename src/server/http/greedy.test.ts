import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { buildApp } from '#server/app.ts'
import { AnswerCache } from '#server/http/answer-cache.ts'
import { edgeBounds, type EdgeBounds } from '#server/http/bounds.ts'
import { fileLimits } from '#shared/file/rules.ts'
import { inTransaction } from '#test/held-rows.ts'
import { openWorld } from '#test/world.ts'

const world = await openWorld()
const tree = '/prod-api/business/category/tree'
const region = '/prod-api/business/region/tree?level=1'

async function listening(bounds: Partial<EdgeBounds>, cacheMs = 0) {
  const { server } = await buildApp({ ...world.services, answerCache: new AnswerCache(cacheMs) }, undefined, bounds)
  await server.listen({ port: 0, host: '127.0.0.1' })
  return { server, port: (server.server.address() as AddressInfo).port }
}
type Listening = Awaited<ReturnType<typeof listening>>

/** A connection with everything it has been sent. */
async function dial({ port }: Listening): Promise<{ socket: Socket; heard: () => string; closed: Promise<void> }> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (data: Buffer) => (text += data.toString('latin1'))).on('error', () => undefined)
  // An error comes before it: what is ended is often reset.
  const closed = new Promise<void>((done) => socket.once('close', () => done()))
  await once(socket, 'connect')
  return { socket, heard: () => text, closed }
}
const head = (length: number) =>
  `POST /prod-api/business/leasingDemand HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`

const upgradeOf = (token: string) =>
  `GET /prod-api/schedule/websocket HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n` +
  `sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-protocol: ${token}\r\n\r\n`

let slow: Listening
let unread: Listening
beforeAll(async () => {
  slow = await listening({ inHand: 4, arrivingFromAddress: 20, bodyMs: 200, checkMs: 20 })
  unread = await listening({ pipelined: 4 }, 60_000)
})
afterAll(async () => {
  await Promise.all([slow.server.close(), unread.server.close()])
  await world.close()
})

test('senders whose body comes letter by letter take nobody’s place and are ended', async () => {
  const senders = await Promise.all(Array.from({ length: 20 }, () => dial(slow)))
  for (const { socket } of senders) socket.write(`${head(1000)}{`)
  // More of them than may be in hand at once, and others are answered all the same.
  const answers = await Promise.all(Array.from({ length: 3 }, () => fetch(`http://127.0.0.1:${slow.port}${region}`)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  await Promise.all(senders.map(({ closed }) => closed))
  for (const { heard } of senders) expect(heard()).toMatch(/^HTTP\/1\.1 408 /)
  expect((await fetch(`http://127.0.0.1:${slow.port}${region}`)).status).toBe(200)
})

test('one address has so many bodies on their way and no more', async () => {
  const senders = await Promise.all(Array.from({ length: 25 }, () => dial(slow)))
  for (const { socket } of senders) socket.write(`${head(1000)}{`)
  await Promise.all(senders.map(({ closed }) => closed))
  const statuses = senders.map(({ heard }) => heard().slice(9, 12))
  expect(Object.fromEntries(['408', '429'].map((status) => [status, statuses.filter((one) => one === status).length]))).toEqual({
    408: 20,
    429: 5,
  })
  // All of them are gone, so the address may send again.
  const { socket, heard } = await dial(slow)
  socket.write(`${head(2)}{}`)
  await expect.poll(() => heard()).toMatch(/^HTTP\/1\.1 200 /)
  socket.destroy()
})

test('who is refused before their body has come is not waited for', async () => {
  const { socket, heard, closed } = await dial(slow)
  const contact = `POST /prod-api/business/contact HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n`
  // More than the limit of this call.
  socket.write(`${contact}content-length: 2\r\n\r\n{}`)
  for (let n = 0; n < 10; n++) {
    await expect.poll(() => heard().match(/HTTP\/1\.1 200/g)).toHaveLength(n + 1)
    socket.write(`${contact}content-length: ${n < 9 ? '2\r\n\r\n{}' : '1000\r\n\r\n{'}`)
  }
  await closed
  expect(heard()).toMatch(/HTTP\/1\.1 429 [^]*connection: close/)
})

test('a body that brings enough may take longer than a slow one', async () => {
  const steady = await dial(slow)
  const size = 400_000
  steady.socket.write(`${head(size)}${'x'.repeat(size / 2)}`)
  const letters = await dial(slow)
  letters.socket.write(`${head(size)}x`)
  await letters.closed
  steady.socket.write('x'.repeat(size / 2))
  await expect.poll(() => steady.heard()).toMatch(/^HTTP\/1\.1 400 /)
  steady.socket.destroy()
})

test('the largest file may come as slowly as the bounds of bodies allow', async () => {
  const seconds = fileLimits.attachment / edgeBounds.bodyBytesPerSecond
  expect(world.server.server.requestTimeout).toBeGreaterThan(edgeBounds.bodyMs + seconds * 1000)
})

test('a websocket is in hand until it is granted or refused', async () => {
  const one = await listening({ inHand: 1 })
  const asked = async () => (await fetch(`http://127.0.0.1:${one.port}${region}`)).status
  const upgrade = async (token: string) => {
    const dialled = await dial(one)
    dialled.socket.write(upgradeOf(token))
    return dialled
  }
  const held = await inTransaction(world.db, async (tx) => {
    await sql`lock table session`.execute(tx)
    const waiting = await upgrade(world.cast.project.token ?? '')
    await expect.poll(() => asked()).toBe(503)
    expect(waiting.heard()).toBe('')
    return waiting
  })
  await expect.poll(() => held.heard()).toMatch(/^HTTP\/1\.1 101 /)
  expect(await asked()).toBe(200)
  const refused = await upgrade('nobody')
  await refused.closed
  expect([refused.heard().slice(9, 12), await asked()]).toEqual(['401', 200])
  held.socket.destroy()
  await one.server.close()
})

const connections = ({ server }: Listening) => new Promise<number>((counted) => server.server.getConnections((_, count) => counted(count)))

test('who asks many times in one go is ended before all of it is worked on', async () => {
  const { socket } = await dial(unread)
  const asking = `GET ${region} HTTP/1.1\r\nhost: x\r\nauthorization: x\r\n\r\n`
  socket.pause().write(asking.repeat(5))
  await expect.poll(() => connections(unread)).toBe(0)
  // Four at once are no crime.
  const modest = await dial(unread)
  modest.socket.write(asking.repeat(4))
  await expect.poll(() => modest.heard().match(/HTTP\/1\.1 200 /g)).toHaveLength(4)
  modest.socket.destroy()
})

test('who asks again and again for what is answered at once and reads nothing is ended', async () => {
  const asking = `GET ${tree} HTTP/1.1\r\nhost: x\r\n\r\n`
  const first = await dial(unread)
  first.socket.write(asking)
  await expect.poll(() => first.heard()).toMatch(/^HTTP\/1\.1 200 /)
  first.socket.destroy()
  const { socket } = await dial(unread)
  socket.pause()
  await vi.waitFor(
    async () => {
      // The kernel takes some megabytes before anything waits in the process.
      socket.write(asking.repeat(100))
      expect(await connections(unread)).toBe(0)
    },
    { timeout: 90_000, interval: 5 },
  )
})

test('a server that ends waits for nobody who neither answers nor reads', async () => {
  const { server, close } = await buildApp(world.services, undefined, { closingMs: 50 })
  await server.listen({ port: 0, host: '127.0.0.1' })
  const listener = { server, port: (server.server.address() as AddressInfo).port }
  const [silent, sending] = [await dial(listener), await dial(listener)]
  silent.socket.write(upgradeOf(world.cast.project.token ?? ''))
  await expect.poll(() => silent.heard()).toMatch(/^HTTP\/1\.1 101 /)
  sending.socket.write(`${head(1000)}{`)
  await close()
  await Promise.all([silent.closed, sending.closed])
})

test('a connection on which nothing moves is ended without a word', async () => {
  const idle = await listening({ stalledMs: 50 })
  const { heard, closed } = await dial(idle)
  await closed
  // Later it would be told that its request took too long.
  expect(heard()).toBe('')
  await idle.server.close()
})

test('when too much is unread over all connections, those who have waited longest are ended', async () => {
  const full = await listening({ pipelined: 1000, allUnreadBytes: 20_000, checkMs: 20 }, 60_000)
  const readers = await Promise.all(Array.from({ length: 3 }, () => dial(full)))
  const asking = `GET ${tree} HTTP/1.1\r\nhost: x\r\n\r\n`
  const [first] = readers
  first?.socket.write(asking)
  await expect.poll(() => first?.heard()).toMatch(/^HTTP\/1\.1 200 /)
  for (const { socket } of readers) socket.pause()
  await vi.waitFor(
    async () => {
      for (const { socket } of readers) socket.write(asking.repeat(20))
      expect(await connections(full)).toBe(0)
    },
    { timeout: 90_000, interval: 5 },
  )
  await full.server.close()
})
