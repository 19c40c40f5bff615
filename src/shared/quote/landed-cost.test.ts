import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { breakEvenDays, groupCost, landedCost, type CostLine, type CostOffer } from './landed-cost.ts'

const line: CostLine = {
  planStart: '2026-12-01',
  planEnd: '2027-03-01',
  shiftMode: 'single',
  estQuantity: null,
  litresPerShift: 100,
  operatorWanted: true,
}
const offer: CostOffer = {
  qty: 2,
  fuelledQty: 2,
  unitPriceFen: 2_000_000,
  rentUnit: 'M',
  includesOperator: true,
  includesFuel: true,
  entryFeeFen: 300_000,
  exitFeeFen: 200_000,
  erectionFeeFen: 0,
  inspectionFeeFen: 0,
  otherFeeFen: 0,
  taxRate: 9,
  invoiceKind: 'special',
  minRentDays: 0,
}
const assumptions = { dieselFenPerLitre: 760, operatorMonthFen: 900_000 }
const part = (cost: ReturnType<typeof landedCost>, name: string) => cost.steps.find((step) => step.part === name)?.fen

describe('a hire of 90 days for two machines at 20,000 a month, 3,000 in and 2,000 out', () => {
  test('with driver and fuel: rent 120,000 + transport 10,000, less the VAT of a special invoice at 9 %', () => {
    const cost = landedCost(line, offer, assumptions)
    expect(part(cost, 'rent')).toBe(12_000_000)
    expect(cost.grossFen).toBe(13_000_000)
    // 130,000 × 9 ÷ 109 = 10,733.94
    expect(part(cost, 'vat')).toBe(-1_073_394)
    expect(cost.netFen).toBe(11_926_606)
    // 119,266.06 ÷ 2 machines ÷ 90 days × 30
    expect(cost.perMachineMonthFen).toBe(1_987_768)
  })

  test('with a plain invoice nothing is deducted', () => {
    expect(landedCost(line, { ...offer, invoiceKind: 'plain' }, assumptions).netFen).toBe(13_000_000)
  })

  test('a bare hire adds the lessee’s driver: 9,000 × 3 months × 2, without VAT', () => {
    const cost = landedCost(line, { ...offer, includesOperator: false, taxRate: 13 }, assumptions)
    expect(part(cost, 'operator')).toBe(5_400_000)
    expect(part(cost, 'vat')).toBe(-Math.round((13_000_000 * 13) / 113))
  })

  test('no driver is added where the crew drives itself', () => {
    expect(
      part(landedCost({ ...line, operatorWanted: false }, { ...offer, includesOperator: false }, assumptions), 'operator'),
    ).toBeUndefined()
  })

  test('the lessee’s fuel: 100 litres × 78 shifts × 7.60 × 2', () => {
    expect(part(landedCost(line, { ...offer, includesFuel: false }, assumptions), 'fuel')).toBe(11_856_000)
  })

  test('diesel is charged for machines that burn it only: none for electric ones, half for one of two', () => {
    const own = { ...offer, includesFuel: false }
    expect(part(landedCost(line, { ...own, fuelledQty: 0 }, assumptions), 'fuel')).toBeUndefined()
    expect(landedCost(line, { ...own, fuelledQty: 0 }, assumptions).netFen).toBe(landedCost(line, offer, assumptions).netFen)
    expect(part(landedCost(line, { ...own, fuelledQty: 1 }, assumptions), 'fuel')).toBe(11_856_000 / 2)
  })

  test('the rent of the contract and the invoiced sum hold nothing that the lessee buys elsewhere', () => {
    const cost = landedCost(line, { ...offer, includesFuel: false, includesOperator: false }, assumptions)
    expect([cost.rentFen, cost.invoicedFen]).toEqual([12_000_000, 13_000_000])
    expect(cost.grossFen).toBeGreaterThan(cost.invoicedFen)
  })

  test('the groups of a cost add up to its gross', () => {
    const cost = landedCost(line, { ...offer, includesFuel: false, erectionFeeFen: 100 }, assumptions)
    expect(groupCost(cost)).toEqual([
      { group: 'rent', fen: 12_000_000 },
      { group: 'transport', fen: 1_000_000 },
      { group: 'once', fen: 200 },
      { group: 'fuel', fen: 11_856_000 },
    ])
    expect(groupCost(cost).reduce((sum, { fen }) => sum + fen, 0)).toBe(cost.grossFen)
  })

  test('double shift doubles fuel and operators, not a monthly rent', () => {
    const cost = landedCost({ ...line, shiftMode: 'double' }, { ...offer, includesFuel: false, includesOperator: false }, assumptions)
    expect(part(cost, 'fuel')).toBe(2 * 11_856_000)
    expect(part(cost, 'operator')).toBe(10_800_000)
    expect(part(cost, 'rent')).toBe(12_000_000)
  })

  test('a hire below the minimum term is charged the minimum, and marked', () => {
    const cost = landedCost(line, { ...offer, minRentDays: 120 }, assumptions)
    expect(part(cost, 'rent')).toBe(16_000_000)
    expect(cost.steps[0]?.atMinimum).toBe(true)
  })

  test.each(['S', 'H', 'V', 'L', 'P'] as const)('a minimum term in days charges no more of a hire by %s', (rentUnit) => {
    const worked = { ...line, estQuantity: 60 }
    const cost = landedCost(worked, { ...offer, rentUnit, minRentDays: 120 }, assumptions)
    expect(cost).toEqual(landedCost(worked, { ...offer, rentUnit }, assumptions))
    expect(cost.steps[0]?.atMinimum).toBe(false)
  })

  test('erection, inspection and other fees come once for each machine', () => {
    const cost = landedCost(line, { ...offer, erectionFeeFen: 100, inspectionFeeFen: 10, otherFeeFen: 1 }, assumptions)
    expect([part(cost, 'erection'), part(cost, 'inspection'), part(cost, 'other')]).toEqual([200, 20, 2])
  })
})

