import { addDays, daysBetween } from '../calendar.ts'

export type Period = { from: string; to: string }

/** The period of the same length that ends on the day before, for a comparison. The last day belongs to a period. */
export function periodBefore({ from, to }: Period): Period {
  const days = daysBetween(from, to) + 1
  return { from: addDays(from, -days), to: addDays(from, -1) }
}

/** The months `yyyy-MM` that a period touches, the empty ones included, so that a chart leaves none out. */
export function monthsOf({ from, to }: Period): string[] {
  const months: string[] = []
  let [year, month] = [Number(from.slice(0, 4)), Number(from.slice(5, 7))]
  for (let key = from.slice(0, 7); key <= to.slice(0, 7) && months.length < 120; key = `${year}-${String(month).padStart(2, '0')}`) {
    months.push(key)
    month++
    if (month > 12) [year, month] = [year + 1, 1]
  }
  return months
}

/** Figures counted from fewer demands or quotes are not compared: one more or less would change them by over a twentieth. */
const fewestCompared = 20

/** Whether a period has enough demands or quotes to compare the next one with it. */
export const isComparable = (counted: number | null): boolean => counted !== null && counted >= fewestCompared

/** The change from one period to the next as a share of the former; null where nothing can be compared. */
export const changeOf = (value: number | null, before: number | null): number | null =>
  value === null || before === null || before === 0 ? null : (value - before) / before

/** The change of a share in points, as a share; null where nothing can be compared. */
export const pointsOf = (value: number | null, before: number | null): number | null =>
  value === null || before === null ? null : value - before
