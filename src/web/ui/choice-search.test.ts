import { expect, test } from 'vitest'
import { choicesFor } from './choice-search.ts'

const choices = [
  { value: 1, label: '汽车起重机', words: '汽车起重机 汽车吊 吊车 truck crane' },
  { value: 2, label: '塔式起重机', words: '塔式起重机 塔吊 tower crane' },
  { value: 3, label: '3D 打印机' },
]
const found = (typed: string) => choicesFor(choices, typed).map(({ value }) => value)

test('a category is found with the size that people type beside it', () => {
  for (const typed of ['汽车吊', '25吨汽车吊', '25t汽车吊', '25 t 汽车吊', '25t Truck Crane'])
    expect([typed, found(typed)]).toEqual([typed, [1]])
  expect(found('80塔吊')).toEqual([2])
})

test('a digit of the name itself finds it, a size alone finds nothing, and an empty field lists all', () => {
  expect(found('3d')).toEqual([3])
  expect(found('25')).toEqual([])
  expect(found('25吨')).toEqual([])
  expect(found(' ')).toEqual([1, 2, 3])
})
