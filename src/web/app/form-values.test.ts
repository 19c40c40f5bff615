import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Day, Id, line, Moment, paragraph, yuan } from '#shared/fields.ts'
import { fieldErrors } from '#shared/text/validation.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { openForm, readForm } from './form-values.ts'

const Schema = z
  .object({
    deptId: Id,
    districtId: Id.nullable().default(null),
    name: line(2, 20),
    note: paragraph(100).default(''),
    plate: z.string().trim().min(5).nullable().default(null),
    price: yuan({ min: 1 }),
    fee: yuan().default(0),
    days: z.number().int().default(30),
    age: z.number().nullable().default(null),
    rate: z.union([z.literal(13), z.literal(9)]).default(13),
    stage: z.enum(['2', '3']).nullable().default(null),
    unit: z.enum(['M', 'D']),
    from: Day,
    at: Moment.nullable().default(null),
    open: z.boolean().default(true),
    specs: z.record(z.string(), z.string()).default({}),
    lines: z.array(z.object({ qty: z.number() })).default([]),
  })
  .refine(() => true)

const blank = {
  deptId: null,
  districtId: null,
  name: '',
  note: '',
  plate: '',
  price: '',
  fee: '0',
  days: '30',
  age: '',
  rate: '13',
  stage: '',
  unit: 'M',
  from: '',
  at: '',
  open: true,
  specs: {},
  lines: [],
} as const

describe('the values of a form', () => {
  test('a blank form holds the defaults of its schema as text', () => expect(openForm(Schema)).toEqual(blank))

  test('stored values open as text; what does not fit falls back', () => {
    expect(
      openForm(Schema, { deptId: '7', days: 5, rate: 9, stage: '9', unit: 'D', open: false, plate: null, lines: [{ qty: 2 }], more: 1 }),
    ).toEqual({ ...blank, deptId: 7, days: '5', rate: '9', unit: 'D', open: false, lines: [{ qty: '2' }] })
    expect(openForm(Schema, { open: 'yes', lines: 'none', specs: [], deptId: 'x' })).toEqual(blank)
  })

  test('an empty field is null where it may be, missing where it may not, and an empty text where a text is asked for', () => {
    expect(readForm(Schema, blank)).toEqual({
      deptId: undefined,
      districtId: null,
      name: '',
      note: '',
      plate: null,
      price: undefined,
      fee: '0',
      days: 30,
      age: null,
      rate: 13,
      stage: null,
      unit: 'M',
      from: undefined,
      at: null,
      open: true,
      specs: {},
      lines: [],
    })
  })

  test('digits become numbers, a half-typed number is refused by the schema, unknown keys are left out', () => {
    const typed = { ...blank, deptId: 3, name: '装载机', price: '1200.50', days: ' 4 ', from: '2026-12-01', lines: [{ qty: '2' }], more: 1 }
    expect(Schema.parse(readForm(Schema, typed))).toMatchObject({ deptId: 3, price: 120_050, days: 4, lines: [{ qty: 2 }] })
    expect(readForm(Schema, typed)).not.toHaveProperty('more')
    expect(Schema.safeParse(readForm(Schema, { ...typed, days: '4x' })).error?.issues.map(({ path }) => path)).toEqual([['days']])
  })

  test.each([
    ['days', '72.5', '请填写整数'],
    ['days', '4x', '请填写数字'],
    ['age', 'old', '请填写数字'],
    ['price', ' ', '请填写'],
    ['unit', '', '请填写'],
    ['unit', 'Y', '请从选项中选择'],
  ])('%s with "%s" says %s', (name, value, message) => {
    const typed = { ...blank, deptId: 3, name: '装载机', price: '1200.50', from: '2026-12-01', [name]: value }
    const { error } = Schema.safeParse(readForm(Schema, typed), { reportInput: true })
    expect(fieldErrors(zhCn, error?.issues ?? [])).toEqual([{ field: name, message }])
  })

  test.each([
    ['', '请填写'],
    ['12', '格式不正确'],
  ])('a code typed as "%s" says %s', (typed, message) => {
    const { error } = z
      .string()
      .regex(/^\d{6}$/)
      .safeParse(typed, { reportInput: true })
    expect(fieldErrors(zhCn, error?.issues ?? [])).toEqual([{ field: '', message }])
  })

  test.each([
    ['', '请填写'],
    ['塔吊', '至少 4 个字'],
  ])('a title typed as "%s" says %s', (typed, message) => {
    const { error } = z.string().min(4).safeParse(typed, { reportInput: true })
    expect(fieldErrors(zhCn, error?.issues ?? [])).toEqual([{ field: '', message }])
  })

  test('a select of a dialog that sends its empty text says that it must be filled in', () => {
    const { error } = Schema.shape.unit.safeParse('', { reportInput: true })
    expect(fieldErrors(zhCn, error?.issues ?? [])).toEqual([{ field: '', message: '请填写' }])
  })
})
