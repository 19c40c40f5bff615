import { daysBetween } from '../calendar.ts'
import { hasMinimumTerm } from '../demand/rules.ts'
import type { InvoiceKind, RentUnit, ShiftMode } from '../equipment/rules.ts'

export type CostLine = {
  /** Of the demand line. */
  planStart: string
  planEnd: string
  shiftMode: ShiftMode
  /** Shifts, hours, m³, m or pieces of one machine over the planned period. */
  estQuantity: number | null
  litresPerShift: number
  operatorWanted: boolean
}

export type CostOffer = {
  qty: number
  /** How many of the machines burn fuel; the others are electric. */
  fuelledQty: number
  unitPriceFen: number
  rentUnit: RentUnit
  includesOperator: boolean
  includesFuel: boolean
  entryFeeFen: number
  exitFeeFen: number
  erectionFeeFen: number
  inspectionFeeFen: number
  otherFeeFen: number
  taxRate: number
  invoiceKind: InvoiceKind
  minRentDays: number
}

/** Prices that the platform assumes for what the lessee buys themselves. A setting; shown beside every figure that uses them. */
export type CostAssumptions = {
  dieselFenPerLitre: number
  /** One driver, one shift a day. */
  operatorMonthFen: number
}

const costParts = ['rent', 'entry', 'exit', 'erection', 'inspection', 'other', 'operator', 'fuel', 'vat'] as const
export type CostPart = (typeof costParts)[number]

/** One addend with the numbers that make it, so that a page can write out the arithmetic. */
export type CostStep = { part: CostPart; fen: number; factors: number[]; unit?: RentUnit; atMinimum?: boolean }

export type LandedCost = {
  steps: CostStep[]
  /** The contract's rent: unit price × time, tax included, without fees and without anything that the lessee buys elsewhere. */
  rentFen: number
  /** What the lessor invoices over the hire: rent and fees, tax included. */
  invoicedFen: number
  /** What leaves the lessee's account, tax included. */
  grossFen: number
  /** After the input VAT that a special invoice lets the lessee deduct. Quotes are ranked by it. */
  netFen: number
  /** Net, for one machine and 30 days. */
  perMachineMonthFen: number
  days: number
}

const shiftsPerMonth = 26
const hoursPerShift = 8

/**
 * Landed cost of one offer line over `days` (the planned days unless a slider says otherwise):
 * rent × time (by month and day not under the minimum term) + transport in and out + erection + inspection + other + driver and
 * fuel where the lessee pays them (fuel only for machines that burn it) − deductible VAT. A month is 30 days, 26 shifts; a shift 8 hours.
 * Quantities of work stretch with the days. Every addend is rounded to the fen by itself, the rent for one machine, as a contract does.
 */
