import { expect, test } from 'vitest'
import { aboveLowest, isStanding, mayBeAwarded } from './lowest.ts'
import { quoteStatus } from './rules.ts'

const offer = (netFen: number, qty = 1, stands = true) => ({ netFen, qty, isStanding: stands })
const quote = (status: (typeof quoteStatus)[keyof typeof quoteStatus], bars: readonly 'offer_expired'[] = []) => ({ status, bars })

test('the difference to the lowest is for one machine, so that two machines are not dearer than one', () => {
  const offers = [offer(1000), offer(2200, 2), offer(2000, 2)]
  expect(offers.map((one) => aboveLowest(one, offers))).toEqual([
    { fen: 0, share: 0 },
    { fen: 100, share: 0.1 },
    { fen: 0, share: 0 },
  ])
})

test('the lowest is one that may be awarded: a cheaper offer that may not be is neither the lowest nor above it', () => {
  const offers = [offer(500, 1, false), offer(1000), offer(1500), offer(9000, 1, false)]
  expect(offers.map((one) => aboveLowest(one, offers))).toEqual([null, { fen: 0, share: 0 }, { fen: 500, share: 0.5 }, null])
})

test('an offer may be awarded while it is judged, nothing bars its lessor, its hire is not over and a machine of it is free', () => {
  const line = { availableQty: 1, isOver: false }
  expect(mayBeAwarded(quote(quoteStatus.reviewing), line)).toBe(true)
  expect(mayBeAwarded(quote(quoteStatus.reviewing), { ...line, availableQty: 0 })).toBe(false)
  expect(mayBeAwarded(quote(quoteStatus.reviewing), { ...line, isOver: true })).toBe(false)
  expect(mayBeAwarded(quote(quoteStatus.reviewing, ['offer_expired']), line)).toBe(false)
  expect(mayBeAwarded(quote(quoteStatus.lapsed), line)).toBe(false)
})

test('after the award the offers that it judged still stand, those that had lapsed or were disqualified do not', () => {
  const stands = Object.entries(quoteStatus).filter(([, status]) => isStanding(quote(status), { availableQty: 0, isOver: false }))
  expect(stands.map(([name]) => name).toSorted()).toEqual(['lost', 'won'])
})
