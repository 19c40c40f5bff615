import type { z } from 'zod'
import { ClausesInput, maxLateRateBp, stopKinds, type ClauseKey, type ContractClauses, type WireClauses } from '#shared/contract/clauses.ts'
import type { Contract } from '#shared/contract/contract.ts'
import { ContractInput } from '#shared/contract/moves.ts'
import type { CallForm } from '../../app/call-form.ts'
import { openForm, readForm, type FormValue } from '../../app/form-values.ts'

type Body = z.input<typeof ContractInput>
type Clauses = FormValue<Body['clauses']>

/** Clauses as a form holds them. The late rate is typed in percent a year, and what may be agreed or not has a switch beside its values. */
export type ClauseValues = { clauses: Clauses; hasNonCash: boolean; hasBond: boolean }
/** The form of a draft. */
export type DraftForm = Omit<FormValue<Body>, 'id' | 'version' | 'clauses'> & ClauseValues
export type DraftFormState = CallForm<DraftForm, Body>

export function fromContract(contract: Contract): DraftForm {
  const { id: _, version: __, ...form } = openForm(ContractInput, contract)
  return { ...form, ...fromClauses(contract.clauses) }
}

export function fromClauses(stored: WireClauses): ClauseValues {
  const { nonCash, bond, lateRate } = stored
  return {
    clauses: { ...openForm(ClausesInput, stored), lateRate: lateRate === null ? '' : String(lateRate / 100) },
    hasNonCash: nonCash !== null,
    hasBond: bond !== null,
  }
}

/** The annual late rate in basis points; null where it is blank, undefined where it is no rate. */
export function lateRateOf(percent: string): number | null | undefined {
  const typed = percent.trim()
  if (typed === '') return null
  const points = Math.round(Number(typed) * 100)
  return /^\d{1,2}(\.\d{1,2})?$/.test(typed) && points >= 1 && points <= maxLateRateBp ? points : undefined
}

/** Percent a year. */
export const maxLateRate = maxLateRateBp / 100

const numberOf = (typed: string) => (typed.trim() === '' ? undefined : Number(typed))

/** The draft as the call takes it, apart from its id and version. */
export const draftInputOf = ({ clauses, hasNonCash, hasBond, ...typed }: DraftForm) => ({
  ...typed,
  clauses: clausesInputOf({ clauses, hasNonCash, hasBond }),
})

function clausesInputOf({ clauses, hasNonCash, hasBond }: ClauseValues) {
  const { stopRules, venue } = clauses
  return {
    ...clauses,
    stopRules: Object.fromEntries(
      stopKinds.map((kind) => [kind, { freeDays: numberOf(stopRules[kind].freeDays), rate: numberOf(stopRules[kind].rate) }]),
    ),
    nonCash: hasNonCash ? clauses.nonCash : null,
    bond: hasBond ? clauses.bond : null,
    lateRate: lateRateOf(clauses.lateRate) ?? null,
    venue: { kind: venue.kind, name: venue.kind === 'court' ? '' : venue.name },
  }
}

/** The clauses as the call takes them; what is typed wrong is passed on for its schema to refuse. */
export const wireClausesOf = (typed: ClauseValues) => readForm(ClausesInput, clausesInputOf(typed)) as Record<ClauseKey, unknown>

/** The clauses as typed, those that are invalid as they were stored, and what is wrong with these. */
export function clausesTyped(typed: ClauseValues, stored: WireClauses): { clauses: ContractClauses; issues: z.core.$ZodIssue[] } {
  const wire = wireClausesOf(typed)
  const parsed = ClausesInput.safeParse(wire, { reportInput: true })
  if (parsed.success) return { clauses: parsed.data, issues: [] }
  const { issues } = parsed.error
  const invalid = Object.fromEntries(issues.map(({ path: [key] }) => [key, stored[key as ClauseKey]]))
  return { clauses: ClausesInput.parse({ ...wire, ...invalid }), issues }
}
