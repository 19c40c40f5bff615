import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { WholeDays } from './whole-days.tsx'

test('each date of a text stays whole, and its other words break', () => {
  const html = renderToStaticMarkup(createElement(WholeDays, { text: 'from 2026-12-01 to 2027-05-07, HT202611280001' }))
  expect(html).toBe('from <span class="unbroken">2026-12-01</span> to <span class="unbroken">2027-05-07</span>, HT202611280001')
})
