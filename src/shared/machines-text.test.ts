import { expect, test } from 'vitest'
import { en } from './text/en.ts'
import { zhCn } from './text/zh-cn.ts'
import { machinesText } from './machines-text.ts'

test('the machines of an offer are named in the language of the reader', () => {
  const parts = { brand: '柳工', brandEn: 'LiuGong', model: '856H', categoryNameEn: 'Wheel loader' }
  const machines = [
    { ...parts, name: '柳工 856H 装载机', qty: 1 },
    { ...parts, name: '柳工 856H 铲车', qty: 3 },
  ]
  expect(machinesText(zhCn, machines)).toBe('柳工 856H 装载机；柳工 856H 铲车 ×3')
  expect(machinesText(en, machines)).toBe('LiuGong 856H Wheel loader; LiuGong 856H Wheel loader ×3')
})
