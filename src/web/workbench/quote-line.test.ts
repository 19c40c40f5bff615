import { expect, test } from 'vitest'
import { canChoose, type Candidate } from './quote-line.ts'

type Fit = Pick<Candidate, 'freeQty' | 'misses'>
const fit = (...kinds: Candidate['misses'][number]['kind'][]): Fit => ({ freeQty: 1, misses: kinds.map((kind) => ({ kind, detail: '' })) })

test('a machine that is blocked, off the shelf, taken or without papers cannot be ticked', () => {
  for (const kind of ['blocked', 'shelf', 'taken', 'papers'] as const) expect(canChoose(fit(kind))).toBe(false)
  expect(canChoose({ ...fit(), freeQty: 0 })).toBe(false)
})

test('a machine that only deviates can be ticked, since the quote names the deviation', () =>
  expect(canChoose(fit('spec', 'age', 'emission'))).toBe(true))
