import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { MoneyField } from './money-field.tsx'

test('an amount from a thousand yuan stands below its field with separators, before the hint', () => {
  const hintOf = (value: string, hint?: string) => {
    const page = renderToStaticMarkup(createElement(MoneyField, { label: '单价', value, hint, onChange: () => undefined }))
    return /class="[^"]*field-hint[^"]*"[^>]*>([^<]*)</.exec(page)?.[1]
  }
  expect([hintOf('1234567.5'), hintOf('28000', '含税'), hintOf('999'), hintOf('999', '含税'), hintOf('十万')]).toEqual([
    '1,234,568',
    '28,000 · 含税',
    undefined,
    '含税',
    undefined,
  ])
})
