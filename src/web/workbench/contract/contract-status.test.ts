import { expect, test } from 'vitest'
import { contractStatus } from '#shared/contract/rules.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { contractStatusOf } from './contract-status.ts'

test('a sent contract waits for the other side, and in the eyes of the lessor for itself', () => {
  const seen = (side: 'lessee' | 'lessor' | null) => contractStatusOf(zhCn, { status: contractStatus.sent, side })
  expect([seen('lessee'), seen('lessor'), seen(null)]).toEqual(['待对方确认', '待本方确认', '待对方确认'])
  expect(contractStatusOf(zhCn, { status: contractStatus.inForce, side: 'lessor' })).toBe('已生效')
})
