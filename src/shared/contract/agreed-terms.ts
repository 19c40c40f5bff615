import type { z } from 'zod'
import type { Payment } from '../demand/input.ts'
import type { duties, sides } from '../demand/rules.ts'
import { clauseWordsOf } from '../text/clause-words.ts'
import type { Text } from '../text/zh-cn.ts'
import { maxExtra, maxExtras } from './clauses.ts'

type Agreed = Record<(typeof statedDuties)[number], (typeof sides)[number]> & {
  payment: Pick<z.output<typeof Payment>, 'cycle'>
  /** Further requirements of the demand. */
  terms: string
  /** Of the quote. */
  note: string
  lines: readonly { lineNo: number; deviation: string; promisesRenewal: boolean }[]
}

/** The duties that no position states; fuel and driver stand with each. */
const statedDuties = ['transportBy', 'erectionBy', 'lodgingBy'] as const satisfies readonly (typeof duties)[number][]

/**
 * What a demand and its quote have agreed and no other clause holds, as the further agreements that a draft begins with. The lessee may edit
 * them before it sends the draft.
 */
export function agreedTerms({ payment, terms, note, lines, ...by }: Agreed, text: Text): string[] {
  const {
    agreed: words,
    document: { separator },
  } = clauseWordsOf(text)
  const [transport = '', erection = '', lodging = ''] = statedDuties.map((duty) => text.demand.side[by[duty]])
  const numbersOf = (positions: Agreed['lines']) => positions.map(({ lineNo }) => lineNo).join(separator)
  const renewed = lines.filter(({ promisesRenewal }) => promisesRenewal)
  const deviations = [...Map.groupBy(lines, ({ deviation }) => flat(deviation))].filter(([deviation]) => deviation !== '')
  const all = [
    words.duties(transport, erection, lodging),
    ...(payment.cycle === 'month' ? [] : [words.cycle[payment.cycle]]),
    ...(renewed.length === 0 ? [] : parts(words.renewal(numbersOf(renewed)))),
    ...deviations.flatMap(([deviation, of]) => parts(words.deviation(numbersOf(of), deviation))),
    ...(flat(note) === '' ? [] : parts(words.note(flat(note)))),
    ...(flat(terms) === '' ? [] : parts(words.terms(flat(terms)))),
  ]
  return all.length <= maxExtras ? all : [...all.slice(0, maxExtras - 1), words.more]
}

/** A paragraph as one line, which a further agreement is. */
const flat = (paragraph: string) =>
  paragraph
    .split(/\s*\n\s*/)
    .filter(Boolean)
    .join(' ')
    .trim()

/** Never cut between the two halves of a character, because the database refuses half of one. */
function parts(words: string): string[] {
  if (words.length <= maxExtra) return [words]
  const cut = /[\udc00-\udfff]/.test(words.charAt(maxExtra)) ? maxExtra - 1 : maxExtra
  return [words.slice(0, cut).trim(), ...parts(words.slice(cut).trim())]
}
