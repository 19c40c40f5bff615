import { expect, test } from 'vitest'
import { maxUnits } from '../equipment/rules.ts'
import { AddedPositions, DirectPositionsInput, firstFreeDay } from './direct.ts'

const want = { qty: 1, planStart: '2026-12-01', planEnd: '2026-12-31' }
const hire = (from: string, to: string, slot = 1) => ({ from: `2026-${from}`, to: to.length > 5 ? to : `2026-${to}`, slot, qty: 1 })

test('a machine is free from the first day on which it stays free for as long as it is wanted', () => {
  expect(firstFreeDay({ totalQty: 1, taken: [] }, want)).toBe('2026-12-01')
  // The day on which a hire ends is free, and so is the day on which the next begins for the one before.
  expect(firstFreeDay({ totalQty: 1, taken: [hire('11-01', '12-01'), hire('12-31', '2027-02-01')] }, want)).toBe('2026-12-01')
  expect(firstFreeDay({ totalQty: 1, taken: [hire('12-10', '12-20')] }, want)).toBe('2026-12-20')
  // Ten days between two hires are too short for thirty.
  expect(firstFreeDay({ totalQty: 1, taken: [hire('12-30', '2027-01-15'), hire('11-20', '12-20')] }, want)).toBe('2027-01-15')
})

test('of a lot as many units as are wanted are free in the same days', () => {
  const lot = { totalQty: 3, taken: [hire('11-01', '12-10', 1), hire('11-01', '12-20', 2)] }
  expect([1, 2, 3].map((qty) => firstFreeDay(lot, { ...want, qty }))).toEqual(['2026-12-01', '2026-12-10', '2026-12-20'])
  expect(firstFreeDay(lot, { ...want, qty: 4 })).toBeNull()
})

test('a position lasts a day at least and twenty years at the most, and names a machine once', () => {
  const line = { equipmentId: 1, planStart: '2026-12-01', rentUnit: 'M', unitPrice: '100' }
  const problems = (...ends: string[]) =>
    AddedPositions.safeParse(ends.map((planEnd) => ({ ...line, planEnd }))).error?.issues.map(({ message }) => message)
  expect([problems('2026-12-01'), problems('2026-12-02')]).toEqual([['ends_before_start'], undefined])
  // Twenty years are 7300 days.
  expect([problems('2046-11-26'), problems('2046-11-27')]).toEqual([undefined, ['lease_too_long']])
  expect(problems('2026-12-31', '2026-12-31')).toEqual(['machine_twice'])
})

test('a quantity has at most three places, as it is stored, and is not nothing', () => {
  const line = { equipmentId: 1, planStart: '2026-12-01', planEnd: '2026-12-31', rentUnit: 'S', unitPrice: '100' }
  const problems = (estQuantity: number) =>
    DirectPositionsInput.safeParse({ version: 1, lines: [{ ...line, estQuantity }] }).error?.issues.map(({ path, message, code }) => [
      path.join('.'),
      code === 'custom' ? message : code,
    ])
  const at = 'lines.0.estQuantity'
  expect([0.001, 33.333, 9_999_999].map(problems)).toEqual([undefined, undefined, undefined])
  expect(problems(33.3333)).toEqual([[at, 'quantity_places']])
  expect([0.0001, 0, 10_000_000].map((value) => problems(value)?.[0])).toEqual([
    [at, 'too_small'],
    [at, 'too_small'],
    [at, 'too_big'],
  ])
})

test('a position has only the terms that its rent unit has a use for: a quantity of work, or a minimum term of time', () => {
  const line = { equipmentId: 1, planStart: '2026-12-01', planEnd: '2026-12-31', unitPrice: '100', estQuantity: 60, minRentDays: 90 }
  const agreed = (rentUnit: string) => {
    const [direct] = DirectPositionsInput.parse({ version: 1, lines: [{ ...line, rentUnit }] }).lines
    const [added] = AddedPositions.parse([{ ...line, rentUnit }])
    return [direct, added].map((one) => `${one?.estQuantity} ${one?.minRentDays}`)
  }
  for (const time of ['M', 'D']) expect(agreed(time)).toEqual(['null 90', 'null 90'])
  for (const work of ['S', 'H', 'V', 'L', 'P']) expect(agreed(work)).toEqual(['60 0', '60 0'])
})

test('a contract names at most as many units as the largest lot has, over all its positions', () => {
  const line = { planStart: '2026-12-01', planEnd: '2026-12-31', rentUnit: 'M', unitPrice: '100' }
  const problems = (...units: number[]) => {
    const lines = units.map((qty, index) => ({ ...line, equipmentId: index + 1, qty }))
    return DirectPositionsInput.safeParse({ version: 1, lines }).error?.issues.map(({ message }) => message)
  }
  expect(problems(maxUnits - 1, 1)).toBeUndefined()
  expect(problems(maxUnits, 1)).toEqual(['units_many'])
})
