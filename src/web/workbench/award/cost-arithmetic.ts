import type { CostStep } from '#shared/quote/landed-cost.ts'
import { unitFor } from '#shared/text/name-in.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import { money, number } from '../../app/format.ts'

/**
 * Writes out how an addend of a landed cost comes about, so that whoever follows it by hand arrives at its sum. Months that are not whole are
 * written as their days. "≈" stands where a factor or the rent of one machine is rounded.
 */
export function arithmetic(text: Text, { part, factors, unit, fen }: CostStep): string {
  const words = text.quote.cost
  const [a = 0, b = 0, c = 0, d = 0] = factors
  const n = (value: number) => number(value, places)
  const months = (count: number) => (Number.isInteger(count) ? words.months(n(count)) : words.monthsOf(n(Math.round(count * 30))))
  const units = (count: number) => {
    if (unit === 'M') return months(count)
    if (unit === 'S') return words.shifts(n(count))
    return [n(count), unit && unitFor(text, count, unit)].join(' ')
  }
  switch (part) {
    case 'rent': {
      const ofOne = `${money(a, true)} × ${units(b)}`
      const isExact = fits(a * b, 2) && (unit === 'M' || fits(b, places))
      return `${isExact ? ofOne : `(${ofOne} ≈ ${money(fen / 100 / c, true)})`} × ${words.machines(n(c))}`
    }
    case 'operator':
      return `${money(a, true)} × ${months(b)} × ${words.crews(n(c))} × ${words.machines(n(d))}`
    case 'fuel':
      return `${fits(b, places) ? '' : '≈ '}${words.litres(n(a))} × ${words.shifts(n(b))} × ${money(c, true)} × ${words.machines(n(d))}`
    case 'vat':
      return `${money(a, true)} ÷ (1 + ${b}%) × ${b}%`
    default:
      return `${money(a, true)} × ${words.machines(n(b))}`
  }
}

/** As many decimals of a quantity as are written. */
const places = 4

/** Whether a number has no more than so many decimals; what the arithmetic of doubles adds to it does not count. */
const fits = (value: number, decimals: number) => Math.abs(value - Number(value.toFixed(decimals))) < 1e-9 * Math.max(1, Math.abs(value))
