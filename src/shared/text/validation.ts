import type { z } from 'zod'
import type { FieldError, FieldProblem } from '../endpoint.ts'
import type { Text } from './zh-cn.ts'

type Issue = z.core.$ZodIssue

/** Words for what a schema found wrong, the same beside the field and in the envelope. Custom rules carry a code. */
export function fieldErrors(text: Text, issues: readonly Issue[]): FieldError[] {
  return issues.map((issue) => ({ field: issue.path.join('.'), message: words(text, issue) }))
}

/** Words for what our own rules found wrong with a body. */
export const problemErrors = (text: Text, problems: readonly FieldProblem[]): FieldError[] =>
  problems.map(({ path, rule }) => ({ field: path.join('.'), message: ruleWords(text, rule) }))

/** The words of a rule by its code. */
export const ruleWords = ({ rule }: Text, code: string): string => rule.codes[code] ?? rule.format

/** Whether a field was left empty: a select that has no choice sends an empty text. Zod reports an empty field that was converted to a number as NaN. */
const isBlank = (input: unknown) => input === undefined || input === null || input === '' || Number.isNaN(input)

function words(text: Text, issue: Issue): string {
  const { rule } = text
  const known = rule.codes[issue.message]
  if (known) return known
  switch (issue.code) {
    case 'invalid_type':
      if (isBlank(issue.input)) return rule.required
      if (issue.expected === 'int' && typeof issue.input === 'number') return rule.whole_number
      return issue.expected === 'number' || issue.expected === 'int' ? rule.number : rule.type
    case 'too_small': {
      const least = Number(issue.minimum)
      if (issue.origin === 'string') return least === 1 || issue.input === '' ? rule.required : rule.text_min(least)
      return issue.origin === 'array' ? rule.list_min(least) : rule.number_min(least)
    }
    case 'too_big': {
      const most = Number(issue.maximum)
      if (issue.origin === 'string') return rule.text_max(most)
      return issue.origin === 'array' ? rule.list_max(most) : rule.number_max(most)
    }
    case 'invalid_value':
      return isBlank(issue.input) ? rule.required : rule.choice
    case 'invalid_union': {
      const inner = issue.errors.flat().find((one) => rule.codes[one.message])
      if (inner) return ruleWords(text, inner.message)
      return isBlank(issue.input) ? rule.required : rule.format
    }
    default:
      return issue.input === '' ? rule.required : rule.format
  }
}
