import { expect, test } from 'vitest'
import { isStrongPassword } from '#shared/account/rules.ts'
import { firstPassword } from './hash.ts'

test('first passwords are strong, and no two are made of the same letters', () => {
  const made = Array.from({ length: 100 }, firstPassword)
  expect(made.every(isStrongPassword)).toBe(true)
  expect(new Set(made.map((password) => [...password].toSorted().join(''))).size).toBe(made.length)
})
