import { describe, expect, test } from 'vitest'
import { QuoteInput, QuoteLineInput } from '#shared/quote/contract.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { openForm } from '../../app/form-values.ts'
import {
  aboveMarket,
  canChoose,
  canOffer,
  isTypedLater,
  lacksDeviation,
  nameOfLine,
  offeredMonthFen,
  openQuote,
  openTyped,
  restoreQuote,
  validityProblems,
  type Candidate,
} from './quote-line.ts'
import { missDetail } from './miss-detail.ts'

type Fit = Pick<Candidate, 'freeQty' | 'misses'>
const fit = (...kinds: Candidate['misses'][number]['kind'][]): Fit => ({ freeQty: 1, misses: kinds.map((kind) => ({ kind, detail: '' })) })

test('a machine that is blocked, off the shelf, taken or without papers cannot be ticked', () => {
  for (const kind of ['blocked', 'shelf', 'taken', 'papers'] as const) expect(canChoose(fit(kind))).toBe(false)
  expect(canChoose({ ...fit(), freeQty: 0 })).toBe(false)
})

test('a machine that only deviates can be ticked, since the quote names the deviation', () =>
  expect(canChoose(fit('spec', 'age', 'emission'))).toBe(true))

test('a quote cannot be confirmed as it is where a machine deviates and the line does not say how', () => {
  const candidates = {
    1: [
      { id: 7, misses: [{ kind: 'age' as const, detail: '2012-01' }] },
      { id: 8, misses: [] },
    ],
  }
  const lacks = (equipmentId: number, deviation: string) => {
    const line = { demandItemId: 1, machines: [{ equipmentId, qty: 1 }], deviation }
    return lacksDeviation({ lines: [line] }, candidates)
  }
  expect([lacks(7, ''), lacks(7, '2012 年出厂'), lacks(8, '')]).toEqual([true, false, false])
})

test('what a machine lacks is worded: no code of a stage or of a paper is shown, and taken days end before the last one that is named', () => {
  expect(missDetail(zhCn, { kind: 'emission', detail: '2' })).toBe('国二')
  expect(missDetail(zhCn, { kind: 'papers', detail: 'conformity,ownership' })).toBe(
    [zhCn.equipment.document.ownership, zhCn.equipment.document.conformity].join('、'),
  )
  const detail = '2026-12-01/2026-12-20,2027-01-05/2027-01-09'
  expect(missDetail(zhCn, { kind: 'taken', detail })).toBe('2026-12-01 – 2026-12-20（不含）、2027-01-05 – 2027-01-09（不含）')
  const spec = { kind: 'spec' as const, detail: '额定载重量 4 < 5 t', detailEn: 'Rated load 4 < 5 t' }
  expect([zhCn, en].map((text) => missDetail(text as typeof zhCn, spec))).toEqual([spec.detail, spec.detailEn])
})

test('a line is offered at first only where a machine can be ticked for it', () => {
  expect(canOffer([])).toBe(false)
  expect(canOffer([fit('taken'), fit('taken', 'spec'), { ...fit(), freeQty: 0 }])).toBe(false)
  expect(canOffer([fit('taken'), fit('spec')])).toBe(true)
})

const openFound = (found: object, today = '2026-11-25') =>
  openQuote(found as Parameters<typeof openQuote>[0], { name: '陈调度', phone: '14400000002' }, today)

test('a new quote enters on the planned day, and today where that day is over', () => {
  const items = ['2026-12-01', '2026-12-13'].map((planStart, index) => ({ id: index + 1, qty: 1, rentUnit: 'M', planStart }))
  const demand = { id: 5, items, operatorBy: 'lessor', fuelBy: 'lessor', payment: { invoice: 'special' } }
  const { lines } = openFound({ demand, candidates: {}, quote: null, minValidUntil: '2026-12-31' }, '2026-12-05')
  expect(lines.map(({ earliestEntry }) => earliestEntry)).toEqual(['2026-12-05', '2026-12-13'])
})

test('a new quote proposes each unit for one line, and a line for which none is left is not included', () => {
  const items = [1, 2, 3].map((id) => ({ id, qty: 2, rentUnit: 'M', planStart: '2026-12-13' }))
  const lot = { id: 7, freeQty: 3, misses: [], prices: [] }
  const found = {
    demand: { id: 5, items, operatorBy: 'lessor', fuelBy: 'lessor', payment: { invoice: 'special' } },
    candidates: { 1: [lot], 2: [lot], 3: [lot] },
    quote: null,
    minValidUntil: '2026-12-31',
  }
  const { lines } = openFound(found)
  expect(lines.map(({ machines, included }) => [machines.map(({ equipmentId, qty }) => [equipmentId, Number(qty)]), included])).toEqual([
    [[[7, 2]], true],
    [[[7, 1]], true],
    [[], false],
  ])
})

test('after an amendment to another unit of work a quote and what was typed open in that unit, and their price is typed again', () => {
  const [item, typed] = [
    { id: 7, qty: 1, rentUnit: 'S', planStart: '2026-12-13' },
    { ...openForm(QuoteLineInput, { demandItemId: 7, unitPrice: 26_000, rentUnit: 'M', minRentDays: 60 }), included: true },
  ]
  const opened = (rentUnit: string) => {
    const quote = { lines: [{ demandItemId: 7, machines: [], unitPrice: '26000.00', rentUnit: 'M', minRentDays: 60 }] }
    const found = { demand: { id: 5, items: [{ ...item, rentUnit }] }, candidates: {}, quote, minValidUntil: '2026-12-31' }
    const fresh = openFound(found)
    const restored = restoreQuote(fresh, { ...fresh, lines: [typed] })
    return [fresh, restored].map((form) => form?.lines.map((line) => [line.rentUnit, Number(line.unitPrice), Number(line.minRentDays)]))
  }
  expect(opened('S')).toEqual([[['S', 0, 0]], [['S', 0, 0]]])
  // A price by the month holds for days as well.
  expect(opened('D')).toEqual([[['M', 26_000, 60]], [['M', 26_000, 60]]])
})

