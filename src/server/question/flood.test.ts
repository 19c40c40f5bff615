import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { dayMs, toMoment } from '#shared/calendar.ts'
import { getOwnDemand } from '#shared/demand/contract.ts'
import { amendDemand, cancelDemand, extendDemand } from '#shared/demand/moves.ts'
import { stepLimits } from '#shared/demand/rules.ts'
import { saveMessageConfig } from '#shared/message/contract.ts'
import { answerQuestion, askQuestion, listQuestions } from '#shared/question/contract.ts'
import { maxCorrections, maxQuestions } from '#shared/question/rules.ts'
import * as quoting from '#shared/quote/contract.ts'
import { maxOffers } from '#shared/quote/rules.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { monday, openWorld } from '#test/world.ts'

const world = await openWorld({ sockets: true })
const { db, cast, clock } = world
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

const later = (days: number) => new Date(monday.getTime() + days * dayMs)

/** What somebody, the owner unless another is named, has not read about the demand, by kind. */
const unread = async (demandId: number, by = cast.project) =>
  Object.fromEntries(
    Object.entries(
      Object.groupBy(
        await db
          .selectFrom('message')
          .where('accountId', '=', by.id)
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

test('of 80 changes of a demand twenty are taken in a day and a thousand in all, and whoever quotes is told of each', async () => {
  const demand = await world.givenDemand({ quoteDeadline: toMoment(later(10)) })
  await world.givenQuote(cast.lessor, demand, [await world.givenMachine(cast.lessor.companyId)])
  await db.updateTable('message').set({ isRead: '1' }).execute()
  const extend = (n: number) =>
    cast.project.call(extendDemand, {
      params: { id: demand.id },
      body: { quoteDeadline: toMoment(new Date(later(10).getTime() + n * 1000)), reason: '图纸未到' },
    })
  const amend = async (changes: object) => {
    const { version, items, quoteDeadline } = (await cast.project.call(getOwnDemand, { params: { id: demand.id } })).data
    const lines = items.map(({ id }) => ({ ...world.demandItem(), id }))
    const body = world.demandBody({ quoteDeadline, items: lines, changeReason: '工期调整', ...changes })
    return cast.project.call(amendDemand, { body: { ...body, id: demand.id, version } })
  }
  const answers: { code: number; msg: string }[] = [await extend(1), await extend(2)]
  for (const n of [1, 2]) answers.push(await amend({ title: `装载机 ${n}` }), await amend({ address: `工地驻地 ${n}` }))
  for (let n = answers.length; n < 80; n++) answers.push(await extend(n))
  expect(answers.filter(({ code }) => code === 200)).toHaveLength(stepLimits.aDay)
  expect([(await amend({})).msg, answers.at(-1)?.msg]).toEqual([zhCn.refusal.demand_day, zhCn.refusal.demand_day])
  expect(await unread(demand.id, cast.lessor)).toEqual({ demandAmended: 3, demandCorrected: 1, demandExtended: 16 })
  clock.set(later(1))
  expect((await extend(80)).code).toBe(200)
  const givenEvents = (move: string) =>
    sql`insert into demand_event (demand_id, at, account_id, move, note)
      select ${demand.id}, ${later(-2).toISOString()}::timestamptz, ${cast.project.id}, ${move}, '某公司'
      from generate_series(1, ${stepLimits.inAll}::int)`.execute(db)
  await givenEvents('uninvite')
  // The names that amendments took off the list do not stand in the way of a later deadline.
  expect([(await extend(81)).code, (await amend({})).msg]).toEqual([200, zhCn.refusal.demand_full])
  await givenEvents('amend')
  expect([(await extend(82)).msg, (await amend({})).msg]).toEqual([zhCn.refusal.demand_full, zhCn.refusal.demand_full])
  expect((await cast.project.call(cancelDemand, { params: { id: demand.id }, body: { reason: '工程取消' } })).code).toBe(200)
})

test('of 80 corrections of answers twenty are taken in a day, with one unread message, and every question is answered', async () => {
  const demand = await world.givenDemand()
  await world.givenQuote(cast.lessor, demand, [await world.givenMachine(cast.lessor.companyId)])
  const ask = async (who: 'lessor' | 'lessor2') =>
    (await cast[who].call(askQuestion, { body: { demandId: demand.id, content: '夜间能进场吗？' } })).data.id
  const questions = [await ask('lessor'), await ask('lessor2'), await ask('lessor2')]
  const answer = (n: number, text: string) =>
    cast.project.call(answerQuestion, { params: { id: questions[n] ?? 0 }, body: { answer: text } })
  expect([(await answer(0, '可以')).code, (await answer(1, '可以')).code]).toEqual([200, 200])
  const answers = await Promise.all(Array.from({ length: 80 }, (_, n) => answer(n % 2, `可以，第${n}次`)))
  expect(answers.filter(({ code }) => code === 200)).toHaveLength(maxCorrections)
  expect((await answer(1, '可以，最后一次')).msg).toBe(zhCn.refusal.answer_limit)
  expect((await answer(2, '不可以')).code).toBe(200)
  for (const who of [cast.lessor, cast.lessor2]) expect(await unread(demand.id, who)).toMatchObject({ questionAnswered: 1 })
  clock.set(later(2))
  expect((await answer(0, '可以，下一天')).code).toBe(200)
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

test('a message names the begin of a long question and shows that there is more', async () => {
  const demand = await world.givenDemand()
  const asked = async (content: string) => {
    await cast.lessor.call(askQuestion, { body: { demandId: demand.id, content } })
    const told = db.selectFrom('message').where('kind', '=', 'questionAsked').where('bizId', '=', String(demand.id))
    return (await told.orderBy('id', 'desc').select('params').executeTakeFirstOrThrow()).params.content
  }
  expect(await asked('问'.repeat(100))).toBe('问'.repeat(100))
  expect(await asked('问'.repeat(101))).toBe(`${'问'.repeat(100)}…`)
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

test('a question is answered as long as lessors quote: an answer after it would reach those who can change nothing', async () => {
  const demand = await world.givenDemand()
  const { data } = await cast.lessor.call(askQuestion, { body: { demandId: demand.id, content: '夜间能进场吗？' } })
  const answer = async (by = cast.project) => (await by.call(answerQuestion, { params: { id: data.id }, body: { answer: '可以' } })).msg
  expect(await answer(cast.otherProject)).toBe(zhCn.refusal.not_found)
  await db.updateTable('demand').set({ status: '4' }).where('id', '=', demand.id).execute()
  expect(await answer()).toBe(zhCn.refusal.clarify_over)
  await db.updateTable('demand').set({ status: '3' }).where('id', '=', demand.id).execute()
  expect((await cast.project.call(answerQuestion, { params: { id: data.id }, body: { answer: '可以' } })).code).toBe(200)
})

test('an answer does not replace that of a colleague which was not read', async () => {
  const demand = await world.givenDemand()
  const { data } = await cast.lessor.call(askQuestion, { body: { demandId: demand.id, content: '夜间能进场吗？' } })
  const answer = (text: string, before: string) =>
    cast.project.call(answerQuestion, { params: { id: data.id }, body: { answer: text, before } })
  const stored = async () => (await cast.visitor.call(listQuestions, { params: { demandId: demand.id } })).data[0]?.answer
  expect((await answer('不可以', '')).code).toBe(200)
  const unseen = await answer('可以', '')
  expect([unseen.code, unseen.msg, await stored()]).toEqual([409, zhCn.refusal.changed, '不可以'])
  expect([(await answer('可以', '不可以')).code, await stored()]).toEqual([200, '可以'])
  // It is sent again by whoever got no answer.
  expect((await answer('可以', '不可以')).code).toBe(200)
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
