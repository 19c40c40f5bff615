import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { demandStatus, type DemandStatus } from '#shared/demand/rules.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { LanguageProvider } from '../../app/text.tsx'
import { liveRests, RestBefore } from './rest-before.tsx'

const follower = (id: number, status: DemandStatus) => ({ id, demandCode: `XQ${id}`, title: '余量', status })
const shown = (initial: typeof zhCn, statuses: readonly DemandStatus[]) => {
  const rests = liveRests({ followers: statuses.map((status, index) => follower(index + 1, status)) })
  return renderToStaticMarkup(createElement(() => LanguageProvider({ initial, children: createElement(RestBefore, { rests }) })))
}

test('whoever publishes a rest again reads in which demands it was published before, without those that came to nothing', () => {
  const { quoting, rejected, failed, cancelled, completed } = demandStatus
  expect(shown(zhCn, [])).not.toContain('notice')
  expect(shown(zhCn, [rejected, failed, cancelled])).not.toContain('notice')
  const notice = shown(zhCn, [failed, quoting, completed])
  expect(notice).toContain('请核对台数，余量已重新发布过：')
  expect(notice.match(/XQ\d/g)).toEqual(['XQ2', 'XQ3'])
  expect(shown(en, [quoting])).toContain('Check the quantities, because the rest was published before: ')
})
