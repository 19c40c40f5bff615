import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { ContractChange } from '#shared/contract/changes.ts'
import type { Contract } from '#shared/contract/contract.ts'
import { changeHindrances, changeStatus, contractApproval } from '#shared/contract/rules.ts'
import { amendmentWordsOf } from '#shared/text/amendment-words.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { LanguageProvider } from '../../app/text.tsx'
import { ChangeCard } from './contract-changes.tsx'

const words = amendmentWordsOf(zhCn)
const longer: ContractChange = {
  id: 1,
  changeCode: 'BC1',
  kind: 'extend',
  side: 'lessor',
  status: changeStatus.sent,
  fromDay: '2026-12-10',
  reason: '工期调整',
  answer: '',
  createTime: '2026-11-23 10:00:00',
  answeredAt: null,
  effectiveAt: null,
  lines: [],
  added: [],
  clauses: null,
  clausesBefore: null,
  bankName: null,
  bankAccount: null,
  lastDay: null,
  penalty: null,
  amountBefore: '1000.00',
  amountAfter: '1200.00',
  confirmBy: null,
  aboveCeiling: [],
  hindrances: [],
  approval: contractApproval.none,
  may: ['refuse'],
}

const line = { lineNo: 1, name: '艾迪 HMB1550 炮锤', nameEn: 'Breaker HMB1550', equipmentCode: 'SB1', rentUnit: 'M' }

function shown(change: Partial<ContractChange>, side: Contract['side'] = 'lessee', initial = zhCn): string {
  const contract = { id: 1, side, signs: false, lines: [line] as Contract['lines'] } as Contract
  const card = createElement(ChangeCard, { change: { ...longer, ...change }, contract, onAnswer: () => undefined })
  const inPage = createElement(MemoryRouter, null, card)
  const inQueries = createElement(QueryClientProvider, { client: new QueryClient() }, inPage)
  return renderToStaticMarkup(createElement(() => LanguageProvider({ initial, children: inQueries })))
}

test('that the signers confirm an amendment is said only where it can be confirmed', () => {
  expect(shown({})).toContain(words.confirmBySigner)
  for (const hindrance of changeHindrances) expect(shown({ hindrances: [hindrance] }), hindrance).not.toContain(words.confirmBySigner)
})

test('of a longer hire whose proposer is no longer certified, that side reads about itself, and the other one about that side', () => {
  const own = shown({ hindrances: ['proposerUncertified'], may: ['recall'] }, 'lessor')
  expect([own.includes(words.uncertifiedOwn), own.includes(words.uncertifiedOther)]).toEqual([true, false])
  for (const side of ['lessee', null] as const) {
    const other = shown({ hindrances: ['proposerUncertified'] }, side)
    expect([other.includes(words.uncertifiedOwn), other.includes(words.uncertifiedOther)]).toEqual([false, true])
  }
})

test('of a longer hire that the other side has not seen, the side that is no longer certified does not read that the other side can confirm it', () => {
  const card = shown({ status: changeStatus.draft, side: 'lessee', hindrances: ['proposerUncertified'], may: ['recall'] })
  expect(card).toContain(words.uncertifiedOwn)
  expect(card).not.toContain('对方可以确认')
})

test('either side downloads an amendment that it reads, to seal it or to file it', () => {
  for (const side of ['lessee', 'lessor'] as const) expect(shown({}, side)).toContain(`>${zhCn.contract.pages.pdf}</button>`)
})

test('the parts of a changed value are one child of their cell, so that on a phone they stand below each other', () => {
  const until = { lineNo: 1, name: line.name, before: '2027-03-30', after: '2027-04-14', price: null }
  const card = shown({ lines: [{ ...until, quantity: { before: 100, after: 114 } }] })
  const cells = [...card.matchAll(/<td class="num right"[^>]*>(.*?)<\/td>/g)].map(([, inner]) => inner)
  expect(cells).toEqual([
    expect.stringMatching(/^<span><span.*100.*<\/span><\/span>$/),
    expect.stringMatching(/^<span><strong>.*114.*<\/span><\/span>$/),
  ])
})

test.each([
  [zhCn, line.name],
  [en as typeof zhCn, line.nameEn],
])('an amendment names its machine in the language of the page, model and all', (language, name) => {
  const until = { lineNo: 1, name: line.name, before: '2027-03-30', after: '2027-04-14', quantity: null, price: null }
  expect(shown({ lines: [until] }, 'lessee', language)).toContain(`1. ${name}`)
})
