import { afterAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { lists } from '#test/load/questions.ts'
import { openWorld } from '#test/world.ts'

const world = await openWorld()
afterAll(() => world.close())

const isPaged = (query: z.ZodType | undefined) => query !== undefined && 'shape' in query && 'pageNum' in (query.shape as object)

test('the filters of every list that the API pages are drawn, so that its plans are explained (decision 50)', () => {
  const drawn = new Set(Object.values(lists).map(({ url }) => url))
  const paged = world.api.routes.map(({ endpoint }) => endpoint).filter(({ form, query }) => form === 'list' && isPaged(query))
  expect(paged.length).toBeGreaterThan(30)
  expect(paged.map(({ url }) => url).filter((url) => !drawn.has(url))).toEqual([])
})
