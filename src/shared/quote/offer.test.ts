import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RentUnit } from '../equipment/rules.ts'
import { machineProblem, offerBars, offerProblems, standingMisses, type MachineStanding } from './offer.ts'

const flags = { specialEquipment: false, buildingLifting: false, nonRoad: true, roadVehicle: false, erection: false }
const fit: MachineStanding = {
  categoryId: 106,
  mainValue: 5,
  outFactoryDate: '2010-03-05',
  auditStatus: '2',
  rentStatus: '0',
  delFlag: '0',
  shelfStatus: '1',
  blocked: false,
  freeQty: 1,
  taken: [],
  papers: [
    { kind: 'ownership', validTo: null },
    { kind: 'conformity', validTo: null },
    { kind: 'emission', validTo: '2027-06-30' },
  ],
}
const kinds = (changes: Partial<MachineStanding>, today = '2026-11-23') =>
  standingMisses({ ...fit, ...changes }, flags, today).map(({ kind }) => kind)

describe('a machine may be let as long as', () => {
  test.each<[string, Partial<MachineStanding>, string[]]>([
    ['nothing stands against it', {}, []],
    ['it is not retired', { rentStatus: '4' }, ['gone']],
    ['it is not deleted', { delFlag: '2' }, ['gone']],
    ['its approval stands', { auditStatus: '3' }, ['gone']],
    ['its lessor has it on the shelf', { shelfStatus: '0' }, ['shelf']],
    ['the platform has not taken it down', { shelfStatus: '2' }, ['shelf']],
    ['it is not on the restriction list', { blocked: true }, ['blocked']],
    ['some of it is free', { freeQty: 0 }, ['taken']],
    ['no paper is missing', { papers: fit.papers.slice(1) }, ['papers']],
  ])('%s', (_, changes, expected) => expect(kinds(changes)).toEqual(expected))

  test('a tower crane or a hoist that is old has its assessment', () => {
    const hoist = { categoryId: 209, mainValue: 2 }
    const assessment = { kind: 'assessment' as const, validTo: '2027-06-30' }
    expect(kinds({ ...hoist, outFactoryDate: '2021-11-23' })).toEqual([])
    expect(kinds({ ...hoist, outFactoryDate: '2021-11-22' })).toEqual(['papers'])
    expect(kinds({ ...hoist, outFactoryDate: '2021-11-22', papers: [...fit.papers, assessment] })).toEqual([])
    expect(kinds({ categoryId: 201, mainValue: 80, outFactoryDate: '2011-11-22' })).toEqual(['papers'])
    expect(kinds({ categoryId: 201, mainValue: 80, outFactoryDate: '' })).toEqual([])
  })

  test('each period in which it is taken is named, from its first day to the first that is free', () => {
    const taken = [
      { from: '2026-12-01', to: '2026-12-20' },
      { from: '2027-01-05', to: '2027-01-09' },
    ]
    expect(standingMisses({ ...fit, freeQty: 0, taken }, flags, '2026-11-23')).toEqual([
      { kind: 'taken', detail: '2026-12-01/2026-12-20,2027-01-05/2027-01-09' },
    ])
  })

  test('no paper has ended', () => expect([kinds({}, '2027-06-30'), kinds({}, '2027-07-01')]).toEqual([[], ['papers']]))
})

test('an offer may be awarded while its lessor may let and its last day has not passed', () => {
  const facts = { certified: true, blacklisted: false, ownCompany: false, validUntil: '2026-12-20' }
  expect(offerBars(facts, '2026-12-20')).toEqual([])
  expect(offerBars(facts, '2026-12-21')).toEqual(['offer_expired'])
  expect(offerBars({ ...facts, certified: false, blacklisted: true }, '2026-12-20')).toEqual(['not_certified', 'blacklisted'])
})

test('papers that end before the exit need the promise of their renewal', () => {
  const machine = { id: 1, totalQty: 1, freeQty: 1, misses: [], shortPapers: [{}] }
  expect(machineProblem(machine, { qty: 1, promisesRenewal: false })).toBe('papers_short')
  expect(machineProblem(machine, { qty: 1, promisesRenewal: true })).toBeNull()
})

