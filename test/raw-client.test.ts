/**
 * Two clients that know nothing of this project's code: an HTTP/1.1 client and a websocket client (RFC 6455) over plain
 * sockets, written from the customer's specification alone.
 */
import { createHash, randomBytes } from 'node:crypto'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashPassword } from '#server/actor/hash.ts'
import { password, openWorld } from './world.ts'

const world = await openWorld()
let port = 0
beforeAll(async () => {
  await world.server.listen({ port: 0, host: '127.0.0.1' })
  port = (world.server.server.address() as AddressInfo).port
  await world.db
    .updateTable('account')
    .set({ passwordHash: await hashPassword(password) })
    .execute()
})
afterAll(() => world.close())

type Reply = { status: number; headers: Record<string, string>; body: string }
type Envelope = { code: number; msg: string; data: Record<string, unknown> | null; rows?: unknown[]; total?: number } & Record<
  string,
  unknown
>

/** One request on a connection of its own, as text. */
function http(method: string, path: string, { token, body }: { token?: string; body?: unknown } = {}): Promise<Reply> {
  const payload = body === undefined ? '' : JSON.stringify(body)
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Connection: close',
    ...(token ? [`Authorization: ${token}`] : []),
    ...(payload ? ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(payload)}`] : []),
  ]
  return new Promise((done, fail) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${lines.join('\r\n')}\r\n\r\n${payload}`))
    const parts: Buffer[] = []
    socket.on('data', (part) => parts.push(part))
    socket.on('error', fail)
    socket.on('end', () => {
      const text = Buffer.concat(parts).toString()
      const split = text.indexOf('\r\n\r\n')
      const [first = '', ...rest] = text.slice(0, split).split('\r\n')
      const headers = Object.fromEntries(rest.map((line) => [line.split(':')[0]?.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]))
      const raw = text.slice(split + 4)
      // Chunked bodies: sizes in hexadecimal between the parts.
      const body = headers['transfer-encoding'] === 'chunked' ? raw.replaceAll(/^[0-9a-f]+\r\n|\r\n(?:[0-9a-f]+\r\n)?/gim, '') : raw
      done({ status: Number(first.split(' ')[1]), headers, body })
    })
  })
}
const envelope = async (...args: Parameters<typeof http>) => JSON.parse((await http(...args)).body) as Envelope

/** A websocket as far as the specification describes it: token as subprotocol, text frames, close. */
function openWebsocket(path: string, protocol?: string): Promise<{ status: number; headers: Record<string, string>; socket: Socket }> {
  const key = randomBytes(16).toString('base64')
  return new Promise((done, fail) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(
        [
          `GET ${path} HTTP/1.1`,
          'Host: 127.0.0.1',
          'Upgrade: websocket',
          'Connection: Upgrade',
          `Sec-WebSocket-Key: ${key}`,
          'Sec-WebSocket-Version: 13',
          ...(protocol ? [`Sec-WebSocket-Protocol: ${protocol}`] : []),
          '\r\n',
        ].join('\r\n'),
      ),
    )
    socket.on('error', fail)
    socket.once('data', (data) => {
      const [first = '', ...rest] = (data.toString().split('\r\n\r\n')[0] ?? '').split('\r\n')
      const headers = Object.fromEntries(rest.map((line) => [line.split(':')[0]?.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]))
      const status = Number(first.split(' ')[1])
      if (status === 101)
        expect(headers['sec-websocket-accept']).toBe(
          createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64'),
        )
      done({ status, headers, socket })
    })
  })
}

/** A masked text frame, as clients must send it. */
function send(socket: Socket, text: string): void {
  const payload = Buffer.from(text)
  const mask = randomBytes(4)
  socket.write(
    Buffer.concat([Buffer.from([0x81, 0x80 | payload.length]), mask, payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0))]),
  )
}

/** The next frame: its kind and its text; of a close frame the code. */
function receive(socket: Socket): Promise<{ opcode: number; text: string; code: number }> {
  return new Promise((done) => {
    socket.once('data', (data: Buffer) => {
      const length = (data[1] ?? 0) & 0x7f
      const start = length === 126 ? 4 : 2
      const size = length === 126 ? data.readUInt16BE(2) : length
      const payload = data.subarray(start, start + size)
      done({ opcode: (data[0] ?? 0) & 0x0f, text: payload.toString(), code: payload.length >= 2 ? payload.readUInt16BE(0) : 0 })
    })
  })
}

