import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '#shared/endpoint.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { openWorld } from '#test/world.ts'
import { Api } from '../api.ts'
import { getRegionTree } from '../region/queries.ts'

const world = await openWorld()
const { cast, send, db } = world
afterAll(() => world.close())

const publish = (body: unknown, headers: Record<string, string> = {}) =>
  send({ method: 'POST', url: '/prod-api/business/leasingDemand', token: cast.project.token, body, headers })

describe('[S3.5] the envelope', () => {
  test('data under code, msg, data; lists with total and rows; refusals over HTTP 200', async () => {
    expect((await send({ method: 'GET', url: '/prod-api/business/category/tree' })).raw).toMatchObject({
      code: 200,
      msg: '操作成功',
      data: expect.any(Array),
    })
    expect((await send({ method: 'GET', url: '/prod-api/business/leasingDemand/firstPageList' })).raw).toEqual({
      code: 200,
      msg: '查询成功',
      total: 0,
      rows: [],
    })
    expect(await send({ method: 'GET', url: '/prod-api/system/user/foregroundGetInfo' })).toMatchObject({
      http: 200,
      code: 401,
      msg: '令牌不能为空',
    })
    expect(await send({ method: 'GET', url: '/prod-api/business/leasingDemand/list', token: cast.lessor.token })).toMatchObject({
      http: 200,
      code: 403,
      msg: zhCn.refusal.forbidden,
    })
  })
  test('in English by Accept-Language', async () => {
    expect((await send({ method: 'GET', url: '/prod-api/system/user/foregroundGetInfo', language: 'en-US' })).msg).toBe(
      'A token is required',
    )
  })
  test('[S8.3] broken requests, unknown routes and what is too large are true HTTP errors with code and msg', async () => {
    expect(await publish('{"title":')).toMatchObject({ http: 400, code: 400, msg: '参数错误' })
    expect(await send({ method: 'GET', url: '/prod-api/nothing/here' })).toMatchObject({ http: 404, code: 404, msg: '路由未找到' })
    expect(await publish({ title: 'x'.repeat(10 * 1024 * 1024) })).toMatchObject({ http: 413, code: 413 })
    expect(
      (
        await send({
          method: 'POST',
          url: '/prod-api/business/leasingDemand',
          token: cast.project.token,
          body: 'a=1',
          headers: { 'content-type': 'text/csv' },
        })
      ).http,
    ).toBe(415)
  })
  test('every answer carries a request id and forbids sniffing', async () => {
    const { headers } = await world.server.inject('/prod-api/business/category/tree')
    expect(headers).toMatchObject({ 'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/), 'x-content-type-options': 'nosniff' })
  })
})

describe('bad input is refused, stores nothing, and is never a 500', () => {
  const stored = async () =>
    [await db.selectFrom('demand').select('id').execute(), await db.selectFrom('quote').select('id').execute()].map((rows) => rows.length)
  const hostile = [
    "'; drop table demand; --",
    '<script>alert(1)</script>',
    '\u0000\u0007',
    '𝕏😀'.repeat(40),
    '\u202eevil',
    '${7*7}',
    '../../etc/passwd',
    'a'.repeat(100_000),
    'NaN',
    '-1',
    '1e309',
    '9'.repeat(40),
  ]
  const values = fc.oneof(
    fc.constantFrom(...hostile),
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.string(), { maxLength: 3 }),
    fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 }),
  )
  const keys = Object.keys(world.demandBody())

  test('any value in any field of a demand', async () => {
    const before = await stored()
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...keys.filter((key) => !['title', 'address', 'contactName'].includes(key))),
        values,
        async (key, value) => {
          const { http, code } = await publish(world.demandBody({ [key]: value }))
          // A key that would poison a prototype is a broken request.
          const poisoned = JSON.stringify(value)?.includes('__proto__') || JSON.stringify(value)?.includes('constructor')
          expect(poisoned ? [200, 400, 413] : [200, 413]).toContain(http)
          expect(code).not.toBe(500)
        },
      ),
      { numRuns: 120 },
    )
    // What is stored was right after all (a number as text, say); nothing half.
    const [demands = 0] = await stored()
    const items = await db.selectFrom('demandItem').select('demandId').distinct().execute()
    expect(items).toHaveLength(demands)
    expect(before[1]).toBe(0)
  })

  test('text that looks like SQL or HTML is kept as the text it is', async () => {
    const title = "<b>'; drop table demand; -- 塔吊"
    const { data } = await publish(world.demandBody({ title }))
    const { id } = data as { id: number }
    expect(
      ((await send({ method: 'GET', url: `/prod-api/business/leasingDemand/firstPageList/${id}` })).data as { title: string }).title,
    ).toBe(title)
  })

  test('twenty levels of nesting', async () => {
    let deep: unknown = 1
    for (let level = 0; level < 20; level++) deep = { deep }
    expect((await publish(world.demandBody({ items: deep }))).code).toBe(422)
    expect(
      (
        await send({
          method: 'POST',
          url: '/prod-api/business/leasingDemand/draft',
          token: cast.project.token,
          body: { deptId: world.depts.projectDept, form: { deep } },
        })
      ).code,
    ).toBe(422)
  })

  test('unknown fields are dropped, prototypes are refused', async () => {
    const { data, code } = await publish(world.demandBody({ status: '5', isAdmin: true, companyId: 1, quoteCount: 99 }))
    expect(code).toBe(200)
    expect(
      await db
        .selectFrom('demand')
        .where('id', '=', (data as { id: number }).id)
        .select(['status', 'quoteCount'])
        .executeTakeFirst(),
    ).toEqual({ status: '3', quoteCount: 0 })
    expect((await publish('{"__proto__":{"isAdmin":true}}')).http).toBe(400)
  })

  test.each([
    '?pageNum=0',
    '?pageNum=-1',
    '?pageSize=1000',
    '?pageNum=1e9',
    '?provinceId=abc',
    '?status=zz',
    '?demandType=9',
    '?pageNum[]=1',
    '?categoryId=99999999999999999999',
  ])('list query %s', async (query) => {
    const { http, code } = await send({ method: 'GET', url: `/prod-api/business/leasingDemand/firstPageList${query}` })
    expect([http, code === 422 || code === 200]).toEqual([200, true])
  })

  test.each(['0', '-1', 'abc', '1.5', '99999999999999999999', "1' or '1'='1", '%00'])(
    'id %s in a path is nothing that exists',
    async (id) => {
      const { http, code } = await send({ method: 'GET', url: `/prod-api/business/leasingDemand/firstPageList/${id}` })
      expect([
        [200, 404],
        [400, 400],
        [404, 404],
      ]).toContainEqual([http, code])
    },
  )
})