const item = {
  id: 1,
  qty: 4,
  rentUnit: 'M' as RentUnit,
  estQuantity: null as number | null,
  shiftMode: 'single' as const,
  planStart: '2026-12-13',
  planEnd: '2027-03-13',
  ceilingFen: null as number | null,
}
const offered = {
  demandItemId: 1,
  machines: [{ equipmentId: 1, qty: 1 }],
  unitPrice: 1,
  rentUnit: 'M' as RentUnit,
  entryFee: 0,
  exitFee: 0,
  erectionFee: 0,
  inspectionFee: 0,
  otherFee: 0,
  minRentDays: 0,
  earliestEntry: '2026-12-12',
  deviation: '',
  ceilingReason: '',
  promisesRenewal: false,
}

describe('an offer is refused beside its field', () => {
  const lot: NonNullable<Parameters<typeof machineProblem>[0]> = { id: 1, totalQty: 4, freeQty: 4, misses: [], shortPapers: [] }
  const rules = (
    lines: Partial<typeof offered>[],
    changes: Partial<typeof item> = {},
    { machine = lot, validUntil = '2027-01-01' } = {},
  ) => {
    const items = [1, 2].map((id) => ({ ...item, id, ...changes }))
    const demand = { quoteDeadline: '2026-11-26 10:00:00', items, machines: { 1: [machine], 2: [machine] } }
    const all = lines.map((line, index) => ({ ...offered, demandItemId: index + 1, ...line }))
    return offerProblems({ validUntil, lines: all }, demand).map(({ path, rule }) => `${path.join('.')} ${rule}`)
  }
  const of = (qty: number, equipmentId = 1) => ({ machines: [{ equipmentId, qty }] })

  test('where it binds for less than fifteen days past the deadline', () => {
    const until = (validUntil: string) => rules([{}], {}, { validUntil })
    expect([until('2026-12-11'), until('2026-12-10')]).toEqual([[], ['validUntil valid_until']])
  })

  test('where its machines are unknown, taken, unfit, or more than the line asks for or the lessor has', () => {
    const refused = (rule: string) => [`lines.0.machines ${rule}`]
    expect(rules([of(1, 9)])).toEqual(refused('machine_unknown'))
    expect(rules([of(2)], {}, { machine: { ...lot, freeQty: 1 } })).toEqual(refused('machine_taken'))
    expect(rules([of(1)], {}, { machine: { ...lot, misses: [{ kind: 'taken' }] } })).toEqual(refused('machine_taken'))
    expect(rules([of(1)], {}, { machine: { ...lot, misses: [{ kind: 'shelf' }] } })).toEqual(refused('machine_unfit'))
    expect([rules([of(1)], { qty: 1 }), rules([of(2)], { qty: 1 })]).toEqual([[], refused('machine_few')])
    expect([rules([of(2), of(2)]), rules([of(2), of(3)])]).toEqual([[], ['lines.1.machines machine_twice']])
  })

  test('where lines of the same days ask for more of a lot than is free then; lines of other days may use what those leave', () => {
    const machine = { ...lot, freeQty: 3 }
    const twice = ['lines.1.machines machine_twice']
    expect([rules([of(2), of(1)], {}, { machine }), rules([of(2), of(2)], {}, { machine })]).toEqual([[], twice])
    const items = [item, { ...item, id: 2, planStart: item.planEnd, planEnd: '2027-06-13' }]
    const demand = { quoteDeadline: '2026-11-26 10:00:00', items, machines: { 1: [machine], 2: [machine] } }
    const lines = [1, 2].map((demandItemId) => ({ ...offered, ...of(2), demandItemId }))
    expect(offerProblems({ validUntil: '2027-01-01', lines }, demand)).toEqual([])
    const whole = {
      ...demand,
      items: [...items, { ...item, id: 3, planEnd: '2027-06-13' }],
      machines: { ...demand.machines, 3: [machine] },
    }
    const third = (qty: number) => ({ ...offered, ...of(qty), demandItemId: 3 })
    const totals = { ...machine, totalQty: 9 }
    const all = { ...whole, machines: { 1: [totals], 2: [totals], 3: [totals] } }
    expect(offerProblems({ validUntil: '2027-01-01', lines: [...lines, third(1)] }, all)).toEqual([])
    expect(offerProblems({ validUntil: '2027-01-01', lines: [...lines, third(2)] }, all)).toEqual([
      { path: ['lines', 2, 'machines'], rule: 'machine_twice' },
    ])
  })

  test('where papers end before the hire and their renewal is not promised', () => {
    const machine = { ...lot, shortPapers: [{}] }
    expect(rules([{}], {}, { machine })).toEqual(['lines.0.promisesRenewal papers_short'])
    expect(rules([{ promisesRenewal: true }], {}, { machine })).toEqual([])
  })

  test('where a machine does not meet the line and the deviation is not named', () => {
    const machine = { ...lot, misses: [{ kind: 'age' as const }] }
    expect(rules([{ deviation: ' ' }], {}, { machine })).toEqual(['lines.0.deviation deviation_needed'])
    expect(rules([{ deviation: '2012 年出厂' }], {}, { machine })).toEqual([])
  })

  test('where its price in the unit of the ceiling is above it and no reason is given', () => {
    const priced = (line: Partial<typeof offered>) => rules([line], { ceilingFen: 100 })
    expect([priced({ unitPrice: 100 }), priced({ unitPrice: 101 })]).toEqual([[], ['lines.0.ceilingReason ceiling_reason']])
    expect([priced({ unitPrice: 101, ceilingReason: '含司机' }), priced({ unitPrice: 101, rentUnit: 'D' })]).toEqual([[], []])
  })

  test('where its machines could enter only once the hire is over', () => {
    expect(rules([{ earliestEntry: '2027-03-12' }])).toEqual([])
    expect(rules([{ earliestEntry: '2027-03-13' }])).toEqual(['lines.0.earliestEntry entry_late'])
  })

  test('where the hire of its line is over by the deadline', () => {
    expect(rules([{ earliestEntry: '2026-11-20' }], { planStart: '2026-11-20', planEnd: '2026-11-27' })).toEqual([])
    expect(rules([{ earliestEntry: '2026-11-20' }], { planStart: '2026-11-20', planEnd: '2026-11-26' })).toEqual([
      'lines.0.demandItemId line_over',
    ])
  })

  test('where it is in another unit than its line, whose quantity would be read in the wrong one', () => {
    const asked = (rentUnit: RentUnit, estQuantity: number | null, offers: RentUnit) =>
      rules([{ rentUnit: offers }], { rentUnit, estQuantity })
    const refused = ['lines.0.rentUnit unit_other']
    expect([asked('H', 60, 'S'), asked('S', 60, 'M'), asked('D', null, 'V'), asked('M', null, 'S')]).toEqual([
      refused,
      refused,
      refused,
      refused,
    ])
    expect([asked('S', 60, 'S'), asked('M', null, 'D')]).toEqual([[], []])
  })

  test('where its lines together are more than sums are counted with', () => {
    const large = { rentUnit: 'V' as const, unitPrice: 999_999_999 }
    const work = (estQuantity: number) => ({ rentUnit: 'V' as const, estQuantity })
    expect(rules([large], work(10_000))).toEqual([])
    expect(rules([large], work(10_001))).toEqual(['lines.0.unitPrice sum_large'])
    expect(rules([large, large], work(5001))).toEqual(['lines.1.unitPrice sum_large'])
    expect(rules([{ ...large, otherFee: 999_999_999 }], work(10_000))).toEqual(['lines.0.unitPrice sum_large'])
  })
})

