import { expect, test } from 'vitest'
import { contractStatus } from '#shared/contract/rules.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { bankDigits } from './format.ts'
import { contractStatusOf } from './contract-status.ts'

test('a sent contract waits for the other side, and in the eyes of the lessor for itself', () => {
  const seen = (side: 'lessee' | 'lessor' | null) => contractStatusOf(zhCn, { status: contractStatus.sent, side })
  expect([seen('lessee'), seen('lessor'), seen(null)]).toEqual(['待对方确认', '待本方确认', '待对方确认'])
  expect(contractStatusOf(zhCn, { status: contractStatus.inForce, side: 'lessor' })).toBe('已生效')
})

test('the number of a bank account stands in groups of four, a masked one as it is', () => {
  expect([bankDigits('6222000000000000123'), bankDigits('62220000'), bankDigits('**** 0123'), bankDigits('')]).toEqual([
    '6222 0000 0000 0000 123',
    '6222 0000',
    '**** 0123',
    '',
  ])
})
