import { leastQuotes } from '#shared/demand/guards.ts'
import { describe, expect, test } from 'vitest'
import type { Category } from '#shared/category/contract.ts'
import { noFlags } from '#shared/category/input.ts'
import type { OwnDemand } from '#shared/demand/contract.ts'
import { DemandItemInput, PublishInput } from '#shared/demand/input.ts'
import { readForm } from '../../app/form-values.ts'
import { deadlinePresets } from './deadline-presets.ts'
import {
  fromDemand,
  fromDraft,
  mainSpecProblems,
  newDemand,
  newItem,
  demandInputOf,
  withDeadline,
  type DemandReuse,
  type ItemForm,
} from './draft.ts'

/** A draft as the first release stored it: payment beside the other fields, a key for each line. */
const stored = {
  demandType: '2',
  title: '新津至德阳铁路 装载机2台',
  deptId: 208,
  provinceId: 510000,
  cityId: 510100,
  districtId: null,
  address: '新津区五津镇',
  lowEmissionZone: true,
  contactName: '赵工',
  contactPhone: '13800000001',
  quoteDeadline: '2026-12-01 17:00:00',
  clarifyDeadline: '',
  sealed: false,
  urgent: true,
  method: '3',
  minQuotes: '',
  cycle: 'quarter',
  ratio: '80',
  days: '4x',
  invoice: 'plain',
  fuelBy: 'lessor',
  operatorBy: 'lessor',
  transportBy: 'lessee',
  erectionBy: 'lessor',
  lodgingBy: 'lessee',
  budgetLimit: '120000.50',
  internalReason: '',
  showCeiling: false,
  sourceId: null,
  internalAnswers: [{ machineId: 12, take: false, reason: '已有安排' }],
  terms: '夜间施工',
  items: [
    {
      key: 'line-1763800000000-0',
      id: null,
      fatherCategoryId: 1,
      categoryId: 101,
      specs: { ratedLoad: { rule: 'ge', value: '3' }, bucket: { rule: 'in', value: '' } },
      brandPreference: '柳工',
      maxAgeYears: '8',
      minEmission: '3',
      qty: '2',
      planStart: '2026-12-10',
      planEnd: '',
      rentUnit: 'D',
      estQuantity: '',
      shiftMode: 'double',
      priceCeiling: '1500',
      remark: '',
    },
  ],
  invited: [{ value: 7, label: '成都机械' }],
  attachments: [{ fileId: '0f8fad5b-d9cb-469f-a165-70867728950e', name: '图纸.pdf', size: 2048 }],
}

describe('the form of a demand', () => {
  test('a draft stored by the first release opens with everything that was typed', () => {
    const { cycle, ratio, days, invoice, items, ...same } = stored
    const [{ key: _, ...line }] = items as [(typeof items)[number]]
    // A field that the first release did not have opens blank; a method that new demands do not have any more is an enquiry.
    expect(fromDraft(stored)).toEqual({
      ...newDemand(),
      ...same,
      method: '1',
      payment: { cycle, ratio, days, invoice },
      changeReason: '',
      items: [{ ...newItem(), ...line }],
    })
  })

  test('a draft stored now opens as it was, whatever was typed in it', () => {
    const form = { ...newDemand({ qty: 'two', planStart: '2026-12-10' }), title: '半', minQuotes: '3.' }
    expect(fromDraft(JSON.parse(JSON.stringify(form)))).toEqual(form)
  })

  test('missing and odd parts of a draft fall back to the blank form', () => {
    const odd = { title: 7, sealed: 'no', method: '9', deptId: 'x', items: [{ specRequirements: 3, qty: null }], invited: [{ value: 'a' }] }
    expect(fromDraft(odd)).toEqual({ ...newDemand({ qty: '' }), title: '7' })
    expect(fromDraft({ items: 'none' })).toEqual(newDemand())
  })

  test('requirements that came as a list stand at their parameters', () => {
    const [line] = fromDraft({ items: [{ specRequirements: [{ key: 'ratedLoad', rule: 'eq', value: '5' }] }] }).items
    expect(line?.specs).toEqual({ ratedLoad: { rule: 'eq', value: '5' } })
  })

  test('a blank form starts with the terms of the contract', () => {
    expect(newDemand()).toMatchObject({
      demandType: '1',
      deptId: null,
      sealed: true,
      showCeiling: true,
      minQuotes: '',
      payment: { cycle: 'month', ratio: '70', days: '30', invoice: 'special' },
      fuelBy: 'lessee',
      operatorBy: 'lessor',
      items: [{ id: null, categoryId: null, qty: '1', rentUnit: 'M', shiftMode: 'single', minEmission: '', specs: {} }],
    })
  })

  test('a copied line is a new one', () => {
    expect(newItem({ id: 5, remark: '同上' })).toMatchObject({ id: null, remark: '同上' })
  })

  test('what was typed is sent by the types of the contract, what was not typed is missing', () => {
    const form = fromDraft({ ...stored, days: '45' })
    const sent = PublishInput.safeParse(readForm(PublishInput, { ...demandInputOf(form), draftId: undefined }), { reportInput: true })
    expect(sent.error?.issues.map(({ path, input }) => [path.join('.'), input])).toEqual([['items.0.planEnd', undefined]])
    const whole = { ...form, items: form.items.map((item) => ({ ...item, planEnd: '2027-01-10', rentUnit: 'M' as const })) }
    const input = PublishInput.parse(readForm(PublishInput, demandInputOf(whole)))
    // It asks for as many quotes as are usual for one invited lessor.
    expect([input.minQuotes, leastQuotes(input)]).toEqual([undefined, 1])
    expect(input).toMatchObject({
      clarifyDeadline: null,
      districtId: null,
      budgetLimit: 12_000_050,
      payment: { cycle: 'quarter', ratio: 80, days: 45, invoice: 'plain' },
      invitedCompanyIds: [7],
      attachmentIds: ['0f8fad5b-d9cb-469f-a165-70867728950e'],
      items: [
        {
          qty: 2,
          maxAgeYears: 8,
          estQuantity: null,
          priceCeiling: 150_000,
          specRequirements: [{ key: 'ratedLoad', rule: 'ge', value: '3' }],
        },
      ],
    })
  })
})

