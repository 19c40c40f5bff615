import { expect, test } from 'vitest'
import { feesFen, pricedLine, wirePrices } from './prices.ts'

test('a stored line goes back to the wire with the amounts that it came with', () => {
  const sent = { id: 7, unitPrice: 1, entryFee: 2, exitFee: 3, erectionFee: 4, inspectionFee: 5, otherFee: 6 }
  expect(wirePrices(pricedLine(sent))).toEqual(sent)
  expect(feesFen(pricedLine(sent))).toBe(20)
})
