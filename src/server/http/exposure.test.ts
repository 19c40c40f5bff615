import { createHash } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { paths } from '#shared/paths.ts'
import { buildApp } from '#server/app.ts'
import { AnswerCache } from '#server/http/answer-cache.ts'
import { policiesWith } from '#server/web.ts'
import type { Config } from '#server/config.ts'
import { openWorld } from '#test/world.ts'

const world = await openWorld({ pages: true, cacheMs: 60_000 })
afterAll(() => world.close())

async function served(config: Partial<Config>) {
  const { server } = await buildApp({
    ...world.services,
    answerCache: new AnswerCache(60_000),
    config: { ...world.services.config, ...config },
  })
  return server
}

describe('the shared cache', () => {
  test('keeps no answer of one language for another, however the headers are worded', async () => {
    const { server } = world
    const url = '/prod-api/business/region/tree?level=1'
    const address = await server.listen({ port: 0, host: '127.0.0.1' })
    const victim = { 'accept-language': 'en', accept: 'application/json, text/plain, */*', 'x-forwarded-proto': 'https' }
    // The same words, divided among the headers in another way.
    const attackers = [
      { 'accept-language': 'application/json,', accept: 'text/plain, */*', 'x-forwarded-proto': 'https en' },
      { 'accept-language': 'https en', accept: victim.accept, 'x-forwarded-proto': '' },
      { 'accept-language': '', accept: `en ${victim.accept}`, 'x-forwarded-proto': 'https' },
    ]
    const messageTo = async (headers: Record<string, string>) =>
      ((await (await fetch(address + url, { headers })).json()) as { msg: string }).msg
    for (const attacker of attackers) expect(await messageTo(attacker)).toBe('操作成功')
    expect(await messageTo(victim)).toBe('Done')
    // The same where the words of the language itself are divided.
    const words = { accept: victim.accept, 'accept-language': 'en;q=0.5', 'x-forwarded-proto': 'https zh-CN,' }
    const divided = async (headers: Record<string, string>) =>
      ((await (await fetch(`${address}/prod-api/business/category/tree`, { headers })).json()) as { msg: string }).msg
    expect(await divided(words)).toBe('Done')
    expect(await divided({ ...victim, 'accept-language': 'zh-CN, en;q=0.5' })).toBe('操作成功')
  })
})

describe('the policy of a page', () => {
  const directive = (policy: string, name: string) => new RegExp(`${name} ([^;]*)`).exec(policy)?.[1]
  const hashOf = (program: string) => `'sha256-${createHash('sha256').update(program).digest('base64')}'`

  test('lets a page connect to its own origin only', async () => {
    const { headers } = await world.server.inject({ url: paths.about, headers: { host: 'own.example:81' } })
    expect(directive(String(headers['content-security-policy']), 'connect-src')).toBe("'self' ws://own.example:81")
    const policyOf = policiesWith([])
    expect(directive(policyOf('https://market.example'), 'connect-src')).toBe("'self' wss://market.example")
  })

  test('allows the programs of the build, which stand in every page, and no script beside them', async () => {
    const pages = await Promise.all([paths.home, paths.about, paths.demands()].map((url) => world.server.inject(url)))
    const allowed = new Set(pages.map(({ headers }) => directive(String(headers['content-security-policy']), 'script-src')))
    expect(allowed.size).toBe(1)
    const hashes = [...allowed][0]?.split(' ').slice(1) ?? []
    for (const { body } of pages) {
      const programs = [...body.matchAll(/<script(?![^>]*type="application\/)[^>]*>([^]*?)<\/script>/g)].map(([, program = '']) =>
        hashOf(program),
      )
      expect(programs.toSorted()).toEqual(hashes.toSorted())
    }
    const policyOf = policiesWith(['one()'])
    expect(directive(policyOf('https://market.example'), 'script-src')).toBe(`'self' ${hashOf('one()')}`)
  })
})

describe('who is behind a proxy', () => {
  const tenCalls = async (server: Awaited<ReturnType<typeof served>>, peer: string, visitor: (n: number) => string) => {
    const statuses: number[] = []
    for (let n = 0; n < 12; n++)
      statuses.push(
        (
          await server.inject({
            method: 'POST',
            url: '/prod-api/business/contact',
            payload: {},
            remoteAddress: peer,
            headers: { 'x-forwarded-for': visitor(n) },
          })
        ).statusCode,
      )
    return statuses.filter((status) => status === 429).length
  }
  const behind = { publicUrl: 'https://market.example', trustedProxies: '198.51.100.0/24' }

  test('each visitor of a trusted proxy counts for themselves', async () => {
    const server = await served(behind)
    expect(await tenCalls(server, '198.51.100.9', (n) => `203.0.113.${n}`)).toBe(0)
    // What the visitor wrote in front of the proxy's own entry names nobody.
    expect(await tenCalls(server, '198.51.100.9', (n) => `192.0.2.${n}, 203.0.113.200`)).toBe(2)
    await server.close()
  })
  test('nobody else says who they are', async () => {
    const server = await served(behind)
    expect(await tenCalls(server, '203.0.113.77', (n) => `192.0.2.${n}`)).toBe(2)
    await server.close()
  })
})

describe('security.txt', () => {
  test('names where weaknesses are reported, and until when that holds', async () => {
    const server = await served({ publicUrl: 'https://market.example/', securityContact: 'mailto:security@market.example' })
    const { body, headers } = await server.inject('/.well-known/security.txt')
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    const lines = body.trim().split('\n')
    expect(lines).toContain('Contact: mailto:security@market.example')
    expect(lines).toContain('Canonical: https://market.example/.well-known/security.txt')
    const expires = new Date(lines.find((line) => line.startsWith('Expires: '))?.slice(9) ?? '').getTime() - world.clock.now().getTime()
    expect(expires > 30 * 86_400_000 && expires < 365 * 86_400_000).toBe(true)
    await server.close()
  })
  test('names the page of contacts where nothing else is set', async () => {
    const { body } = await world.server.inject({ url: '/.well-known/security.txt', headers: { host: 'own.example' } })
    expect(body).toMatch(/^Contact: http:\/\/own\.example\/contact$/m)
  })
})

test('the calls are documented where the settings say so', async () => {
  const off = await served({ site: { ...world.services.config.site, apiDocs: false } })
  for (const url of ['/prod-api/docs', '/prod-api/openapi.json']) {
    expect([url, (await off.inject(url)).statusCode]).toEqual([url, 404])
    expect([url, (await world.server.inject(url)).statusCode]).toEqual([url, 200])
  }
  await off.close()
})
