import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Dialog, type DialogKind } from './dialog.tsx'

const question = { open: true, onClose: () => undefined, title: '删除', closeLabel: '关闭', children: '确认删除？' }
const render = (more: { kind?: DialogKind }) => renderToStaticMarkup(createElement(Dialog, { ...question, ...more }))

test.each(['default', 'info', 'success', 'warning', 'error'] as const)('[S8.5] a dialog of the kind %s is marked as such', (kind) => {
  expect(/class="([^"]*)"/.exec(render({ kind }))?.[1]).toBe(`dialog dialog-${kind}`)
})

test('[S8.5] a dialog that names no kind is of the default one', () => {
  expect(render({})).toBe(render({ kind: 'default' }))
})
