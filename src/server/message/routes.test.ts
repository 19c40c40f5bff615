import { sql } from 'kysely'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { logout } from '#shared/account/contract.ts'
import * as contract from '#shared/message/contract.ts'
import { openWorld } from '#test/world.ts'
import { insertSession } from '../account/sessions.ts'
import { messageKinds } from '#shared/message/kinds.ts'
import { isQuiet, systemSubjects } from '#shared/message/rules.ts'
import { transact } from '../deed.ts'
import { flushOutbox } from '../outbox/queries.ts'
import { Hub } from './hub.ts'
import { sendMessages, type Recipients } from './queries.ts'

const world = await openWorld({ sockets: true })
const { db, cast, services } = world
let origin = ''
beforeAll(async () => {
  await world.server.listen({ port: 0, host: '127.0.0.1' })
  origin = `ws://127.0.0.1:${(world.server.server.address() as AddressInfo).port}`
})
afterAll(() => world.close())

const tell = (accountId: number, title = '测试', kind: 'announcement' | 'certificationPassed' = 'announcement') =>
  transact(services, { now: new Date() }, (work) =>
    sendMessages(work, {
      to: { accounts: [accountId] },
      kind,
      params: { title, content: '内容', company: '某公司' },
      bizType: 'x',
      bizId: 1,
      link: '/personal',
    }),
  )

async function open(token: string | null, path = '/schedule/websocket') {
  const socket = new WebSocket(origin + path, [token ?? ''])
  await once(socket, 'open')
  return socket
}
const next = async (socket: WebSocket) => String(((await once(socket, 'message')) as [Buffer])[0])

test('[S4.6][S3.4] a message reaches every socket of its person, and nobody else', async () => {
  const [one, two, other] = [await open(cast.project.token), await open(cast.project.token), await open(cast.lessor.token)]
  const heard: string[] = []
  other.on('message', (data: Buffer) => heard.push(String(data)))
  const both = Promise.all([next(one), next(two)])
  await tell(cast.project.id, '开会', 'certificationPassed')
  for (const text of await both)
    expect(JSON.parse(text)).toMatchObject({
      type: 'message',
      systemSubject: '企业认证审核通知',
      title: '认证已通过',
      link: '/personal',
      isRead: '0',
    })
  other.send('ping')
  await next(other)
  expect(heard).toEqual(['pong'])
  for (const socket of [one, two, other]) socket.close()
})

test('a signal that the database did not take is sent again with those that came meanwhile', async () => {
  let refusals = 1
  const statements: unknown[] = []
  const away = Object.assign(Object.create(db) as typeof db, {
    getExecutor: () => {
      statements.push(null)
      if (refusals-- > 0) throw new Error('the database is away')
      return db.getExecutor()
    },
  })
  const hub = new Hub(away)
  const socket = await open(cast.project.token)
  const heard: unknown[] = []
  socket.on('message', (data: Buffer) => heard.push((JSON.parse(String(data)) as { messageId: string }).messageId))
  await Promise.all(
    ['一', '二', '三'].map((title) =>
      transact({ ...services, hub }, { now: new Date() }, (work) =>
        sendMessages(work, {
          to: { accounts: [cast.project.id] },
          kind: 'announcement',
          params: { title, content: '' },
          bizType: '',
          bizId: 0,
          link: '',
        }),
      ),
    ),
  )
  await expect.poll(() => heard.length).toBe(3)
  const stored = await db.selectFrom('message').where('title', 'in', ['一', '二', '三']).select('id').execute()
  expect(heard.toSorted()).toEqual(stored.map(({ id }) => String(id)).toSorted())
  // The refused one, and one for all that waited by then.
  expect(statements.length).toBe(2)
  await hub.stop()
  socket.close()
})

test('a message of a transaction that fails is not sent', async () => {
  const socket = await open(cast.project.token)
  await expect(
    transact(services, { now: new Date() }, async (work) => {
      await sendMessages(work, {
        to: { accounts: [cast.project.id] },
        kind: 'announcement',
        params: { title: '不会到', content: '' },
        bizType: '',
        bizId: 0,
        link: '',
      })
      throw new Error('rolled back')
    }),
  ).rejects.toThrow()
  const received = next(socket)
  await tell(cast.project.id, '会到')
  expect(JSON.parse(await received)).toMatchObject({ title: '会到' })
  socket.close()
})