export function landedCost(line: CostLine, offer: CostOffer, assumptions: CostAssumptions, days?: number): LandedCost {
  const planned = daysBetween(line.planStart, line.planEnd)
  const actual = days ?? planned
  const stretch = actual / planned
  const crews = line.shiftMode === 'double' ? 2 : 1
  const shifts =
    offer.rentUnit === 'S' && line.estQuantity !== null
      ? line.estQuantity * stretch
      : offer.rentUnit === 'H' && line.estQuantity !== null
        ? (line.estQuantity / hoursPerShift) * stretch
        : (actual / 30) * shiftsPerMonth * crews
  const charged = hasMinimumTerm(offer.rentUnit) ? Math.max(actual, offer.minRentDays) : actual
  const { count, per } = rentQuantity(offer.rentUnit, line, { charged, stretch, crews })
  const { qty } = offer

  const rentFen = Math.round((offer.unitPriceFen * count) / per) * qty
  const steps: CostStep[] = [
    {
      part: 'rent',
      fen: rentFen,
      factors: [offer.unitPriceFen / 100, count / per, qty],
      unit: offer.rentUnit,
      atMinimum: charged > actual,
    },
    ...(
      [
        ['entry', offer.entryFeeFen],
        ['exit', offer.exitFeeFen],
        ['erection', offer.erectionFeeFen],
        ['inspection', offer.inspectionFeeFen],
        ['other', offer.otherFeeFen],
      ] as const
    )
      .filter(([, fee]) => fee > 0)
      .map(([part, fee]) => ({ part, fen: fee * qty, factors: [fee / 100, qty] })),
  ]
  const invoicedFen = steps.reduce((sum, step) => sum + step.fen, 0)
  if (line.operatorWanted && !offer.includesOperator) {
    const months = actual / 30
    steps.push({
      part: 'operator',
      fen: Math.round(assumptions.operatorMonthFen * months * crews * qty),
      factors: [assumptions.operatorMonthFen / 100, months, crews, qty],
    })
  }
  if (!offer.includesFuel && line.litresPerShift > 0 && offer.fuelledQty > 0) {
    steps.push({
      part: 'fuel',
      fen: Math.round(line.litresPerShift * shifts * assumptions.dieselFenPerLitre * offer.fuelledQty),
      factors: [line.litresPerShift, shifts, assumptions.dieselFenPerLitre / 100, offer.fuelledQty],
    })
  }
  const grossFen = steps.reduce((sum, step) => sum + step.fen, 0)
  const vatFen = offer.invoiceKind === 'special' ? Math.round((invoicedFen * offer.taxRate) / (100 + offer.taxRate)) : 0
  if (vatFen > 0) steps.push({ part: 'vat', fen: -vatFen, factors: [invoicedFen / 100, offer.taxRate] })
  const netFen = grossFen - vatFen
  return {
    steps,
    rentFen,
    invoicedFen,
    grossFen,
    netFen,
    perMachineMonthFen: actual > 0 ? Math.round((netFen / qty / actual) * 30) : 0,
    days: actual,
  }
}

/** Days that are charged, the share of the planned time that the hire takes, and the crews a day. */
type Hired = { charged: number; stretch: number; crews: number }

/** The charged quantity of one machine is `count / per`: a price times a quotient such as 123 / 30 would miss half a fen that is rounded up. */
function rentQuantity(unit: RentUnit, line: CostLine, { charged, stretch, crews }: Hired): { count: number; per: number } {
  const worked = { count: (line.estQuantity ?? 0) * stretch, per: 1 }
  switch (unit) {
    case 'M':
      return { count: charged, per: 30 }
    case 'D':
      return { count: charged, per: 1 }
    case 'S':
      return line.estQuantity !== null ? worked : { count: charged * shiftsPerMonth * crews, per: 30 }
    case 'H':
      return line.estQuantity !== null ? worked : { count: charged * shiftsPerMonth * hoursPerShift * crews, per: 30 }
    default:
      return worked
  }
}

/**
 * From how many days on one of two offers of a line is cheaper (net, for one machine) that is dearer before, within three years. Null where the
 * same one is cheaper throughout, or where a minimum term makes them change places more than once.
 */
export function breakEvenDays(line: CostLine, a: CostOffer, b: CostOffer, assumptions: CostAssumptions): number | null {
  const difference = (days: number) =>
    landedCost(line, a, assumptions, days).netFen / a.qty - landedCost(line, b, assumptions, days).netFen / b.qty
  let before = 0
  let turn: number | null = null
  for (let days = 1; days <= 1095; days++) {
    const sign = Math.sign(difference(days))
    if (sign === 0) continue
    if (before !== 0 && sign !== before) {
      if (turn !== null) return null
      turn = days
    }
    before = sign
  }
  return turn
}

/** Costs are drawn in five groups: rent, transport, erection with everything else that is invoiced once, and the lessee's own driver and fuel. */
const costGroups = {
  rent: ['rent'],
  transport: ['entry', 'exit'],
  once: ['erection', 'inspection', 'other'],
  operator: ['operator'],
  fuel: ['fuel'],
} as const satisfies Record<string, readonly CostPart[]>
export type CostGroup = keyof typeof costGroups

/** The groups of a landed cost in fen, VAT included, in the order of `costGroups`; groups without a cost are left out. */
export function groupCost({ steps }: Pick<LandedCost, 'steps'>): { group: CostGroup; fen: number }[] {
  return (Object.keys(costGroups) as CostGroup[])
    .map((group) => ({
      group,
      fen: steps.filter(({ part }) => (costGroups[group] as readonly CostPart[]).includes(part)).reduce((sum, step) => sum + step.fen, 0),
    }))
    .filter(({ fen }) => fen > 0)
}
