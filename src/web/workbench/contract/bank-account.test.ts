import { expect, test } from 'vitest'
import { bankDigits } from './bank-account.ts'

test('the number of a bank account stands in groups of four, a masked one as it is', () => {
  expect([bankDigits('6222000000000000123'), bankDigits('62220000'), bankDigits('**** 0123'), bankDigits('')]).toEqual([
    '6222 0000 0000 0000 123',
    '6222 0000',
    '**** 0123',
    '',
  ])
})
