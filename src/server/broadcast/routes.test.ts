import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import * as contract from '#shared/broadcast/contract.ts'
import { getMessage, listOwnMessages, saveMessageConfig } from '#shared/message/contract.ts'
import { monday, openWorld } from '#test/world.ts'
import { runJob } from '../jobs/clock-jobs.ts'
import { peopleOfPart } from './queries.ts'

const world = await openWorld({ sockets: true })
const { cast, clock, db, services } = world
let origin = ''
beforeAll(async () => {
  await world.server.listen({ port: 0, host: '127.0.0.1' })
  origin = `ws://127.0.0.1:${(world.server.server.address() as AddressInfo).port}`
})
afterAll(() => world.close())

const count = (query: object) => cast.operator.call(contract.countAudience, { query })
const send = (audience: object, people: number, more: object = {}) =>
  cast.operator.call(contract.sendBroadcast, { body: { title: '停机维护', content: '今晚十点起维护两小时', audience, people, ...more } })

test('counted by role, region and company; the platform’s own people are nobody’s audience', async () => {
  // Whoever lost the role with the certification of their company counts among those without one.
  expect((await count({ roles: 'leaser' })).data).toEqual({ people: 2, companies: 2 })
  expect((await count({ roles: 'projectUser' })).data.people).toBe(3)
  expect((await count({ roles: 'none' })).data.people).toBe(2)
  expect((await count({ provinceIds: '110000' })).data.people).toBe(0)
  expect((await count({ companyIds: String(cast.lessor.companyId) })).data).toEqual({ people: 1, companies: 1 })
  await db.updateTable('company').set({ provinceId: 430_000 }).where('id', '=', cast.lessor2.companyId).execute()
  expect((await count({ roles: 'leaser', provinceIds: '430000' })).data.people).toBe(1)
  const everybody = (await count({ everybody: 'true' })).data.people
  const { n } = await db
    .selectFrom('account')
    .where('userType', 'not in', ['8', '9'])
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  expect(everybody).toBe(n)
})

test('whoever has switched announcements off is not counted, unless they have chosen the SMS of them', async () => {
  const set = (inApp: '0' | '1', sms: '0' | '1') =>
    cast.lessor2.call(saveMessageConfig, { body: [{ systemSubject: '系统公告', inApp, push: '1', sms, quietFrom: '', quietTo: '' }] })
  const lessors = async () => (await count({ roles: 'leaser' })).data.people
  const counts = []
  for (const [inApp, sms] of [
    ['1', '0'],
    ['0', '0'],
    ['0', '1'],
  ] as const) {
    expect((await set(inApp, sms)).code).toBe(200)
    counts.push(await lessors())
  }
  expect(counts).toEqual([2, 1, 2])
  expect((await set('1', '0')).code).toBe(200)
})

test('sent to all lessors of one province, who get it live; nobody else does', async () => {
  const socket = new WebSocket(`${origin}/schedule/websocket`, [cast.lessor2.token ?? ''])
  await once(socket, 'open')
  const got = once(socket, 'message') as Promise<[Buffer]>
  const { code, data } = await send({ roles: ['leaser'], provinceIds: [430_000] }, 1, { link: '/notice?tab=2' })
  expect({ code, people: data.people }).toEqual({ code: 200, people: 1 })
  expect(JSON.parse(String((await got)[0]))).toMatchObject({
    type: 'message',
    systemSubject: '系统公告',
    title: '停机维护',
    link: '/notice?tab=2',
  })
  socket.close()
  const inbox = await cast.lessor2.call(listOwnMessages, { query: {} })
  expect(inbox.data.rows[0]).toMatchObject({ title: '停机维护', isRead: '0' })
  expect((await cast.lessor.call(listOwnMessages, { query: {} })).data.total).toBe(0)
  await cast.lessor2.call(getMessage, { params: { id: inbox.data.rows[0]?.messageId } })
  const history = await cast.operator.call(contract.listBroadcasts, { query: {} })
  expect(history.data.rows).toMatchObject([{ title: '停机维护', people: 1, read: 1, audience: { provinceIds: [430_000] } }])
})

test('nobody, or far more than the sender saw: asked again, and nothing is sent', async () => {
  expect((await send({ provinceIds: [110_000] }, 1)).code).toBe(422)
  expect((await send({ everybody: true }, 1)).code).toBe(409)
  expect((await cast.operator.call(contract.listBroadcasts, { query: {} })).data.total).toBe(1)
})

test('an audience that nobody has chosen reaches nobody', async () => {
  expect((await count({})).data).toEqual({ people: 0, companies: 0 })
  expect((await send({}, 7)).code).toBe(422)
  expect((await send({ roles: [], provinceIds: [], companyIds: [] }, 7)).code).toBe(422)
  expect((await cast.operator.call(contract.listBroadcasts, { query: {} })).data.total).toBe(1)
})

test.each([
  ['title', { title: '' }],
  ['content', { content: '' }],
  ['link', { link: 'https://elsewhere.cn' }],
  ['link', { link: '//elsewhere.cn' }],
])('bad input: %s', async (field, change) => {
  const { code, data } = await send({ everybody: true }, 7, change)
  expect(code).toBe(422)
  expect(data).toMatchObject({ errors: expect.arrayContaining([expect.objectContaining({ field })]) as unknown })
})

// The last, because its thousands of people stay.
test('to many it goes out in parts, each whole or not at all, and nobody gets it twice', async () => {
  const before = (await count({ roles: 'none' })).data.people
  // Two whole parts: that nobody is left is found with the third.
  await sql`insert into account (user_name, password_hash, create_time)
    select 'one of many ' || n, 'none', ${monday} from generate_series(1, ${2 * peopleOfPart - before}::int) n`.execute(db)
  const people = 2 * peopleOfPart
  const { data } = await send({ roles: ['none'] }, people)
  expect(data).toMatchObject({ people, isSent: false })
  const stored = async () => {
    const messages = db.selectFrom('message').where('bizType', '=', 'broadcast').where('bizId', '=', String(data.id))
    const counts = messages.select((eb) => [eb.fn.countAll<number>().as('all'), eb.fn.count<number>('accountId').distinct().as('people')])
    return counts.executeTakeFirstOrThrow()
  }
  const isSent = async () => (await cast.operator.call(contract.listBroadcasts, {})).data.rows.find(({ id }) => id === data.id)?.isSent
  expect(await stored()).toEqual({ all: peopleOfPart, people: peopleOfPart })
  // One of the last of the second part cannot be stored.
  const { id: last } = await db.selectFrom('account').orderBy('id', 'desc').select('id').executeTakeFirstOrThrow()
  await sql`create function refuse_one() returns trigger language plpgsql as $$ begin raise exception 'not this one'; end $$`.execute(db)
  await sql
    .raw(`create trigger refuse_one before insert on message for each row when (new.account_id = ${last}) execute function refuse_one()`)
    .execute(db)
  await expect(runJob(services, 'broadcasts')).rejects.toThrow('not this one')
  expect([await stored(), await isSent()]).toEqual([{ all: peopleOfPart, people: peopleOfPart }, false])
  await sql`drop trigger refuse_one on message`.execute(db)
  clock.set(new Date(clock.now().getTime() + 60_000))
  await Promise.all([runJob(services, 'broadcasts'), runJob(services, 'broadcasts')])
  await runJob(services, 'broadcasts')
  expect([await stored(), await isSent()]).toEqual([{ all: people, people }, true])
}, 60_000)
