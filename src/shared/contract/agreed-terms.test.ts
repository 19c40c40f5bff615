import { expect, test } from 'vitest'
import { en } from '../text/en.ts'
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
  lines: [{ lineNo: 1, deviation: '', promisesRenewal: false }],
} as const
const duties = '进出场运输由出租方负责，安装拆卸由出租方负责，操作人员食宿由承租方负责；已计入机位单价和一次性费用的，不另行计费。'

test('the duties that no position states are further agreements, and so is a payment that is not monthly', () => {
  expect(agreedTerms(agreed, zhCn)).toEqual([duties])
  expect(agreedTerms({ ...agreed, transportBy: 'lessee' }, zhCn)[0]).toContain('进出场运输由承租方负责')
  expect(agreedTerms({ ...agreed, payment: { cycle: 'quarter' } }, zhCn)[1]).toContain('季结')
  expect(agreedTerms({ ...agreed, payment: { cycle: 'end' } }, zhCn)[1]).toContain('完工结')
})

test('what both wrote is taken over as one line each, in parts where it is long, and never more than a contract holds', () => {
  const lines = Array.from({ length: 20 }, (_, index) => ({ ...agreed.lines[0], lineNo: index + 1, deviation: `偏差${index}` }))
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

test('a pledge to renew documents binds the lessor for the positions of the lines that gave it, also where these are many', () => {
  const pledged = (lineNo: number) => ({ lineNo, deviation: '', promisesRenewal: true })
  const renewal = '号机位的设备证照在退场前到期的，出租方按报价时的承诺，在到期前完成续期。'
  expect(agreedTerms({ ...agreed, lines: [...agreed.lines, pledged(2), pledged(3)] }, zhCn)).toEqual([duties, `2、3 ${renewal}`])
  expect(agreedTerms({ ...agreed, lines: [pledged(2)] }, en)[1]).toBe(
    'Position 2: as pledged in the quote, the lessor renews in time every machine document that ends before the exit.',
  )
  const many = Array.from({ length: 200 }, (_, index) => pledged(index + 1))
  const extras = agreedTerms({ ...agreed, lines: many }, zhCn)
  expect(extras.every((extra) => extra.length <= maxExtra)).toBe(true)
  expect(extras.join('')).toContain(`200 ${renewal}`)
})

test('none of them makes a payment wait for the money of a third party', () => {
  const lines = [{ ...agreed.lines[0], promisesRenewal: true }]
  const extras = agreedTerms({ ...agreed, lines, payment: { cycle: 'end' } }, zhCn)
  const clauses = defaultClauses({ buildingLifting: false, rentUnits: ['M'], payment: { ratio: 70, days: 30 }, extras })
  expect(clauseProblems(clauses, { smeRule: true, lprBp: 300, planStart: '2027-01-01', planEnd: '2027-04-01' })).toEqual([])
})
