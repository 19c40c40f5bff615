import { expect, test } from 'vitest'
import { canMoveDemand, leastQuotes, openWait } from './guards.ts'
import { demandStatuses, isOpened, timingProblems } from './rules.ts'

test('without a number a demand asks for three quotes, for one of a single lessor, and for no more than it invites', () => {
  const open = { method: '1', demandType: '1', invitedCompanyIds: [] }
  expect([leastQuotes(open), leastQuotes({ ...open, minQuotes: 5 }), leastQuotes({ ...open, method: '4' })]).toEqual([3, 5, 1])
  const invited = (count: number) =>
    leastQuotes({ ...open, demandType: '2', invitedCompanyIds: Array.from({ length: count }, (_, id) => id) })
  expect([1, 2, 3, 4].map(invited)).toEqual([1, 2, 3, 3])
  expect(leastQuotes({ ...open, demandType: '2', minQuotes: 3, invitedCompanyIds: [1] })).toBe(3)
})

test('an early opening has to wait for a change until everybody could confirm, and is not promised for after the deadline', () => {
  const wait = (quoteDeadline: string, now: string, sealed = false) =>
    openWait({ sealed, quoteDeadline, events: [{ move: 'extend', at: '2026-11-23 11:00:00' }] }, now)
  expect(wait('2026-11-26 12:00:00', '2026-11-23 12:00:00')).toEqual({ from: '2026-11-24 11:00:00' })
  expect(wait('2026-11-23 15:00:00', '2026-11-23 12:00:00')).toEqual({ from: null })
  expect(wait('2026-11-26 12:00:00', '2026-11-24 11:00:00')).toBeNull()
  expect(wait('2026-11-26 12:00:00', '2026-11-23 12:00:00', true)).toBeNull()
})

test('an opening is promised for before the deadline only', () => {
  const events = [{ move: 'extend', at: '2026-11-23 11:00:00' }]
  const wait = (quoteDeadline: string) => openWait({ sealed: false, quoteDeadline, events }, '2026-11-23 12:00:00')
  expect([wait('2026-11-24 11:00:00'), wait('2026-11-24 11:00:01')]).toEqual([{ from: null }, { from: '2026-11-24 11:00:00' }])
})

test('quotes are read from the opening on: not of a demand that ended before it, nor of one that was cancelled after it', () => {
  const opened = demandStatuses.filter((status) => isOpened({ status, openTime: '2026-11-26 10:00:00' }))
  expect(opened).toEqual(['4', '5', '6', '7', '9'])
  expect(demandStatuses.filter((status) => isOpened({ status, openTime: null }))).toEqual([])
})

test('from the moment of its deadline on a demand is short of quotes, or can no longer be extended', () => {
  const facts = { status: '3' as const, sealed: true, quoteDeadline: '2026-11-26 10:00:00', minQuotes: 3, isToldShort: false }
  const may = (move: 'open' | 'fail' | 'extend', quoteCount: number, now: string) =>
    canMoveDemand({ ...facts, quoteCount }, move, 'owner', `2026-11-26 ${now}`)
  for (const move of ['open', 'fail'] as const)
    expect([may(move, 2, '09:59:59'), may(move, 2, '10:00:00'), may(move, 3, '10:00:00')]).toEqual([false, true, false])
  expect([may('extend', 3, '09:59:59'), may('extend', 3, '10:00:00'), may('extend', 2, '10:00:00')]).toEqual([true, false, true])
})

test('a deadline is sixty days ahead at the most, and a hire begins today at the earliest and lasts twenty years at the most', () => {
  const rules = (quoteDeadline: string, planStart: string, planEnd: string) =>
    timingProblems(
      { quoteDeadline: new Date(quoteDeadline), clarifyDeadline: null, urgent: false, items: [{ planStart, planEnd }] },
      new Date('2026-11-23T02:00:00Z'),
      '2026-11-23',
    ).map(({ path, rule }) => `${path.join('.')} ${rule}`)
  // Twenty years are 7300 days.
  expect(rules('2027-01-22T02:00:00Z', '2026-11-23', '2046-11-18')).toEqual([])
  expect(rules('2027-01-22T02:00:01Z', '2026-11-22', '2046-11-18')).toEqual([
    'quoteDeadline deadline_far',
    'items.0.planStart start_past',
    'items.0.planEnd lease_too_long',
  ])
})

test('questions end before the deadline and later than now; an amendment leaves an end that has passed', () => {
  const [now, quoteDeadline] = [new Date('2026-11-23T02:00:00Z'), new Date('2026-11-26T02:00:00Z')]
  const items = [{ planStart: '2026-12-10', planEnd: '2027-01-10' }]
  const rules = (clarifyDeadline: Date, clarify?: boolean) =>
    timingProblems(
      {
        quoteDeadline,
        clarifyDeadline,
        urgent: false,
        items,
        ...(clarify !== undefined && { changed: { starts: [], ends: [], clarify } }),
      },
      now,
      '2026-11-23',
    ).map(({ path, rule }) => `${path.join('.')} ${rule}`)
  expect(rules(new Date(quoteDeadline.getTime() - 1000))).toEqual([])
  expect(rules(quoteDeadline)).toEqual(['clarifyDeadline clarify_late'])
  expect([rules(now), rules(now, true), rules(now, false)]).toEqual([
    ['clarifyDeadline clarify_past'],
    ['clarifyDeadline clarify_past'],
    [],
  ])
})
