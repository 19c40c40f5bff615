import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readDay, readNumber } from './import-rows.ts'

test('numbers are read as people write them, and nothing else is', () => {
  expect(['1,2', '1，2', '21t', '2.6万', '12,500', '12,500.50', '￥800', '-3'].map((one) => readNumber(one)?.value)).toEqual([
    1.2, 1.2, 21, 26_000, 12_500, 12_500.5, 800, -3,
  ])
  const named = ['16,000元', '12,500kg', '12,500元/月', '-12,500', '1,2 t', '1,250.5 万']
  expect(named.map((one) => readNumber(one)?.value)).toEqual([16_000, 12_500, 12_500, -12_500, 1.2, 12_505_000])
  for (const none of ['', 'abc', '面议', '1-2', '--']) expect(readNumber(none)).toBeNull()
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999 }), (value) => {
      expect(readNumber(String(value / 100))).toEqual({ value: value / 100, exact: true })
      expect(readNumber(value.toLocaleString('en-US'))?.value).toBe(value)
    }),
  )
})

test('days are read in the usual forms, and days that do not exist are none', () => {
  for (const form of ['2022-03-05', '2022/3/5', '2022.3.5', '2022年3月5日', '20220305']) expect(readDay(form)).toBe('2022-03-05')
  for (const form of [
    '2022-02-30',
    '2022-13-01',
    '5/3/2022',
    '',
    '三月五日',
    '2022.11',
    '2022-11',
    '2022/12',
    '202211',
    '2022115',
    '2022年11月',
  ])
    expect(readDay(form)).toBeNull()
})
