import type { z } from 'zod'
import { isChangeable, priceUnder, termProblems } from '#shared/contract/change-terms.ts'
import { ChangeTerms, type ChangeInput, type TaxTerms } from '#shared/contract/changes.ts'
import { clauseKeys, clauseProblems, type ClauseFacts, type ClauseKey } from '#shared/contract/clauses.ts'
import type { Contract, Position } from '#shared/contract/contract.ts'
import { holdsAtOnce, type ChangeKind, type ContractSide } from '#shared/contract/rules.ts'
import type { FieldError } from '#shared/endpoint.ts'
import { amendmentWordsOf } from '#shared/text/amendment-words.ts'
import { ruleWords } from '#shared/text/validation.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import type { CallForm } from '../../app/call-form.ts'
import { firstDayOf } from './contract-addition.ts'
import { completedFor, termFacts } from './contract-line.ts'
import { fromClauses, lateRateOf, maxLateRate, wireClausesOf, type ClauseValues } from './contract-draft.ts'

/** The form of an amendment. A position that may change has its row in `lines`, in the order of `rowsOf`. */
export type ChangeForm = ClauseValues & {
  fromDay: string
  reason: string
  lines: { chosen: boolean; value: string }[]
  /** The clauses that change. */
  picked: ClauseKey[]
  bankName: string
  bankAccount: string
  lastDay: string
  /** Who pays a penalty for an early end; empty where nobody does. */
  penaltyPayer: ContractSide | ''
  penaltyAmount: string
}
export type ChangeInputBody = z.input<typeof ChangeInput>
export type ChangeFormState = CallForm<ChangeForm, ChangeInputBody>
export type Proposal = { contract: Contract; kind: ChangeKind }

/** The positions that an amendment of this kind may be about. */
export const rowsOf = ({ contract, kind }: Proposal): Position[] => contract.lines.filter(({ status }) => isChangeable(kind, status))

/** The version of the contract and the positions that an amendment of this kind is about: what is typed belongs to them. */
export const versionOf = (proposal: Proposal): string => [proposal.contract.revision, ...rowsOf(proposal).map(({ id }) => id)].join('-')

export function blankChange({ contract, kind }: Proposal, today: string): ChangeForm {
  const rows = rowsOf({ contract, kind })
  return {
    fromDay: firstDayOf(contract, kind, today),
    reason: '',
    // With one position there is nothing to choose.
    lines: rows.map(() => ({ chosen: rows.length === 1, value: '' })),
    picked: [],
    bankName: '',
    bankAccount: '',
    lastDay: '',
    penaltyPayer: '',
    penaltyAmount: '',
    ...fromClauses(contract.clauses),
  }
}

/**
 * What is left of an amendment that was typed on another version of the contract: its reason, the account and the last day. The values of positions
 * and the clauses were about terms that may hold no more.
 */
export const carriedChange = ({ reason, bankName, bankAccount, lastDay }: ChangeForm) => ({ reason, bankName, bankAccount, lastDay })

/** A field that is empty is a missing value, which its schema words as such. */
const filled = (typed: string) => typed.trim() || undefined

/** The day from which the amendment holds. */
export function fromDayOf({ contract, kind }: Proposal, typed: ChangeForm, today: string): string {
  // Both sides have agreed on the last day, so the amendment is of that day.
  if (kind === 'terminate') return typed.lastDay
  return holdsAtOnce(kind) ? firstDayOf(contract, kind, today) : typed.fromDay
}

/** The amendment as the call takes it, as far as it is typed. */
export function changeBody(proposal: Proposal, typed: ChangeForm, today: string) {
  const { kind } = proposal
  const chosen = rowsOf(proposal).filter((_, index) => typed.lines[index]?.chosen)
  const valueOf = ({ id }: Position) => typed.lines[rowsOf(proposal).findIndex((row) => row.id === id)]?.value ?? ''
  const termsOf = () => {
    switch (kind) {
      case 'tax':
        return { lines: chosen.map((row) => ({ lineId: row.id, value: filled(valueOf(row)) && Number(valueOf(row)) })) }
      case 'extend':
      case 'shorten':
      case 'price':
        return { lines: chosen.map((row) => ({ lineId: row.id, value: filled(valueOf(row)) })) }
      case 'quantity':
        return { lineIds: chosen.map(({ id }) => id) }
      case 'clause':
        return { clauses: wireClausesOf(typed) }
      case 'account':
        return { bankName: typed.bankName, bankAccount: typed.bankAccount }
      case 'terminate':
        return {
          lastDay: filled(typed.lastDay),
          ...(typed.penaltyPayer && { penalty: { amount: filled(typed.penaltyAmount), payer: typed.penaltyPayer } }),
        }
    }
  }
  return { fromDay: fromDayOf(proposal, typed, today), reason: typed.reason, terms: { kind, ...termsOf() } }
}

