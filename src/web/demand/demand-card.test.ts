import { createElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { demandStatus } from '#shared/demand/rules.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { LanguageProvider } from '../app/text.tsx'
import { DemandListItem, DemandTag } from './demand-card.tsx'

const demand = {
  id: 1,
  title: '装载机',
  status: demandStatus.awarded,
  urgent: false,
  regionName: '四川省 成都市',
  regionNameEn: 'Chengdu, Sichuan',
  projectName: '渝昌高铁3标',
  demandCode: 'XQ1',
  quoteDeadline: '2026-11-25 10:00:00',
  planStart: '2026-12-01',
  planEnd: '2027-02-01',
  items: [],
}

const shown = (initial: typeof zhCn, children: ReactNode) =>
  renderToStaticMarkup(createElement(() => LanguageProvider({ initial, children }))).replaceAll(/<[^>]*>/g, '')

test('a demand whose winners have all given up or lapsed is not called partly awarded', () => {
  const tag = (hasWinner: boolean) => shown(zhCn, createElement(DemandTag, { status: demandStatus.awardedPart, hasWinner }))
  expect([tag(false), tag(true)]).toEqual([zhCn.demand.noWinner, zhCn.demand.status['6']])
  expect(shown(zhCn, createElement(DemandTag, { status: demandStatus.failed, hasWinner: false }))).toBe(zhCn.demand.status['7'])
})

test('the card of a demand says as its page does that the last day is not part of the hire', () => {
  const card = createElement(DemandListItem, { demand })
  expect(shown(zhCn, card)).toContain('2026-12-01 – 2027-02-01（不含）')
  expect(shown(en, card)).toContain('2026-12-01 – 2027-02-01 (exclusive)')
})
