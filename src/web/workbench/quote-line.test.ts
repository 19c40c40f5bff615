import { expect, test } from 'vitest'
import { QuoteInput, QuoteLineInput } from '#shared/quote/contract.ts'
import { openForm } from '../app/form-values.ts'
import { canChoose, nameOfLine, type Candidate } from './quote-line.ts'

type Fit = Pick<Candidate, 'freeQty' | 'misses'>
const fit = (...kinds: Candidate['misses'][number]['kind'][]): Fit => ({ freeQty: 1, misses: kinds.map((kind) => ({ kind, detail: '' })) })

test('a machine that is blocked, off the shelf, taken or without papers cannot be ticked', () => {
  for (const kind of ['blocked', 'shelf', 'taken', 'papers'] as const) expect(canChoose(fit(kind))).toBe(false)
  expect(canChoose({ ...fit(), freeQty: 0 })).toBe(false)
})

test('a machine that only deviates can be ticked, since the quote names the deviation', () =>
  expect(canChoose(fit('spec', 'age', 'emission'))).toBe(true))

test('an error of a sent line stands at its line in the form, which also holds those that are not sent', () => {
  const lines = [{ included: false }, { included: true }, { included: true }].map((line) => ({ ...openForm(QuoteLineInput), ...line }))
  const typed = { ...openForm(QuoteInput), lines }
  expect(nameOfLine('lines.1.unitPrice', typed)).toBe('lines.2.unitPrice')
  expect(nameOfLine('lines', typed)).toBe('lines')
  expect(nameOfLine('contactPhone', typed)).toBe('contactPhone')
})
