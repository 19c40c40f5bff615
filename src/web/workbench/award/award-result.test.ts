import { createElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { toMoment } from '#shared/calendar.ts'
import { contractStatus } from '#shared/contract/rules.ts'
import type { OwnDemand } from '#shared/demand/contract.ts'
import { giveUpHours } from '#shared/quote/rules.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { LanguageProvider } from '../../app/text.tsx'
import { Decision, OverBudget } from './award-result.tsx'

const shown = (initial: typeof zhCn, children: ReactNode) =>
  renderToStaticMarkup(createElement(() => LanguageProvider({ initial, children })))

test('an award names the next steps while a winner waits for their contract, and says where no winner is left', () => {
  const { awardNext, awardSend, awardGone, awardTitle, mayGiveUp } = zhCn.quote.compare
  const line = { demandItemId: 1, quoteLineId: 1, qty: 1, companyName: '', net: '100.00', reason: '', machines: [] }
  const award = { at: toMoment(new Date()), who: '孙样本', net: '100.00', lines: [line] }
  const decided = (
    given: Partial<typeof award>,
    contracts: (string | null)[],
    { acceptedAt = '' as string | null, mayMake = true } = {},
  ) => {
    const lessors = contracts.map((status, id) => ({ acceptedAt, contract: status && { id, contractCode: `HT${id}`, status } }))
    const demand = JSON.parse(JSON.stringify({ items: [], contracts: { lessors } })) as OwnDemand
    const decision = createElement(Decision, { demand, cells: [], award: { ...award, ...given }, mayMake })
    return shown(zhCn, createElement(MemoryRouter, null, decision))
  }
  const steps = (...given: Parameters<typeof decided>) => {
    const html = decided(...given)
    return [awardNext, awardSend, mayGiveUp(giveUpHours)].map((words) => html.includes(words))
  }
  expect(steps({}, [contractStatus.inForce, null])).toEqual([true, false, false])
  expect(steps({}, [contractStatus.draft])).toEqual([false, true, false])
  expect(decided({}, [null, contractStatus.draft])).toContain('>HT1</a>')
  expect(steps({}, [null], { acceptedAt: null })).toEqual([true, false, true])
  expect(steps({ at: '2026-01-01 10:00:00' }, [null], { acceptedAt: null })).toEqual([true, false, false])
  expect(steps({}, [null, contractStatus.draft], { mayMake: false })).toEqual([false, false, false])
  expect(steps({}, [contractStatus.sent, contractStatus.inForce])).toEqual([false, false, false])
  const gone = decided({ lines: [] }, [])
  expect([gone.includes(awardGone), gone.includes(awardTitle)]).toEqual([true, false])
})

test('a choice that costs more than the budget says by how much, with tax and for the machines that are chosen', () => {
  const quotes = [{ lines: [{ id: 1, qty: 3, grossCost: '300000.00' }] }, { lines: [{ id: 2, qty: 1, grossCost: '50000.00' }] }]
  const picks = [
    { quoteLineId: 1, qty: 2 },
    { quoteLineId: 2, qty: 1 },
  ]
  const said = (budgetLimit: string | null, initial = zhCn) =>
    shown(initial, createElement(OverBudget, { demand: { budgetLimit }, quotes, picks }))
  expect(said('120000.00')).toContain('到场含税 250,000.00 元（含自配机手和自理油料的估算），高于预算 130,000.00 元')
  expect(said('120000.00', en)).toContain('as estimated), 130,000.00 CNY above the budget')
  expect([said('250000.00'), said(null)]).toEqual(['', ''])
})
