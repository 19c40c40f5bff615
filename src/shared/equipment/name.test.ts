import { expect, test } from 'vitest'
import { machineNameEn, renamed } from './name.ts'

test('a name made of brand and model is made anew in English, a name of its own stays', () => {
  const machine = { brand: '三一', brandEn: 'SANY', model: 'STC250', categoryNameEn: 'Truck crane' }
  expect(machineNameEn({ ...machine, name: '三一 STC250 汽车吊' })).toBe('SANY STC250 Truck crane')
  expect(machineNameEn({ ...machine, name: '三一 STC250' })).toBe('SANY STC250 Truck crane')
  expect(machineNameEn({ ...machine, name: '三一 STC250S 汽车吊' })).toBe('三一 STC250S 汽车吊')
  expect(machineNameEn({ ...machine, name: '一号塔吊' })).toBe('一号塔吊')
})

test('a name made of brand and model follows them, a name of its own stays', () => {
  const machine = { brand: '柳工', model: '856H' }
  const named = (name: string) => renamed({ ...machine, name }, { brand: '徐工', model: '862H' })
  expect(['柳工 856H 装载机', '柳工 856H', '柳工 856HMAX 装载机', '一号装载机'].map(named)).toEqual([
    '徐工 862H 装载机',
    '徐工 862H',
    '柳工 856HMAX 装载机',
    '一号装载机',
  ])
  expect(renamed({ ...machine, name: `柳工 856H ${'长'.repeat(51)}` }, { brand: '徐工', model: '862H MAX' })).toHaveLength(60)
})
