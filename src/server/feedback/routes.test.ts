import { afterAll, expect, test } from 'vitest'
import * as contract from '#shared/feedback/contract.ts'
import { feedbackLimits } from '#shared/feedback/rules.ts'
import { downloadFile } from '#shared/file/contract.ts'
import { listOwnMessages } from '#shared/message/contract.ts'
import { monday, openWorld } from '#test/world.ts'
import { daily } from '#test/daily.ts'

const world = await openWorld()
const { db, cast, clock } = world
afterAll(() => world.close())

const input = { type: 'fault', title: '比价页打不开', content: '点击比价后页面一直转圈，没有内容。', contact: '', images: [] as string[] }
const open = async (more: object = {}) => (await cast.project.call(contract.addFeedback, { body: { ...input, ...more } })).data.id
const read = async (id: number, by = cast.project) => (await by.call(contract.getFeedback, { params: { id } })).data

async function picture(accountId: number) {
  const { id } = await db
    .insertInto('file')
    .values({ name: 'a.png', size: 3, mime: 'image/png', sha256: Buffer.alloc(32), access: 'owner', accountId })
    .returning('id')
    .executeTakeFirstOrThrow()
  await world.services.storage.put(id, Buffer.from('png'))
  return id
}

test('[S2.12][S7.6] a thread: asked, answered, asked again, answered, closed with stars; the author is told', async () => {
  const image = await picture(cast.project.id)
  const id = await open({ images: [image] })
  expect(await read(id)).toMatchObject({ status: '0', feedbackCode: 'FK202611230001', images: [image], replies: [], author: '' })
  expect(await read(id, cast.operator)).toMatchObject({ author: 'project甲' })
  expect((await cast.operator.call(downloadFile, { params: { id: image } })).bytes.toString()).toBe('png')
  expect((await cast.lessor.call(downloadFile, { params: { id: image } })).code).toBe(404)
  const answer = async (content: string) =>
    cast.operator.call(contract.answerFeedback, { params: { id }, body: { content, seen: (await read(id)).replies.length } })
  expect((await answer('请问用的什么浏览器？')).code).toBe(200)
  expect((await read(id)).status).toBe('2')
  expect((await cast.project.call(listOwnMessages, {})).data.rows[0]).toMatchObject({
    systemSubject: '反馈回复通知',
    link: `/personal/feedback/detail?id=${id}`,
  })
  await cast.project.call(contract.askAgain, { params: { id }, body: { content: 'Chrome，昨天还可以。' } })
  expect((await read(id)).status).toBe('1')
  await answer('已修复，请刷新。')
  expect((await read(id)).replies.map(({ byOperator }) => byOperator)).toEqual([true, false, true])
  expect((await cast.project.call(contract.closeFeedback, { params: { id }, body: { satisfaction: 5 } })).code).toBe(200)
  expect(await read(id)).toMatchObject({ status: '3', satisfaction: 5 })
  expect((await answer('还有吗？')).msg).toBe('该反馈已关闭，请另提反馈')
  expect((await cast.project.call(contract.askAgain, { params: { id }, body: { content: '没有了' } })).code).toBe(409)
})

test('an operator neither answers nor closes what they have not read to its end, and one of two answers goes out', async () => {
  const id = await open()
  const answer = (seen: number) => cast.operator.call(contract.answerFeedback, { params: { id }, body: { content: '已修复', seen } })
  const finish = (seen: number) => cast.operator.call(contract.finishFeedback, { params: { id }, body: { seen } })
  await cast.project.call(contract.askAgain, { params: { id }, body: { content: '合同也签不了。' } })
  expect([(await answer(0)).code, (await finish(0)).code]).toEqual([409, 409])
  expect(await read(id)).toMatchObject({ status: '1', replies: [{ byOperator: false }] })
  const told = async () => (await cast.project.call(listOwnMessages, {})).data.total
  const before = await told()
  const both = await Promise.all([answer(1), answer(1)])
  expect(both.map(({ code }) => code).toSorted()).toEqual([200, 409])
  expect([(await told()) - before, (await read(id)).replies.length]).toEqual([1, 2])
  expect((await finish(2)).code).toBe(200)
})

