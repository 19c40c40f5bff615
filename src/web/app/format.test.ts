import { expect, test } from 'vitest'
import { money } from './format.ts'

test('amounts under 100 yuan keep their places, whatever their sign', () => {
  expect([money('12345.60'), money('-3914.37'), money('99.5'), money('-99.5'), money(null)]).toEqual([
    '12,346',
    '-3,914',
    '99.5',
    '-99.5',
    '',
  ])
})