test('an error of a sent line stands at its line in the form, which also holds those that are not sent', () => {
  const lines = [{ included: false }, { included: true }, { included: true }].map((line) => ({ ...openForm(QuoteLineInput), ...line }))
  const typed = { ...openForm(QuoteInput), lines }
  expect(nameOfLine('lines.1.unitPrice', typed)).toBe('lines.2.unitPrice')
  expect(nameOfLine('lines', typed)).toBe('lines')
  expect(nameOfLine('contactPhone', typed)).toBe('contactPhone')
})

test('a quote by work has no minimum term in days, one by time has', () => {
  const line = { demandItemId: 7, machines: [{ equipmentId: 3 }], unitPrice: 100, taxRate: 13, invoiceKind: 'special', minRentDays: 60 }
  const duties = { includesOperator: true, includesFuel: false, earliestEntry: '2026-12-01' }
  const offered = (rentUnit: string) => QuoteInput.shape.lines.parse([{ ...line, ...duties, rentUnit }])[0]?.minRentDays
  expect(['M', 'D', 'S', 'V'].map(offered)).toEqual([60, 60, 0, 0])
})

describe('a quote that was typed and not submitted', () => {
  const typed = { ...openForm(QuoteLineInput, { demandItemId: 7, unitPrice: 15_000 }), included: true }
  const fresh = {
    ...openForm(QuoteInput, { demandId: 3, contactName: '陈调度' }),
    lines: [
      { ...openForm(QuoteLineInput, { demandItemId: 6 }), included: true },
      { ...openForm(QuoteLineInput, { demandItemId: 7 }), included: false },
    ],
  }
  const stored = JSON.parse(JSON.stringify({ ...fresh, note: '可提前进场', lines: [{ ...typed, unitPrice: '15800.5' }] })) as unknown

  test('comes back as it was typed, with the lines that the demand has now', () => {
    const restored = restoreQuote(fresh, stored)
    expect(restored?.note).toBe('可提前进场')
    expect(restored?.lines.map(({ demandItemId, unitPrice, included }) => [demandItemId, unitPrice, included])).toEqual([
      [6, fresh.lines[0]?.unitPrice, true],
      [7, '15800.5', true],
    ])
  })

  test('goes on with the quote on which it was typed; once a colleague has changed that, it is only offered', () => {
    const kindOn = (receipt: string | null, found: object) => openTyped(fresh, { ...(stored as object), at: 5, ...found }, receipt).kind
    expect([kindOn('a1', { base: 'a1' }), kindOn('b2', { base: 'a1' })]).toEqual(['restored', 'offered'])
    expect(openTyped(fresh, { ...(stored as object), at: 5, base: 'a1' }, 'b2')).toMatchObject({ at: 5, values: { note: '可提前进场' } })
    // A new one, as an earlier release has stored it, too, and one beside which a colleague has quoted.
    expect([kindOn(null, { base: null }), kindOn(null, {}), kindOn('b2', { base: null }), kindOn('b2', {})]).toEqual([
      'restored',
      'restored',
      'offered',
      'offered',
    ])
    // It was submitted, and only the answer was lost.
    expect(openTyped(fresh, { ...fresh, base: 'a1' }, 'b2').kind).toBe('none')
    expect(openTyped(fresh, undefined, null).kind).toBe('none')
  })

  test('stays after it was submitted only where something was typed after the press', () => {
    const read = (form: object) => JSON.parse(JSON.stringify(form)) as unknown
    expect(isTypedLater(undefined, fresh)).toBe(false)
    expect(isTypedLater(read(fresh), fresh)).toBe(false)
    expect(isTypedLater(read({ ...fresh, fieldOfBefore: 1 }), fresh)).toBe(false)
    expect(isTypedLater(read({ ...fresh, note: '可提前进场' }), fresh)).toBe(true)
  })

  test('is a new form where what is stored is nothing, or odd', () => {
    for (const odd of [undefined, null, 7, {}, { lines: 'x' }, { lines: [{ demandItemId: 'a' }] }])
      expect(restoreQuote(fresh, odd)).toBeUndefined()
  })
})

test('a quote that ends before it has to is marked in the form; an empty day is missing and no more', () => {
  const problems = (validUntil: string) => validityProblems({ validUntil }, '2026-12-20').map(({ rule }) => rule)
  expect(['2026-12-19', '2026-12-20', ''].map(problems)).toEqual([['valid_until'], [], []])
})

test('an offered price is held against the median of the market as a month’s rent', () => {
  const offer = (unitPrice: string, rentUnit: 'M' | 'D' | 'S' | 'V', shiftMode: 'single' | 'double' = 'single') => {
    const monthFen = offeredMonthFen({ unitPrice, rentUnit, shiftMode })
    return monthFen === null ? null : aboveMarket(monthFen, '26000.00')
  }
  expect(offer('26000', 'M')).toBe(0)
  expect(offer('19500', 'M')).toBe(-25)
  expect(offer('1100', 'S')).toBe(10)
  expect(offer('1000', 'S', 'double')).toBe(100)
  expect([offer('', 'M'), offer('0', 'M'), offer('12', 'V')]).toEqual([null, null, null])
})
