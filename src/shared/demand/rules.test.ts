import { expect, test } from 'vitest'
import { startsBeforeAward } from './rules.ts'

test('a line that starts by the day of the quote deadline starts before anything is awarded', () => {
  const starts = (planStart: string, quoteDeadline = '2026-12-01 17:00:00') => startsBeforeAward({ planStart }, quoteDeadline)
  expect([starts('2026-11-30'), starts('2026-12-01'), starts('2026-12-02')]).toEqual([true, true, false])
  expect([starts(''), starts('2026-12-01', '')]).toEqual([false, false])
})
