import { expect, test } from 'vitest'
import { mainParam } from './main-param.ts'

test('a category has one main parameter, or none', () => {
  const [weight, main] = [
    { key: 'weight', main: false },
    { key: 'capacity', main: true },
  ]
  expect(mainParam([weight, main])).toBe(main)
  expect(mainParam([weight])).toBeUndefined()
  expect(mainParam(undefined)).toBeUndefined()
})
