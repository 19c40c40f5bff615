import { expect, test } from 'vitest'
import { leastQuotes, openWait } from './guards.ts'

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
