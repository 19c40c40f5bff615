import { createElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { OwnDemand } from '#shared/demand/contract.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { LanguageProvider } from '../../app/text.tsx'
import { SheetLine } from './approval-sheet.tsx'

const item: OwnDemand['items'][number] = {
  id: 1,
  lineNo: 1,
  fatherCategoryId: 100,
  categoryId: 106,
  categoryName: '轮式装载机',
  categoryNameEn: 'Wheel loader',
  specRequirements: [],
  brandPreference: '',
  maxAgeYears: null,
  minEmission: null,
  qty: 2,
  planStart: '2026-12-01',
  planEnd: '2027-02-01',
  rentUnit: 'M',
  estQuantity: null,
  shiftMode: 'single',
  remark: '',
}

const shown = (initial: typeof zhCn, children: ReactNode) =>
  renderToStaticMarkup(createElement(() => LanguageProvider({ initial, children })))

test('the approval sheet says that the last day is not part of the hire', () => {
  const line = createElement(SheetLine, { item, ceiling: undefined, cells: [], chosen: [] })
  expect(shown(zhCn, line)).toContain('轮式装载机 2 台　2026-12-01 至 2027-02-01（不含）')
  expect(shown(en, line)).toContain('Wheel loader ×2, 2026-12-01 to 2027-02-01 (exclusive)')
})
