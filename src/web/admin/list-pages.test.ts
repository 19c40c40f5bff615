import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement, type ComponentType } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { expect, test, vi } from 'vitest'
import { listCompanies } from '#shared/company/manage.ts'
import { listReviews } from '#shared/equipment/manage.ts'
import { listAllFeedback } from '#shared/feedback/contract.ts'
import { listOutbox } from '#shared/outbox/contract.ts'
import { listExceptions } from '#shared/statistics/panel.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { LanguageProvider } from '../app/text.tsx'
import { AuditorDesk } from './auditor-desk.tsx'
import CompanyListPage from './company-list-page.tsx'
import EquipmentReviewListPage from './equipment-list-page.tsx'
import FeedbackListPage from './feedback-list-page.tsx'
import OutboxPage from './outbox-page.tsx'

vi.stubGlobal('localStorage', { getItem: () => null })

type Listed = { url: string; query: object; total?: number; rows?: object[] }

/** A page of the console at this address; its list has no rows on this page unless they are given. */
function shown(page: ComponentType, search: string, { url, query, total = 0, rows = [] }: Listed): string {
  const client = new QueryClient()
  client.setQueryData([url, query], { rows, total })
  const inPage = createElement(createRoutesStub([{ path: '/', Component: page }]), { initialEntries: [`/${search}`] })
  const inQueries = createElement(QueryClientProvider, { client }, inPage)
  return renderToStaticMarkup(createElement(() => LanguageProvider({ initial: zhCn, children: inQueries })))
}

/** The addresses of the links that are shown. */
const linksIn = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, to = '']) => to.replaceAll('&amp;', '&'))

test('an auditor comes to every exception, page by page, also of one kind', () => {
  const query = { kind: 'single', pageSize: 10 }
  const html = shown(AuditorDesk, '?kind=single', { url: listExceptions.url, query, total: 260 })
  expect(linksIn(html)).toEqual(expect.arrayContaining(['?kind=single&pageNum=26', '?kind=sameDay', '?']))
})

test('from the menu the failed SMS are one click away, and a search among them stays with them', () => {
  const all = shown(OutboxPage, '', { url: listOutbox.url, query: { pageSize: 20 } })
  expect(linksIn(all)).toContain('?todo=1')
  const failed = shown(OutboxPage, '?todo=1', { url: listOutbox.url, query: { todo: '1', pageSize: 20 } })
  expect(failed).toContain('<input type="hidden" name="todo" value="1"/>')
})

test('feedback is searched within the state that is shown, and the search goes on in the others', () => {
  const query = { status: '3', keyword: 'FK2026', pageSize: 10 }
  const html = shown(FeedbackListPage, '?status=3&keyword=FK2026', { url: listAllFeedback.url, query })
  expect(html).toContain(zhCn.personal.feedback.keyword)
  expect(html).toContain('<input type="hidden" name="status" value="3"/>')
  expect(linksIn(html)).toEqual(expect.arrayContaining(['?keyword=FK2026', '?status=0&keyword=FK2026']))
})

test('the console looks for a machine in each of its lists, also among all on the shelf', () => {
  const query = { keyword: 'SB20261123', pageSize: 20 }
  const html = shown(EquipmentReviewListPage, '?keyword=SB20261123', { url: listReviews.url, query })
  expect(html).toContain(zhCn.admin.equipment.keyword)
  expect(linksIn(html)).toContain('?keyword=SB20261123&scope=on')
})

test('a company that is not certified is told by words from one that is', () => {
  const company = { id: 1, enterpriseName: '', creditCode: '', grade: null, people: 0, machines: 0, status: '0', createTime: '' }
  const place = { regionName: '', regionNameEn: '', provinceId: null, cityId: null }
  const rows = [{ ...company, ...place, isLessor: true, lessorAudit: '2', isLessee: true, lesseeAudit: null }]
  const html = shown(CompanyListPage, '', { url: listCompanies.url, query: { pageSize: 20 }, total: 1, rows })
  const { kinds, audit } = zhCn.admin.companies
  expect(html).toContain(`>${kinds.lessor}</span>`)
  expect(html.replaceAll('<!-- -->', '')).toContain(`>${kinds.lessee} · ${audit['0']}</span>`)
})
