import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp } from '#server/app.ts'
import { AnswerCache } from '#server/http/answer-cache.ts'
import { openWorld } from '#test/world.ts'

const world = await openWorld()
const html = '<!doctype html><title>page</title>'
const pagePolicy = "default-src 'self'"
/** Pages as web.ts sends them: with a policy of their own. */
const web = {
  render: async (_: unknown, reply: { header(name: string, value: string): { type(type: string): { send(body: string): void } } }) => {
    reply.header('content-security-policy', pagePolicy).type('text/html').send(html)
    return reply
  },
}
const built = (publicUrl?: string) =>
  buildApp({ ...world.services, answerCache: new AnswerCache(60_000), config: { ...world.services.config, publicUrl } }, web)
const { server } = await built()
const overHttps = (await built('https://market.example')).server
beforeAll(() => server.listen({ port: 0, host: '127.0.0.1' }))
afterAll(async () => {
  await Promise.all([server.close(), overHttps.close()])
  await world.close()
})

/** What every answer says to the browser, whatever it is. */
const always = {
  'content-security-policy': "default-src 'none';style-src 'unsafe-inline';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}
/** Those of an answer that are about safety: not about its content, its age, its connection or how often it may be asked for. */
const safetyOf = (headers: Iterable<[string, unknown]>) =>
  Object.fromEntries(
    [...headers].filter(
      ([name]) =>
        !/^(?:content-(?:type|length|encoding|disposition)|cache-control|vary|etag|date|connection|keep-alive|x-request-id|x-ratelimit-[a-z]+|allow)$/.test(
          name,
        ),
    ),
  )
const ask = async (url: string, init: { method?: 'GET' | 'POST' | 'HEAD'; payload?: string; headers?: Record<string, string> } = {}) => {
  const { statusCode, headers, body } = await server.inject({ url, ...init })
  return { status: statusCode, headers: safetyOf(Object.entries(headers)), body }
}
const tree = '/prod-api/business/category/tree'

test.each([
  ['an answer', 200, tree, {}],
  ['a refusal', 200, '/prod-api/system/user/foregroundGetInfo', {}],
  ['a file', 200, '/prod-api/business/equipment/importTemplate', { headers: { authorization: world.cast.lessor.token ?? '' } }],
  ['an unknown call', 404, '/prod-api/nothing/here', { method: 'POST' }],
  ['a broken body', 400, '/prod-api/login', { method: 'POST', payload: '{', headers: { 'content-type': 'application/json' } }],
  ['health', 200, '/healthz', {}],
  ['the document of the calls', 200, '/prod-api/openapi.json', {}],
  ['the map of the site', 200, '/sitemap.xml', {}],
] as const)('%s carries the headers of safety', async (_, status, url, init) => {
  const answer = await ask(url, init)
  expect([answer.status, answer.headers]).toEqual([status, always])
})

test('a page carries the same, but the policy is its own', async () => {
  expect(await ask('/about')).toEqual({ status: 200, headers: { ...always, 'content-security-policy': pagePolicy }, body: html })
})

test('an answer that is sent again before the framework is asked carries the same once', async () => {
  const address = server.listeningOrigin
  for (let time = 0; time < 3; time++) {
    const { headers, status } = await fetch(address + tree)
    expect([status, safetyOf(headers)]).toEqual([200, always])
    const { etag } = Object.fromEntries(headers)
    const same = await fetch(address + tree, { headers: { 'if-none-match': etag ?? '' } })
    expect([same.status, safetyOf(same.headers)]).toEqual([304, always])
  }
})

test('behind https the browser is told to stay there', async () => {
  const { headers } = await overHttps.inject(tree)
  expect(safetyOf(Object.entries(headers))).toEqual({ ...always, 'strict-transport-security': 'max-age=31536000; includeSubDomains' })
})
