import { expect, test } from 'vitest'
import { addMonths, fromMoment } from '#shared/calendar.ts'
import { readDay, readMoment } from './typed-date.ts'
import { usualDeadlines } from './usual-deadlines.ts'

const today = '2026-11-23'

test.each([
  ['2026-11-21', '2026-11-21'],
  ['2026/1/2', '2026-01-02'],
  ['2026.12.31', '2026-12-31'],
  ['20261121', '2026-11-21'],
  ['2026年3月5日', '2026-03-05'],
  [' 12-5 ', '2026-12-05'],
  ['12月5日', '2026-12-05'],
])('a day is read as it is typed: %s', (typed, day) => expect(readDay(typed, today)).toBe(day))

test.each(['', '2026', '2026-02-30', '2026-13-01', '0000-01-01', 'tomorrow', '2026-1', '2026-11-211'])(
  'a text that is no day stays a text: %s',
  (typed) => expect(readDay(typed, today)).toBeNull(),
)

test.each([
  ['2026-11-21 17:00', '2026-11-21 17:00:00'],
  ['2026-11-21T09:30', '2026-11-21 09:30:00'],
  ['11/21 8:05', '2026-11-21 08:05:00'],
  ['2026-11-21 17:00:00', '2026-11-21 17:00:00'],
  ['2026-11-21', '2026-11-21 17:00:00'],
])('a moment is read as it is typed: %s', (typed, moment) => expect(readMoment(typed, today)).toBe(moment))

test.each(['', '2026-11-21 24:00', '2026-11-21 10:60', '17:00'])('a text that is no moment stays a text: %s', (typed) =>
  expect(readMoment(typed, today)).toBeNull(),
)

test('months are added by the calendar, not by thirty days', () => {
  expect(addMonths('2026-11-23', 1)).toBe('2026-12-23')
  expect(addMonths('2026-11-23', 12)).toBe('2027-11-23')
  expect(addMonths('2026-01-31', 1)).toBe('2026-02-28')
  expect(addMonths('2026-10-31', 6)).toBe('2027-04-30')
})

test.each([
  ['09:00:00', [1, 3, 7]],
  ['16:30:00', [1, 3, 7]],
  ['16:31:00', [3, 7]],
  ['23:59:00', [3, 7]],
])('tomorrow’s closing time is offered for a deadline while it leaves a day to quote: at %s', (time, days) =>
  expect(usualDeadlines(fromMoment(`${today} ${time}`))).toEqual(days),
)
