import { expect, test } from 'vitest'
import { halfHoursWith } from './rules.ts'

test('quiet hours begin and end at a half hour, or at the minute that is stored', () => {
  const times = halfHoursWith('')
  expect([times.length, times[0], times[1], times.at(-1)]).toEqual([48, '00:00', '00:30', '23:30'])
  expect(halfHoursWith('22:00')).toEqual(times)
  expect(halfHoursWith('22:15').slice(44, 47)).toEqual(['22:00', '22:15', '22:30'])
})
