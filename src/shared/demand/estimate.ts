import { daysBetween } from '../calendar.ts'
import type { RentUnit } from '../equipment/rules.ts'

type Line = { rentUnit: RentUnit; planStart: string; planEnd: string; qty: number; estQuantity: number | null }

const daysPerMonth = 30

/** The rent of a line in fen if each unit costs `unitFen`, rounded for one machine; null where the unit has no quantity. */
export function rentAtFen({ rentUnit, planStart, planEnd, qty, estQuantity }: Line, unitFen: number): number | null {
  const days = daysBetween(planStart, planEnd)
  switch (rentUnit) {
    case 'M':
      return Math.round((unitFen * days) / daysPerMonth) * qty
    case 'D':
      return unitFen * days * qty
    default:
      return estQuantity === null ? null : Math.round(unitFen * estQuantity) * qty
  }
}
