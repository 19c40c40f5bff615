import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement, type ComponentType } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { expect, test } from 'vitest'
import { getAccount } from '#shared/account/manage.ts'
import { getCompany } from '#shared/company/manage.ts'
import type { Answered } from '#shared/endpoint.ts'
import { paths } from '#shared/paths.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { LanguageProvider } from '../app/text.tsx'
import AccountDetailPage from './account-detail-page.tsx'
import CompanyDetailPage from './company-detail-page.tsx'

const words = zhCn.admin.accounts

/** A page of the console about the object with the id 7, which the call has answered. */
function shown(page: ComponentType, url: string, answer: object): string {
  const client = new QueryClient()
  client.setQueryData([url, '7'], answer)
  const inPage = createElement(createRoutesStub([{ path: '/', Component: page }]), { initialEntries: ['/?id=7'] })
  const inQueries = createElement(QueryClientProvider, { client }, inPage)
  return renderToStaticMarkup(createElement(() => LanguageProvider({ initial: zhCn, children: inQueries })))
}

const account: Answered<typeof getAccount> = {
  userId: 7,
  userName: 'lessor',
  name: '何经理',
  phonenumber: '138****5678',
  userType: '4',
  companyId: 1,
  companyName: '样本租赁',
  deptName: '',
  isAdmin: false,
  duties: [],
  status: '0',
  createTime: '2026-11-01 10:00:00',
  lastSignIn: null,
  version: 1,
  nickName: '',
  auditStatus: '2',
  lockedUntil: null,
  signIns: [],
  sessions: [],
}

test('of an account whose password tries are used up the page says until when, and offers to unlock it as well as to lock it', () => {
  const page = (change: Partial<typeof account>) => shown(AccountDetailPage, getAccount.url, { ...account, ...change })
  const buttons = (html: string) => [words.lock, words.unlock].filter((name) => html.includes(`>${name}</button>`))
  expect(buttons(page({}))).toEqual([words.lock])
  expect(buttons(page({ status: '1' }))).toEqual([words.unlock])
  const mistyped = page({ lockedUntil: '2026-11-23 10:10:00' })
  expect(buttons(mistyped)).toEqual([words.lock, words.unlock])
  expect(mistyped).toContain(words.lockedUntil('2026-11-23 10:10'))
})

const company: Answered<typeof getCompany> = {
  id: 7,
  enterpriseName: '样本租赁',
  creditCode: '91510107DEM012347X',
  isLessor: true,
  isLessee: false,
  lessorAudit: '2',
  lesseeAudit: '0',
  grade: null,
  status: '0',
  regionName: '',
  regionNameEn: '',
  people: 1,
  machines: 1,
  createTime: '2026-11-01 10:00:00',
  lockReason: '',
  contactName: '',
  contactPhone: '',
  legalPerson: '',
  address: '',
  lessorValidTo: null,
  isPublic: true,
  onShelf: 0,
  demands: 0,
  quotes: 0,
  won: 0,
  restrictions: 0,
  contractCount: 0,
  contracts: [],
}

test('the page of a company leads to its public page only where there is one', () => {
  const page = (isPublic: boolean) => shown(CompanyDetailPage, getCompany.url, { ...company, isPublic })
  expect(page(true)).toContain(paths.lessor(7))
  expect(page(false)).not.toContain(paths.lessor(7))
})
