import { expect, test } from 'vitest'
import type { CategoryGroup } from '#shared/category/contract.ts'
import { noFlags } from '#shared/category/input.ts'
import { readPastedLines } from './pasted-lines.ts'

const category = (id: number, name: string, alias: string[], unit: string): CategoryGroup['children'][number] => ({
  id,
  parentId: Math.floor(id / 100),
  name,
  nameEn: '',
  alias,
  core: true,
  params: [{ key: 'main', label: '', labelEn: '', unit, type: 'number', main: true }],
  flags: noFlags,
  priceUnits: ['M', 'S'],
  litresPerShift: 0,
})
const group = (id: number, ...children: CategoryGroup['children']): CategoryGroup => ({
  id,
  parentId: 0,
  name: '',
  nameEn: '',
  alias: [],
  core: true,
  children,
})
const tree = [
  group(1, category(101, '履带式液压挖掘机', ['挖机', '钩机'], 't'), category(105, '轮式挖掘机', ['胶轮挖机'], 't')),
  group(9, category(901, '施工配电设备', [], 'kVA')),
  group(2, category(201, '汽车起重机', ['汽车吊', '吊车'], 't'), category(204, '塔式起重机', ['塔吊'], 't·m')),
]
const read = (pasted: string) => readPastedLines(pasted, tree, '2026-11-25')

test('rows copied from a table become lines, whatever the order of their columns', () => {
  const { lines, unread } = read('设备\t规格\t数量\t进场\t退场\n汽车吊\t25吨\t2\t2026/12/1\t2027-03-01\n3台\t胶轮挖机\t14t\n')
  expect(unread).toEqual([])
  expect(lines).toEqual([
    {
      categoryId: 201,
      fatherCategoryId: 2,
      rentUnit: 'M',
      specs: { main: { rule: 'ge', value: '25' } },
      qty: '2',
      planStart: '2026-12-01',
      planEnd: '2027-03-01',
    },
    { categoryId: 105, fatherCategoryId: 1, rentUnit: 'M', specs: { main: { rule: 'ge', value: '14' } }, qty: '3' },
  ])
})

test('a row may be typed with blanks or commas, and the category of exactly that name comes before others that hold it', () => {
  const categories = (pasted: string) => read(pasted).lines.map(({ categoryId, qty }) => [categoryId, qty])
  expect(categories('挖机 2台 12-05 1月5日\n80塔吊，1\n25吨吊车、2')).toEqual([
    [101, '2'],
    [204, '1'],
    [201, '2'],
  ])
  expect(read('挖机 2台 12-05 1月5日').lines).toMatchObject([{ planStart: '2026-12-05', planEnd: '2027-01-05' }])
  expect(read('挖机 2台 11-20 12-5').lines).toMatchObject([{ planStart: '2026-11-20', planEnd: '2026-12-05' }])
  expect(read('挖机 1台 12-05 12-05').lines).toMatchObject([{ planStart: '2026-12-05', planEnd: '2026-12-05' }])
  expect(read('挖机 2台 2026-12-05 2026-01-05').lines).toMatchObject([{ planStart: '2026-12-05', planEnd: '2026-01-05' }])
})

test('neither the number of a row, nor a size without its unit, nor months behind it are taken for the quantity', () => {
  const qtyOf = (row: string) => read(row).lines.map(({ qty }) => qty)
  expect(qtyOf('序号\t设备\t规格\t单位\t数量\t进场\t退场\n3\t汽车吊\t25t\t台\t1\t2026/12/1\t2027/3/1')).toEqual(['1'])
  expect(qtyOf('3、25吨汽车吊 1台')).toEqual(['1'])
  expect(qtyOf('汽车吊\t25\t2')).toEqual(['2'])
  expect(qtyOf('2台 汽车吊 3')).toEqual(['2'])
  expect(qtyOf('汽车吊\t25t\t2\t6\n3\t汽车吊\t25t\t2\t6\n挖机\t20t\t2\t90\t2026/12/1')).toEqual(['2', '2', '2'])
})

test('rows without a category stay as they were typed; a number with a point is a size and no day', () => {
  expect(read('不知道的东西 2\n汽车吊').unread).toEqual(['不知道的东西 2'])
  expect(read('汽车吊 7.5').lines).toMatchObject([{ categoryId: 201, specs: { main: { rule: 'ge', value: '7.5' } } }])
  expect(read('名称 数量')).toEqual({ lines: [], unread: ['名称 数量'] })
})

test('a head is no line, also where a category has one of its words; a first row that names a category is no head', () => {
  const ids = (pasted: string) => read(pasted).lines.map(({ categoryId }) => categoryId)
  expect(ids('设备\t数量\n汽车吊\t2')).toEqual([201])
  expect(ids('挖机\n汽车吊 2台')).toEqual([101, 201])
  expect(read('')).toEqual({ lines: [], unread: [] })
})
