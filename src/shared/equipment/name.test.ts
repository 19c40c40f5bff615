import { expect, test } from 'vitest'
import { machineNameEn } from './name.ts'

test('a name made of brand and model is made anew in English, a name of its own stays', () => {
  const machine = { brand: '三一', brandEn: 'SANY', model: 'STC250', categoryNameEn: 'Truck crane' }
  expect(machineNameEn({ ...machine, name: '三一 STC250 汽车吊' })).toBe('SANY STC250 Truck crane')
  expect(machineNameEn({ ...machine, name: '三一 STC250' })).toBe('SANY STC250 Truck crane')
  expect(machineNameEn({ ...machine, name: '三一 STC250S 汽车吊' })).toBe('三一 STC250S 汽车吊')
  expect(machineNameEn({ ...machine, name: '一号塔吊' })).toBe('一号塔吊')
})
