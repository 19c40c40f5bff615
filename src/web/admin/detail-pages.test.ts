import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement, type ComponentType } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { expect, test, vi } from 'vitest'
import { getAccount } from '#shared/account/manage.ts'
import { dayMs } from '#shared/calendar.ts'
import { getCompany } from '#shared/company/manage.ts'
import type { Answered } from '#shared/endpoint.ts'
import { getReview } from '#shared/equipment/manage.ts'
import { changeStatus } from '#shared/equipment/rules.ts'
import { paths } from '#shared/paths.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { LanguageProvider } from '../app/text.tsx'
import AccountDetailPage from './account-detail-page.tsx'
import CompanyDetailPage from './company-detail-page.tsx'
import EquipmentReviewPage from './equipment-review-page.tsx'

const words = zhCn.admin.accounts
// The shortcuts of a review are on unless this browser has switched them off.
vi.stubGlobal('localStorage', { getItem: () => null })

/** A page of the console about the object with the id 7, which the call has answered. */
function shown(page: ComponentType, url: string, answer: object): string {
  const client = new QueryClient()
  // A page that decides about the object shows only an answer that has come since it was opened.
  client.setQueryData([url, '7'], answer, { updatedAt: Date.now() + dayMs })
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

test('the page of an account names its company and its unit, and nothing for whoever has none', () => {
  const page = (change: Partial<typeof account>) =>
    shown(AccountDetailPage, getAccount.url, { ...account, ...change }).replaceAll('<!-- -->', '')
  expect(page({ deptName: '第三项目部' })).toContain('样本租赁 · 第三项目部</dd>')
  expect(page({ companyId: null, companyName: '' })).not.toContain(`<dt>${words.company}</dt>`)
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

const machine: Answered<typeof getReview> = {
  id: 7,
  equipmentCode: 'ZJ000007',
  name: '柳工 856H',
  brand: '柳工',
  brandEn: 'LiuGong',
  model: '856H',
  categoryName: '轮式装载机',
  categoryNameEn: 'Wheel loader',
  fatherCategoryId: 100,
  categoryId: 106,
  specs: {},
  outFactoryDate: '2022-03-05',
  workHours: 4321,
  emissionStage: 'none',
  provinceId: 510_000,
  cityId: 510_100,
  districtId: null,
  regionName: '四川省成都市',
  regionNameEn: 'Chengdu, Sichuan',
  isLot: true,
  totalQty: 500,
  rentStatus: '0',
  monthPrice: null,
  prices: [
    {
      rentUnit: 'M',
      price: '23000.00',
      withOperator: true,
      fuelBy: 'lessee',
      taxRate: 9,
      shiftMode: 'single',
      minRentDays: 0,
      validTo: '2027-01-31',
    },
  ],
  cover: null,
  companyId: 1,
  companyName: '样本租赁',
  companyGrade: null,
  confirmedAt: '2026-11-01 10:00:00',
  distanceKm: null,
  manufacturer: '柳工集团',
  description: '另有三十台，电话见说明',
  auditStatus: '2',
  auditReason: '',
  shelfStatus: '1',
  trusted: false,
  offReason: '',
  version: 1,
  factoryNo: null,
  ownership: 'own',
  originalValue: '987654.00',
  envCode: null,
  plateNo: null,
  vin: null,
  deviceCode: 'DC-77',
  registrationNo: '',
  registrationOffice: '成都市监局',
  filingNo: '',
  filingOffice: '成都住建局',
  yardAddress: '',
  transportNote: '进场自理',
  rentCycles: [],
  papers: [],
  images: [],
  blocks: [],
  change: null,
  events: [],
  duplicates: [],
}

test('the reviewer of a machine reads whatever becomes public with it, and not what it cost its lessor', () => {
  const page = shown(EquipmentReviewPage, getReview.url, machine)
  const { manufacturer, description, deviceCode, registrationOffice, filingOffice, transportNote } = machine
  for (const value of [manufacturer, description, deviceCode, registrationOffice, filingOffice, transportNote, '4,321', '500'])
    expect(page).toContain(value)
  const { equipment, quote } = zhCn
  expect(page).toContain(
    `${quote.form.taxRate} 9% · ${equipment.fuelBy.lessee} · ${equipment.withOperator} · ${equipment.paperValid('2027-01-31')}`,
  )
  expect(page).not.toContain('987,654')
})

test('the reviewer of a machine tells the grades of lessors apart by their colour', () => {
  const tag = (companyGrade: string) => shown(EquipmentReviewPage, getReview.url, { ...machine, companyGrade })
  expect(tag('A')).toContain(`tag-good">${zhCn.equipment.grade('A')}`)
  expect(tag('B')).toContain(`tag-blue">${zhCn.equipment.grade('B')}`)
})

test('a machine is taken down also while a change of it waits', () => {
  const change = { id: 1, status: changeStatus.waiting, submitTime: '', reason: '', fields: [], papers: [], categoryWaits: false }
  const { takeDown } = zhCn.admin.equipment
  const withButton = (one: typeof machine) => shown(EquipmentReviewPage, getReview.url, one).includes(`>${takeDown}</button>`)
  expect(withButton({ ...machine, change })).toBe(true)
  expect(withButton({ ...machine, auditStatus: '1' })).toBe(false)
})
