import { expect, test } from 'vitest'
import { LprEntries, lprOn } from './lpr.ts'

const entries = [
  { fromDay: '2026-06-20', bp: 290 },
  { fromDay: '2025-05-20', bp: 300 },
  { fromDay: '2026-12-20', bp: 310 },
]

test('the rate of a day is that of the last entry up to it, in whatever order they stand', () => {
  expect(lprOn(entries, '2026-06-19')).toBe(300)
  expect(lprOn(entries, '2026-06-20')).toBe(290)
  expect(lprOn(entries, '2026-12-19')).toBe(290)
  expect(lprOn(entries, '2027-03-01')).toBe(310)
  expect(lprOn(entries, '2020-01-01')).toBe(300)
})

test('there is at least one entry, and one for a day', () => {
  expect(LprEntries.safeParse([]).success).toBe(false)
  const twice = LprEntries.safeParse([...entries, { fromDay: '2025-05-20', bp: 305 }])
  expect(twice.error?.issues.map(({ path, message }) => [path, message])).toEqual([[[3, 'fromDay'], 'taken']])
})
