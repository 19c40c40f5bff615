import { createElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { OwnDemand } from '#shared/demand/contract.ts'
import { landedCost } from '#shared/quote/landed-cost.ts'
import { quoteStatus } from '#shared/quote/rules.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { LanguageProvider } from '../../app/text.tsx'
import { SheetLine, SheetResult } from './approval-sheet.tsx'
import { offerOf, type Cell } from './compared.ts'
import { withReasons } from './use-picks.ts'

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

const quoteLine: Cell['line'] = {
  id: 1,
  demandItemId: 1,
  qty: 2,
  fuelledQty: 0,
  machines: [],
  unitPrice: '20000.00',
  rentUnit: 'M',
  includesOperator: true,
  includesFuel: true,
  entryFee: '0.00',
  exitFee: '0.00',
  erectionFee: '0.00',
  inspectionFee: '0.00',
  otherFee: '0.00',
  taxRate: 13,
  invoiceKind: 'plain',
  minRentDays: 90,
  earliestEntry: '2026-12-01',
  deviation: '',
  ceilingReason: '',
  promisesRenewal: true,
  isOver: false,
  availableQty: 2,
  overCeiling: false,
  outlier: null,
  oddTaxRate: false,
  netCost: '0.00',
  grossCost: '0.00',
}
const quote: Cell['quote'] = {
  id: 1,
  quoteCode: 'BJ1',
  status: quoteStatus.reviewing,
  companyId: 1,
  companyName: '甲',
  companyGrade: null,
  contactName: '',
  contactPhone: '',
  validUntil: '2027-01-01',
  submitTime: '',
  sealHash: '',
  note: '',
  blocked: false,
  bars: [],
  related: [],
  listed: 0,
  lines: [],
}

function cellOf(line: Cell['line']): Cell {
  const offer = offerOf(line)
  const cost = landedCost({ ...item, litresPerShift: 0, operatorWanted: false }, offer, { dieselFenPerLitre: 0, operatorMonthFen: 0 })
  return { quote, line, cost, offer, choosable: true, isStanding: true, otherDuties: [] }
}

test('the approval sheet names the invoice, the minimum term and the pledge to renew documents, which the award binds to', () => {
  const line = createElement(SheetLine, { item, ceiling: undefined, cells: [cellOf(quoteLine)], chosen: [] })
  expect(shown(zhCn, line)).toContain('普通发票 · 最短计费 90 天 · 承诺证照续期')
  expect(shown(en, line)).toContain('Plain invoice · at least 90 days charged · renewal of documents pledged')
})

test('the approval sheet prints the deviation that a lessor stated, and beside its machine what does not meet the line', () => {
  const machine = {
    equipmentId: 1,
    name: '徐工 LW500 装载机',
    brand: '徐工',
    brandEn: 'XCMG',
    model: 'LW500',
    categoryNameEn: 'Wheel loader',
    qty: 1,
    outFactoryDate: '2019-01-01',
    regionName: '',
    regionNameEn: '',
    distanceKm: null,
    specs: {},
    papersTo: null,
    taken: false,
    problem: null,
    misses: [],
    deviations: [{ kind: 'emission' as const, detail: '3' }],
    availableQty: 1,
    freeQty: 1,
  }
  const meets = { ...machine, equipmentId: 2, model: 'LW600', name: '徐工 LW600 装载机', deviations: [] }
  const line = { ...quoteLine, deviation: '第一台为国三', machines: [machine, meets] }
  const sheet = createElement(SheetLine, { item, ceiling: undefined, cells: [cellOf(line)], chosen: [] })
  expect(shown(zhCn, sheet)).toContain('偏差：第一台为国三')
  expect(shown(zhCn, sheet)).toMatch(
    /徐工 LW500 装载机<span class="block">与要求不一致：[^<]+国三<\/span><\/span><span class="block">徐工 LW600 装载机<\/span>/,
  )
  expect(shown(en, sheet)).toContain('Deviation: 第一台为国三')
  expect(shown(en, sheet)).toMatch(/XCMG LW500 Wheel loader<span class="block">Differs from the requirements: /)
})

test('the approval sheet names the duties that an offer leaves to another side than the demand', () => {
  const cell: Cell = { ...cellOf(quoteLine), otherDuties: ['operatorBy', 'fuelBy'] }
  const line = createElement(SheetLine, { item, ceiling: undefined, cells: [cell], chosen: [] })
  expect(shown(zhCn, line)).toContain('甲<span class="block">与要求不一致：机手、油料</span>')
  expect(shown(en, line)).toContain('Differs from the requirements: Driver, Fuel')
})

test('beside totals for all machines the approval sheet says that its difference is for one machine', () => {
  const line = createElement(SheetLine, { item, ceiling: undefined, cells: [cellOf(quoteLine)], chosen: [] })
  expect(shown(zhCn, line)).toContain('单台与最低差')
  expect(shown(en, line)).toContain('Above lowest, each')
})

test('the approval sheet prints the reasons that were typed for a choice, and says where an award has no winner left', () => {
  const result = (chosen: ReturnType<typeof withReasons>, isAwarded: boolean) =>
    shown(zhCn, createElement(SheetResult, { demand: { items: [item] }, cells: [cellOf(quoteLine)], chosen, isAwarded }))
  const picks = [{ demandItemId: 1, quoteLineId: 1, qty: 1 }]
  expect(result(withReasons(picks, { 1: '可以提前进场' }), false)).toMatch(/甲 1 台，[^<]+（可以提前进场）/)
  expect(result(withReasons(picks, {}), false)).not.toContain('（')
  expect(result([], false)).toContain(zhCn.quote.sheet.resultOpen)
  expect(result([], true)).toContain(zhCn.quote.compare.awardGone)
})
