import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { expect, test } from 'vitest'
import { getBlacklist, type BlacklistDetail } from '#shared/blacklist/contract.ts'
import { blacklistStatus } from '#shared/blacklist/rules.ts'
import { dayMs, toMoment } from '#shared/calendar.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { LanguageProvider } from '../app/text.tsx'
import BlacklistDetailPage from './blacklist-detail-page.tsx'

const words = zhCn.blacklist

const entry: BlacklistDetail = {
  id: 7,
  blacklistCode: 'HM202611230001',
  subjectKind: 'company',
  companyId: 1,
  companyName: '样本租赁',
  subjectName: '样本租赁',
  subjectNameEn: '样本租赁',
  level: 2,
  scopeName: '',
  reasonCode: 'quit',
  fromDay: '2026-12-01',
  toDay: '2027-12-01',
  status: blacklistStatus.notified,
  createTime: '2026-11-23 10:00:00',
  equipmentId: null,
  personName: '',
  scopeDeptId: null,
  facts: '',
  emergency: false,
  proposer: '',
  answerUntil: toMoment(new Date(Date.now() + dayMs)),
  answer: '',
  answerTime: null,
  decideTime: null,
  decideNote: '',
  version: 1,
  files: [],
  appeals: [],
  events: [],
  may: {
    edit: false,
    notify: false,
    withdraw: false,
    emergency: false,
    decide: false,
    drop: false,
    answer: false,
    appeal: false,
    decideAppeal: false,
    lift: false,
  },
  appealFrom: null,
}

function shown(changes: Partial<BlacklistDetail>): string {
  const client = new QueryClient()
  client.setQueryData([getBlacklist.url, '7'], { ...entry, ...changes })
  const root = { site: { name: '筑机通', nameEn: 'Zhujitong' }, origin: 'https://example.cn' }
  const page = createRoutesStub([{ id: 'root', path: '/', Component: BlacklistDetailPage }])
  const inPage = createElement(page, { initialEntries: ['/?id=7'], hydrationData: { loaderData: { root } } })
  const inQueries = createElement(QueryClientProvider, { client }, inPage)
  return renderToStaticMarkup(createElement(() => LanguageProvider({ initial: zhCn, children: inQueries })))
}

test('a proposal shows the level and period that are proposed, a decided entry those that hold, and a dismissed one neither', () => {
  const level = words.levels[2]
  const said = (status: BlacklistDetail['status']) => {
    const html = shown({ status })
    return [words.proposed(level), level, words.proposedPeriod, words.period].map((one) => html.includes(`>${one}</`))
  }
  for (const status of [blacklistStatus.proposed, blacklistStatus.notified]) expect(said(status)).toEqual([true, false, true, false])
  for (const status of [blacklistStatus.inForce, blacklistStatus.expired]) expect(said(status)).toEqual([false, true, false, true])
  expect(said(blacklistStatus.dropped)).toEqual([false, false, false, false])
})

test('whoever may still respond has not responded yet; after the hearing they did not', () => {
  const said = (changes: Partial<BlacklistDetail>) => [words.noAnswerYet, words.noAnswer].map((one) => shown(changes).includes(one))
  expect(said({})).toEqual([true, false])
  expect(said({ answerUntil: '2026-01-01 10:00:00' })).toEqual([false, true])
  expect(said({ status: blacklistStatus.dropped })).toEqual([false, true])
})
