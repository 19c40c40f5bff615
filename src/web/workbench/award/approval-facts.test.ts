import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { OwnDemand } from '#shared/demand/contract.ts'
import { demandStatus, demandType } from '#shared/demand/rules.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { LanguageProvider } from '../../app/text.tsx'
import { ApprovalFacts } from './approval-facts.tsx'

const check = { machineId: 1, deptName: '南湖安置房', distanceKm: 3, take: true, reason: '' }
const demand = {
  status: demandStatus.submitted,
  demandType: demandType.public,
  mayApprove: true,
  items: [],
  ceilings: {},
  budgetLimit: null,
  internalCheck: [
    { ...check, name: '柳工 856H 装载机', nameEn: 'LiuGong 856H Wheel loader' },
    { ...check, machineId: 2, name: '以前的装载机' },
  ],
}

const shown = (initial: typeof zhCn) => {
  const children = createElement(ApprovalFacts, { demand: JSON.parse(JSON.stringify(demand)) as OwnDemand })
  return renderToStaticMarkup(createElement(() => LanguageProvider({ initial, children })))
}

test('whoever approves a demand reads the idle machines by name in their language, those of earlier demands by their own name', () => {
  expect(shown(zhCn)).toContain('柳工 856H 装载机 · 南湖安置房')
  expect(shown(en)).toContain('LiuGong 856H Wheel loader · 南湖安置房')
  expect(shown(en)).toContain('以前的装载机 · 南湖安置房')
})
