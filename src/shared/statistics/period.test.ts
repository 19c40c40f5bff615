import { expect, test } from 'vitest'
import { changeOf, isComparable, monthsOf, periodBefore, pointsOf } from './period.ts'

test('[S2.25] the period before has the same length and ends the day before', () => {
  expect(periodBefore({ from: '2026-11-01', to: '2026-11-30' })).toEqual({ from: '2026-10-02', to: '2026-10-31' })
  expect(periodBefore({ from: '2026-11-23', to: '2026-11-23' })).toEqual({ from: '2026-11-22', to: '2026-11-22' })
})

test('months without a demand stand in the chart as well', () => {
  expect(monthsOf({ from: '2025-11-24', to: '2026-02-01' })).toEqual(['2025-11', '2025-12', '2026-01', '2026-02'])
})

test('a change is a share of the period before, and unknown without one', () => {
  expect(changeOf(12, 10)).toBeCloseTo(0.2)
  expect([changeOf(12, 0), changeOf(12, null), changeOf(null, 3)]).toEqual([null, null, null])
})

test('a share is compared in points', () => {
  expect(pointsOf(0.249, 0.173)).toBeCloseTo(0.076)
  expect(pointsOf(0.249, null)).toBeNull()
})

test('a period with fewer than twenty demands is not compared with', () => {
  expect([null, 0, 19, 20].map(isComparable)).toEqual([false, false, false, true])
})