test('a session that ends closes its sockets with 4001 and no others', async () => {
  const token = await insertSession({ db, now: world.clock.now(), address: '', agent: '' }, { accountId: cast.project.id })
  const [ending, staying] = [await open(token), await open(cast.project.token)]
  const closed = once(ending, 'close')
  await world.caller(token)(logout, {})
  expect((await closed)[0]).toBe(4001)
  staying.send('ping')
  expect(await next(staying)).toBe('pong')
  staying.close()
})

test('a reader of English finds a message by the words that they are shown', async () => {
  await db.deleteFrom('message').execute()
  await tell(cast.lessor.id, 'Depot')
  await tell(cast.lessor.id, '', 'certificationPassed')
  const found = async (keyword: string, language = 'en-US') =>
    (await world.caller(cast.lessor.token, language)(contract.listOwnMessages, { query: { keyword } })).data.rows.map(({ title }) => title)
  expect(await found('certification')).toEqual(['Certification approved'])
  expect(await found('某公司 approved')).toEqual(['Certification approved'])
  expect(await found('depot')).toEqual(['Depot'])
  expect([await found('approved depot'), await found('%'), await found('认证'), await found('approved', 'zh-CN')]).toEqual([
    [],
    [],
    ['Certification approved'],
    [],
  ])
})

test('[S7.3] own messages: list, count, read, delete, and the other language', async () => {
  await db.deleteFrom('message').execute()
  await tell(cast.lessor.id, '一')
  await tell(cast.lessor.id, '二', 'certificationPassed')
  await tell(cast.lessor2.id, '别人的')
  const count = async () => (await cast.lessor.call(contract.countUnread, {})).data
  expect(await count()).toBe(2)
  const { data } = await cast.lessor.call(contract.listOwnMessages, {})
  expect(data.rows.map(({ title }) => title)).toEqual(['认证已通过', '一'])
  expect(
    (await world.caller(cast.lessor.token, 'en-US')(contract.listOwnMessages, { query: { systemSubject: '企业认证审核通知' } })).data
      .rows[0]?.title,
  ).toBe('Certification approved')
  const [first, second] = data.rows
  const read = await cast.lessor.call(contract.getMessage, { params: { id: first?.messageId } })
  expect(read.data).toMatchObject({ isRead: '1', readTime: expect.any(String) })
  expect(await count()).toBe(1)
  expect((await cast.lessor.call(contract.listOwnMessages, { query: { isRead: '0', keyword: '一' } })).data.total).toBe(1)
  expect((await cast.lessor.call(contract.readMessages, { body: { messageIds: [second?.messageId] } })).code).toBe(200)
  expect((await cast.lessor.call(contract.readMessages, { body: { all: true } })).code).toBe(200)
  expect((await cast.lessor.call(contract.readMessages, { body: {} })).code).toBe(422)
  expect(await count()).toBe(0)
  expect((await cast.lessor.call(contract.deleteMessage, { params: { id: first?.messageId } })).code).toBe(200)
  expect((await cast.lessor.call(contract.deleteMessage, { params: { id: first?.messageId } })).code).toBe(404)
  expect((await cast.lessor2.call(contract.countUnread, {})).data).toBe(1)
})

test('all of a subject are marked as read, and read ones are deleted, of nobody else and of no other subject', async () => {
  await db.deleteFrom('message').execute()
  for (const person of [cast.lessor, cast.lessor2]) {
    await tell(person.id, '公告')
    await tell(person.id, '', 'certificationPassed')
  }
  const unread = async (person: typeof cast.lessor) =>
    (await person.call(contract.listOwnMessages, { query: { isRead: '0' } })).data.rows.map((row) => row.systemSubject).toSorted()
  const both = ['企业认证审核通知', '系统公告'].toSorted()
  expect((await cast.lessor.call(contract.readMessages, { body: { all: true, systemSubject: '系统公告' } })).code).toBe(200)
  expect([await unread(cast.lessor), await unread(cast.lessor2)]).toEqual([['企业认证审核通知'], both])
  // Those of others that are read stay, and so do they when somebody else names them.
  await cast.lessor2.call(contract.readMessages, { body: { all: true } })
  const others = (await cast.lessor2.call(contract.listOwnMessages, {})).data.rows.map((row) => row.messageId)
  expect((await cast.lessor.call(contract.deleteMessages, { query: { ids: others.join(',') } })).data).toBe(0)
  expect((await cast.lessor.call(contract.deleteMessages, {})).data).toBe(1)
  expect((await cast.lessor.call(contract.listOwnMessages, {})).data.total).toBe(1)
  expect((await cast.lessor2.call(contract.listOwnMessages, {})).data.total).toBe(2)
})

