import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { LanguageProvider } from '../../app/text.tsx'
import { OwnerTerms } from './owner-terms.tsx'

const shown = (initial: typeof zhCn, demand: Parameters<typeof OwnerTerms>[0]['demand']) =>
  renderToStaticMarkup(createElement(() => LanguageProvider({ initial, children: createElement(OwnerTerms, { demand }) })))

test('the owner of a demand reads its budget and reasons; what is blank is left out', () => {
  const demand = { methodReason: '', internalReason: '集团内无合适设备', budgetLimit: '120000.00' }
  expect(shown(zhCn, demand)).toBe('<p class="small soft">内部调剂情况：集团内无合适设备</p><p class="small soft">预算：120,000 元</p>')
  expect(shown(en, demand)).toContain('Budget: 120,000 CNY')
  expect(shown(zhCn, { methodReason: '', internalReason: '', budgetLimit: null })).toBe('')
})
