import { describe, expect, test } from 'vitest'
import { ChangeInput } from '#shared/contract/changes.ts'
import { ClausesOut, clausesOut, defaultClauses } from '#shared/contract/clauses.ts'
import type { Contract, Position } from '#shared/contract/contract.ts'
import { AddedPositions } from '#shared/contract/direct.ts'
import { type ChangeKind, maxPositions, positionStatus } from '#shared/contract/rules.ts'
import { amendmentWordsOf } from '#shared/text/amendment-words.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { readForm } from '../../app/form-values.ts'
import { additionOf, additionProblems } from './contract-addition.ts'
import {
  blankChange,
  changeBody,
  changeFieldOf,
  changeProblems,
  fromDayOf,
  termsSoFar,
  withoutClauses,
  type ChangeForm,
} from './contract-change-form.ts'
import { shownOf } from './contract-change-shown.ts'
import { amountsOf } from './contract-sum-change.tsx'

const clauses = ClausesOut.parse(clausesOut(defaultClauses({ buildingLifting: false, rentUnits: ['M'], payment: { ratio: 70, days: 30 } })))
const position = (id: number, more: Partial<Position> = {}): Position => ({
  id,
  lineNo: id,
  equipmentId: id,
  equipmentCode: `SB${id}`,
  categoryName: '装载机',
  categoryNameEn: 'Wheel loader',
  nameEn: 'Wheel loader LW500',
  name: '装载机 LW500',
  spec: '',
  isLot: false,
  qty: 1,
  rentUnit: 'M',
  unitPrice: '30000.00',
  taxRate: 13,
  invoiceKind: 'special',
  includesOperator: true,
  includesFuel: false,
  entryFee: '0.00',
  exitFee: '0.00',
  erectionFee: '0.00',
  inspectionFee: '0.00',
  otherFee: '0.00',
  minRentDays: 0,
  estQuantity: null,
  shiftMode: 'single',
  oddTaxRate: true,
  planStart: '2026-12-01',
  planEnd: '2027-03-01',
  status: positionStatus.waiting,
  amount: '90000.00',
  rates: [],
  ...more,
})
const contract = {
  lines: [position(1, { status: positionStatus.left }), position(2, { status: positionStatus.onSite }), position(3)],
  clauses,
  amount: '270000.00',
  since: null,
  bankName: '甲银行',
  bankAccount: '****0123',
} as Contract
const today = '2026-12-10'
const facts = { smeRule: true, lprBp: 300, planStart: '2027-01-01', planEnd: '2027-04-01' }

const filled = (kind: ChangeKind, more: Partial<ChangeForm>) => ({ ...blankChange({ contract, kind }, today), reason: '工期调整', ...more })
const sent = (kind: ChangeKind, more: Partial<ChangeForm>) =>
  ChangeInput.safeParse(readForm(ChangeInput, changeBody({ contract, kind }, filled(kind, more), today)), { reportInput: true })
const problemsOf = (kind: ChangeKind, more: Partial<ChangeForm>) =>
  changeProblems({ contract, kind }, filled(kind, more), { text: zhCn, facts, today }).map(({ field }) => field)

test('further positions are agreed from the first possible day, whenever their hire begins', () => {
  const later = { equipmentId: 9, planStart: '2027-01-20', planEnd: '2027-03-20', rentUnit: 'M', unitPrice: '21000', taxRate: 13 } as const
  const from = (since: string | null) => additionOf({ ...contract, since }, { lines: [later], reason: '工期调整' }, today)
  expect(ChangeInput.parse(from(null)).terms).toMatchObject({ kind: 'quantity', lineIds: [], added: [{ planStart: '2027-01-20' }] })
  expect([from(null), from('2026-12-01'), from('2026-12-15')].map(({ fromDay }) => fromDay)).toEqual([today, today, '2026-12-15'])
})

test('the form of further positions refuses what the call refuses, each beside its field', () => {
  const later = { equipmentId: 9, planStart: '2027-01-20', planEnd: '2027-03-20', rentUnit: 'M', unitPrice: '21000' }
  const codes = zhCn.rule.codes
  const problems = (since: string | null, more: object, lines = contract.lines) =>
    additionProblems({ ...contract, since, lines }, AddedPositions.parse([{ ...later, ...more }]), { text: zhCn, today })
  expect(problems('2026-12-15', { planStart: '2026-12-15' })).toEqual([])
  expect(problems(null, { planStart: '2026-12-09' })).toEqual([{ field: 'lines.0.planStart', message: codes.start_past }])
  expect(problems('2026-12-15', { planStart: '2026-12-14' })).toEqual([{ field: 'lines.0.planStart', message: codes.before_version }])
  const many = Array.from({ length: maxPositions }, (_, index) => position(index + 1))
  expect(problems(null, {}, many)).toEqual([{ field: 'lines.0.equipmentId', message: codes.positions_many }])
  const work = { rentUnit: 'S', estQuantity: 9_999_999, unitPrice: '9999999' }
  expect(problems(null, work)).toEqual([{ field: 'lines.0.unitPrice', message: codes.sum_large }])
})

