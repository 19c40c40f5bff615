import { expect, test } from 'vitest'
import { outcomeOf } from '#shared/quote/lowest.ts'
import { quoteStatus, type QuoteStatus } from '#shared/quote/rules.ts'
import { againstCeiling, cellAboveLowest, cheapestStanding, isEarliest, netOfPick, rankLessors } from './compared.ts'

const cell = (
  quoteId: number,
  demandItemId: number,
  netFen: number,
  qty = 1,
  more: { earliestEntry?: string; isStanding?: boolean; availableQty?: number; status?: QuoteStatus } = {},
) => ({
  quote: { id: quoteId, status: more.status ?? quoteStatus.reviewing },
  line: { demandItemId, qty, availableQty: more.availableQty ?? qty, earliestEntry: more.earliestEntry ?? '2026-12-10' },
  cost: { netFen },
  isStanding: more.isStanding ?? true,
})

test('an award marks lines: of a lessor who won the third line, the first two are not won', () => {
  const award = { lines: [{ quoteLineId: 3, qty: 2, demandItemId: 1, companyName: '', net: '0', reason: '', machines: [] }] }
  const won = { status: quoteStatus.won }
  expect([1, 2, 3].map((id) => outcomeOf(won, { id }, award))).toEqual([{ won: 0 }, { won: 0 }, { won: 2 }])
  expect(outcomeOf({ status: quoteStatus.lost }, { id: 9 }, award)).toEqual({ won: 0 })
  // A lapsed quote was not part of the decision, and before the award nothing is decided.
  expect(outcomeOf({ status: quoteStatus.lapsed }, { id: 9 }, award)).toBeNull()
  expect(outcomeOf({ status: quoteStatus.reviewing }, { id: 3 }, null)).toBeNull()
})

test('a line of an award costs what was stored with it, whatever diesel costs today; a choice costs as it is shown', () => {
  const offer = cell(1, 1, 90_000, 3)
  expect(netOfPick({ qty: 2, net: '512.34' }, offer)).toBe(51_234)
  expect(netOfPick({ qty: 2 }, offer)).toBe(60_000)
})

test('a lessor who leaves lines out does not rank before one who offers everything, however low their total', () => {
  const items = [
    { id: 1, qty: 1 },
    { id: 2, qty: 2 },
  ]
  const quotes = [{ id: 10 }, { id: 20 }, { id: 30 }, { id: 40 }]
  const cells = [
    cell(10, 1, 100),
    cell(20, 1, 500),
    cell(20, 2, 900, 2),
    cell(30, 1, 400),
    cell(30, 2, 800, 2),
    // Every line, but one machine of two.
    cell(40, 1, 100),
    cell(40, 2, 100, 1),
  ]
  expect(rankLessors(items, quotes, cells).map(({ quote, missing, isWhole, isLowest }) => [quote.id, missing, isWhole, isLowest])).toEqual([
    [30, 0, true, true],
    [20, 0, true, false],
    [40, 0, false, false],
    [10, 1, false, false],
  ])
})

test('a lessor some of whose machines were let since does not offer everything any more; what an award has judged stays', () => {
  const items = [{ id: 1, qty: 2 }]
  const rank = (status: QuoteStatus) =>
    rankLessors(items, [{ id: 10 }, { id: 20 }], [cell(10, 1, 100, 2, { availableQty: 1, status }), cell(20, 1, 300, 2, { status })]).map(
      ({ quote, isWhole, missing, isLowest }) => [quote.id, isWhole, missing, isLowest],
    )
  expect(rank(quoteStatus.reviewing)).toEqual([
    [20, true, 0, true],
    [10, false, 0, false],
  ])
  expect(rank(quoteStatus.lost)[0]).toEqual([10, true, 0, true])
})

test('the break-even day is that of the two cheapest offers that may be awarded', () => {
  const cells = [cell(10, 1, 100, 1, { isStanding: false }), cell(20, 1, 1200, 3), cell(30, 1, 300), cell(40, 1, 500)]
  const [first, second] = cheapestStanding(cells)
  expect([first?.quote.id, second?.quote.id]).toEqual([30, 20])
})

test('the lowest lessor is one all of whose offers may be awarded', () => {
  const items = [{ id: 1, qty: 1 }]
  const cells = [cell(10, 1, 100, 1, { isStanding: false }), cell(20, 1, 300), cell(30, 1, 400)]
  const ranked = rankLessors(items, [{ id: 10 }, { id: 20 }, { id: 30 }], cells)
  expect(ranked.map(({ quote, isLowest }) => [quote.id, isLowest])).toEqual([
    [10, false],
    [20, true],
    [30, false],
  ])
})

test('a cell is held against the lowest that may be awarded, at the cost that is shown', () => {
  const cells = [cell(1, 1, 500, 1, { isStanding: false }), cell(2, 1, 2000, 2), cell(3, 1, 1100)]
  expect(cells.map((one) => cellAboveLowest(one, cells))).toEqual([null, { fen: 0, share: 0 }, { fen: 100, share: 0.1 }])
})

test('an entry counts as the earliest only where another is later, and only of an offer that may be awarded', () => {
  const early = { earliestEntry: '2026-12-08' }
  const marks = (cells: ReturnType<typeof cell>[], planStart = '2026-12-01') => cells.map((one) => isEarliest(one, cells, { planStart }))
  expect(marks([cell(1, 1, 1), cell(2, 1, 1)])).toEqual([false, false])
  expect(marks([cell(1, 1, 1), cell(2, 1, 1, 1, early)])).toEqual([false, true])
  const barred = cell(3, 1, 1, 1, { ...early, isStanding: false })
  expect(marks([cell(1, 1, 1), cell(2, 1, 1, 1, early), barred])).toEqual([false, true, false])
  expect(marks([cell(1, 1, 1), barred])).toEqual([false, false])
  // Before the hire begins, nobody needs the machine.
  expect(marks([cell(1, 1, 1), cell(2, 1, 1, 1, early)], '2026-12-10')).toEqual([false, false])
  expect(marks([cell(1, 1, 1), cell(2, 1, 1, 1, early)], '2026-12-09')).toEqual([false, true])
})

test('a price is held against a ceiling of the same unit; one for other duties only where it is above and needs a reason', () => {
  const difference = (rentUnit: 'M' | 'D', ceiling: string | undefined, ...otherDuties: ('operatorBy' | 'fuelBy')[]) =>
    againstCeiling(
      { line: { unitPrice: '15000.00', rentUnit, overCeiling: Number(ceiling) < 15_000 }, otherDuties },
      { ceiling, rentUnit: 'M' },
    )
  expect(difference('M', '16000.00')).toBe(-100_000)
  expect([difference('D', '16000.00'), difference('M', undefined), difference('M', '16000.00', 'operatorBy')]).toEqual([null, null, null])
  expect(difference('M', '14000.00', 'fuelBy')).toBe(100_000)
})
