import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { demandStatus, demandType } from '#shared/demand/rules.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { LanguageProvider } from '../../app/text.tsx'
import { StatusNotice } from './demand-status-notice.tsx'

test('whoever may not open a demand does not read that they may', () => {
  const { receivedOpen, openWaits } = zhCn.demand.own
  const demand = {
    status: demandStatus.quoting,
    demandType: demandType.public,
    sealed: false,
    quoteDeadline: '2100-01-01 10:00:00',
    isToldShort: false,
    quoteCount: 0,
    minQuotes: 3,
    notifiedCount: null,
    mayApprove: false,
    events: [],
  }
  const notice = createElement(StatusNotice, { demand, button: () => null })
  const html = renderToStaticMarkup(createElement(() => LanguageProvider({ initial: zhCn, children: notice })))
  expect(html).toContain(`<span>${openWaits(null)}</span>`)
  expect(html).not.toContain(receivedOpen)
})
