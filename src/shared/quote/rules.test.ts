import { expect, test } from 'vitest'
import { otherDuties } from './rules.ts'

test('an offer differs from the duties of its demand only in what is driven and in what burns fuel', () => {
  const demand = { operatorBy: 'lessor', fuelBy: 'lessee' } as const
  const crane = { operatorWanted: true, litresPerShift: 40 }
  const others = (includesOperator: boolean, includesFuel: boolean, { line = crane, fuelledQty = 1 } = {}) =>
    otherDuties({ includesOperator, includesFuel, fuelledQty }, line, demand)
  expect(others(true, false)).toEqual([])
  expect(others(false, false)).toEqual(['operatorBy'])
  expect(others(true, true)).toEqual(['fuelBy'])
  expect(others(false, true, { line: { operatorWanted: false, litresPerShift: 0 } })).toEqual([])
  expect(others(true, true, { fuelledQty: 0 })).toEqual([])
})
