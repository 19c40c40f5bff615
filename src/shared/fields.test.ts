import { expect, test } from 'vitest'
import { z } from 'zod'
import { OwnDemand } from './demand/contract.ts'
import { DemandInput } from './demand/input.ts'
import { OwnMachine } from './equipment/own.ts'
import { EquipmentInput } from './equipment/upload.ts'
import { answerFields, Day, Id, line, paragraph, seenText } from './fields.ts'

const missing = (input: z.ZodObject, answer: z.ZodObject, elsewhere: readonly string[]) =>
  Object.keys(input.shape).filter((name) => !Object.hasOwn(answer.shape, name) && !elsewhere.includes(name))

test('every field of a machine or a demand that is typed comes back to its owner, so an edit does not lose it', () => {
  expect(missing(EquipmentInput, OwnMachine, ['imageIds'])).toEqual([])
  // These come back as `source`, `internalCheck`, `invited` and `attachments`.
  expect(missing(DemandInput, OwnDemand, ['sourceId', 'internalAnswers', 'invitedCompanyIds', 'attachmentIds'])).toEqual([])
})

test('an answer holds the types of its form without the rules, so a stored value that breaks a newer rule stays readable', () => {
  const Input = z.object({
    name: line(2, 4),
    note: paragraph(3).default(''),
    cityId: Id.nullable(),
    day: Day,
    share: z.number().int().max(10),
    side: z.enum(['left', 'right']).default('left'),
    lines: z.array(z.object({ mark: line(1, 1) })).max(1),
    hidden: z.string(),
  })
  const Answer = z.object(answerFields(Input, ['hidden']))
  const stored = {
    name: 'a name',
    note: 'a note',
    cityId: 7,
    day: '2026-12-01',
    share: 11,
    side: 'right' as const,
    lines: [{ mark: 'ab' }, { mark: '' }],
  }
  expect(Input.safeParse({ ...stored, hidden: '' }).success).toBe(false)
  expect(Answer.parse(stored)).toEqual(stored)
  expect(Answer.keyof().options).not.toContain('hidden')
  for (const wrong of [{ cityId: '7' }, { side: 'up' }, { share: '11' }, { lines: null }])
    expect(Answer.safeParse({ ...stored, ...wrong }).success).toBe(false)
})

test('what people type holds no sign that nobody sees: a name that turns its direction, has joiners or is of blank letters is not another one', () => {
  const Name = line(1, 20)
  for (const sign of [
    '\u0000',
    '\u0085',
    '\u00ad',
    '\u061c',
    '\u115f',
    '\u180e',
    '\u200d',
    '\u202e',
    '\u2060',
    '\u2066',
    '\u2800',
    '\u3164',
    '\ufe0f',
    '\ufeff',
    '\uffa0',
    '\u{e0041}',
    '\ud800',
  ]) {
    expect(Name.parse(`中${sign}建`), escape(sign)).toBe('中建')
    expect(Name.safeParse(sign.repeat(3)).success, escape(sign)).toBe(false)
    expect(paragraph(20).parse(`一${sign}\n二`), escape(sign)).toBe('一\n二')
    expect(seenText(`发票${sign}.pdf`), escape(sign)).toBe('发票.pdf')
  }
  expect(Name.parse('𠮷野（A）\t1号 é😀')).toBe('𠮷野（A） 1号 é😀')
})
