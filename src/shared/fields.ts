import { z } from 'zod'
import { fenOf, yuanOf } from './amount-text.ts'
import { yesNo } from './rules.ts'

/**
 * Signs that nobody sees: control characters other than line breaks, marks that turn the direction of writing, joiners, blank letters and halves of
 * surrogate pairs. With them a name would look like another one, or like none.
 */
const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cs}\u2028\u2029\u2800]|[^\P{Cc}\t\n\r]/gu

/** Text that people type, without the signs that nobody sees. */
export const seenText = (text: string): string => text.replace(unseen, '')

export function line(min: number, max: number) {
  return z
    .string()
    .transform((text) => seenText(text).replace(/\s+/g, ' ').trim())
    .pipe(z.string().min(min).max(max))
}

export function paragraph(max: number) {
  return z
    .string()
    .transform((text) => seenText(text).trim())
    .pipe(z.string().max(max))
}

/** A number, or its digits as text, as in addresses. */
export const numeric = (number: z.ZodNumber) => z.union([z.number(), z.string().transform(Number)]).pipe(number)

/** Ids come as numbers or as digits (RuoYi clients send both). */
export const Id = numeric(z.number().int().positive().max(Number.MAX_SAFE_INTEGER))

export const Mobile = z
  .string()
  .trim()
  .regex(/^1[3-9]\d{9}$/, 'mobile')

export const isPhone = (text: string) =>
  /^1[3-9]\d{9}$/.test(text) || /^0\d{2,3}-?[1-9]\d{6,7}(-\d{1,6})?$/.test(text) || /^400-?\d{3}-?\d{4}$/.test(text)

export const Phone = z.string().trim().refine(isPhone, 'phone')

/**
 * `yyyy-MM-dd`; 30 February is refused, and so is the year 0, which ISO 8601 has and the database has not. A day that is none ends the check, so
 * the rules of the object around it count with days only.
 */
export const Day = z.iso.date({ abort: true }).refine((day) => day >= '0001-01-01', { abort: true })

/** `yyyy-MM-dd HH:mm:ss` in Asia/Shanghai. */
export const Moment = z
  .string()
  .trim()
  .regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/, 'moment')
  .refine((text) => {
    const [day = '', time = ''] = text.split(' ')
    return z.iso.date().safeParse(day).success && z.iso.time({ precision: 0 }).safeParse(time).success
  }, 'moment')

/** Yuan with at most two places, as number or text; becomes integer fen. Up to 9 999 999.99 unless said otherwise. */
export function yuan({ min = 0, max = 999_999_999 }: { min?: number; max?: number } = {}) {
  return z
    .union([
      z.number(),
      z
        .string()
        .trim()
        .regex(/^\d{1,9}(\.\d{1,2})?$/, 'money'),
    ])
    .refine((value) => /^\d+(\.\d{1,2})?$/.test(String(value)), 'money')
    .transform(fenOf)
    .pipe(z.number().int().min(min, 'money_min').max(max, 'money_max'))
}

export const maxQuantity = 9_999_999
/** An estimated quantity: to the thousandth, as it is stored, so the sum is reckoned by the stored one. */
export const Quantity = z
  .number()
  .min(0.001)
  .max(maxQuantity)
  .refine((value) => /^\d+(\.\d{1,3})?$/.test(String(value)), 'quantity_places')

/** A fen amount on its way out: yuan with two places. */
export const YuanOut = z.number().transform(yuanOf)

export const Flag = z.boolean()

type AnswerField<F> = z.ZodType<z.output<F>, z.output<F>>

/**
 * The fields of a form's input as an answer holds them, except the named ones: of the same types, but without the rules of the form, because a value
 * that was stored before a rule must stay readable. An amount is written in another unit, so it is named and declared with `YuanOut`.
 */
export function answerFields<S extends z.ZodRawShape, Except extends string>(input: z.ZodObject<S>, except: readonly Except[]) {
  const fields = Object.entries(input.shape).filter(([name]) => !(except as readonly string[]).includes(name))
  return Object.fromEntries(fields.map(([name, field]) => [name, answerField(field)])) as {
    [Name in Exclude<keyof S, Except>]: AnswerField<S[Name]>
  }
}

function answerField(field: z.core.$ZodType): z.ZodType {
  const schema = field as z.core.$ZodTypes
  const { def } = schema._zod
  switch (def.type) {
    case 'default':
    case 'prefault':
      return answerField(def.innerType)
    case 'nullable':
      return answerField(def.innerType).nullable()
    case 'pipe':
      return answerField(def.out)
    case 'array':
      return z.array(answerField(def.element))
    case 'object':
      return z.object(Object.fromEntries(Object.entries(def.shape).map(([name, inner]) => [name, answerField(inner)])))
    case 'string':
      return z.string()
    case 'number':
      return z.number()
    default:
      return field as z.ZodType
  }
}

const pageNumber = numeric(z.number().int().min(1).max(100_000))

/** The paging part of every list's query; a page beyond the end is empty, not the last one again. */
export const paging = (pageSize = 10) => ({
  pageNum: pageNumber.default(1),
  pageSize: numeric(z.number().int().min(1).max(100)).default(pageSize),
})

/**
 * The sorting of a list by one of these columns: its name, or its name after a minus for the largest first. Without it a list has the order of its
 * own. Only a column that an index or the bounds of its owner keep cheap belongs here (decision 49).
 */
export const sorting = <const Name extends string>(names: readonly Name[]) => ({
  sort: z
    .union([z.literal('').transform(() => undefined), z.enum(names.flatMap((name): (Name | `-${Name}`)[] => [name, `-${name}`]))])
    .optional(),
})

/** Ids of one batch. */
export const batchIds = z.array(Id).min(1).max(100)

/** The answer of a batch: how many items are done, and why the others are not. */
export const BatchAnswer = z.object({ done: z.number(), left: z.array(z.object({ id: z.number(), msg: z.string() })) })

/** For a list that is counted up to a bound: requests the exact total. */
export const exact = z
  .literal(yesNo.yes)
  .transform(() => true)
  .optional()

/** A filter that may be absent or left empty in the address. */
export const optionalId = z.union([z.literal('').transform(() => undefined), Id]).optional()

/** Narrows a list to what waits for the person who asks. */
export const onlyTodo = z.union([z.literal('').transform(() => undefined), z.literal('1')]).optional()

export const optionalText = (max: number) =>
  z
    .string()
    .transform((text) => seenText(text).trim().slice(0, max))
    .optional()
    .transform((text) => text || undefined)
