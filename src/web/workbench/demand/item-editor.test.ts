import { QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { PublishInput } from '#shared/demand/input.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { useCallForm } from '../../app/call-form.ts'
import { queries } from '../../app/queries.ts'
import { LanguageProvider } from '../../app/text.tsx'
import { fromDraft, type ItemForm } from './draft.ts'
import { ItemEditor } from './item-editor.tsx'

/** The line of a new demand. */
function shown(planStart: string, quoteDeadline: string, more: Partial<ItemForm> = {}): string {
  const Line = () => {
    const form = useCallForm({ schema: PublishInput, values: fromDraft({ quoteDeadline, items: [{ planStart, ...more }] }) })
    return createElement(ItemEditor, { form, index: 0, listed: null, onCopy: () => undefined, onRemove: null })
  }
  const children = createElement(QueryClientProvider, { client: queries }, createElement(Line))
  return renderToStaticMarkup(createElement(() => LanguageProvider({ initial: zhCn, children })))
}

test('a line that starts before its demand can be awarded says so', () => {
  expect(shown('2026-12-01', '2026-12-01 17:00:00')).toContain(zhCn.demand.form.startEarly)
  expect(shown('2026-12-05', '2026-12-01 17:00:00')).not.toContain(zhCn.demand.form.startEarly)
})

test('what is seldom asked of a machine is folded away, and shown where it is asked', () => {
  const isOpen = (more: Partial<ItemForm>) => shown('2026-12-05', '2026-12-01 17:00:00', more).includes('<details open')
  expect([isOpen({}), isOpen({ maxAgeYears: '8' }), isOpen({ remark: '须带破碎锤' })]).toEqual([false, true, true])
})
