import { expect, test } from 'vitest'
import { lacksMain, mainParam } from './main-param.ts'

test('a category has one main parameter, or none', () => {
  const [weight, main] = [
    { key: 'weight', main: false },
    { key: 'capacity', main: true },
  ]
  expect(mainParam([weight, main])).toBe(main)
  expect(mainParam([weight])).toBeUndefined()
  expect(mainParam(undefined)).toBeUndefined()
})

test('a line asks for the main parameter of its category, where that has one', () => {
  const params = [
    { key: 'weight', main: false },
    { key: 'capacity', main: true },
  ]
  expect([lacksMain([{ key: 'weight' }], params), lacksMain([{ key: 'capacity' }], params), lacksMain([], [])]).toEqual([
    true,
    false,
    false,
  ])
})
