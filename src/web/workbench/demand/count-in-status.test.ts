import { expect, test } from 'vitest'
import { mostInStatus } from '#shared/demand/rules.ts'
import { countInStatus } from './count-in-status.ts'

test('a tab says "1,000+" where more demands of its status hold the words, and without words the number of all', () => {
  expect([12, mostInStatus, mostInStatus + 1].map((count) => countInStatus(count, '工程'))).toEqual(['12', '1,000', '1,000+'])
  expect([12, 12_345].map((count) => countInStatus(count, undefined))).toEqual(['12', '12,345'])
})