test('a quantity that was typed for another unit is neither sent nor published, in whatever state it was left', () => {
  const form = fromDraft({ ...stored, days: '45' })
  const sent = (changes: Partial<ItemForm>) =>
    PublishInput.parse(
      readForm(PublishInput, demandInputOf({ ...form, items: form.items.map((item) => ({ ...item, planEnd: '2027-01-10', ...changes })) })),
    ).items.map(({ estQuantity }) => estQuantity)
  expect([
    sent({ rentUnit: 'D', estQuantity: '60' }),
    sent({ rentUnit: 'D', estQuantity: '6x' }),
    sent({ rentUnit: 'S', estQuantity: '60' }),
  ]).toEqual([[null], [null], [60]])
  const [item] = form.items
  const line = { ...item, fatherCategoryId: 1, specRequirements: [], qty: 2, planEnd: '2027-01-10', maxAgeYears: 8, priceCeiling: 1500 }
  const published = (rentUnit: string) => DemandItemInput.parse({ ...line, rentUnit, estQuantity: 60 }).estQuantity
  expect([published('M'), published('D'), published('H')]).toEqual([null, null, 60])
})

test('a line whose main parameter is empty is refused together with the other fields', () => {
  const params = [{ key: 'capacity', label: '', labelEn: '', unit: 't', type: 'number' as const, main: true }]
  const crane: Category = {
    id: 203,
    parentId: 200,
    name: '',
    nameEn: '',
    alias: [],
    core: true,
    params,
    flags: noFlags,
    priceUnits: ['M'],
    litresPerShift: 0,
  }
  const found = (value: string, categoryId: number | null = crane.id) =>
    mainSpecProblems(newDemand({ categoryId, specs: { capacity: { rule: 'ge', value } } }), new Map([[crane.id, crane]]))
  expect(found(' ')).toEqual([{ path: ['items', 0, 'specs'], rule: 'main_spec' }])
  expect([found('25'), found('', null)]).toEqual([[], []])
})

test('a new demand is open for three days unless it has a deadline', () => {
  expect(withDeadline(newDemand(), '2026-11-29').quoteDeadline).toBe('2026-12-02 17:00:00')
  const typed = { ...newDemand(), quoteDeadline: '2026-12-09 10:00:00' }
  expect(withDeadline(typed, '2026-11-29')).toEqual(typed)
})

test('a demand that was sent back goes on asking for the own machines it asked for; another one begins without', () => {
  const check = { machineId: 12, name: '装载机', deptName: '南湖安置房', distanceKm: 3, take: true, reason: '' }
  const asked = { internalCheck: [check], invited: [], attachments: [], items: [], source: null }
  const sentBack = JSON.parse(JSON.stringify({ ...stored, ...asked })) as OwnDemand
  const takes = (reuse: DemandReuse) => fromDemand(sentBack, reuse).internalAnswers.map(({ take }) => take)
  expect([takes('revise'), takes('rest'), takes('copy')]).toEqual([[true], [false], []])
})

test.each([
  ['2026-11-30 10:00:00', { presets: 'extension', since: '2026-11-30' }],
  ['2026-11-23 08:00:00', { presets: 'deadline' }],
  [null, { presets: 'deadline' }],
])('the presets of a deadline that holds count from it, those of any other from today: %s', (held, presets) =>
  expect(deadlinePresets(held, '2026-11-23 09:00:00')).toEqual(presets),
)
