import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { landedCost, type CostLine, type CostOffer } from '#shared/quote/landed-cost.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { LanguageProvider } from '../../app/text.tsx'
import { arithmetic } from './cost-arithmetic.ts'
import { CostDialog } from './cost-dialog.tsx'

const line: CostLine = {
  planStart: '2026-12-01',
  planEnd: '2027-01-01',
  shiftMode: 'single',
  estQuantity: null,
  litresPerShift: 100,
  operatorWanted: true,
}
const offer: CostOffer = {
  qty: 3,
  fuelledQty: 3,
  unitPriceFen: 2_000_000,
  rentUnit: 'M',
  includesOperator: false,
  includesFuel: false,
  entryFeeFen: 300_000,
  exitFeeFen: 0,
  erectionFeeFen: 0,
  inspectionFeeFen: 0,
  otherFeeFen: 0,
  taxRate: 13,
  invoiceKind: 'special',
  minRentDays: 0,
}
const assumptions = { dieselFenPerLitre: 760, operatorMonthFen: 900_000 }
const written = (days: number, changes: Partial<CostOffer> = {}, text = zhCn) =>
  landedCost(line, { ...offer, ...changes }, assumptions, days).steps.map((step) => [arithmetic(text, step), step.fen / 100])

test('the arithmetic of a hire that is no whole number of months writes its days, so that it gives its sum', () => {
  expect(written(31)).toEqual([
    ['(20,000.00 × 31 天 ÷ 30 ≈ 20,666.67) × 3 台', 62_000.01],
    ['3,000.00 × 3 台', 9000],
    ['9,000.00 × 31 天 ÷ 30 × 1 班 × 3 台', 27_900],
    ['≈ 100 升/台班 × 26.8667 台班 × 7.60 × 3 台', 61_256],
    ['71,000.01 ÷ (1 + 13%) × 13%', -8168.14],
  ])
  expect(written(61, { qty: 1 })[0]).toEqual(['(20,000.00 × 61 天 ÷ 30 ≈ 40,666.67) × 1 台', 40_666.67])
  expect(written(61, { unitPriceFen: 3_000_000 })[0]).toEqual(['30,000.00 × 61 天 ÷ 30 × 3 台', 183_000])
  expect(written(1, {}, en)[0]?.[0]).toBe('(20,000.00 × 1 day ÷ 30 ≈ 666.67) × 3 machines')
})

test('whole months and quantities of work are written as they are, and a rounded quantity of shifts as one', () => {
  expect(written(60)[0]).toEqual(['20,000.00 × 2 个月 × 3 台', 120_000])
  expect(written(60)[3]?.[0]).toBe('100 升/台班 × 52 台班 × 7.60 × 3 台')
  expect(written(31, { rentUnit: 'S', unitPriceFen: 90_000 })[0]).toEqual(['(900.00 × 26.8667 台班 ≈ 24,180.00) × 3 台', 72_540])
})

test('the VAT that is deducted stands between the sum that it is taken from and what is left', () => {
  const cost = landedCost(line, offer, assumptions)
  const dialog = createElement(CostDialog, { cost, title: '', assumptions, onClose: () => undefined })
  const html = renderToStaticMarkup(createElement(() => LanguageProvider({ initial: zhCn, children: dialog })))
  const { part, gross, net } = zhCn.quote.cost
  const places = [part.rent, part.entry, part.fuel, gross, part.vat, net].map((words) => html.search(`<td>(<strong>)?${words}<`))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(places).not.toContain(-1)
})
