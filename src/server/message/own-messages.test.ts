import { afterAll, beforeEach, expect, test } from 'vitest'
import { smsRules } from '#shared/account/rules.ts'
import { dayMs } from '#shared/calendar.ts'
import * as contract from '#shared/message/contract.ts'
import type { MessageKind } from '#shared/message/kinds.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { whileHeld } from '#test/held-rows.ts'
import { monday, openWorld } from '#test/world.ts'
import { transact } from '../deed.ts'
import { flushOutbox } from '../outbox/queries.ts'
import { sendMessages } from './queries.ts'

const world = await openWorld()
const { db, cast, clock, letters, services } = world
const { lessor } = cast
afterAll(world.close)

beforeEach(async () => {
  await db.deleteFrom('message').execute()
  clock.set(monday)
})

const send = (kind: MessageKind, params: Record<string, string>, bizId = 1) =>
  transact(services, { now: clock.now() }, (work) =>
    sendMessages(work, { to: { accounts: [lessor.id] }, kind, params, bizType: 'x', bizId, link: '' }),
  )
const announce = (title: string) => send('announcement', { title, content: '内容' })
const own = async (query: object, language = 'zh-CN') =>
  (await world.caller(lessor.token, language)(contract.listOwnMessages, { query })).data.rows.map(({ title }) => title).toSorted()

test('a message is found by its words in any order, large or small, in Chinese as in English', async () => {
  await announce('设备审核通过：QTZ80 塔式起重机')
  await announce('别的')
  for (const language of ['zh-CN', 'en-US'])
    for (const keyword of ['qtz80', '塔式起重机 QTZ80', '内容 Qtz80'])
      expect(await own({ keyword }, language), keyword).toEqual(['设备审核通过：QTZ80 塔式起重机'])
  expect(await own({ keyword: 'qtz80 别的' })).toEqual([])
})

test('a reason that somebody ended with a full stop of their own is followed by one only', async () => {
  for (const [typed, read] of [
    ['公司需另行调配人员。', '公司需另行调配人员'],
    ['Rented out; no driver.. ', 'Rented out; no driver'],
    ['。', '。'],
  ] as const) {
    await db.deleteFrom('message').execute()
    await send('demandRejected', { title: '标段', code: 'XQ1', reason: typed })
    for (const [language, words] of [
      ['zh-CN', zhCn],
      ['en-US', en],
    ] as const) {
      const { rows } = (await world.caller(lessor.token, language)(contract.listOwnMessages, { query: {} })).data
      expect(rows[0]?.content).toBe(words.messages.demandRejected.content({ code: 'XQ1', reason: read }))
    }
  }
})

test('with a keyword, all that it finds are marked as read and no others, in the language of the reader', async () => {
  await announce('Depot')
  await announce('别的')
  await send('certificationPassed', { company: '某公司' })
  const mark = async (body: object, language: string) =>
    (await world.caller(lessor.token, language)(contract.readMessages, { body: { all: true, ...body } })).code
  expect(await mark({ keyword: 'depot', systemSubject: '企业认证审核通知' }, 'zh-CN')).toBe(200)
  expect(await own({ isRead: '0' })).toHaveLength(3)
  expect(await mark({ keyword: 'depot' }, 'zh-CN')).toBe(200)
  expect(await own({ isRead: '1' })).toEqual(['Depot'])
  expect(await mark({ keyword: 'approved' }, 'en-US')).toBe(200)
  expect(await own({ isRead: '0' })).toEqual(['别的'])
  expect(await mark({ keyword: ' ' }, 'zh-CN')).toBe(200)
  expect(await own({ isRead: '0' })).toEqual([])
})

test('news that is joined goes by SMS once a day to whoever gets it by SMS only, and leaves their unread messages alone', async () => {
  const search = { name: '渝北塔机', count: '1' }
  await send('savedSearchHit', search)
  const { data } = await lessor.call(contract.listMessageConfig, {})
  const { systemSubject } = await db.selectFrom('message').select('systemSubject').executeTakeFirstOrThrow()
  const body = data.map(({ label: _, group: __, locked: ___, ...one }) =>
    one.systemSubject === systemSubject ? { ...one, inApp: '0', sms: '1' } : one,
  )
  expect((await lessor.call(contract.saveMessageConfig, { body })).code).toBe(200)
  const sent = async () => {
    await flushOutbox(services)
    return letters.splice(0).length
  }
  await sent()
  await send('savedSearchHit', search)
  expect(await sent()).toBe(1)
  clock.set(new Date(monday.getTime() + 23 * 3_600_000))
  await send('savedSearchHit', { ...search, count: '5' })
  expect(await sent()).toBe(0)
  // Another search is other news.
  await send('savedSearchHit', { ...search, name: '巴南塔机' }, 2)
  expect(await sent()).toBe(1)
  clock.set(new Date(monday.getTime() + 24 * 3_600_000))
  await send('savedSearchHit', search)
  expect(await sent()).toBe(1)
  // The one from before the choice is still there, and the number of unread ones is true.
  expect((await lessor.call(contract.countUnread, {})).data).toBe(1)
})

/** How the lessor gets announcements; all other subjects as before. */
async function chosen(more: object) {
  const { data } = await lessor.call(contract.listMessageConfig, {})
  return data.map(({ label: _, group: __, locked: ___, ...one }) => (one.systemSubject === '系统公告' ? { ...one, ...more } : one))
}

const most = smsRules.sameNoticesPerDay

test('notices of the same words are bounded for a day, and nothing is lost by it; other news, and what always goes by SMS, goes all the same', async () => {
  await db.deleteFrom('outbox').execute()
  expect((await lessor.call(contract.saveMessageConfig, { body: await chosen({ inApp: '0', sms: '1' }) })).code).toBe(200)
  const notices = (urgent: boolean) =>
    db.selectFrom('outbox').where('accountId', '=', lessor.id).where('urgent', '=', urgent).select('id').execute()
  const messages = () =>
    db.selectFrom('message').where('accountId', '=', lessor.id).where('kind', '=', 'announcement').select('id').execute()
  const askForAccount = () => send('contractAccountAsked', { title: '合同', code: 'C1', company: '某公司' })
  const before = (await messages()).length
  for (let n = 0; n < most + 3; n++) await announce('停机维护')
  for (let n = 0; n < most + 1; n++) await askForAccount()
  await announce('恢复服务')
  expect([(await notices(false)).length, (await notices(true)).length]).toEqual([most + 1, most + 1])
  // Whoever gets them by SMS only has those that came after in the app.
  expect((await messages()).length - before).toBe(3)
  clock.set(new Date(monday.getTime() + dayMs))
  await announce('停机维护')
  expect(await notices(false)).toHaveLength(most + 2)
})

test('of two pages that save the subscriptions at once the second one replaces the first, and neither is refused', async () => {
  await db.deleteFrom('messageConfig').execute()
  const [first, second] = [await chosen({ sms: '1' }), await chosen({ push: '0' })]
  const saves = [first, second].map((body) => () => lessor.call(contract.saveMessageConfig, { body }))
  expect((await whileHeld(db, 'account', saves)).map(({ code }) => code)).toEqual([200, 200])
  const { data } = await lessor.call(contract.listMessageConfig, {})
  expect(data.find(({ systemSubject }) => systemSubject === '系统公告')).toMatchObject({ sms: '0', push: '0' })
})
