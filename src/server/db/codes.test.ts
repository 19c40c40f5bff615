import { afterAll, expect, test } from 'vitest'
import { openWorld } from '#test/world.ts'
import { nextCode, nextCodes } from './codes.ts'

const world = await openWorld()
afterAll(world.close)

test('many at once: each its own, in the order they came, without a gap', async () => {
  const codes = await Promise.all(Array.from({ length: 60 }, (_, at) => nextCodes(world.db, 'TT', '2026-11-22', (at % 3) + 1)))
  expect(codes.flat()).toEqual(Array.from({ length: 120 }, (_, at) => `TT20261122${String(at + 1).padStart(4, '0')}`))
  expect(await Promise.all([nextCode(world.db, 'TT', '2026-11-22'), nextCode(world.db, 'TT', '2026-11-23')])).toEqual([
    'TT202611220121',
    'TT202611230001',
  ])
})

test('where they cannot be taken everybody who waits is told, and the next is served', async () => {
  const broken = () => Promise.all([1, 2, 3].map(() => nextCode(world.db, 'TT', 'no day').catch((error: Error) => error.message)))
  for (const message of await broken()) expect(message).toContain('date')
  expect(await nextCode(world.db, 'TT', '2026-11-24')).toBe('TT202611240001')
})