test('an answer has the fields of its contract and no others, whatever the handler gives', async () => {
  const endpoint = {
    method: 'GET',
    url: '/test/answer',
    summary: 'An answer of one field',
    access: 'public',
    form: 'data',
    answer: z.object({ id: z.number(), of: z.array(z.object({ name: z.string() })) }),
  } as const satisfies Endpoint
  const api = new Api(world.services)
  const row = { id: 1, passwordHash: 'secret', of: [{ name: 'a', phonenumber: '13912345678' }] }
  api.handle(endpoint, () => row)
  const caller = { actor: null, hadToken: false, token: null, locale: 'zh-CN', address: '', agent: '', log: world.server.log } as const
  expect(await api.run(api.routeOf(endpoint) ?? expect.fail(), {}, caller)).toEqual({
    http: 200,
    body: { code: 200, msg: zhCn.site.common.done, data: { id: 1, of: [{ name: 'a' }] } },
  })
})

describe('the published contract', () => {
  test('OpenAPI 3.1 lists every call with its parameters, and the page needs no script', async () => {
    const { raw } = await send({ method: 'GET', url: '/prod-api/openapi.json' })
    const paths = raw.paths as Record<string, Record<string, { parameters: unknown[]; 'x-access': string }>>
    expect(raw.openapi).toBe('3.1.0')
    for (const { endpoint } of world.api.routes)
      expect(paths[endpoint.url.replace(/:(\w+)/g, '{$1}')]?.[endpoint.method.toLowerCase()]?.['x-access']).toBe(endpoint.access)
    const page = await world.server.inject('/prod-api/docs')
    expect(page.body).toContain('/prod-api/business/leasingDemand/firstPageList')
    expect(page.body).not.toContain('<script')
  })
  test('the description for readers names every call of contracts, and none that is not there', () => {
    const isOfContracts = (url: string) => /^\/(?:business|system)\/contract(?:Change)?(?:\/|$)/.test(url)
    const described = [...readFileSync('docs/api.md', 'utf8').matchAll(/`((?:GET|POST|PUT|DELETE) (\/[^`?]+))/g)]
    const named = described.filter(([, , url = '']) => isOfContracts(url)).map(([, call]) => call)
    const calls = world.api.routes.map(({ endpoint: { method, url } }) => `${method} ${url.replace(/:(\w+)/g, '{$1}')}`)
    expect([...new Set(named)].toSorted()).toEqual(calls.filter((one) => isOfContracts(one.split(' ')[1] ?? '')).toSorted())
  })
  test('every reference of the document leads to a definition in it', async () => {
    const { raw } = await send({ method: 'GET', url: '/prod-api/openapi.json' })
    const references: string[] = []
    JSON.stringify(raw, (key, value: unknown) => {
      if (key === '$ref') references.push(String(value))
      return value
    })
    const target = (reference: string) =>
      reference
        .slice(2)
        .split('/')
        .reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step.replaceAll('~1', '/').replaceAll('~0', '~')], raw)
    expect(references.length).toBeGreaterThan(5)
    // A reference to the document as a whole would be no schema.
    expect(references.filter((reference) => !reference.startsWith('#/components/schemas/') || target(reference) === undefined)).toEqual([])
  })
  test('health and readiness', async () => {
    expect((await world.server.inject('/healthz')).statusCode).toBe(200)
    expect((await world.server.inject('/readyz')).statusCode).toBe(200)
  })
})

