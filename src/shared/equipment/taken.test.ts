import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unitsTaken } from './taken.ts'

test('runs of slots count each unit once, however they overlap', () => {
  const Run = fc.record({ slot: fc.integer({ min: 1, max: 40 }), qty: fc.integer({ min: 1, max: 20 }) })
  fc.assert(
    fc.property(fc.array(Run, { maxLength: 20 }), (runs) => {
      const slots = new Set(runs.flatMap(({ slot, qty }) => Array.from({ length: qty }, (_, n) => slot + n)))
      expect(unitsTaken(runs)).toBe(slots.size)
    }),
  )
})
