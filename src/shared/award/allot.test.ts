import { describe, expect, test } from 'vitest'
import { allotMachines, findShortPick } from './allot.ts'

describe('two lines that share a lot', () => {
  const machine = (equipmentId: number, qty: number) => ({ equipmentId, availableQty: qty, freeQty: qty })
  const pick = (id: number, qty: number) => ({ demandItemId: id, quoteLineId: id, qty })
  const quotes = [
    {
      lines: [
        { id: 1, machines: [machine(7, 3)] },
        { id: 2, machines: [machine(7, 3), machine(8, 1)] },
      ],
    },
  ]
  const of = (secondStart: string) => [
    { id: 1, planStart: '2026-12-01', planEnd: '2026-12-20' },
    { id: 2, planStart: secondStart, planEnd: '2027-01-10' },
  ]

  test('get on the same days what is free of it, and after it another machine', () => {
    const picks = [pick(1, 2), pick(2, 2)]
    expect(allotMachines(picks, of('2026-12-19'), quotes)).toEqual([
      [{ equipmentId: 7, qty: 2 }],
      [
        { equipmentId: 7, qty: 1 },
        { equipmentId: 8, qty: 1 },
      ],
    ])
    expect(findShortPick(picks, of('2026-12-19'), quotes)).toBeUndefined()
  })

  test('fall short where they choose more than is free on the same days, not on others', () => {
    const picks = [pick(1, 3), pick(2, 3)]
    expect(findShortPick(picks, of('2026-12-19'), quotes)).toEqual(pick(2, 3))
    expect(findShortPick(picks, of('2026-12-20'), quotes)).toBeUndefined()
  })

  test('are counted by the day on which most are used, in whatever order they are chosen', () => {
    const month = [
      { id: 1, planStart: '2027-03-01', planEnd: '2027-03-15' },
      { id: 2, planStart: '2027-03-15', planEnd: '2027-04-01' },
      { id: 3, planStart: '2027-03-01', planEnd: '2027-04-01' },
    ]
    const two = [{ lines: month.map(({ id }) => ({ id, machines: [machine(7, 2)] })) }]
    const orders = [
      [1, 2, 3],
      [3, 1, 2],
      [2, 3, 1],
    ].map((order) => order.map((id) => pick(id, 1)))
    expect(orders.map((picks) => findShortPick(picks, month, two))).toEqual([undefined, undefined, undefined])
    expect(findShortPick([pick(1, 1), pick(2, 2), pick(3, 1)], month, two)).toEqual(pick(3, 1))
  })
})
