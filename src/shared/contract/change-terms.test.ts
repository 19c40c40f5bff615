import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays } from '../calendar.ts'
import {
  amountOfLines,
  amountUnder,
  bindsMore,
  changedClauses,
  changedLines,
  changedQuantities,
  completedTerms,
  isChangeable,
  termProblems,
  type ChangeLine,
} from './change-terms.ts'
import type { ChangeTerms } from './changes.ts'
import type { AddedPosition } from './direct.ts'
import { defaultClauses } from './clauses.ts'
import { isOverdue, maxPositions, positionStatus } from './rules.ts'

const clauses = defaultClauses({ buildingLifting: false, rentUnits: ['M'], payment: { ratio: 70, days: 30 } })
const line = (id: number, more: Partial<ChangeLine> = {}): ChangeLine => ({
  id,
  status: positionStatus.waiting,
  qty: 1,
  unitPriceFen: 3_000_000,
  rentUnit: 'M',
  includesOperator: true,
  includesFuel: false,
  entryFeeFen: 0,
  exitFeeFen: 0,
  erectionFeeFen: 0,
  inspectionFeeFen: 0,
  otherFeeFen: 0,
  taxRate: 13,
  invoiceKind: 'special',
  minRentDays: 0,
  planStart: '2026-12-01',
  planEnd: '2027-03-01',
  shiftMode: 'single',
  estQuantity: null,
  ...more,
})
const lines = [line(1), line(2, { status: positionStatus.onSite }), line(3, { status: positionStatus.left })]
const start = '2026-12-01'
const further: AddedPosition = {
  equipmentId: 9,
  qty: 1,
  planStart: '2026-12-10',
  planEnd: '2027-03-01',
  rentUnit: 'M',
  estQuantity: null,
  shiftMode: 'single',
  unitPrice: 2_000_000,
  taxRate: 13,
  invoiceKind: 'special',
  includesOperator: false,
  includesFuel: false,
  entryFee: 0,
  exitFee: 0,
  erectionFee: 0,
  inspectionFee: 0,
  otherFee: 0,
  minRentDays: 0,
}
const rulesOf = (terms: ChangeTerms, fromDay = '2026-12-10') =>
  termProblems(terms, { fromDay, lines, clauses, today: '2026-12-10', since: null }).map(({ path, rule }) => `${path.join('.')} ${rule}`)

