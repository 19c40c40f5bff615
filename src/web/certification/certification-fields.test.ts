import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { zhCn } from '#shared/text/zh-cn.ts'
import { LanguageProvider } from '../app/text.tsx'
import { CertificationFacts } from './certification-fields.tsx'

function shown(form: Record<string, unknown>): string {
  const facts = createElement(CertificationFacts, { kind: 'rentout', form })
  const children = createElement(QueryClientProvider, { client: new QueryClient() }, facts)
  return renderToStaticMarkup(createElement(() => LanguageProvider({ initial: zhCn, children })))
}

test('the amounts of a certification have separators and each fen that was typed; codes have none', () => {
  const html = shown({ regCapital: 12_000, fleetSize: '1250', legalPersonPhone: '13900000001' })
  for (const value of ['12,000', '1,250', '13900000001']) expect(html).toContain(`>${value}<`)
  expect(shown({ regCapital: '12000.123456' })).toContain('12,000.123456')
  expect(shown({ regCapital: 0 })).toContain('>0<')
})
