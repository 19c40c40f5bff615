import { useWatch, type FieldValues } from 'react-hook-form'
import { clauseMarksOf, clauseProblems, type ClauseFacts, type ClauseKey, type WireClauses } from '#shared/contract/clauses.ts'
import { clauseWordsOf } from '#shared/text/clause-words.ts'
import { fieldErrors } from '#shared/text/validation.ts'
import type { CallForm } from '../../app/call-form.ts'
import { useText } from '../../app/text.tsx'
import type { LiveClauses } from './contract-clauses.tsx'
import { clausesTyped, lateRateOf, maxLateRate, type ClauseValues } from './contract-draft.ts'

type Standing = { stored: WireClauses; facts: ClauseFacts; notes: (key: ClauseKey) => string[] }

/** The sentences of what is typed, what is wrong with a value, and what the law forbids, clause by clause. */
export function useLiveClauses<V extends FieldValues & ClauseValues, B>(
  form: CallForm<V, B>,
  { stored, facts, notes }: Standing,
): LiveClauses {
  const text = useText()
  const words = text.contract
  useWatch({ control: form.control })
  const typed = form.getValues()
  const { clauses, issues } = clausesTyped(typed, stored)
  const problems = clauseProblems(clauses, facts)
  const marks = clauseMarksOf(clauses, facts)
  const errors = fieldErrors(text, issues)
  const isLateRateWrong = lateRateOf(typed.clauses.lateRate) === undefined
  return {
    sentence: (key) => clauseWordsOf(text).sentences[key](clauses),
    error: (key) => {
      if (key === 'lateRate' && isLateRateWrong) return text.rule.number_max(maxLateRate)
      return errors.find(({ field }) => field === key || field.startsWith(`${key}.`))?.message
    },
    problems: (key) => problems.filter((one) => one.key === key).map(({ rule }) => words.rule[rule]),
    notes: (key) => [...marks.filter((one) => one.key === key).map(({ mark }) => words.mark[mark]), ...notes(key)],
  }
}
