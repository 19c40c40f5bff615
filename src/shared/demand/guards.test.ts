import { expect, test } from 'vitest'
import { leastQuotes } from './guards.ts'

test('without a number a demand asks for three quotes, for one of a single lessor, and for no more than it invites', () => {
  const open = { method: '1', demandType: '1', invitedCompanyIds: [] }
  expect([leastQuotes(open), leastQuotes({ ...open, minQuotes: 5 }), leastQuotes({ ...open, method: '4' })]).toEqual([3, 5, 1])
  const invited = (count: number) =>
    leastQuotes({ ...open, demandType: '2', invitedCompanyIds: Array.from({ length: count }, (_, id) => id) })
  expect([1, 2, 3, 4].map(invited)).toEqual([1, 2, 3, 3])
  expect(leastQuotes({ ...open, demandType: '2', minQuotes: 3, invitedCompanyIds: [1] })).toBe(3)
})
