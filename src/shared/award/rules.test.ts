import fc from 'fast-check'
import { expect, test } from 'vitest'
import { costOf, laterEntry, passesOverCheaper, propose, usualLoseReason, type Offer } from './rules.ts'

const offer = (quoteLineId: number, changes: Partial<Offer>): Offer => ({
  quoteLineId,
  quoteId: quoteLineId,
  demandItemId: 1,
  companyId: quoteLineId,
  qty: 2,
  netFen: 200,
  earliestEntry: '2026-12-10',
  ...changes,
})
const items = [{ id: 1, qty: 3, planStart: '2026-11-30' }]

test('lowest per line takes the cheapest machines first', () => {
  const offers = [offer(1, { netFen: 300 }), offer(2, { netFen: 200 }), offer(3, { netFen: 500 })]
  expect(propose('lowestLine', items, offers)).toEqual([
    { demandItemId: 1, quoteLineId: 2, qty: 2 },
    { demandItemId: 1, quoteLineId: 1, qty: 1 },
  ])
})

test('the lowest single lessor must cover every line', () => {
  const two = [...items, { id: 2, qty: 1, planStart: '2026-11-30' }]
  const offers = [
    offer(1, { qty: 3, netFen: 300 }),
    offer(2, { companyId: 9, qty: 3, netFen: 900 }),
    offer(3, { companyId: 9, demandItemId: 2, qty: 1 }),
  ]
  expect(propose('lowestLessor', two, offers).map(({ quoteLineId }) => quoteLineId)).toEqual([2, 3])
  expect(propose('lowestLessor', two, offers.slice(0, 2))).toEqual([])
})

test('the earliest entry wins before the price', () => {
  const offers = [offer(1, { qty: 3 }), offer(2, { qty: 3, netFen: 900, earliestEntry: '2026-12-01' })]
  expect(propose('earliest', items, offers)[0]?.quoteLineId).toBe(2)
  // Both can enter when the hire begins, so the price decides.
  expect(propose('earliest', [{ id: 1, qty: 3, planStart: '2026-12-10' }], offers)[0]?.quoteLineId).toBe(1)
})

test('a reason is required only where a cheaper offer with machines left is passed over', () => {
  const offers = [offer(1, { netFen: 200 }), offer(2, { netFen: 400 })]
  const dear = { demandItemId: 1, quoteLineId: 2, qty: 1 }
  expect(passesOverCheaper(dear, [dear], offers)).toBe(true)
  expect(passesOverCheaper(dear, [dear, { demandItemId: 1, quoteLineId: 1, qty: 2 }], offers)).toBe(false)
  expect(passesOverCheaper({ ...dear, quoteLineId: 1 }, [dear], offers)).toBe(false)
})

test('whoever offered a chosen line for less did not lose by the price', () => {
  const offers = [
    offer(1, { netFen: 100 }),
    offer(2, { netFen: 120 }),
    offer(3, { netFen: 130 }),
    offer(4, { demandItemId: 2, netFen: 10 }),
  ]
  const reasons = (quoteLineId: number) =>
    [1, 2, 3, 4].map((quoteId) => usualLoseReason(quoteId, [{ demandItemId: 1, quoteLineId, qty: 2 }], offers))
  expect(reasons(2)).toEqual(['other', 'price', 'price', 'price'])
  expect(reasons(1)).toEqual(['price', 'price', 'price', 'price'])
})

test('no strategy takes more than is required or offered, and the lowest per line is never more expensive', () => {
  const offers = fc.array(
    fc.record({
      qty: fc.integer({ min: 1, max: 5 }),
      netFen: fc.integer({ min: 1, max: 10_000 }),
      companyId: fc.integer({ min: 1, max: 4 }),
    }),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(offers, fc.integer({ min: 1, max: 12 }), (list, qty) => {
      const all = list.map((one, index) => offer(index + 1, one))
      const picks = (['lowestLine', 'lowestLessor', 'earliest'] as const).map((strategy) =>
        propose(strategy, [{ id: 1, qty, planStart: '2026-12-01' }], all),
      )
      for (const one of picks) {
        expect(one.reduce((sum, pick) => sum + pick.qty, 0)).toBeLessThanOrEqual(qty)
        for (const pick of one) expect(pick.qty).toBeLessThanOrEqual(all[pick.quoteLineId - 1]?.qty ?? 0)
      }
      const [line, lessor] = picks
      if (line && lessor && lessor.length > 0) expect(costOf(line, all)).toBeLessThanOrEqual(costOf(lessor, all) + all.length)
      for (const pick of line ?? []) expect(passesOverCheaper(pick, line ?? [], all)).toBe(false)
    }),
  )
})

test('a first day of entry is named where it is later than planned', () => {
  const entry = (earliestEntry: string) => laterEntry({ planStart: '2026-12-13' }, { earliestEntry })
  expect([entry('2026-12-13'), entry('2026-12-14')]).toEqual([null, '2026-12-14'])
})
