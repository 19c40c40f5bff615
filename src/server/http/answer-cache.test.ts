import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { resetPassword } from '#shared/account/contract.ts'
import { previewArticle } from '#shared/article/manage.ts'
import { publishDemand } from '#shared/demand/contract.ts'
import { cancelDemand } from '#shared/demand/moves.ts'
import { openWorld } from '#test/world.ts'
import { AnswerCache, answerOf } from './answer-cache.ts'

/** The time of the cache stands still until a test moves it. */
let time = performance.now()
const watch = vi.spyOn(performance, 'now').mockImplementation(() => time)
const pass = (ms: number) => void (time += ms)

const world = await openWorld({ cacheMs: 300, pages: true })
const { cast, db, server } = world
afterAll(async () => {
  await world.close()
  watch.mockRestore()
})

const list = '/prod-api/business/leasingDemand/firstPageList'
const get = (url: string, headers: Record<string, string> = {}) => server.inject({ method: 'GET', url, headers })

describe('answers for visitors', () => {
  test('carry an ETag and are not sent twice to who has them', async () => {
    const first = await get(list)
    expect(first.headers).toMatchObject({
      etag: expect.stringMatching(/^W\/"/),
      'cache-control': 'public, max-age=0, s-maxage=1, must-revalidate',
      vary: 'authorization, accept-language, accept-encoding',
    })
    const again = await get(list, { 'if-none-match': String(first.headers.etag) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  test('a write by this process is seen at once, one from elsewhere within the time', async () => {
    const total = async () => (await get(list)).json<{ total: number }>().total
    const before = await total()
    const { id } = await world.givenDemand()
    expect(await total()).toBe(before + 1)
    await db.updateTable('demand').set({ delFlag: '2' }).where('id', '=', id).execute()
    expect(await total()).toBe(before + 1)
    pass(301)
    await expect.poll(total).toBe(before)
  })

  test('a call that was refused, or that only reads, leaves them; one that was refused after it may have written does not', async () => {
    const total = async () => (await get(list)).json<{ total: number }>().total
    const { id } = await world.givenDemand()
    const before = await total()
    await db.updateTable('demand').set({ delFlag: '2' }).where('id', '=', id).execute()
    const body = { items: [], provinceId: 510_000 }
    const calls = [
      await cast.visitor.call(publishDemand, { body }),
      await cast.project.call(publishDemand, { body }),
      await cast.project.call(cancelDemand, { params: { id: 999_999 }, body: { reason: '方案调整' } }),
      await cast.operator.call(previewArticle, { body: { content: '<p>正文</p>' } }),
      await cast.project.call(resetPassword, { body: {} }),
    ]
    expect(calls.map(({ code }) => code)).toEqual([401, 422, 404, 200, 422])
    expect(await total()).toBe(before)
    const wrong = { oldPassword: 'Wrong@2026', password: 'Another@2026' }
    expect((await cast.project.call(resetPassword, { body: wrong })).code).not.toBe(200)
    expect(await total()).toBe(before - 1)
  })

  test('compressed for who takes it, the same content', async () => {
    const tree = '/prod-api/business/category/tree'
    const plain = await get(tree)
    const opened = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync }
    for (const [accepted, encoding] of [
      ['gzip, deflate, br, zstd', 'zstd'],
      ['gzip, deflate, br', 'br'],
      ['gzip, deflate', 'gzip'],
    ] as const) {
      const { headers, rawPayload } = await get(tree, { 'accept-encoding': accepted })
      expect([headers['content-encoding'], headers.etag]).toEqual([encoding, plain.headers.etag])
      expect(rawPayload.length).toBeLessThan(plain.rawPayload.length / 3)
      expect(opened[encoding](rawPayload).equals(plain.rawPayload)).toBe(true)
    }
  })

  test('the answer for one caller is compressed as well, and kept by nobody', async () => {
    const tree = '/prod-api/business/category/tree'
    const authorization = cast.project.token ?? ''
    const plain = await get(tree, { authorization })
    const packed = await get(tree, { authorization, 'accept-encoding': 'gzip, deflate' })
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', 'cache-control': 'no-store', vary: 'accept-encoding' })
    expect(JSON.parse(gunzipSync(packed.rawPayload).toString())).toEqual(plain.json())
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3)
  })

  test('nothing with a token, nothing that failed, nothing in another language', async () => {
    expect((await get(list, { authorization: cast.project.token ?? '' })).headers).toMatchObject({ 'cache-control': 'no-store' })
    expect((await get(`${list}/999999`)).headers).toMatchObject({ 'cache-control': 'no-store' })
    expect((await get(list, { 'accept-language': 'en-US' })).json<{ msg: string }>().msg).not.toBe(
      (await get(list)).json<{ msg: string }>().msg,
    )
  })

  test('what is made of something kept is no older than that', async () => {
    const cache = new AnswerCache(1000)
    let made = 0
    const page = async () => ({ keep: true, until: performance.now() + 60, answer: answerOf(200, {}, Buffer.from(String(++made))) })
    const body = async () => (await cache.get('page', page)).body.toString()
    expect([await body(), await body()]).toEqual(['1', '1'])
    pass(61)
    await expect.poll(body).toBe('2')
  })

  test('what visitors ask with long addresses stays within the memory of the cache', async () => {
    const cache = new AnswerCache(60_000)
    let made = 0
    const ask = (n: number) =>
      cache.get(`${n} ${'x'.repeat(16_000)}`, async () => ({ keep: true, answer: answerOf(200, {}, Buffer.from(String(++made))) }))
    for (let n = 0; n < 5000; n++) await ask(n)
    await ask(4999)
    expect(made).toBe(5000)
    await ask(0)
    expect(made).toBe(5001)
  })

  test('equal questions at the same time are asked once; what was read before a write is not kept', async () => {
    const cache = new AnswerCache(1000)
    let made = 0
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    const make = async () => {
      made++
      await answered
      return { keep: true, answer: answerOf(200, {}, Buffer.from(String(made))) }
    }
    const asked = Promise.all(Array.from({ length: 5 }, () => cache.get('a', make)))
    answer()
    await asked
    expect(made).toBe(1)
    const reading = cache.get('b', make)
    cache.clear()
    await reading
    expect((await cache.get('b', make)).body.toString()).toBe('3')
  })
})

describe('pages', () => {
  test('a page that has not changed is confirmed with 304 and the same policy', async () => {
    const page = await get('/')
    const again = await get('/', { 'if-none-match': String(page.headers.etag) })
    expect([again.statusCode, again.headers['content-security-policy']]).toEqual([304, page.headers['content-security-policy']])
  })

  test('a page that counts its views is counted every time', async () => {
    const { id } = await db
      .insertInto('article')
      .values({ tab: '1', title: '数一数', content: '<p>正文</p>', publishTime: new Date(world.clock.now().getTime() - 1000) })
      .returning('id')
      .executeTakeFirstOrThrow()
    const opened = [await get(`/notice/detail?id=${id}`), await get(`/notice/detail?id=${id}`)]
    expect(opened.map(({ headers }) => headers['cache-control'])).toEqual(['no-store', 'no-store'])
    expect(await db.selectFrom('article').where('id', '=', id).select('viewCount').executeTakeFirst()).toEqual({ viewCount: 2 })
  })
})

test('figures over everything are kept only when they are dear', async () => {
  const cache = new AnswerCache(1000)
  let n = 0
  expect([await cache.figure('cheap', async () => ({ n: ++n })), await cache.figure('cheap', async () => ({ n: ++n }))]).toEqual([
    { n: 1 },
    { n: 2 },
  ])
  const dear = async () => {
    pass(40)
    return { n: ++n }
  }
  expect(await cache.figure('dear', dear)).toEqual(await cache.figure('dear', dear))
})
