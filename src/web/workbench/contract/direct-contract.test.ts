import { expect, test } from 'vitest'
import { newDirectLine, withMachine } from './direct-contract.ts'

const line = newDirectLine({ equipmentId: 1, rentUnit: 'S', unitPrice: '1350', estQuantity: '100', qty: '30' })
const [machine, lot] = [
  { id: 2, isLot: false },
  { id: 3, isLot: true },
]

test('another machine keeps the agreed price with its unit and quantity, and of a lot the number of pieces', () => {
  expect(withMachine(line, machine, ['M', 'S'])).toEqual({ ...line, equipmentId: 2, qty: '1' })
  expect(withMachine(line, lot, ['M', 'S'])).toEqual({ ...line, equipmentId: 3 })
})

test('a price is not carried over to another unit', () => {
  expect(withMachine(line, machine, ['M', 'D'])).toMatchObject({ rentUnit: 'M', unitPrice: '', estQuantity: '' })
})

test('a line without a price gets the usual unit of its machine', () => {
  const blank = newDirectLine()
  expect(withMachine(blank, machine, ['S', 'M'])).toMatchObject({ equipmentId: 2, rentUnit: 'S' })
})
