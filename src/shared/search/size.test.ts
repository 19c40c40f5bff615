import { expect, test } from 'vitest'
import { mainSizeIn } from './size.ts'

const category = (id: number, unit: string) => ({
  id,
  params: [
    { key: 'boom', unit: 'm', main: false, type: 'number' as const },
    { key: 'main', unit, main: true, type: 'number' as const },
  ],
})
const crane = category(201, 't')

test('what was typed to find a category holds its size, with or without the unit', () => {
  for (const typed of ['25吨汽车吊', '25t汽车吊', '汽车吊 25 t', '汽车吊25吨', '２５吨汽车吊', '25汽车吊'])
    expect([typed, mainSizeIn(typed, crane)]).toEqual([typed, 25])
  expect(mainSizeIn('7.5米剪叉车', category(301, 'm'))).toBe(7.5)
  expect(mainSizeIn('2吨叉车', category(902, 'kg'))).toBe(2000)
})

test('a loader called by the number of its model has a tenth of it', () => expect(mainSizeIn('50铲车', category(103, 't'))).toBe(5))

test('a model, another unit and words alone are no size', () => {
  for (const typed of ['汽车吊', '', 'xct25', 'QY25K5C', '42米汽车吊', '25v汽车吊'])
    expect([typed, mainSizeIn(typed, crane)]).toEqual([typed, undefined])
  expect(mainSizeIn('25吨', { id: 201, params: [] })).toBeUndefined()
})
