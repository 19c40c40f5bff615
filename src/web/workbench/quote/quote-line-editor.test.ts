import { QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { DemandItem } from '#shared/demand/contract.ts'
import { QuoteInput, QuoteLineInput } from '#shared/quote/contract.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { useCallForm } from '../../app/call-form.ts'
import { openForm } from '../../app/form-values.ts'
import { queries } from '../../app/queries.ts'
import { LanguageProvider } from '../../app/text.tsx'
import { QuoteLineEditor } from './quote-line-editor.tsx'
import type { Candidate } from './quote-line.ts'

const found = { id: 7, lineNo: 1, qty: 1, rentUnit: 'M', specRequirements: [], planStart: '2026-12-13', planEnd: '2027-03-13' }
const item = JSON.parse(JSON.stringify(found)) as DemandItem

type Offered = { qty?: number; machines?: { equipmentId: number; qty: number }[]; candidates?: readonly Candidate[] }

function shown(initial: typeof zhCn, { qty = 1, machines = [], candidates = [] }: Offered = {}): string {
  const Line = () => {
    const line = { ...openForm(QuoteLineInput, { demandItemId: 7, machines }), included: true }
    const form = useCallForm({ schema: QuoteInput, values: { ...openForm(QuoteInput), lines: [line] } })
    const demand = { operatorBy: 'lessor', fuelBy: 'lessee' } as const
    return createElement(QuoteLineEditor, { form, index: 0, item: { ...item, qty }, demand, candidates, ceiling: undefined })
  }
  const children = createElement(QueryClientProvider, { client: queries }, createElement(Line))
  return renderToStaticMarkup(createElement(() => LanguageProvider({ initial, children })))
}

test('beside driver and fuel a lessor reads which side the demand names', () => {
  expect(shown(zhCn)).toMatch(/含机手 <span[^>]*>需求：出租方承担<.*含油料 <span[^>]*>需求：承租方承担</s)
  expect(shown(en)).toMatch(
    /With driver <span[^>]*>\(the demand asks it of: Lessor\)<.*With fuel <span[^>]*>\(the demand asks it of: Lessee\)</s,
  )
})

test('another machine can take the place of the only one asked for; where several are asked for and chosen, the others say why they cannot be ticked', () => {
  const candidates = [1, 2, 3].map((id) => {
    const machine = { id, name: `M${id}`, equipmentCode: '', outFactoryDate: '2024-01-01', misses: [], shortPapers: [], freeQty: 1 }
    return JSON.parse(JSON.stringify(machine)) as Candidate
  })
  const boxes = (qty: number) => {
    const machines = candidates.slice(0, qty).map(({ id }) => ({ equipmentId: id, qty: 1 }))
    const page = shown(zhCn, { qty, machines, candidates })
    return [page.split('disabled=""').length - 1, page.split(zhCn.quote.form.full).length - 1]
  }
  expect([boxes(1), boxes(2)]).toEqual([
    [0, 0],
    [1, 1],
  ])
})
