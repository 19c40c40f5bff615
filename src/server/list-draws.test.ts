import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { draw, lists, loadOffers } from '#test/load/questions.ts'
import { openWorld } from '#test/world.ts'

const world = await openWorld()
afterAll(() => world.close())

const isPaged = (query: z.ZodType | undefined) => query !== undefined && 'shape' in query && 'pageNum' in (query.shape as object)
const paged = world.api.routes.map(({ endpoint }) => endpoint).filter(({ form, query }) => form === 'list' && isPaged(query))

test('every list that the API pages is drawn, so that its plans are explained (decision 50)', () => {
  const drawn = new Set(Object.values(lists).map(({ url }) => url))
  expect(paged.length).toBeGreaterThan(30)
  expect(paged.map(({ url }) => url).filter((url) => !drawn.has(url))).toEqual([])
})

test('each filter of these lists is drawn', async () => {
  const offers = {
    ...(await loadOffers(world.db, new Date())),
    brands: ['SANY'],
    models: ['SR285R'],
    names: ['SANY 1'],
    demands: [1],
    depts: [1],
  }
  const drawn = (url: string) =>
    Object.entries(lists)
      .filter(([, list]) => list.url === url)
      .flatMap(([name]) => draw(name, { offers, weights: 'even', count: 300 }))
      .flatMap(({ query }) => Object.keys(query))
  const missing = paged.map(({ url, query }) => {
    const known = new Set([...drawn(url), 'pageNum', 'pageSize'])
    const names = query instanceof z.ZodObject ? Object.keys(query.shape) : []
    return [url, names.filter((name) => !known.has(name))] as const
  })
  expect(Object.fromEntries(missing.filter(([, names]) => names.length > 0))).toEqual({})
})