test('an offer without a problem names each line once and in a line each machine once, with no more units than it has', () => {
  const id = fc.integer({ min: 1, max: 3 })
  const line = fc.record({
    demandItemId: id,
    machines: fc.array(fc.record({ equipmentId: id, qty: fc.integer({ min: 1, max: 2 }) }), { minLength: 1, maxLength: 3 }),
  })
  const known = [1, 2, 3].map((one) => ({ id: one, totalQty: 3, freeQty: 3, misses: [], shortPapers: [] }))
  const items = [1, 2].map((one) => ({ ...item, id: one }))
  const demand = { quoteDeadline: '2026-11-26 10:00:00', items, machines: { 1: known, 2: known } }
  let sound = 0
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 3 }), (drawn) => {
      const lines = drawn.map((one) => ({ ...offered, ...one }))
      if (offerProblems({ validUntil: '2027-01-01', lines }, demand).length > 0) return
      sound++
      expect(new Set(lines.map(({ demandItemId }) => demandItemId)).size).toBe(lines.length)
      for (const { machines } of lines) expect(new Set(machines.map(({ equipmentId }) => equipmentId)).size).toBe(machines.length)
      for (const { id: machine, totalQty } of known) {
        const used = lines.flatMap(({ machines }) => machines).filter(({ equipmentId }) => equipmentId === machine)
        expect(used.reduce((sum, { qty }) => sum + qty, 0)).toBeLessThanOrEqual(totalQty)
      }
    }),
    { numRuns: 500 },
  )
  expect(sound).toBeGreaterThan(20)
})
