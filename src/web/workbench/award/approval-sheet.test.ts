import { createElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { OwnDemand } from '#shared/demand/contract.ts'
import { landedCost } from '#shared/quote/landed-cost.ts'
import { quoteStatus } from '#shared/quote/rules.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { LanguageProvider } from '../../app/text.tsx'
import { SheetLine } from './approval-sheet.tsx'
import { offerOf, type Cell } from './compared.ts'

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

test('the approval sheet names the invoice, the minimum term and the pledge to renew documents, which the award binds to', () => {
  const offer = offerOf(quoteLine)
  const cost = landedCost({ ...item, litresPerShift: 0, operatorWanted: false }, offer, { dieselFenPerLitre: 0, operatorMonthFen: 0 })
  const cells: Cell[] = [{ quote, line: quoteLine, cost, offer, choosable: true, isStanding: true }]
  const line = createElement(SheetLine, { item, ceiling: undefined, cells, chosen: [] })
  expect(shown(zhCn, line)).toContain('普通发票 · 最短计费 90 天 · 承诺证照续期')
  expect(shown(en, line)).toContain('Plain invoice · at least 90 days charged · renewal of documents pledged')
})
