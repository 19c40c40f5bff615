import { landedCost, type CostLine, type CostOffer } from '../quote/landed-cost.ts'

/** A position as its money is estimated from. */
export type PricedLine = Omit<CostOffer, 'fuelledQty'> & Pick<CostLine, 'planStart' | 'planEnd' | 'shiftMode' | 'estQuantity'>

export type Amount = { amountFen: number; netFen: number; taxFen: number }

/** What the lessor invoices for a position over the planned days, tax included: rent and fees. Settlements decide what is paid. */
export function lineAmountFen(line: PricedLine): number {
  const costLine = { ...line, litresPerShift: 0, operatorWanted: false }
  return landedCost(costLine, { ...line, fuelledQty: 0 }, { dieselFenPerLitre: 0, operatorMonthFen: 0 }).invoicedFen
}

/** The sum of a contract, with the tax of each line by its own rate, so net and tax add up to it. */
export function contractAmount(lines: readonly PricedLine[]): Amount {
  let amountFen = 0
  let taxFen = 0
  for (const line of lines) {
    const fen = lineAmountFen(line)
    amountFen += fen
    taxFen += Math.round((fen * line.taxRate) / (100 + line.taxRate))
  }
  return { amountFen, netFen: amountFen - taxFen, taxFen }
}
