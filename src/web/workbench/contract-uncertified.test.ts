import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement, type ComponentType } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { expect, test } from 'vitest'
import { addDays, dayMs, dayOf } from '#shared/calendar.ts'
import { getContract, type Contract } from '#shared/contract/contract.ts'
import { contractStatus, positionStatus, scanState } from '#shared/contract/rules.ts'
import { amendmentWordsOf } from '#shared/text/amendment-words.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { LanguageProvider } from '../app/text.tsx'
import ContractAddPage from './contract-add-page.tsx'
import ContractChangePage from './contract-change-page.tsx'
import { ContractNotices } from './contract/contract-notices.tsx'

const amendment = amendmentWordsOf(zhCn)
const line = { status: positionStatus.waiting, planEnd: addDays(dayOf(new Date()), 3), oddTaxRate: false }
const parts: Partial<Contract> = {
  id: 7,
  status: contractStatus.inForce,
  side: 'lessor',
  may: ['change'],
  signs: true,
  scanState: scanState.matched,
  lines: [line] as Contract['lines'],
  openChange: null,
  lapseBlame: null,
  ending: null,
  marks: [],
  scaleMarks: [],
  problems: [],
  comments: [],
  events: [],
}
const contract = parts as Contract

/** A page about the contract, read by a person of the lessor who may amend it but is not certified. */
function shown(page: ComponentType, query = ''): string {
  const client = new QueryClient()
  client.setQueryData([getContract.url, '7'], contract, { updatedAt: Date.now() + dayMs })
  const inPage = createElement(createRoutesStub([{ path: '/', Component: page }]), { initialEntries: [`/?id=7${query}`] })
  const inQueries = createElement(QueryClientProvider, { client }, inPage)
  return renderToStaticMarkup(createElement(() => LanguageProvider({ initial: zhCn, children: inQueries })))
}

test('a hire that is over is named beside those that end soon, until it is extended or cancelled', () => {
  const over = { ...line, planEnd: dayOf(new Date()) }
  const notices = (lines: object[]) =>
    shown(() => createElement(ContractNotices, { contract: { ...contract, lines: lines as Contract['lines'] } }))
  const { ended, endsSoon } = zhCn.contract.pages
  expect(notices([line])).not.toContain(ended(over.planEnd))
  expect(notices([line, over])).toContain(ended(over.planEnd))
  expect(notices([line, over])).toContain(endsSoon(line.planEnd))
  expect(notices([{ ...over, status: positionStatus.cancelled }])).not.toContain(ended(over.planEnd))
})

test('whoever is not certified is not offered a longer hire', () => {
  const html = shown(() => createElement(ContractNotices, { contract }))
  expect(html).toContain(zhCn.contract.pages.endsSoon(line.planEnd))
  expect(html).not.toContain(`>${zhCn.contract.pages.extend}<`)
})

test('where a link or a draft leads them to more hire all the same, they read that their certification is missing, and not that they have no right', () => {
  for (const html of [shown(ContractChangePage, '&kind=extend'), shown(ContractAddPage)]) {
    expect(html).toContain(amendment.lockedUncertified)
    expect(html).not.toContain(amendment.lockedReader)
  }
  expect(shown(ContractChangePage)).toContain(amendment.choose)
})
