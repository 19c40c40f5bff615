import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { saveMessageConfig } from '#shared/message/contract.ts'
import { askQuestion } from '#shared/question/contract.ts'
import { maxQuestions } from '#shared/question/rules.ts'
import * as quoting from '#shared/quote/contract.ts'
import { maxOffers } from '#shared/quote/rules.ts'
import { monday, openWorld } from '#test/world.ts'

const world = await openWorld()
const { db, cast, clock } = world
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

/** What the owner has not read about the demand, by kind. */
const unread = async (demandId: number) =>
  Object.fromEntries(
    Object.entries(
      Object.groupBy(
        await db
          .selectFrom('message')
          .where('accountId', '=', cast.project.id)
          .where('isRead', '=', '0')
          .where('bizId', '=', String(demandId))
          .select('kind')
          .execute(),
        ({ kind }) => kind,
      ),
    ).map(([kind, messages]) => [kind, messages?.length]),
  )

test('of 80 questions at once as many are taken as one lessor may ask, and their owner has one message', async () => {
  const demand = await world.givenDemand()
  const ask = (who: 'lessor' | 'lessor2', n: number) =>
    cast[who].call(askQuestion, { body: { demandId: demand.id, content: `第${n}个问题：夜间能进场吗？` } })
  const answers = await Promise.all(Array.from({ length: 80 }, (_, n) => ask('lessor', n)))
  expect(answers.filter(({ code }) => code === 200)).toHaveLength(maxQuestions)
  expect(new Set(answers.filter(({ code }) => code !== 200).map(({ code }) => code))).toEqual(new Set([429]))
  expect(await db.selectFrom('demandQuestion').where('demandId', '=', demand.id).select('id').execute()).toHaveLength(maxQuestions)
  expect((await ask('lessor2', 81)).code).toBe(200)
  expect(await unread(demand.id)).toEqual({ questionAsked: 1 })
  const other = await world.givenDemand()
  expect((await cast.lessor.call(askQuestion, { body: { demandId: other.id, content: '另一条需求的问题' } })).code).toBe(200)
  // News about one demand take no other's place.
  expect([await unread(demand.id), await unread(other.id)]).toEqual([{ questionAsked: 1 }, { questionAsked: 1 }])
})

test('[S4.6] news in the place of unread ones say so, and neither pop up nor go out by SMS again', async () => {
  await cast.project.call(saveMessageConfig, { body: [{ systemSubject: '答疑通知', inApp: '1', push: '1', sms: '1' }] })
  await world.server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = world.server.server.address() as AddressInfo
  const socket = new WebSocket(`ws://127.0.0.1:${port}/schedule/websocket`, [cast.project.token ?? ''])
  await once(socket, 'open')
  const heard: [quiet: boolean, replaces: number][] = []
  socket.on('message', (data: Buffer) => {
    const { quiet, replaces } = JSON.parse(String(data)) as { quiet: boolean; replaces: number }
    heard.push([quiet, replaces])
  })
  const demand = await world.givenDemand()
  for (let n = 1; n <= 3; n++)
    expect((await cast.lessor.call(askQuestion, { body: { demandId: demand.id, content: `第${n}个问题：夜间能进场吗？` } })).code).toBe(200)
  await expect.poll(() => heard.length).toBe(3)
  expect(heard).toEqual([
    [false, 0],
    [true, 1],
    [true, 1],
  ])
  socket.close()
  expect(await db.selectFrom('outbox').where('template', '=', 'notice').select('accountId').execute()).toEqual([
    { accountId: cast.project.id },
  ])
})

test('a message that was read stays; the next one stands beside it', async () => {
  const demand = await world.givenDemand()
  const ask = () => cast.lessor.call(askQuestion, { body: { demandId: demand.id, content: '夜间能进场吗？' } })
  await ask()
  await db.updateTable('message').set({ isRead: '1' }).where('bizId', '=', String(demand.id)).execute()
  await ask()
  await ask()
  expect(await unread(demand.id)).toEqual({ questionAsked: 1 })
  const all = await db
    .selectFrom('message')
    .where('accountId', '=', cast.project.id)
    .where('kind', '=', 'questionAsked')
    .where('bizId', '=', String(demand.id))
    .select('id')
    .execute()
  expect(all).toHaveLength(2)
})

test('a question is taken whose notice is cut in the middle of a sign', async () => {
  const demand = await world.givenDemand()
  const content = `${'问'.repeat(99)}😀夜间能进场吗？`
  expect((await cast.lessor.call(askQuestion, { body: { demandId: demand.id, content } })).code).toBe(200)
  expect(await unread(demand.id)).toEqual({ questionAsked: 1 })
})

test('quotes and withdrawals in turn end at the bound, with the quote in force free to be withdrawn, and two messages', async () => {
  const demand = await world.givenDemand()
  const machine = await world.givenMachine(cast.lessor.companyId)
  const submit = () => cast.lessor.call(quoting.submitQuote, { body: world.quoteBody(demand, [machine]) })
  const withdraw = (id: number) => cast.lessor.call(quoting.withdrawQuote, { params: { id } })
  for (let n = 1; n < maxOffers; n++) {
    const { data } = await submit()
    expect((await withdraw(data.id)).code).toBe(200)
  }
  // The last one, with seventy-nine more at the same moment.
  const answers = await Promise.all(Array.from({ length: 80 }, submit))
  const [last] = answers.filter(({ code }) => code === 200)
  expect(answers.filter(({ code }) => code === 200)).toHaveLength(1)
  const change = await cast.lessor.call(quoting.changeQuote, {
    body: { ...world.quoteBody(demand, [machine]), id: last?.data.id, version: 1 },
  })
  expect([change.code, change.msg]).toEqual([429, '贵司对该需求的报价和变更已达 20 次'])
  expect((await withdraw(last?.data.id ?? 0)).code).toBe(200)
  expect((await submit()).code).toBe(429)
  expect(await unread(demand.id)).toEqual({ quoteReceived: 1, quoteWithdrawn: 1 })
  expect(
    (await cast.lessor2.call(quoting.submitQuote, { body: world.quoteBody(demand, [await world.givenMachine(cast.lessor2.companyId)]) }))
      .code,
  ).toBe(200)
})