test('[S9.3][S7.4] information comes in pages of five unless asked otherwise, newest first, unpublished and future ones never', async () => {
  const at = (days: number) => new Date(world.clock.now().getTime() + days * 86_400_000)
  await db
    .insertInto('article')
    .values([
      ...Array.from({ length: 7 }, (_, index) => ({
        tab: '1' as const,
        title: `资讯 ${index}`,
        content: '正文',
        publishTime: at(-index - 1),
      })),
      { tab: '1', title: '明天的', content: '正文', publishTime: at(1) },
      { tab: '1', title: '下线的', content: '正文', publishTime: at(-1), status: '2' },
      { tab: '2', title: '公告', content: '正文', publishTime: at(-1) },
    ])
    .execute()
  const list = async (query: string) =>
    (await send({ method: 'GET', url: `/prod-api/system/sysInformation/firstPageList${query}` })).raw as {
      total: number
      rows: { id: number; title: string }[]
    }
  const first = await list('')
  expect([first.total, first.rows.map(({ title }) => title)]).toEqual([7, ['资讯 0', '资讯 1', '资讯 2', '资讯 3', '资讯 4']])
  expect((await list('?tab=2')).rows.map(({ title }) => title)).toEqual(['公告'])
  const detail = await send({ method: 'GET', url: `/prod-api/system/sysInformation/firstPageList/${first.rows[0]?.id}` })
  expect(detail.data).toMatchObject({ title: '资讯 0', content: '正文', viewCount: 1 })
})

describe('reference data', () => {
  test('[S3.6] all provinces, Taiwan, Hong Kong with its three, Macau with its two, overseas', async () => {
    const tree = (await send({ method: 'GET', url: '/prod-api/business/region/tree?level=2' })).data as unknown as {
      code: number
      name: string
      children?: { name: string }[]
    }[]
    expect(tree).toHaveLength(35)
    const of = (code: number) => tree.find((one) => one.code === code)?.children?.map(({ name }) => name)
    expect(of(810_000)).toEqual(['香港岛', '九龙', '新界'])
    expect(of(820_000)).toEqual(['澳门半岛', '离岛'])
    expect(of(990_000)).toEqual(['海外'])
    expect(of(710_000)?.length).toBeGreaterThan(5)
    const cities = await db.selectFrom('region').where('level', '>', 1).where('parentCode', 'is', null).select('code').execute()
    expect(cities).toEqual([])
  })
  test('the regions down to the districts are read once, also for who has a token and whatever else stands in the address', async () => {
    const whole = () => send({ method: 'GET', url: '/prod-api/business/region/tree?any=1', token: cast.project.token })
    const regions = JSON.stringify((await whole()).data).match(/"code":/g)
    expect(regions?.length).toBe((await db.selectFrom('region').select('code').execute()).length)
    expect(await getRegionTree(db, 3)).toBe(await getRegionTree(db, 3))
  })
  test('13 groups, 121 categories with English names and one main parameter each', async () => {
    const tree = (await send({ method: 'GET', url: '/prod-api/business/category/tree' })).data as unknown as {
      children: { nameEn: string; name: string; params: { main: boolean }[] }[]
    }[]
    const all = tree.flatMap(({ children }) => children)
    expect([tree.length, all.length]).toEqual([13, 121])
    expect(all.filter(({ nameEn }) => /[\u4e00-\u9fff]/.test(nameEn))).toEqual([])
    expect(all.filter(({ params }) => params.filter(({ main }) => main).length !== 1)).toEqual([])
  })
  test('dictionaries in the shape of RuoYi', async () => {
    const rows = (await send({ method: 'GET', url: '/prod-api/system/dict/data/type/demand_status' })).data as unknown as {
      dictValue: string
    }[]
    expect(rows[3]).toMatchObject({
      dictType: 'demand_status',
      dictValue: '3',
      dictLabel: '报价中',
      dictLabelEn: 'Open for quotes',
      dictSort: 3,
      status: '0',
    })
  })
})