const signIn = async (phonenumber = '14400000002') =>
  (await envelope('POST', '/prod-api/auth/webLogin', { body: { phonenumber, password } })).data as {
    access_token: string
    expires_in: number
    certSign: number
    auditStatus: number
  }

test('[S4.2][S9.4][S3.5] a raw client signs in, asks who it is, and signs out', async () => {
  const signedIn = await signIn()
  expect(signedIn).toMatchObject({ expires_in: 720, certSign: 3, auditStatus: 2 })
  for (const token of [signedIn.access_token, `Bearer ${signedIn.access_token}`]) {
    const me = await envelope('GET', '/prod-api/system/user/foregroundGetInfo', { token })
    expect(me.code).toBe(200)
    for (const place of [me, me.data ?? {}]) expect(Object.keys(place)).toEqual(expect.arrayContaining(['permissions', 'roles', 'user']))
    expect(Object.keys(me.user as object)).toEqual(
      expect.arrayContaining(['nickName', 'phonenumber', 'deptId', 'dept', 'name', 'userName', 'createTime', 'userType', 'isAdmin']),
    )
    expect(Object.keys((me.user as { dept: object }).dept)).toEqual(['deptId', 'deptName', 'name', 'leader'])
  }
  expect((await envelope('DELETE', '/prod-api/auth/logout', { token: signedIn.access_token })).code).toBe(200)
  expect((await envelope('GET', '/prod-api/system/user/foregroundGetInfo', { token: signedIn.access_token })).code).toBe(401)
})

test('[S7.1] the authentication calls stand at their paths and answer in the envelope', async () => {
  const code = await envelope('GET', '/prod-api/code?type=register')
  expect(code).toMatchObject({ code: 200, captchaEnabled: true, uuid: expect.any(String), img: expect.any(String) })
  for (const [method, path] of [
    ['POST', '/auth/validImageCode'],
    ['POST', '/auth/foregroundRegister'],
    ['POST', '/auth/forgetPassword'],
    ['POST', '/auth/webLogin'],
    ['POST', '/auth/messageLogin'],
  ] as const) {
    const refused = await envelope(method, `/prod-api${path}`, { body: {} })
    expect([path, refused.code, typeof refused.msg]).toEqual([path, 422, 'string'])
  }
  for (const [method, path] of [
    ['POST', '/auth/resetPassword'],
    ['POST', '/auth/resetPhoneNumber'],
    ['GET', '/auth/refreshPrject/1'],
  ] as const)
    expect((await envelope(method, `/prod-api${path}`, method === 'POST' ? { body: {} } : {})).code, path).toBe(401)
  expect((await envelope('DELETE', '/prod-api/auth/logout')).code).toBe(200)
})

