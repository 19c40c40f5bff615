import { afterAll, expect, test } from 'vitest'
import { buildApp } from '#server/app.ts'
import { AnswerCache } from '#server/http/answer-cache.ts'
import { openWorld } from '#test/world.ts'

const world = await openWorld()
const token = 'a-token-for-the-metrics'
const { server } = await buildApp({ ...world.services, config: { ...world.services.config, metricsToken: token } })
afterAll(async () => {
  await server.close()
  await world.close()
})

test('metrics are for who has the token, and name calls, not people', async () => {
  await server.inject({ url: '/prod-api/business/category/tree', headers: { authorization: world.cast.project.token ?? '' } })
  expect((await server.inject('/metrics')).statusCode).toBe(401)
  expect((await server.inject({ url: '/metrics', headers: { authorization: 'Bearer another-token-here' } })).statusCode).toBe(401)
  const { body, statusCode } = await server.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } })
  expect(statusCode).toBe(200)
  for (const name of [
    'http_request_duration_seconds_count{method="GET",route="/prod-api/business/category/tree",status="2xx"} 1',
    'database_connections ',
    'websocket_connections 0',
    'nodejs_eventloop_lag_seconds',
    'process_resident_memory_bytes',
  ])
    expect(body).toContain(name)
  expect(body).not.toContain(world.cast.project.token ?? '')
  expect((await world.server.inject('/metrics')).statusCode).toBe(404)
})

test('an answer of the cache is counted by itself and has an id of its own', async () => {
  const config = { ...world.services.config, metricsToken: token }
  const cached = await buildApp({ ...world.services, config, answerCache: new AnswerCache(60_000) })
  const address = await cached.server.listen({ port: 0, host: '127.0.0.1' })
  const tree = async (headers = {}) => (await fetch(`${address}/prod-api/business/category/tree`, { headers })).headers
  const [first, second] = [await tree(), await tree()]
  const third = await tree({ 'if-none-match': first.get('etag') })
  expect(new Set([first, second, third].map((headers) => headers.get('x-request-id')?.length))).toEqual(new Set([36]))
  expect(new Set([first, second, third].map((headers) => headers.get('x-request-id'))).size).toBe(3)
  const { body } = await cached.server.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } })
  expect(body).toContain('http_cached_answers_total 2')
  await cached.server.close()
})

test('what is too much at once is refused at once, and what was begun is answered', async () => {
  // A small answer: none of those begun may wait for a connection so long that it is refused for that.
  const url = '/prod-api/business/region/tree?level=1'
  const answers = await Promise.all(Array.from({ length: 600 }, () => server.inject(url)))
  const of = (status: number) => answers.filter(({ statusCode }) => statusCode === status)
  expect([of(200).length, of(503).length]).toEqual([400, 200])
  expect(of(503)[0]?.headers).toMatchObject({ 'retry-after': '2', 'cache-control': 'no-store' })
  expect(of(503)[0]?.json()).toEqual({ code: 503, msg: '服务暂时不可用，请稍后重试' })
  // Nobody is left counted.
  expect((await server.inject(url)).statusCode).toBe(200)
  expect((await server.inject('/healthz')).statusCode).toBe(200)
})
