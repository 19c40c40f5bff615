import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import * as contract from '#shared/broadcast/contract.ts'
import { listOwnMessages, getMessage } from '#shared/message/contract.ts'
import { openWorld } from '#test/world.ts'

const world = await openWorld()
const { cast, db } = world
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
