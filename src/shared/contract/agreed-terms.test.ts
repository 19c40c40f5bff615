import { expect, test } from 'vitest'
import { zhCn } from '../text/zh-cn.ts'
import { agreedTerms } from './agreed-terms.ts'
import { clauseProblems, defaultClauses, maxExtra, maxExtras } from './clauses.ts'

const agreed = {
  transportBy: 'lessor',
  erectionBy: 'lessor',
  lodgingBy: 'lessee',
  payment: { cycle: 'month' },
  terms: '',
  note: '',
  lines: [{ lineNo: 1, deviation: '' }],
} as const
const duties = '进出场运输由出租方负责，安装拆卸由出租方负责，操作人员食宿由承租方负责；已计入机位单价和一次性费用的，不另行计费。'

test('the duties that no position states are further agreements, and so is a payment that is not monthly', () => {
  expect(agreedTerms(agreed, zhCn)).toEqual([duties])
  expect(agreedTerms({ ...agreed, transportBy: 'lessee' }, zhCn)[0]).toContain('进出场运输由承租方负责')
  expect(agreedTerms({ ...agreed, payment: { cycle: 'quarter' } }, zhCn)[1]).toContain('季结')
  expect(agreedTerms({ ...agreed, payment: { cycle: 'end' } }, zhCn)[1]).toContain('完工结')
})

test('what both wrote is taken over as one line each, in parts where it is long, and never more than a contract holds', () => {
  const lines = Array.from({ length: 20 }, (_, index) => ({ lineNo: index + 1, deviation: `偏差${index}` }))
  const long = agreedTerms({ ...agreed, note: '备\n注'.repeat(200), terms: '求'.repeat(600) }, zhCn)
  const many = agreedTerms({ ...agreed, lines, note: '备注' }, zhCn)
  expect(long).toHaveLength(1 + 2 + 2)
  expect(long.join('')).toContain('求'.repeat(600))
  const rare = agreedTerms({ ...agreed, note: `${'备'.repeat(maxExtra - 6)}𠮷𠮷` }, zhCn)
  expect(rare.every((extra) => extra.isWellFormed())).toBe(true)
  expect([many.length, many.at(-1)]).toEqual([maxExtras, '需求与报价的其余约定以双方在平台所存的原文为准。'])
  for (const extra of [...long, ...many]) {
    expect(extra.length).toBeLessThanOrEqual(maxExtra)
    expect(extra).not.toContain('\n')
  }
})

test('none of them makes a payment wait for the money of a third party', () => {
  const extras = agreedTerms({ ...agreed, payment: { cycle: 'end' } }, zhCn)
  const clauses = defaultClauses({ buildingLifting: false, rentUnits: ['M'], payment: { ratio: 70, days: 30 }, extras })
  expect(clauseProblems(clauses, { smeRule: true, lprBp: 300, planStart: '2027-01-01', planEnd: '2027-04-01' })).toEqual([])
})
