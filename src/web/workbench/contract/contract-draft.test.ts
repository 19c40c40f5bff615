import { expect, test } from 'vitest'
import { clausesFrom, ClausesOut, clausesOut, defaultClauses } from '#shared/contract/clauses.ts'
import type { Contract } from '#shared/contract/contract.ts'
import { DirectLineInput } from '#shared/contract/direct.ts'
import { ContractInput } from '#shared/contract/moves.ts'
import { readForm } from '../../app/form-values.ts'
import { clausesTyped, draftInputOf, fromContract, lateRateOf } from './contract-draft.ts'
import { fitDirectLine, newDirectLine } from './direct-contract.ts'

const stored = ClausesOut.parse(
  clausesOut({
    ...defaultClauses({ buildingLifting: true, rentUnits: ['M', 'S'], payment: { ratio: 70, days: 45 } }),
    hourCap: 240,
    minUnits: 20.5,
    fuelPriceFen: 765,
    depositFen: 500_050,
    nonCash: { share: 30, months: 6 },
    bond: { share: 5, kind: 'letter' },
    lateRate: 1825,
    venue: { kind: 'arbitration', name: '成都仲裁委员会' },
    extras: ['夜间施工另行约定'],
  }),
)
const draft = {
  title: '装载机租赁合同',
  externalNo: '',
  address: '工地驻地',
  scaleLessee: null,
  scaleLessor: 'small',
  clauses: stored,
} as Contract
const sent = (form: ReturnType<typeof fromContract>) =>
  ContractInput.parse(readForm(ContractInput, { ...draftInputOf(form), id: 7, version: 3 }))

test('a draft that nobody touches is sent as it is stored, clause by clause', () => {
  expect(sent(fromContract(draft))).toEqual({
    id: 7,
    version: 3,
    title: draft.title,
    externalNo: '',
    address: draft.address,
    scaleLessee: null,
    scaleLessor: 'small',
    clauses: clausesFrom(stored),
  })
})

test('what is not agreed is sent as nothing, whatever its fields still hold', () => {
  const form = fromContract(draft)
  const { clauses } = sent({
    ...form,
    hasNonCash: false,
    hasBond: false,
    clauses: { ...form.clauses, hourCap: '', minUnits: '', fuelPrice: '', lateRate: ' ', venue: { kind: 'court', name: '成都仲裁委员会' } },
  })
  expect(clauses).toMatchObject({
    nonCash: null,
    bond: null,
    hourCap: null,
    minUnits: null,
    fuelPriceFen: null,
    lateRate: null,
    venue: { kind: 'court', name: '' },
  })
})

test('the late rate is typed in percent a year and stored in basis points', () => {
  expect(['', '3.65', '18', '36.5', '0', '36.51', '百分之三', '1.005'].map(lateRateOf)).toEqual([
    null,
    365,
    1800,
    3650,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

test('while a value is half-typed, the other sentences follow the form and that clause stays as it was stored', () => {
  const form = fromContract(draft)
  const { spring } = form.clauses.stopRules
  const { clauses, issues } = clausesTyped(
    {
      ...form,
      clauses: {
        ...form.clauses,
        noticeDays: '40',
        payDays: '60',
        stopRules: { ...form.clauses.stopRules, spring: { ...spring, freeDays: '' } },
      },
    },
    stored,
  )
  expect(issues.map(({ path }) => path.join('.'))).toEqual(['noticeDays', 'stopRules.spring.freeDays'])
  expect([clauses.noticeDays, clauses.payDays, clauses.stopRules.spring]).toEqual([3, 60, { freeDays: 15, rate: 100 }])
})

test('a position is sent without what was typed for another unit, which its form hides', () => {
  const typed = { equipmentId: 7, planStart: '2026-12-01', planEnd: '2027-03-01', unitPrice: '100' }
  const sentAs = (rentUnit: 'M' | 'S', estQuantity: string, minRentDays: string) => {
    const line = DirectLineInput.parse(
      readForm(DirectLineInput, fitDirectLine({ ...newDirectLine(typed), rentUnit, estQuantity, minRentDays })),
    )
    return [line.estQuantity, line.minRentDays]
  }
  expect([sentAs('M', '6x', '60'), sentAs('S', '90', '6x')]).toEqual([
    [null, 60],
    [90, 0],
  ])
})