test('[S7.3] each person gets the messages of a subject as they chose: not stored, quietly, by SMS outside their quiet hours', async () => {
  const { clock, letters } = world
  const { data: before } = await cast.lessor2.call(contract.listMessageConfig, {})
  const set = (systemSubject: string, change: object) =>
    cast.lessor2.call(contract.saveMessageConfig, {
      body: before.map(({ label: _, group: __, locked: ___, ...one }) =>
        one.systemSubject === systemSubject ? { ...one, ...change } : one,
      ),
    })
  const kept = async () => (await cast.lessor2.call(contract.listOwnMessages, { query: { pageSize: 100 } })).data.total
  const start = await kept()
  await set('系统公告', { inApp: '0' })
  await tell(cast.lessor2.id)
  expect(await kept()).toBe(start)

  await set('系统公告', { push: '0' })
  const socket = await open(cast.lessor2.token)
  const heard = next(socket)
  await tell(cast.lessor2.id, '悄悄的')
  expect(JSON.parse(await heard)).toMatchObject({ title: '悄悄的', quiet: true, kind: 'announcement', params: { title: '悄悄的' } })
  socket.close()

  // A locked subject is kept whatever is sent.
  await set('企业认证审核通知', { inApp: '0' })
  const locked = await kept()
  await tell(cast.lessor2.id, '', 'certificationPassed')
  expect(await kept()).toBe(locked + 1)

  const at = (moment: string) => clock.set(new Date(`2026-11-23T${moment}:00+08:00`))
  const sendNow = (title: string) =>
    transact(services, { now: clock.now() }, (work) =>
      sendMessages(work, {
        to: { accounts: [cast.lessor2.id] },
        kind: 'announcement',
        params: { title, content: '' },
        bizType: '',
        bizId: 0,
        link: '',
      }),
    )
  await set('系统公告', { sms: '1', quietFrom: '22:00', quietTo: '07:30' })
  letters.length = 0
  at('23:10')
  await sendNow('夜里的')
  await flushOutbox(services)
  expect(letters).toEqual([])
  clock.set(new Date('2026-11-24T07:29:00+08:00'))
  await flushOutbox(services)
  expect(letters).toEqual([])
  clock.set(new Date('2026-11-24T07:30:00+08:00'))
  expect(await Promise.all([flushOutbox(services), flushOutbox(services)])).toEqual(expect.arrayContaining([1, 0]))
  expect(letters.map(({ phonenumber, template }) => [phonenumber, template])).toEqual([['14400000006', 'notice']])
  at('12:00')
  await sendNow('白天的')
  await flushOutbox(services)
  expect(letters).toHaveLength(2)
  expect(
    (
      await cast.lessor2.call(contract.saveMessageConfig, {
        body: [{ systemSubject: '系统公告', inApp: '1', push: '1', sms: '1', quietFrom: '25:00' }],
      })
    ).code,
  ).toBe(422)
})

test('whoever is locked or deleted gets no message and no SMS: by name, as one of a company, of a department or named beside it', async () => {
  const { givenPerson, depts } = world
  const lessor = await givenPerson({ userType: '4', companyId: cast.lessor.companyId }, 'mutelessor')
  const home = await givenPerson({ userType: '3', deptId: depts.projectDept, companyId: cast.project.companyId }, 'mutehome')
  const guest = await givenPerson({ userType: '3', deptId: depts.otherDept, companyId: cast.project.companyId }, 'muteguest')
  const named = await givenPerson({ userType: '2', deptId: depts.root, companyId: cast.project.companyId }, 'mutenamed')
  const all = [lessor.id, home.id, guest.id, named.id]
  await db.insertInto('accountDept').values({ accountId: guest.id, deptId: depts.projectDept }).execute()
  const send = (to: Recipients) =>
    transact(services, { now: new Date() }, (work) =>
      sendMessages(work, {
        to,
        kind: 'contractAccountAsked',
        params: { title: '合同', code: 'C1', company: '某公司' },
        bizType: 'x',
        bizId: 1,
        link: '',
      }),
    )
  const reached = async () => {
    await db.deleteFrom('message').where('accountId', 'in', all).execute()
    await db.deleteFrom('outbox').execute()
    await send({ accounts: all })
    await send({ companies: [cast.lessor.companyId] })
    await send({ dept: depts.projectDept, named: [named.id] })
    const messages = await db.selectFrom('message').where('accountId', 'in', all).select('accountId').execute()
    const notices = await db.selectFrom('outbox').where('accountId', 'in', all).select('accountId').execute()
    return [messages, notices].map((rows) => rows.map(({ accountId }) => accountId).toSorted())
  }
  const twice = all.flatMap((id) => [id, id]).toSorted()
  expect(await reached()).toEqual([twice, twice])
  await db.updateTable('account').set({ status: '1' }).where('id', 'in', all).execute()
  expect(await reached()).toEqual([[], []])
  await db.updateTable('account').set({ status: '0', delFlag: '2' }).where('id', 'in', all).execute()
  expect(await reached()).toEqual([[], []])
  // Whoever has gone to another company since they were named hears by name only.
  await db.updateTable('account').set({ delFlag: '0', companyId: cast.lessor.companyId }).where('id', '=', named.id).execute()
  expect(await reached()).toEqual([[named.id], [named.id]])
})

