import { z } from 'zod'
import { Day } from '../fields.ts'

/** One-year loan prime rate (LPR) in basis points, from a day on. */
export const LprEntry = z.object({ fromDay: Day, bp: z.number().int().min(1).max(3650) })
export type LprEntry = z.output<typeof LprEntry>

/** In any order, with one rate for a day. */
export const LprEntries = z
  .array(LprEntry)
  .min(1)
  .max(200)
  .superRefine((entries, context) => {
    for (const [index, { fromDay }] of entries.entries())
      if (entries.findIndex((one) => one.fromDay === fromDay) < index)
        context.addIssue({ code: 'custom', path: [index, 'fromDay'], message: 'taken' })
  })

/** The latest entry first. */
export const newestFirst = (entries: readonly LprEntry[]): LprEntry[] => entries.toSorted((a, b) => (a.fromDay < b.fromDay ? 1 : -1))

/** The rate in force on a day, in basis points; before the first entry it is that of the first. */
export function lprOn(entries: readonly LprEntry[], day: string): number {
  const sorted = newestFirst(entries)
  return (sorted.find(({ fromDay }) => fromDay <= day) ?? sorted.at(-1))?.bp ?? 0
}
