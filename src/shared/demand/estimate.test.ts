import { expect, test } from 'vitest'
import { rentAtFen } from './estimate.ts'

const line = { rentUnit: 'M', planStart: '2026-12-01', planEnd: '2027-03-01', qty: 2, estQuantity: null } as const

test('the rent of a line follows its unit, its days and its number', () => {
  expect(rentAtFen(line, 2_000_000)).toBe(12_000_000)
  // 20,666.67 for each of three, as in the landed cost.
  expect(rentAtFen({ ...line, planEnd: '2027-01-01', qty: 3 }, 2_000_000)).toBe(6_200_001)
  expect(rentAtFen({ ...line, rentUnit: 'D' }, 80_000)).toBe(14_400_000)
  expect(rentAtFen({ ...line, rentUnit: 'S', estQuantity: 70 }, 90_000)).toBe(12_600_000)
  expect(rentAtFen({ ...line, rentUnit: 'S' }, 90_000)).toBeNull()
})