test('people choose about the subjects that are sent, and about no others', async () => {
  const { data } = await cast.lessor2.call(contract.listMessageConfig, {})
  expect(new Set(data.map(({ systemSubject }) => systemSubject))).toEqual(
    new Set(Object.values(messageKinds).map(({ subject }) => subject)),
  )
  expect(data.map(({ systemSubject }) => systemSubject)).not.toContain('评价提醒')
  // A client that stores the whole set of the protocol is not refused.
  const all = systemSubjects.map((systemSubject) => ({ systemSubject, inApp: '1', push: '1', sms: '0' }) as const)
  expect((await cast.newcomer.call(contract.saveMessageConfig, { body: all })).code).toBe(200)
})

test('quiet hours may run over midnight', () => {
  const night = { quietFrom: '22:00', quietTo: '07:00' }
  const noon = { quietFrom: '12:00', quietTo: '13:30' }
  expect(['21:59', '22:00', '03:00', '06:59', '07:00'].map((minute) => isQuiet(minute, night))).toEqual([false, true, true, true, false])
  expect(['11:59', '12:00', '13:29', '13:30'].map((minute) => isQuiet(minute, noon))).toEqual([false, true, true, false])
  expect(isQuiet('12:00', { quietFrom: '', quietTo: '' })).toBe(false)
})

test('a message with long parameters goes out without them rather than failing what it tells of', async () => {
  await cast.lessor.call(contract.saveMessageConfig, { body: [{ systemSubject: '评价提醒', inApp: '1', push: '1', sms: '0' }] })
  const socket = await open(cast.lessor.token)
  const heard = next(socket)
  await transact(services, { now: world.clock.now() }, (work) =>
    sendMessages(work, {
      to: { accounts: [cast.lessor.id] },
      kind: 'announcement',
      params: { title: '很长', content: '字'.repeat(3000) },
      bizType: '',
      bizId: 0,
      link: '',
    }),
  )
  const message = JSON.parse(await heard) as Record<string, unknown>
  expect(message).toMatchObject({ title: '很长', content: '字'.repeat(1000) })
  expect(message).not.toHaveProperty('params')
  socket.close()
})

test('a signal of another version is passed over, and the next one is heard', async () => {
  const socket = await open(cast.project.token)
  for (const payload of ['{"kind":"message","accountId":1,"message":{}}', '{"kind":"messages"}', 'no json', ''])
    await sql`select pg_notify('zhujitong', ${payload})`.execute(db)
  const heard = next(socket)
  await tell(cast.project.id, '开会', 'certificationPassed')
  expect(JSON.parse(await heard)).toMatchObject({ type: 'message', title: '认证已通过' })
  socket.close()
})

test('the newest messages come first whether they are read or not where the list is sorted by time; otherwise the unread ones do', async () => {
  const at = (minute: number, isRead: '0' | '1') =>
    db
      .insertInto('message')
      .values({
        accountId: cast.stranger.id,
        systemSubject: '系统公告',
        kind: 'announcement',
        title: `${minute}`,
        content: '',
        isRead,
        createTime: new Date(Date.UTC(2026, 10, 23, 2, minute)),
      })
      .execute()
  await db.deleteFrom('message').where('accountId', '=', cast.stranger.id).execute()
  await at(1, '0')
  await at(2, '1')
  await at(3, '0')
  await at(4, '1')
  const titles = async (query: object) =>
    (await cast.stranger.call(contract.listOwnMessages, { query })).data.rows.map(({ title }) => title)
  expect(await titles({ sort: '-createTime' })).toEqual(['4', '3', '2', '1'])
  expect(await titles({})).toEqual(['3', '1', '4', '2'])
})