test('[S7.2][S7.3][S7.4] messages, information, nickname: paths, page sizes and shapes', async () => {
  const { access_token: token } = await signIn()
  const ask = (method: string, path: string, body?: unknown) =>
    envelope(method, `/prod-api${path}`, { token, ...(body !== undefined && { body }) })
  expect(await ask('GET', '/system/sysUserMessage/getMessageNumber')).toMatchObject({ code: 200, data: 0 })
  await world.db
    .insertInto('message')
    .values(
      ['一', '二', '三'].map((title) => ({
        accountId: world.cast.project.id,
        systemSubject: '系统公告',
        kind: 'announcement',
        params: JSON.stringify({ title, content: '' }),
        title,
        content: '',
      })),
    )
    .execute()
  const list = await ask('GET', '/system/sysUserMessage/ownPageList?pageNum=1&pageSize=10')
  expect(list).toMatchObject({ code: 200, total: 3 })
  const ids = (list.rows as { messageId: string; systemSubject: string }[]).map(({ messageId }) => messageId)
  expect(await ask('GET', `/system/sysUserMessage/ownMessageInfo/${ids[0]}`)).toMatchObject({ code: 200, data: { isRead: '1' } })
  expect((await ask('PUT', '/system/sysUserMessage/updateBySelf', { messageIds: [ids[1]] })).code).toBe(200)
  expect((await ask('GET', '/system/sysUserMessage/getMessageNumber')).data).toBe(1)
  expect((await ask('DELETE', `/system/sysUserMessage/delete/${ids[0]}`)).code).toBe(200)
  expect(await ask('DELETE', '/system/sysUserMessage/deleteBySelf')).toMatchObject({ code: 200, data: 1 })
  expect(await ask('DELETE', `/system/sysUserMessage/deleteBySelf?ids=${ids[2]}`)).toMatchObject({ code: 200, data: 1 })
  const config = (await ask('GET', '/system/sysMessageConfig/getOwnList')).data as unknown as { systemSubject: string; locked: boolean }[]
  expect(config.find(({ systemSubject }) => systemSubject === '企业认证审核通知')).toMatchObject({ inApp: '1', locked: true })
  const wanted = config.map(({ systemSubject }) => ({ systemSubject, inApp: '0', push: '0', sms: '0' }))
  expect((await ask('POST', '/system/sysMessageConfig/add', wanted)).code).toBe(200)
  const kept = (await ask('GET', '/system/sysMessageConfig/getOwnList')).data as unknown as { inApp: string; locked: boolean }[]
  for (const one of kept) expect(one.inApp).toBe(one.locked ? '1' : '0')
  expect((await ask('POST', '/system/user/updateNickname', { nickName: '老王' })).code).toBe(200)
  expect((await ask('POST', '/system/logoutUser/add', {})).code).toBe(422)

  await world.db
    .insertInto('article')
    .values(
      Array.from({ length: 7 }, (_, index) => ({
        tab: '2',
        title: `公告 ${index}`,
        content: `<p onclick="x()">第 ${index} 期<script>alert(1)</script><img src=x onerror=alert(1)><a href="javascript:alert(1)">看</a></p>`,
        publishTime: world.clock.now(),
      })),
    )
    .execute()
  const notices = await envelope('GET', '/prod-api/system/sysInformation/firstPageList?pageNum=1&tab=2')
  expect([notices.total, notices.rows?.length]).toEqual([7, 5])
  const [{ id }] = notices.rows as [{ id: number }]
  for (const path of [`/system/sysInformation/firstPageList/${id}`, `/system/notice/firstPageList/${id}`]) {
    const one = await envelope('GET', `/prod-api${path}`)
    expect(one.code).toBe(200)
    const html = String(one.data?.content ?? one.data?.noticeContent)
    expect(html).toContain('<p>第 ')
    // Forbidden markup is not served, whoever stored it.
    expect(html).not.toMatch(/script|onclick|onerror|javascript/i)
  }
})

test('[S8.3] true HTTP errors carry code and msg in the body', async () => {
  for (const [status, method, path] of [
    [404, 'GET', '/prod-api/no/such/route'],
    [400, 'POST', '/prod-api/auth/webLogin'],
  ] as const) {
    const reply = await new Promise<Reply>((done) => {
      const body = '{not json'
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(
          `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        ),
      )
      let text = ''
      socket.on('data', (part) => (text += String(part)))
      socket.on('end', () => done({ status: Number(text.split(' ')[1]), headers: {}, body: text.slice(text.indexOf('\r\n\r\n') + 4) }))
    })
    expect(reply.status).toBe(status)
    expect(JSON.parse(reply.body)).toMatchObject({ code: status, msg: expect.any(String) })
  }
})

test('[S4.4][S4.5] a raw websocket echoes the subprotocol and answers each heartbeat in the form it came in', async () => {
  const { access_token: token } = await signIn()
  for (const path of ['/schedule/websocket', '/prod-api/schedule/websocket']) {
    const { status, headers, socket } = await openWebsocket(path, token)
    expect([status, headers['sec-websocket-protocol']]).toEqual([101, token])
    for (const [beat, answer] of [
      ['ping', 'pong'],
      ['{"type":"ping"}', '{"type":"pong"}'],
    ] as const) {
      const reply = receive(socket)
      send(socket, beat)
      expect((await reply).text).toBe(answer)
    }
    socket.destroy()
  }
})

test.each([['bad-token'], [undefined]])('[S4.4] with the token %s the connection is refused before the upgrade', async (token) => {
  const { status, socket } = await openWebsocket('/schedule/websocket', token)
  expect(status).toBe(401)
  socket.destroy()
})

test('[S4.4] an expired token is refused; a token that ends loses its socket with 4001', async () => {
  const { access_token: token } = await signIn()
  // Or the end of a session is found only when the server looks for those that have ended.
  await world.services.hub.listen(world.url, () => undefined)
  const { socket } = await openWebsocket('/schedule/websocket', token)
  const closing = receive(socket)
  await envelope('DELETE', '/prod-api/auth/logout', { token })
  expect(await closing).toMatchObject({ opcode: 8, code: 4001 })
  socket.destroy()
  const { access_token: late } = await signIn()
  world.clock.set(new Date(world.clock.now().getTime() + 721 * 60_000))
  const refused = await openWebsocket('/schedule/websocket', late)
  expect(refused.status).toBe(401)
  refused.socket.destroy()
})