describe('the terms of an amendment', () => {
  test('change the value they name of the positions they name, and the sum follows', () => {
    const before = amountOfLines(lines).amountFen
    const dearer = changedLines(lines, { kind: 'price', lines: [{ lineId: 1, value: 6_000_000 }] }, start)
    expect(dearer.map(({ unitPriceFen }) => unitPriceFen)).toEqual([6_000_000, 3_000_000, 3_000_000])
    expect(amountOfLines(dearer).amountFen).toBe(before + before / 3)
    const fewer = changedLines(lines, { kind: 'quantity', lineIds: [1] }, start)
    expect(amountOfLines(fewer).amountFen).toBe(before - before / 3)
    const other = changedLines(lines, { kind: 'tax', lines: [{ lineId: 2, value: 6 }] }, start)
    expect([amountOfLines(other).amountFen, amountOfLines(other).taxFen < amountOfLines(lines).taxFen]).toEqual([before, true])
    expect(changedLines(lines, { kind: 'extend', lines: [{ lineId: 2, value: '2027-04-01' }] }, start)[1]?.planEnd).toBe('2027-04-01')
    expect(changedLines(lines, { kind: 'terminate', lastDay: '2026-12-20' }, start)).toEqual(lines)
  })

  test('hold from their day: the days before keep their price and tax rate, and fees are counted once', () => {
    const [dear] = changedLines([line(1)], { kind: 'price', lines: [{ lineId: 1, value: 6_000_000 }] }, '2027-01-30')
    if (!dear) expect.fail()
    // 90 days of three months, the last 30 of them at twice the price.
    expect(amountOfLines([dear]).amountFen).toBe(12_000_000)
    const end = { kind: 'extend' as const, lines: [{ lineId: 1, value: '2027-03-31' }] }
    expect(amountOfLines(changedLines([dear], end, '2027-02-01')).amountFen).toBe(18_000_000)
    const [taxed] = changedLines(
      [line(1, { entryFeeFen: 100_000, exitFeeFen: 200_000 })],
      { kind: 'tax', lines: [{ lineId: 1, value: 6 }] },
      '2027-01-30',
    )
    if (!taxed) expect.fail()
    const { amountFen, taxFen } = amountOfLines([taxed])
    expect(amountFen).toBe(9_300_000)
    expect(taxFen).toBe(Math.round((6_100_000 * 13) / 113) + Math.round((3_200_000 * 6) / 106))
    // Agreed for a day, then again for the same or an earlier one: what was agreed last holds from there on.
    const [again] = changedLines([dear], { kind: 'price', lines: [{ lineId: 1, value: 3_000_000 }] }, '2027-01-30')
    expect(again && amountOfLines([again]).amountFen).toBe(9_000_000)
    expect(again?.rates).toHaveLength(1)
  })

  test('of a tax rate leave the price without tax as it is or the one with tax, as the clause says; fees stay', () => {
    const hire = line(1, { unitPriceFen: 1_130_000, entryFeeFen: 50_000 })
    const tax = { kind: 'tax' as const, lines: [{ lineId: 1, value: 9 as const }] }
    const under = (taxChange: 'net' | 'gross', from = hire) => {
      const terms = completedTerms(tax, { lines: [from], clauses: { ...clauses, taxChange } })
      const [changed = from] = changedLines([from], terms, start)
      return { price: changed.unitPriceFen, rates: changed.rates, fee: changed.entryFeeFen, ...amountUnder([from], terms, start) }
    }
    const [net, gross] = [under('net'), under('gross')]
    expect([net.price, net.fee, gross.price, gross.fee]).toEqual([1_090_000, 50_000, 1_130_000, 50_000])
    // Three months, and what was a fee before.
    expect([net.amountFen, gross.amountFen]).toEqual([3 * 1_090_000 + 50_000, 3 * 1_130_000 + 50_000])
    expect(net.rates).toEqual([{ fromDay: start, unitPriceFen: 1_090_000, taxRate: 9 }])
    // To the fen.
    expect(under('net', line(1, { unitPriceFen: 1_000_001 })).price).toBe(964_603)
    // One that was proposed without a price is what both sides have read.
    expect(changedLines([hire], tax, start)[0]?.unitPriceFen).toBe(1_130_000)
    const later = { kind: 'price' as const, lines: [{ lineId: 1, value: 1 }] }
    expect(completedTerms(later, { lines: [hire], clauses })).toBe(later)
  })

  test('agreed again before a hire begins, the last price counts for its days and no others', () => {
    const priced = (hire: ChangeLine | undefined, value: number, day: string) =>
      hire && changedLines([hire], { kind: 'price', lines: [{ lineId: 1, value }] }, day)[0]
    const hire = line(1, { planStart: '2026-12-20', planEnd: '2027-03-20' })
    const again = priced(priced(hire, 4_000_000, '2026-12-10'), 6_000_000, '2026-12-15')
    expect(again && amountOfLines([again]).amountFen).toBe(18_000_000)
  })

  test('a change of price counts as two hires that meet on its day, to the fen for each cut', () => {
    const cut = fc.record({
      from: fc.integer({ min: 1, max: 199 }),
      days: fc.integer({ min: 200, max: 400 }),
      before: fc.integer({ min: 1, max: 9_999_999 }),
      after: fc.integer({ min: 1, max: 9_999_999 }),
    })
    fc.assert(
      fc.property(cut, fc.constantFrom('M' as const, 'D' as const), ({ from, days, before, after }, rentUnit) => {
        const [planEnd, day] = [addDays(start, days), addDays(start, from)]
        const whole = line(1, { rentUnit, unitPriceFen: before, planEnd })
        const changed = changedLines([whole], { kind: 'price', lines: [{ lineId: 1, value: after }] }, day)
        const parts = [
          line(1, { rentUnit, unitPriceFen: before, planEnd: day }),
          line(1, { rentUnit, unitPriceFen: after, planStart: day, planEnd }),
        ]
        expect(Math.abs(amountOfLines(changed).amountFen - amountOfLines(parts).amountFen)).toBeLessThanOrEqual(2)
        // A version that changes nothing changes nothing.
        expect(amountOfLines(changedLines([whole], { kind: 'price', lines: [{ lineId: 1, value: before }] }, day))).toEqual(
          amountOfLines([whole]),
        )
      }),
    )
  })

  test.each(['S', 'H', 'V', 'L', 'P'] as const)(
    'move an end of a hire by %s: its estimated quantity follows the planned days, and so does the sum',
    (rentUnit) => {
      const hire = line(1, { rentUnit, unitPriceFen: 100_000, estQuantity: 90, minRentDays: 60 })
      const until = (kind: 'extend' | 'shorten', value: string) => changedLines([hire], { kind, lines: [{ lineId: 1, value }] }, start)
      const amounts = [until('extend', '2027-03-31'), until('shorten', '2027-01-30'), until('shorten', '2026-12-31')]
      expect(amounts.map(([moved]) => moved?.estQuantity)).toEqual([120, 60, 30])
      // A minimum term is of days, and work that is not done is not paid.
      expect([[hire], ...amounts].map((one) => amountOfLines(one).amountFen)).toEqual([9_000_000, 12_000_000, 6_000_000, 3_000_000])
      const terms = { kind: 'extend' as const, lines: [{ lineId: 1, value: '2027-03-31' }] }
      expect(changedQuantities([hire, line(2)], terms, start)).toEqual([{ lineId: 1, before: 90, after: 120 }])
      expect(changedQuantities([line(1)], terms, start)).toEqual([])
    },
  )

  test.each(['M', 'D'] as const)('move an end of a hire by %s: its minimum term is paid at least', (rentUnit) => {
    const hire = line(1, { rentUnit, unitPriceFen: rentUnit === 'M' ? 3_000_000 : 100_000, minRentDays: 60 })
    const until = (value: string) => changedLines([hire], { kind: 'shorten', lines: [{ lineId: 1, value }] }, start)
    expect([until('2027-01-30'), until('2026-12-31')].map((one) => amountOfLines(one).amountFen)).toEqual([6_000_000, 6_000_000])
  })

  test('move an end: a quantity is rounded to the thousandth and never nothing', () => {
    const until = (estQuantity: number, value: string) =>
      changedLines([line(1, { rentUnit: 'V', estQuantity })], { kind: 'shorten', lines: [{ lineId: 1, value }] }, start)[0]?.estQuantity
    expect([until(100, '2026-12-08'), until(0.001, '2026-12-08')]).toEqual([7.778, 0.001])
  })

  test('do not make a sum that is not counted to the fen, or a quantity that is not stored', () => {
    const work = line(1, { rentUnit: 'V', unitPriceFen: 999_999_999, estQuantity: 6_000_000 })
    const rules = (terms: ChangeTerms, lines: ChangeLine[]) =>
      termProblems(terms, { fromDay: '2026-12-10', lines, clauses, today: '2026-12-10', since: null }).map(
        ({ path, rule }) => `${path.join('.')} ${rule}`,
      )
    const longer = (value: string) => ({ kind: 'extend' as const, lines: [{ lineId: 1, value }] })
    const other = { ...work, id: 2, estQuantity: 500_000 }
    // 6 million over 90 days are 8.7 million over 130.
    expect([rules(longer('2027-04-10'), [work]), rules(longer('2027-04-10'), [work, other])]).toEqual([
      [],
      ['terms.lines.0.value sum_large'],
    ])
    expect(rules(longer('2027-05-30'), [{ ...work, unitPriceFen: 1 }])).toEqual(['terms.lines.0.value quantity_large'])
    const dearer = { kind: 'price' as const, lines: [{ lineId: 1, value: 999_999_999 }] }
    expect(rules(dearer, [{ ...work, qty: 2, unitPriceFen: 1 }])).toEqual(['terms.lines.0.value sum_large'])
    const added = { ...further, rentUnit: 'V' as const, unitPrice: 999_999_999, estQuantity: 6_000_000 }
    const more = { kind: 'quantity' as const, lineIds: [], added: [added] }
    expect([rules(more, [work]), rules(more, [line(2)])]).toEqual([['terms.added.0.unitPrice sum_large'], []])
  })

  test('bind the lessee more where they extend the hire, whatever becomes of the sum', () => {
    const sums = { before: [], amountBeforeFen: 100, amountAfterFen: 100 }
    const moved = (kind: 'extend' | 'shorten') => bindsMore({ ...sums, terms: { kind, lines: [{ lineId: 1, value: '2027-04-01' }] } })
    expect([moved('extend'), moved('shorten')]).toEqual([true, false])
  })

  test('bind the lessee more where they add a position, also a cheaper one in the place of another', () => {
    const swapped = (added: AddedPosition[]) =>
      bindsMore({ terms: { kind: 'quantity', lineIds: [1], added }, before: [], amountBeforeFen: 100, amountAfterFen: 50 })
    expect([swapped([further]), swapped([])]).toEqual([true, false])
  })

  test('bind the lessee more where a tax rate falls, because the sum stays and less of it is deducted', () => {
    const sums = {
      before: [
        { lineId: 1, value: 9 },
        { lineId: 2, value: 9 },
      ],
      amountBeforeFen: 100,
      amountAfterFen: 100,
    }
    const taxed = (...values: (6 | 9 | 13)[]) =>
      bindsMore({ ...sums, terms: { kind: 'tax', lines: values.map((value, index) => ({ lineId: index + 1, value })) } })
    expect([taxed(13), taxed(9), taxed(6), taxed(13, 6)]).toEqual([false, false, true, true])
  })

  test('do not hold from before the newest version, unless they make none', () => {
    const rules = (terms: ChangeTerms, fromDay: string) =>
      termProblems(terms, { fromDay, lines, clauses, today: '2026-12-10', since: '2027-01-01' }).map(({ rule }) => rule)
    const extend = { kind: 'extend' as const, lines: [{ lineId: 1, value: '2027-04-01' }] }
    expect([rules(extend, '2026-12-31'), rules(extend, '2027-01-01')]).toEqual([['before_version'], []])
    expect(rules({ kind: 'terminate', lastDay: '2026-12-20' }, '2026-12-20')).toEqual([])
    expect(rules({ kind: 'account', bankName: '甲银行', bankAccount: '12345678' }, '2026-12-10')).toEqual([])
  })

  test('do not hold from after all hires, so that a mistyped year does not end all amendments; a hire that has run over is amended as of today', () => {
    const price = { kind: 'price' as const, lines: [{ lineId: 1, value: 1 }] }
    const extend = { kind: 'extend' as const, lines: [{ lineId: 1, value: '2028-03-01' }] }
    const shorten = { kind: 'shorten' as const, lines: [{ lineId: 1, value: '2026-12-20' }] }
    const added = { ...further, planStart: '2027-04-01', planEnd: '2027-06-01' }
    const more = { kind: 'quantity' as const, lineIds: [], added: [added] }
    const late = ['fromDay after_hire']
    expect([rulesOf(price, '2027-02-28'), rulesOf(price, '2027-03-01'), rulesOf(price, '2072-03-01')]).toEqual([[], late, late])
    expect([rulesOf(extend, '2028-02-29'), rulesOf(extend, '2028-03-01')]).toEqual([[], late])
    expect([rulesOf(shorten, '2027-02-28'), rulesOf(shorten, '2027-03-01')]).toEqual([[], late])
    expect([rulesOf(more, '2027-04-01'), rulesOf({ ...more, added: [{ ...added, planStart: '2027-06-01' }] }, '2027-06-01')]).toEqual([
      [],
      late,
    ])
    // The days after a position that is cancelled are nobody's.
    const standing = { lines: [line(1), line(2, { planEnd: '2028-03-01' })], clauses, today: '2026-12-10', since: null }
    const rules = (terms: ChangeTerms, fromDay: string, today = '2026-12-10') =>
      termProblems(terms, { ...standing, fromDay, today }).map(({ rule }) => rule)
    expect([rules({ kind: 'quantity', lineIds: [2] }, '2027-03-01'), rules({ kind: 'quantity', lineIds: [1] }, '2027-03-01')]).toEqual([
      ['after_hire'],
      [],
    ])
    expect([rules(price, '2028-05-01', '2028-05-01'), rules(price, '2028-05-02', '2028-05-01')]).toEqual([[], ['after_hire']])
    const amended = { ...standing, since: '2027-06-01', today: '2028-05-01' }
    expect(termProblems(price, { ...amended, fromDay: '2028-05-01' })).toEqual([])
    // Where the newest version holds from after the hire, others may follow on its day.
    const since = { ...standing, since: '2028-05-01' }
    expect(termProblems(price, { ...since, fromDay: '2028-05-01' })).toEqual([])
    expect(termProblems(price, { ...since, fromDay: '2028-05-02' }).map(({ rule }) => rule)).toEqual(['after_hire'])
    // An account makes no version.
    expect(rulesOf({ kind: 'account', bankName: '甲银行', bankAccount: '12345678' }, '2072-03-01')).toEqual([])
  })

  test('end a contract early, which is before its hires end, or today where they have', () => {
    const end = (lastDay: string) => rulesOf({ kind: 'terminate', lastDay }, lastDay)
    expect([end('2027-02-28'), end('2027-03-01'), end('2072-02-28')]).toEqual([
      [],
      ['terms.lastDay after_hire'],
      ['terms.lastDay after_hire'],
    ])
    const over = { lines: [line(1)], clauses, since: null, today: '2027-04-01', fromDay: '2027-04-01' }
    expect(termProblems({ kind: 'terminate', lastDay: '2027-04-01' }, over)).toEqual([])
  })

  test('may be confirmed for a week after their day, another account whenever', () => {
    const late = (kind: 'price' | 'account', today: string) => isOverdue({ kind, fromDay: '2026-12-10' }, today)
    expect([late('price', '2026-12-17'), late('price', '2026-12-18'), late('account', '2027-12-18')]).toEqual([false, true, false])
  })

  test('do not cancel every position, which is the end of the contract', () => {
    const waiting = [line(1), line(2), line(3, { status: positionStatus.cancelled })]
    const problems = (lineIds: number[]) =>
      termProblems({ kind: 'quantity', lineIds }, { fromDay: '2026-12-10', lines: waiting, clauses, today: '2026-12-10', since: null })
    expect([problems([1]), problems([1, 2])]).toEqual([[], [{ path: ['terms', 'lineIds'], rule: 'all_positions' }]])
    // Other machines may come in the place of all of them.
    const all = { fromDay: '2026-12-10', lines: waiting, clauses, today: '2026-12-10', since: null }
    expect(termProblems({ kind: 'quantity', lineIds: [1, 2], added: [further] }, all)).toEqual([])
  })

  test('add positions up to the bound of a contract, and none that begins before their day', () => {
    const many = Array.from({ length: maxPositions - 1 }, (_, index) => line(index + 1))
    const problems = (count: number, fromDay = '2026-12-10') => {
      const added = Array.from({ length: count }, () => further)
      const standing = { fromDay, lines: many, clauses, today: '2026-12-10', since: null }
      return termProblems({ kind: 'quantity', lineIds: [], added }, standing)
    }
    expect([problems(1), problems(2)]).toEqual([[], [{ path: ['terms', 'added', 1, 'equipmentId'], rule: 'positions_many' }]])
    expect(problems(1, '2026-12-11')).toEqual([{ path: ['terms', 'added', 0, 'planStart'], rule: 'starts_before_change' }])
  })

  test('say whether a position would begin in the past, before the newest version or before its amendment', () => {
    const rules = (planStart: string) => {
      const standing = { fromDay: '2026-12-20', lines, clauses, today: '2026-12-10', since: '2026-12-15' }
      return termProblems({ kind: 'quantity', lineIds: [], added: [{ ...further, planStart }] }, standing).map(({ rule }) => rule)
    }
    expect(['2026-12-09', '2026-12-14', '2026-12-19', '2026-12-20'].map(rules)).toEqual([
      ['start_past'],
      ['before_version'],
      ['starts_before_change'],
      [],
    ])
  })

  test('are of positions to come or on site, each once, and only one that waits is cancelled', () => {
    expect(rulesOf({ kind: 'price', lines: [{ lineId: 3, value: 1 }] })).toEqual(['terms.lines.0 position_entered'])
    expect(rulesOf({ kind: 'price', lines: [1, 1].map((lineId) => ({ lineId, value: 1 })) })).toEqual(['terms.lines.1 position_entered'])
    expect(rulesOf({ kind: 'quantity', lineIds: [1, 2, 9] })).toEqual([
      'terms.lineIds.1 position_entered',
      'terms.lineIds.2 position_entered',
    ])
    expect([isChangeable('quantity', positionStatus.onSite), isChangeable('extend', positionStatus.onSite)]).toEqual([false, true])
  })

  test('are not of days that are over, and move an end the way their kind says', () => {
    expect(rulesOf({ kind: 'extend', lines: [{ lineId: 1, value: '2027-03-01' }] }, '2026-12-09')).toEqual([
      'fromDay start_past',
      'terms.lines.0.value extend_later',
    ])
    expect(rulesOf({ kind: 'shorten', lines: [{ lineId: 1, value: '2026-12-09' }] })).toEqual(['terms.lines.0.value shorten_earlier'])
    expect(rulesOf({ kind: 'shorten', lines: [{ lineId: 1, value: '2027-03-01' }] })).toEqual(['terms.lines.0.value shorten_earlier'])
    expect(rulesOf({ kind: 'shorten', lines: [{ lineId: 1, value: '2026-12-10' }] })).toEqual([])
    // A hire of no day is a position that is cancelled.
    const first = { lines: [line(1, { planStart: '2026-12-20' })], clauses, today: '2026-12-10', since: null, fromDay: '2026-12-10' }
    const until = (value: string) => termProblems({ kind: 'shorten', lines: [{ lineId: 1, value }] }, first).map(({ rule }) => rule)
    expect([until('2026-12-20'), until('2026-12-21')]).toEqual([['shorten_earlier'], []])
    expect(rulesOf({ kind: 'terminate', lastDay: '2026-12-09' })).toEqual(['terms.lastDay start_past'])
  })

  test('change something: the same price, tax rate or clauses are refused', () => {
    expect(rulesOf({ kind: 'price', lines: [{ lineId: 1, value: 3_000_000 }] })).toEqual(['terms.lines.0.value unchanged'])
    expect(rulesOf({ kind: 'tax', lines: [{ lineId: 1, value: 13 }] })).toEqual(['terms.lines.0.value unchanged'])
    expect(rulesOf({ kind: 'clause', clauses: { ...clauses } })).toEqual(['terms.clauses unchanged'])
    expect(rulesOf({ kind: 'clause', clauses: { ...clauses, noticeDays: 9 } })).toEqual([])
  })
})

test('clauses are compared by value: the order of their parts is no change', () => {
  const { spring, ...rest } = clauses.stopRules
  const reordered = { ...clauses, stopRules: { ...rest, spring: { rate: spring.rate, freeDays: spring.freeDays } } }
  expect(changedClauses(clauses, reordered)).toEqual([])
  const later = { ...reordered, noticeDays: 9, depositFen: 100, stopRules: { ...rest, spring: { freeDays: 3, rate: 100 } } }
  expect(changedClauses(clauses, later)).toEqual(['noticeDays', 'stopRules', 'deposit'])
})