/**
 * Two machines for 90 days at 20,000 a month. Worked by hand: rent 120,000; where the price does not include them
 * transport 2 × (3,000 + 2,000), erection 2 × 500, an own driver 9,000 × 3 × 2, own fuel 100 × 78 × 7.60 × 2; the VAT
 * is r ÷ (100 + r) of what the lessor invoices, 9 % with the driver and 13 % without. Gross and net in fen.
 */
test.each([
  [true, true, true, true, 9, 12_000_000, 11_009_174],
  [true, true, true, false, 9, 12_100_000, 11_100_917],
  [true, true, false, true, 9, 13_000_000, 11_926_606],
  [true, true, false, false, 9, 13_100_000, 12_018_349],
  [true, false, true, true, 9, 23_856_000, 22_865_174],
  [true, false, true, false, 9, 23_956_000, 22_956_917],
  [true, false, false, true, 9, 24_856_000, 23_782_606],
  [true, false, false, false, 9, 24_956_000, 23_874_349],
  [false, true, true, true, 13, 17_400_000, 16_019_469],
  [false, true, true, false, 13, 17_500_000, 16_107_965],
  [false, true, false, true, 13, 18_400_000, 16_904_425],
  [false, true, false, false, 13, 18_500_000, 16_992_920],
  [false, false, true, true, 13, 29_256_000, 27_875_469],
  [false, false, true, false, 13, 29_356_000, 27_963_965],
  [false, false, false, true, 13, 30_256_000, 28_760_425],
  [false, false, false, false, 13, 30_356_000, 28_848_920],
] as const)(
  'driver %s, fuel %s, transport %s, erection %s in the price, %i %% VAT: gross %i, net %i fen',
  (driver, fuel, transport, erection, taxRate, gross, net) => {
    const cost = landedCost(
      line,
      {
        ...offer,
        includesOperator: driver,
        includesFuel: fuel,
        entryFeeFen: transport ? 0 : 300_000,
        exitFeeFen: transport ? 0 : 200_000,
        erectionFeeFen: erection ? 0 : 50_000,
        taxRate,
      },
      assumptions,
    )
    expect([cost.grossFen, cost.netFen]).toEqual([gross, net])
  },
)

test.each([
  ['D', 30_000, null, 30_000 * 90 * 2],
  ['S', 120_000, 60, 120_000 * 60 * 2],
  ['S', 120_000, null, 120_000 * 78 * 2],
  ['H', 20_000, 400, 20_000 * 400 * 2],
  ['V', 2500, 3000, 2500 * 3000 * 2],
  ['L', 60_000, 120, 60_000 * 120 * 2],
] as const)('by %s at %i fen with an estimate of %s', (rentUnit, unitPriceFen, estQuantity, rent) => {
  expect(part(landedCost({ ...line, estQuantity }, { ...offer, rentUnit, unitPriceFen }, assumptions), 'rent')).toBe(rent)
})

