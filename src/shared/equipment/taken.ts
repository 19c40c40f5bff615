import { z } from 'zod'

/** A period in which `qty` units of a machine are taken, those of the slots from `slot` on. A machine that is no lot has slot 1. */
export const Taken = z.object({ from: z.string(), to: z.string(), slot: z.number(), qty: z.number() })
export type Taken = z.output<typeof Taken>

/** How many different units are taken in any of the periods. */
export function unitsTaken(taken: readonly Pick<Taken, 'slot' | 'qty'>[]): number {
  let units = 0
  let past = 0
  for (const { slot, qty } of taken.toSorted((a, b) => a.slot - b.slot)) {
    units += Math.max(0, slot + qty - Math.max(past, slot))
    past = Math.max(past, slot + qty)
  }
  return units
}
