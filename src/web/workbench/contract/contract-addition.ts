import { termProblems } from '#shared/contract/change-terms.ts'
import type { Contract } from '#shared/contract/contract.ts'
import type { AddedPosition } from '#shared/contract/direct.ts'
import { makesVersion, type ChangeKind } from '#shared/contract/rules.ts'
import type { FieldError } from '#shared/endpoint.ts'
import { problemErrors } from '#shared/text/validation.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import type { ChangeInputBody } from './contract-change-form.ts'
import { termFacts } from './contract-line.ts'

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

/** What the present contract makes impossible of further positions, by field of their form. */
export function additionProblems(contract: Contract, added: AddedPosition[], { text, today }: { text: Text; today: string }): FieldError[] {
  const facts = termFacts(contract, { fromDay: firstDayOf(contract, 'quantity', today), today })
  const problems = problemErrors(text, termProblems({ kind: 'quantity', lineIds: [], added }, facts))
  return problems.map(({ field, message }) => ({ field: fieldOfAddition(field), message }))
}

/** The field of the form of further positions for a path of the call. From which day the amendment holds is no field of it. */
export const fieldOfAddition = (path: string): string => path.replace('terms.added.', 'lines.').replace(/^fromDay$/, 'lines.0.planStart')
