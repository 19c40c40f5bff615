import type { Contract } from '#shared/contract/contract.ts'
import { makesVersion, type ChangeKind } from '#shared/contract/rules.ts'
import type { ChangeInputBody } from './contract-change-form.ts'

/** The first day from which an amendment may hold: today, or the day of the newest version where that is still to come. */
export const firstDayOf = ({ since }: Contract, kind: ChangeKind, today: string): string =>
  since !== null && since > today && makesVersion(kind) ? since : today

type Added = Extract<ChangeInputBody['terms'], { kind: 'quantity' }>['added']

/**
 * An amendment that adds positions. It holds from the first possible day and not from that of the positions, because no later amendment may hold from a
 * day before it.
 */
export const additionOf = (
  contract: Contract,
  { lines: added, reason }: { lines: Added; reason: string },
  today: string,
): ChangeInputBody => ({
  reason,
  fromDay: firstDayOf(contract, 'quantity', today),
  terms: { kind: 'quantity', lineIds: [], added },
})
