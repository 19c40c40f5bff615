import { expect, test } from 'vitest'
import { bankDigits, colon } from './format.ts'

test('the number of a bank account stands in groups of four, a masked one as it is', () => {
  expect([bankDigits('6222000000000000123'), bankDigits('62220000'), bankDigits('**** 0123'), bankDigits('')]).toEqual([
    '6222 0000 0000 0000 123',
    '6222 0000',
    '**** 0123',
    '',
  ])
})

test('a label ends with the colon of its language', () => {
  expect(['zh-CN', 'en-US'].map((locale) => `${colon({ locale: locale as 'zh-CN' })}|`)).toEqual(['：|', ': |'])
})
