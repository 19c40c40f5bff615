import type { z } from 'zod'
import type { FieldError } from '../endpoint.ts'
import type { Text } from './zh-cn.ts'

type Issue = z.core.$ZodIssue

/** Words for what a schema found wrong, the same beside the field and in the envelope. Custom rules carry a code. */
export function fieldErrors(text: Text, issues: readonly Issue[]): FieldError[] {
  return issues.map((issue) => ({ field: issue.path.join('.'), message: words(text, issue) }))
}

function words(text: Text, issue: Issue): string {
  const { rule } = text
  const known = rule.codes[issue.message]
  if (known) return known
  switch (issue.code) {
    case 'invalid_type':
      // What was made a number of nothing is reported as NaN.
      return issue.input === undefined || issue.input === null || Number.isNaN(issue.input) ? rule.required : rule.type
    case 'too_small': {
      const least = Number(issue.minimum)
      if (issue.origin === 'string') return least === 1 ? rule.required : rule.text_min(least)
      return issue.origin === 'array' ? rule.list_min(least) : rule.number_min(least)
    }
    case 'too_big': {
      const most = Number(issue.maximum)
      if (issue.origin === 'string') return rule.text_max(most)
      return issue.origin === 'array' ? rule.list_max(most) : rule.number_max(most)
    }
    case 'invalid_value':
      return issue.input === undefined ? rule.required : rule.choice
    case 'invalid_union': {
      const inner = issue.errors.flat().find((one) => rule.codes[one.message])
      if (inner) return rule.codes[inner.message] ?? rule.format
      return issue.input === undefined || issue.input === null ? rule.required : rule.format
    }
    default:
      return rule.format
  }
}
