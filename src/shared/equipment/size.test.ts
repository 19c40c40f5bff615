import { expect, test } from 'vitest'
import { grouped, isOneNumber, sizeOf } from './size.ts'

test('a size has separators, whether a machine holds it as a number or a requirement as text', () => {
  expect(sizeOf({ key: 'ratedLoad', unit: 'kg' }, { ratedLoad: 2000 })).toBe('2,000 kg')
  expect([grouped('2000'), grouped(12_500), grouped('0.5'), grouped('')]).toEqual(['2,000', '12,500', '0.5', ''])
  expect([grouped('—'), grouped('HRB400')]).toEqual(['—', 'HRB400'])
})

test('the values of a text and those of a list are no sizes', () => {
  expect(isOneNumber({ type: 'number' }, 'ge')).toBe(true)
  expect([isOneNumber({ type: 'number' }, 'in'), isOneNumber({ type: 'text' }, 'eq'), isOneNumber(undefined, 'ge')]).toEqual([
    false,
    false,
    false,
  ])
})
