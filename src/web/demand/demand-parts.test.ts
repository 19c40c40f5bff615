import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { DemandItem } from '#shared/demand/contract.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { LanguageProvider } from '../app/text.tsx'
import { ItemsTable } from './demand-parts.tsx'

const item: DemandItem = {
  id: 1,
  lineNo: 1,
  fatherCategoryId: 1,
  categoryId: 2,
  categoryName: '装载机',
  categoryNameEn: 'Wheel loader',
  specRequirements: [],
  brandPreference: '',
  maxAgeYears: null,
  minEmission: null,
  qty: 1,
  planStart: '2026-12-01',
  planEnd: '2027-02-01',
  rentUnit: 'M',
  estQuantity: null,
  shiftMode: 'single',
  remark: '',
}

function shown(initial: typeof zhCn, wanted: Partial<DemandItem>): string {
  const load = { key: 'ratedLoad', label: '额定载重量', labelEn: 'Rated load', unit: 'kg', main: true, type: 'number' } as const
  const table = createElement(ItemsTable, { items: [{ ...item, ...wanted }], params: { [item.categoryId]: [load] } })
  return renderToStaticMarkup(createElement(() => LanguageProvider({ initial, children: table })))
}

test('a line that wants electric machines says so, and one that wants an emission stage names the lowest', () => {
  expect(shown(zhCn, { minEmission: 'electric' })).toContain('>电动<')
  expect(shown(en, { minEmission: 'electric' })).toContain('>Electric<')
  expect(shown(zhCn, { minEmission: '3' })).toContain('>排放不低于国三<')
})

test('a line shows the size that it wants with separators, and a list of values as it was typed', () => {
  const wanting = (rule: 'ge' | 'in', value: string) => shown(zhCn, { specRequirements: [{ key: 'ratedLoad', rule, value }] })
  expect(wanting('ge', '2000')).toContain(`额定载重量 ${zhCn.demand.spec.ge} 2,000 kg`)
  expect(wanting('in', '2000、3000')).toContain(`额定载重量 ${zhCn.demand.spec.in} 2000、3000 kg`)
})