test('answered and left alone for fifteen days it closes by itself', async () => {
  const [answered, waiting] = [await open(), await open()]
  await cast.operator.call(contract.answerFeedback, { params: { id: answered }, body: { content: '好了', seen: 0 } })
  clock.set(new Date(monday.getTime() + 15 * 86_400_000 - 1000))
  await daily(world.services)
  expect((await read(answered)).status).toBe('2')
  clock.set(new Date(monday.getTime() + 15 * 86_400_000 + 1000))
  await daily(world.services)
  expect([(await read(answered)).status, (await read(waiting)).status]).toEqual(['3', '0'])
  clock.set(monday)
})

test('those that wait are listed the oldest first, those that are closed the newest first', async () => {
  const given: number[] = []
  for (const minutes of [0, 1, 2, 3]) {
    clock.set(new Date(monday.getTime() + minutes * 60_000))
    given.push(await open())
  }
  const closed = given.slice(2).toReversed()
  for (const [at, id] of closed.entries()) {
    clock.set(new Date(monday.getTime() + (10 + at) * 60_000))
    await cast.operator.call(contract.finishFeedback, { params: { id }, body: { seen: 0 } })
  }
  const { rows } = (await cast.operator.call(contract.listAllFeedback, { query: { pageSize: 100 } })).data
  expect(rows.map(({ id }) => id).filter((id) => given.includes(id))).toEqual([...given.slice(0, 2), ...closed.toReversed()])
  clock.set(monday)
})

test('lists: own ones newest first, everybody’s by how long they wait; pictures of others and other files are refused', async () => {
  await cast.lessor.call(contract.addFeedback, { body: { ...input, title: '另一家的反馈' } })
  const own = (await cast.project.call(contract.listOwnFeedback, { query: { pageSize: 100 } })).data
  expect(own.rows.every(({ title }) => title === input.title)).toBe(true)
  const all = (await cast.operator.call(contract.listAllFeedback, { query: { status: '0', keyword: '另一家' } })).data
  expect(all.rows.map(({ title }) => title)).toEqual(['另一家的反馈'])
  const foundBy = async (keyword: string) =>
    (await cast.operator.call(contract.listAllFeedback, { query: { pageSize: 100, keyword } })).data.rows.map(({ title }) => title)
  const [other] = all.rows
  const { name, userName } = await db
    .selectFrom('account')
    .where('id', '=', cast.lessor.id)
    .select(['name', 'userName'])
    .executeTakeFirstOrThrow()
  for (const typed of [other?.feedbackCode.toLowerCase() ?? '', name, userName.toUpperCase()])
    expect([typed, await foundBy(typed)]).toEqual([typed, ['另一家的反馈']])
  expect(await foundBy('%')).toEqual([])
  const foreign = await cast.project.call(contract.addFeedback, { body: { ...input, images: [await picture(cast.lessor.id)] } })
  expect(foreign.raw.data).toEqual({ errors: [{ field: 'images', message: '附件不存在或不属于您' }] })
  const short = await cast.project.call(contract.addFeedback, { body: { ...input, title: '坏', content: '短' } })
  expect((short.raw.data as { errors: { field: string }[] }).errors.map(({ field }) => field)).toEqual(['title', 'content'])
})

test('somebody who sends feedback or adds to it without end is bounded by the day and by the thread, also where all of it arrives at once', async () => {
  const send = () => cast.stranger.call(contract.addFeedback, { body: input })
  const sent = await Promise.all(Array.from({ length: 25 }, send))
  expect(sent.filter(({ code }) => code === 200)).toHaveLength(feedbackLimits.aDay)
  expect((await send()).msg).toBe('今日次数已达上限，请明天再试')
  const [id = 0] = sent.filter(({ code }) => code === 200).map(({ data }) => data.id)
  const add = () => cast.stranger.call(contract.askAgain, { params: { id }, body: { content: '补充' } })
  const added = await Promise.all(Array.from({ length: 60 }, add))
  expect(added.filter(({ code }) => code === 200)).toHaveLength(feedbackLimits.repliesADay)
  for (let day = 1; day <= 3; day++) {
    clock.set(new Date(monday.getTime() + day * 86_400_000))
    await Promise.all(Array.from({ length: 50 }, add))
  }
  clock.set(new Date(monday.getTime() + 4 * 86_400_000))
  expect((await add()).msg).toBe('补充已达 200 次，请另提交反馈')
  expect((await send()).code).toBe(200)
  clock.set(monday)
})
