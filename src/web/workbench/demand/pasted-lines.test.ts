import { expect, test } from 'vitest'
import type { CategoryGroup } from '#shared/category/contract.ts'
import { noFlags } from '#shared/category/input.ts'
import { readPastedLines } from './pasted-lines.ts'

const category = (
  id: number,
  name: string,
  alias: string[],
  unit: string,
  more: Partial<CategoryGroup['children'][number]> = {},
): CategoryGroup['children'][number] => ({
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
  ...more,
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
  group(
    2,
    category(201, '汽车起重机', ['汽车吊', '吊车'], 't', { nameEn: 'Truck crane' }),
    category(204, '塔式起重机(平头/锤头)', ['塔吊'], 't·m', { nameEn: 'Tower crane' }),
  ),
  group(3, category(301, '剪叉式高空作业平台', ['剪叉车'], 'm')),
  group(4, category(405, '混凝土搅拌运输车', ['罐车'], 'm³', { priceUnits: ['M', 'V'] })),
  group(9, category(907, '内燃叉车', [], 't', { nameEn: 'Diesel forklift' }), category(908, '电动叉车', [], 't')),
  group(10, category(1001, '柴油发电机组', [], 'kW'), category(1201, '潜水泵与离心泵', [], 'm³/h')),
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

test('an unknown name makes no line, whatever else its row holds: neither a part of a name, nor single letters, nor the fuel decide', () => {
  const rows = ['碎石机\t1\tt', '不知名机械 x 昨天', '碎石机 柴油 1', '起重 3', '碎石机 m 2']
  expect(read(rows.join('\n'))).toEqual({ lines: [], unread: rows })
})

test('the kind of machine finds the first category of that kind that is measured in the unit of the size', () => {
  const ids = (pasted: string) => read(pasted).lines.map(({ categoryId }) => categoryId)
  expect(ids('叉车 1\n剪叉车 2\n挖掘机 1台\n20吨挖掘机\n起重机\t25t\n起重机\t80t·m\n塔式起重机\n汽车吊25吨\n潜水泵 2')).toEqual([
    907, 301, 101, 101, 201, 204, 204, 201, 1201,
  ])
  expect(ids('Truck crane 25t 2\nforklift 1\n25t crane')).toEqual([201, 907, 201])
  expect(read('forkli 1\norklift 1').lines).toEqual([])
})

test('a rent unit of the row is that of the line; a row with a unit by which its machine is not rented is left', () => {
  const units = (pasted: string) => read(pasted).lines.map(({ rentUnit }) => rentUnit)
  expect(units('汽车吊\t2\t台班\n汽车吊 2 元/月\n汽车吊 2\nTruck crane\t1\tCNY/shift\n叉车 1 2026-12-20 2027-03-20 月')).toEqual([
    'S',
    'M',
    'M',
    'S',
    'M',
  ])
  expect(units('罐车 12 m³ 2\n罐车 12 2 元/m³')).toEqual(['M', 'V'])
  expect(read('汽车吊 2 小时')).toEqual({ lines: [], unread: ['汽车吊 2 小时'] })
})

test('a head is no line, also where a category has one of its words; a first row that names a category is no head', () => {
  const ids = (pasted: string) => read(pasted).lines.map(({ categoryId }) => categoryId)
  expect(ids('设备\t数量\n汽车吊\t2')).toEqual([201])
  expect(ids('挖机\n汽车吊 2台')).toEqual([101, 201])
  expect(read('')).toEqual({ lines: [], unread: [] })
})
