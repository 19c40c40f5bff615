import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { Transfer } from '#shared/internal/contract.ts'
import { transferStatus } from '#shared/internal/rules.ts'
import { paths } from '#shared/paths.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { LanguageProvider } from '../../app/text.tsx'
import { TransferItem } from './transfers.tsx'

const asked: Transfer = {
  id: 1,
  transferCode: 'DB1',
  machineName: '856H 装载机',
  machineNameEn: '856H Wheel loader',
  categoryName: '装载机',
  categoryNameEn: 'Wheel loader',
  fromDeptName: '南湖安置房',
  toDeptName: '渝昌高铁5标',
  demandId: null,
  from: '2026-12-20',
  to: '2027-01-20',
  transportBy: 'to',
  transport: '0.00',
  innerPrice: null,
  status: transferStatus.asked,
  note: '',
  reason: '',
  createTime: '2026-11-23 10:00:00',
  may: { agree: true, receive: false, withdraw: false },
}

function shown(change: Partial<Transfer>, initial: typeof zhCn = zhCn): string {
  const item = createElement(TransferItem, { transfer: { ...asked, ...change }, onAnswer: () => undefined, onMove: () => undefined })
  const inPage = createElement(MemoryRouter, null, item)
  return renderToStaticMarkup(createElement(() => LanguageProvider({ initial, children: inPage })))
}

test('the unit that answers a request reads its note; a request of a demand leads to the demand', () => {
  const note = `${zhCn.internal.note}：`
  expect(shown({ note: '须带机手，夜间进场' })).toContain(`${note}须带机手，夜间进场`)
  expect(shown({})).not.toContain(note)
  const ofDemand = shown({ demandId: 7, note: 'XQ1' })
  expect(ofDemand).toContain(`href="${paths.ownDemand(7)}"`)
  expect(ofDemand).not.toContain(note)
})

test('a transfer says what its transport costs and which unit pays it, unless it costs nothing', () => {
  expect(shown({ transport: '3600.00' })).toContain('运费 3,600 元（调入方承担）')
  expect(shown({ transport: '3600.00', transportBy: 'from' }, en)).toContain('transport CNY 3,600, paid by the releasing unit')
  expect(shown({})).not.toContain('运费')
})

test('the day on which a transfer ends is shown as the first that is free again', () => {
  expect(shown({})).toContain(
    '<span class="period"><span class="num">2026-12-20 –</span> <span class="num">2027-01-20（不含）</span></span>',
  )
})