/** The name of the field that shows the error of a path of the call. */
export function changeFieldOf(proposal: Proposal, typed: ChangeForm, path: string): string {
  // A kind that holds at once has no field for its day.
  if (path === 'fromDay') return proposal.kind === 'terminate' ? 'lastDay' : holdsAtOnce(proposal.kind) ? 'reason' : path
  if (path === 'terms.clauses') return 'picked'
  if (path.startsWith('terms.penalty')) return path.endsWith('payer') ? 'penaltyPayer' : 'penaltyAmount'
  const [, row, rest] = /^terms\.(?:lines|lineIds)\.(\d+)(?:\.(\w+))?$/.exec(path) ?? []
  if (row === undefined) return path.replace(/^terms\./, '').replace('lineIds', 'lines')
  const at = typed.lines.map(({ chosen }, index) => (chosen ? index : -1)).filter((index) => index >= 0)[Number(row)]
  return `lines.${at}.${rest === 'value' ? 'value' : 'chosen'}`
}

type Checking = { text: Text; facts: ClauseFacts; today: string }

/** What the schema cannot see, by field: what the present contract makes impossible, and what the law forbids. */
export function changeProblems(proposal: Proposal, typed: ChangeForm, { text, facts, today }: Checking): FieldError[] {
  const { contract, kind } = proposal
  const words = amendmentWordsOf(text)
  if (kind === 'clause' && typed.picked.length === 0) return [{ field: 'picked', message: words.noClause }]
  if (kind === 'clause' && lateRateOf(typed.clauses.lateRate) === undefined)
    return [{ field: 'clauses.lateRate', message: text.rule.number_max(maxLateRate) }]
  const { fromDay, terms } = changeBody(proposal, typed, today)
  const parsed = ChangeTerms.safeParse(terms)
  if (!parsed.success) return []
  const impossible = termProblems(completedFor(contract, parsed.data), termFacts(contract, { fromDay, today })).map(({ path, rule }) => ({
    field: changeFieldOf(proposal, typed, path.join('.')),
    message: ruleWords(text, rule),
  }))
  const unlawful = parsed.data.kind === 'clause' ? clauseProblems(parsed.data.clauses, facts) : []
  // A clause that is not picked has no field of its own, and may forbid what another one is changed to.
  const fieldOfClause = (key: ClauseKey) => (typed.picked.includes(key) ? `clauses.${key}` : 'picked')
  return [...impossible, ...unlawful.map(({ key, rule }) => ({ field: fieldOfClause(key), message: text.contract.rule[rule] }))]
}

/** The title of the form of an amendment. Positions are cancelled and added in forms of their own. */
export const titleOf = (kind: ChangeKind, text: Text): string =>
  kind === 'quantity' ? amendmentWordsOf(text).cancel : text.contract.changeKind[kind]

/** The terms of what is typed so far, without the positions whose value is missing or invalid; null where nothing is left. */
export function termsSoFar(proposal: Proposal, typed: ChangeForm, today: string): ChangeTerms | null {
  const { terms } = changeBody(proposal, typed, today)
  const { lines } = { lines: undefined, ...terms }
  const valid = lines?.filter((one) => ChangeTerms.safeParse({ ...terms, lines: [one] }).success)
  const parsed = ChangeTerms.safeParse({ ...terms, ...(valid && { lines: valid }) })
  return parsed.success ? completedFor(proposal.contract, parsed.data) : null
}

/** The price of a position, in fen, under another tax rate; undefined where it stays. */
export const priceAtTaxRate = (contract: Contract, lineId: number, value: TaxTerms['lines'][number]['value']): number | undefined =>
  priceUnder(completedFor(contract, { kind: 'tax', lines: [{ lineId, value }] }), lineId)

/** The clauses with some of them put back to how they are in the contract. */
export function withoutClauses(typed: ClauseValues, contract: Contract, keys: readonly ClauseKey[]): ClauseValues {
  const { clauses, hasNonCash, hasBond } = fromClauses(contract.clauses)
  return {
    clauses: { ...typed.clauses, ...Object.fromEntries(clauseKeys.filter((key) => keys.includes(key)).map((key) => [key, clauses[key]])) },
    hasNonCash: keys.includes('nonCash') ? hasNonCash : typed.hasNonCash,
    hasBond: keys.includes('bond') ? hasBond : typed.hasBond,
  }
}