test('the rent is rounded for one machine, as each position of a contract is, and half a fen is rounded up', () => {
  const rentOf = (days: number, changes: Partial<CostOffer>) => landedCost(line, { ...offer, ...changes }, assumptions, days).rentFen
  // 20,666.67 and 50,833.33 for each machine.
  expect(rentOf(31, { qty: 3 })).toBe(6_200_001)
  expect(rentOf(61, { unitPriceFen: 2_500_000 })).toBe(10_166_666)
  // 5,000.15 × 123 ÷ 30 = 20,500.615
  expect(rentOf(123, { qty: 1, unitPriceFen: 500_015 })).toBe(2_050_062)
})

test('a cheap rent with expensive transport wins from the day on which the difference is earned back', () => {
  const near = { ...offer, entryFeeFen: 0, exitFeeFen: 0, unitPriceFen: 2_100_000 }
  const far = { ...offer, entryFeeFen: 300_000, exitFeeFen: 0, unitPriceFen: 1_800_000 }
  // 3,000 of transport against 100 a day.
  expect(breakEvenDays(line, near, far, assumptions)).toBe(31)
  expect(breakEvenDays(line, near, near, assumptions)).toBeNull()
})

test('offers that change places twice have no day from which one is cheaper', () => {
  const bare = { ...offer, rentUnit: 'D' as const, exitFeeFen: 0, qty: 1, fuelledQty: 1 }
  const entered = { ...bare, unitPriceFen: 100_000, entryFeeFen: 1_200_000 }
  // It is dearer for a few days because of its minimum, then cheaper without a fee, and dearer in the end by its price.
  const atLeast = { ...bare, unitPriceFen: 120_000, entryFeeFen: 0, minRentDays: 30 }
  expect(breakEvenDays(line, entered, atLeast, assumptions)).toBeNull()
  expect(breakEvenDays(line, entered, { ...atLeast, minRentDays: 0 }, assumptions)).toBe(61)
})

const anyOffer = fc.record({
  qty: fc.integer({ min: 1, max: 20 }),
  fuelledQty: fc.integer({ min: 0, max: 20 }),
  unitPriceFen: fc.integer({ min: 1, max: 999_999_999 }),
  rentUnit: fc.constantFrom('M', 'D', 'S', 'H' as const),
  includesOperator: fc.boolean(),
  includesFuel: fc.boolean(),
  entryFeeFen: fc.integer({ min: 0, max: 10_000_000 }),
  exitFeeFen: fc.integer({ min: 0, max: 10_000_000 }),
  erectionFeeFen: fc.integer({ min: 0, max: 10_000_000 }),
  inspectionFeeFen: fc.integer({ min: 0, max: 100_000 }),
  otherFeeFen: fc.integer({ min: 0, max: 100_000 }),
  taxRate: fc.constantFrom(13, 9, 6, 3, 1, 0),
  invoiceKind: fc.constantFrom('special' as const, 'plain' as const),
  minRentDays: fc.integer({ min: 0, max: 400 }),
})

test('the addends sum up to the net, all in whole fen, and a longer hire never costs less', () => {
  fc.assert(
    fc.property(anyOffer, fc.integer({ min: 1, max: 700 }), fc.integer({ min: 0, max: 200 }), (one, days, more) => {
      const cost = landedCost(line, one, assumptions, days)
      expect(cost.steps.reduce((sum, step) => sum + step.fen, 0)).toBe(cost.netFen)
      for (const step of cost.steps) expect(Number.isSafeInteger(step.fen)).toBe(true)
      // Two roundings (gross and VAT) may differ by a fen each way.
      expect(landedCost(line, one, assumptions, days + more).netFen).toBeGreaterThanOrEqual(cost.netFen - 2)
    }),
  )
})

test('on each side of the break-even day one offer stays the cheaper one', () => {
  fc.assert(
    fc.property(anyOffer, anyOffer, fc.integer({ min: 1, max: 1095 }), (a, b, days) => {
      const turn = breakEvenDays(line, a, b, assumptions)
      if (turn === null) return
      const sign = (at: number) =>
        Math.sign(landedCost(line, a, assumptions, at).netFen / a.qty - landedCost(line, b, assumptions, at).netFen / b.qty)
      expect([0, sign(turn) * (days >= turn ? 1 : -1)]).toContain(sign(days))
    }),
    // Each run reckons up to 1,095 days twice.
    { numRuns: 30 },
  )
})
