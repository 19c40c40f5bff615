import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Contract } from '#shared/contract/contract.ts'
import { changeStatus } from '#shared/contract/rules.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { LanguageProvider } from '../../app/text.tsx'
import { ChangeSummary } from './contract-change-summary.tsx'

const line = { lineNo: 1, name: '艾迪 HMB1550 炮锤', nameEn: 'Breaker HMB1550', equipmentCode: 'SB1', rentUnit: 'M' }
const change: Parameters<typeof ChangeSummary>[0]['change'] = {
  kind: 'extend',
  status: changeStatus.sent,
  fromDay: '2026-12-10',
  reason: '工期调整',
  effectiveAt: null,
  confirmBy: null,
  lines: [{ lineNo: 1, name: line.name, before: '2027-03-30', after: '2027-04-14', quantity: null, price: null }],
  added: [],
  clauses: null,
  clausesBefore: null,
  bankName: null,
  bankAccount: null,
  lastDay: null,
  penalty: null,
  amountBefore: '1000.00',
  amountAfter: '1200.00',
}

test.each([
  [zhCn, line.name],
  [en as typeof zhCn, line.nameEn],
])('an amendment names its machine in the language of the page, model and all', (initial, name) => {
  const summary = createElement(ChangeSummary, { change, contract: { lines: [line] } as Contract })
  expect(renderToStaticMarkup(createElement(() => LanguageProvider({ initial, children: summary })))).toContain(`1. ${name}`)
})
