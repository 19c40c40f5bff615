import { afterAll, expect, test } from 'vitest'
import { buildApp } from '#server/app.ts'
import { openWorld } from '#test/world.ts'
import { callerOf } from './limits.ts'

const world = await openWorld()
const other = await buildApp(world.services)
afterAll(async () => {
  await other.server.close()
  await world.close()
})

test('[S8] a limit is one for all instances, over a minute, and for one address', async () => {
  const ask = (server: typeof world.server, address = '203.0.113.7') =>
    server.inject({ method: 'POST', url: '/prod-api/business/contact', payload: {}, remoteAddress: address })
  for (let n = 0; n < 10; n++) expect((await ask(n % 2 ? world.server : other.server)).statusCode).toBe(200)
  // A token that was made up does not make another caller of somebody.
  const disguised = await world.server.inject({
    method: 'POST',
    url: '/prod-api/business/contact',
    payload: {},
    remoteAddress: '203.0.113.7',
    headers: { authorization: 'made-up' },
  })
  expect(disguised.statusCode).toBe(429)
  const refused = await ask(world.server)
  expect([refused.statusCode, refused.json<{ code: number }>().code, Number(refused.headers['retry-after']) > 0]).toEqual([429, 429, true])
  expect((await ask(other.server)).statusCode).toBe(429)
  expect((await ask(world.server, '203.0.113.8')).statusCode).toBe(200)
  world.clock.set(new Date(world.clock.now().getTime() + 61_000))
  expect((await ask(world.server)).statusCode).toBe(200)
})

test('who is counted: the token, otherwise the address, of IPv6 the network', () => {
  const of = (ip: string, authorization?: string) => callerOf({ ip, headers: { authorization } })
  expect(of('2001:db8:1:2:3:4:5:6')).toBe(of('2001:db8:1:2:ffff::1'))
  expect(of('2001:db8:1:2::1')).not.toBe(of('2001:db8:1:3::1'))
  expect(of('203.0.113.7', 'token-a')).not.toBe(of('203.0.113.7', 'token-b'))
  expect(of('203.0.113.7', 'token-a')).toBe(of('203.0.113.9', 'token-a'))
})