describe('the form of an amendment', () => {
  test('sends the ticked positions with their values, as the call takes them', () => {
    const second = [
      { chosen: false, value: '9' },
      { chosen: true, value: ' 6 ' },
    ]
    expect(sent('tax', { lines: second }).data?.terms).toEqual({ kind: 'tax', lines: [{ lineId: 3, value: 6 }] })
    expect(sent('price', { lines: second }).data?.terms).toEqual({ kind: 'price', lines: [{ lineId: 3, value: 600 }] })
    expect(sent('quantity', { lines: [{ chosen: true, value: '' }] }).data?.terms).toEqual({ kind: 'quantity', lineIds: [3] })
    const ended = sent('terminate', { lastDay: '2026-12-20' }).data
    expect([ended?.fromDay, ended?.terms]).toEqual(['2026-12-20', { kind: 'terminate', lastDay: '2026-12-20' }])
    const penal = sent('terminate', { lastDay: '2026-12-20', penaltyPayer: 'lessor', penaltyAmount: '1200.5' }).data
    expect(penal?.terms).toEqual({ kind: 'terminate', lastDay: '2026-12-20', penalty: { amount: 120_050, payer: 'lessor' } })
    const missing = sent('terminate', { lastDay: '2026-12-20', penaltyPayer: 'lessor' }).error?.issues[0]?.path.join('.') ?? ''
    expect(changeFieldOf({ contract, kind: 'terminate' }, filled('terminate', {}), missing)).toBe('penaltyAmount')
  })

  test('has no day of its own where ends and bookings move at once, so that no other amendment is kept waiting for it', () => {
    const lines = [
      { chosen: false, value: '' },
      { chosen: true, value: '2027-05-01' },
    ]
    const typed = { lines, fromDay: '2027-03-01' }
    const days = (since: string | null) =>
      (['extend', 'quantity', 'price'] as const).map((kind) =>
        fromDayOf({ contract: { ...contract, since }, kind }, filled(kind, typed), today),
      )
    expect([days(null), days('2026-12-15')]).toEqual([
      [today, today, '2027-03-01'],
      ['2026-12-15', '2026-12-15', '2027-03-01'],
    ])
    expect(sent('extend', typed).data?.fromDay).toBe(today)
  })

  test('shows a further position with its machine, its number and its sum before it is sent', () => {
    const onceAgreed = { entryFee: '500', otherFee: '30', invoiceKind: 'plain', minRentDays: 60 }
    const added = [{ equipmentId: 9, planStart: '2026-12-20', planEnd: '2027-03-20', rentUnit: 'M', unitPrice: '20000', ...onceAgreed }]
    const input = ChangeInput.parse({ fromDay: today, reason: '增加', terms: { kind: 'quantity', lineIds: [], added } })
    const machine = {
      id: 9,
      equipmentCode: 'SB9',
      name: '徐工 LW500 装载机',
      brand: '徐工',
      brandEn: 'XCMG',
      model: 'LW500',
      categoryNameEn: 'Wheel loader',
      categoryId: 106,
      isLot: false,
      totalQty: 1,
      taken: [],
      bar: null,
    }
    const shown = shownOf(contract, input, [machine])
    expect(shown.added).toMatchObject([
      {
        lineNo: 4,
        name: '徐工 LW500 装载机',
        nameEn: 'XCMG LW500 Wheel loader',
        equipmentCode: 'SB9',
        unitPrice: '20000.00',
        planEnd: '2027-03-20',
      },
    ])
    expect(shown.added).toMatchObject([
      {
        invoiceKind: 'plain',
        minRentDays: 60,
        entryFee: '500.00',
        exitFee: '0.00',
        erectionFee: '0.00',
        inspectionFee: '0.00',
        otherFee: '30.00',
      },
    ])
    expect(Number(shown.amountAfter) - Number(shown.amountBefore)).toBeCloseTo(Number(shown.added[0]?.amount), 2)
    expect(sent('quantity', { lines: [{ chosen: false, value: '' }] }).error?.issues.map(({ path }) => path.join('.'))).toEqual([
      'terms.lineIds',
    ])
  })

  test('a blank tax rate is missing and not zero', () => {
    const lines = [
      { chosen: false, value: '' },
      { chosen: true, value: '' },
    ]
    const { success, error } = sent('tax', { lines })
    expect([success, error?.issues.map(({ path }) => path.join('.'))]).toEqual([false, ['terms.lines.0.value']])
    expect(changeFieldOf({ contract, kind: 'tax' }, filled('tax', { lines }), 'terms.lines.0.value')).toBe('lines.1.value')
  })

  test('names the field of each refusal', () => {
    const lines = [
      { chosen: true, value: '2027-03-01' },
      { chosen: true, value: '2027-05-01' },
    ]
    expect(problemsOf('clause', { picked: ['payDays'], fromDay: '2026-12-09' })).toEqual(['fromDay', 'picked'])
    expect(problemsOf('extend', { lines })).toEqual(['lines.0.value'])
    expect(changeFieldOf({ contract, kind: 'quantity' }, filled('quantity', {}), 'terms.lineIds')).toBe('lines')
    expect(problemsOf('terminate', { lastDay: '2026-12-01' })).toEqual(['lastDay', 'lastDay'])
    expect(problemsOf('clause', {})).toEqual(['picked'])
    expect(problemsOf('clause', { picked: ['payDays'] })).toEqual(['picked'])
    const { clauses: typed } = filled('clause', {})
    expect(problemsOf('clause', { picked: ['payDays'], clauses: { ...typed, payDays: '90' } })).toEqual(['clauses.payDays'])
    const paidTwice = { ...typed, payRatio: '100', retention: '5' }
    expect(problemsOf('clause', { picked: ['payRatio', 'retention'], clauses: paidTwice })).toEqual(['clauses.retention'])
    // Of a clause that is not picked there is no field.
    expect(problemsOf('clause', { picked: ['payRatio'], clauses: paidTwice })).toEqual(['picked'])
    expect(changeFieldOf({ contract, kind: 'account' }, filled('account', {}), 'terms.bankAccount')).toBe('bankAccount')
  })

  test('the preview counts what is typed whole and leaves out what is half-typed', () => {
    const lines = [
      { chosen: true, value: '2027-03-31' },
      { chosen: true, value: '2027-0' },
    ]
    const terms = termsSoFar({ contract, kind: 'extend' }, filled('extend', { lines }), today)
    expect(terms).toEqual({ kind: 'extend', lines: [{ lineId: 2, value: '2027-03-31' }] })
    expect(amountsOf(contract, terms, today)).toEqual({ amountBefore: '270000.00', amountAfter: '300000.00' })
    expect(termsSoFar({ contract, kind: 'extend' }, filled('extend', {}), today)).toBeNull()
  })

  test('a clause that is no longer picked is as it was', () => {
    const typed = filled('clause', { hasBond: true })
    const back = withoutClauses({ ...typed, clauses: { ...typed.clauses, payDays: '90', noticeDays: '9' } }, contract, ['payDays', 'bond'])
    expect([back.clauses.payDays, back.clauses.noticeDays, back.hasBond]).toEqual(['30', '9', false])
  })
})

