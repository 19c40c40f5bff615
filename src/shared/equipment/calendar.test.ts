import { expect, test } from 'vitest'
import { freeFrom, monthMarks, spansOf, weeksOf } from './calendar.ts'
import { normalisedPriceFen } from './rules.ts'

const today = '2026-11-23'

test('a machine is free today, or after the hires that follow on each other', () => {
  expect(freeFrom(today, [])).toBe(today)
  expect(freeFrom(today, [{ from: '2026-12-01', to: '2026-12-10' }])).toBe(today)
  const hires = [
    { from: '2026-12-01', to: '2026-12-10' },
    { from: '2026-11-01', to: '2026-12-01' },
    { from: '2026-12-20', to: '2027-01-01' },
  ]
  expect(freeFrom(today, hires)).toBe('2026-12-10')
})

test('the strip cuts hires at its ends and leaves out what lies beyond', () => {
  const spans = spansOf(today, 100, [
    { from: '2026-11-01', to: '2026-12-03' },
    { from: '2027-02-21', to: '2027-06-01' },
    { from: '2027-03-10', to: '2027-04-01' },
  ])
  expect(spans.map(({ left, width }) => [left, width])).toEqual([
    [0, 10],
    [90, 10],
  ])
  expect(monthMarks(today, 100)).toEqual([
    { month: '2026-12', left: 8 },
    { month: '2027-01', left: 39 },
    { month: '2027-02', left: 70 },
    { month: '2027-03', left: 98 },
  ])
})

test('the weeks of a month begin on Monday', () => {
  expect(weeksOf('2026-11')[0]).toEqual([null, null, null, null, null, null, '2026-11-01'])
  expect(weeksOf('2026-11').flat().filter(Boolean)).toHaveLength(30)
})

test('the month price is computed from a price that is offered', () => {
  const shift = { rentUnit: 'S', priceFen: 238_000 } as const
  expect(normalisedPriceFen([{ rentUnit: 'V', priceFen: 1 }, shift])).toBe(6_188_000)
  expect(normalisedPriceFen([{ ...shift, shiftMode: 'double' }])).toBe(12_376_000)
  expect(normalisedPriceFen([shift, { rentUnit: 'M', priceFen: 5_000_000 }])).toBe(5_000_000)
  expect(normalisedPriceFen([{ rentUnit: 'M', priceFen: null }, shift])).toBe(6_188_000)
  expect(normalisedPriceFen([{ rentUnit: 'L', priceFen: 5 }])).toBeNull()
})
