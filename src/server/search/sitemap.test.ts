import type { KyselyPlugin } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openWorld } from '#test/world.ts'
import { sitemap } from './sitemap.ts'

const world = await openWorld({ cacheMs: 1000 })
afterAll(() => world.close())

test('the sitemap is read once for all who ask for it, by whatever name of the site', async () => {
  let queries = 0
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      queries++
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const services = { ...world.services, db: world.db.withPlugin(counting) }
  const ask = (n: number) => sitemap(services, `https://site${n}.example`)
  const asked = await Promise.all(Array.from({ length: 20 }, (_, n) => ask(n)))
  await ask(20)
  expect(queries).toBe(4)
  expect(asked[7]).toContain('<loc>https://site7.example/aboutus</loc>')
  expect(asked[7]).not.toContain('site8')
})

test('an address asks for the sitemap thirty times a minute', async () => {
  const statuses: number[] = []
  for (let n = 0; n < 31; n++) statuses.push((await world.server.inject('/sitemap.xml')).statusCode)
  expect(statuses).toEqual([...Array<number>(30).fill(200), 429])
})