test('the summary shows each value as it is and as it will be', () => {
  const price = shownOf(contract, { fromDay: today, reason: '油价', terms: { kind: 'price', lines: [{ lineId: 3, value: 2_500_050 }] } })
  expect(price.lines).toEqual([{ lineNo: 3, name: '装载机 LW500', before: '30000.00', after: '25000.50', quantity: null, price: null }])
  const fewer = shownOf(contract, { fromDay: today, reason: '工期', terms: { kind: 'quantity', lineIds: [3] } })
  expect([fewer.lines[0]?.before, fewer.lines[0]?.after, fewer.amountBefore, fewer.amountAfter]).toEqual([
    '0',
    '3',
    '270000.00',
    '180000.00',
  ])
  // The price without tax stays, so the one with tax follows its rate.
  const taxed = shownOf(contract, { fromDay: today, reason: '税率', terms: { kind: 'tax', lines: [{ lineId: 3, value: 9 }] } })
  expect(taxed.lines[0]).toMatchObject({ before: '13', after: '9', price: { before: '30000.00', after: '28938.05' } })
  const lines = [
    { chosen: false, value: '' },
    { chosen: true, value: '9' },
  ]
  const soFar = termsSoFar({ contract, kind: 'tax' }, filled('tax', { lines }), today)
  expect(amountsOf(contract, soFar, today).amountAfter).toBe(taxed.amountAfter)
  expect(Number(taxed.amountAfter)).toBeLessThan(270_000)
  const byShift = { ...contract, lines: [position(1, { rentUnit: 'S', estQuantity: 90 })] }
  const longer = shownOf(byShift, {
    fromDay: today,
    reason: '工期',
    terms: { kind: 'extend', lines: [{ lineId: 1, value: '2027-03-31' }] },
  })
  expect(longer.lines[0]).toMatchObject({ before: '2027-03-01', after: '2027-03-31', quantity: { before: 90, after: 120 } })
})

test('a shorter hire that would end on its first day is told to begin before its end, or to be cancelled', () => {
  const lines = [
    { chosen: false, value: '' },
    { chosen: true, value: '2026-12-20' },
  ]
  const later = { ...contract, lines: [...contract.lines.slice(0, 2), position(3, { planStart: '2026-12-20' })] }
  const proposal = { contract: later, kind: 'shorten' } as const
  const [problem] = changeProblems(proposal, { ...blankChange(proposal, today), lines }, { text: zhCn, facts, today })
  expect(problem).toMatchObject({ field: 'lines.1.value', message: expect.stringContaining('晚于租期开始日') as string })
  expect(problem?.message).toContain(amendmentWordsOf(zhCn).cancel)
  expect(en.rule.codes.shorten_earlier).toMatch(/after the start of the hire/)
})
