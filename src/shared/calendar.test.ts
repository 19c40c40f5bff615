import { expect, test } from 'vitest'
import { addDays, addMonths, startOfDay } from './calendar.ts'

test('no day is counted beyond the year 9999, which days as text cannot be compared with', () => {
  expect([addDays('9999-12-31', 7), addDays('9999-12-24', 7), addDays('9999-12-31', 0)]).toEqual(
    Array.from({ length: 3 }, () => '9999-12-31'),
  )
  expect([addMonths('9999-12-15', 1), addMonths('9999-11-30', 1), addMonths('9999-12-31', 0)]).toEqual([
    '9999-12-31',
    '9999-12-30',
    '9999-12-31',
  ])
})

test('a month later is the same date, or the last of a shorter month', () => {
  expect([addMonths('2027-01-31', 1), addMonths('2028-01-31', 1), addMonths('2026-12-15', 1), addMonths('2027-03-31', -1)]).toEqual([
    '2027-02-28',
    '2028-02-29',
    '2027-01-15',
    '2027-02-28',
  ])
})

test('a day begins at midnight in Shanghai', () => {
  expect(startOfDay('2026-11-23')).toBe('2026-11-22T16:00:00.000Z')
})
