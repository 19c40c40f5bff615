import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { addDays, dayOf } from '#shared/calendar.ts'
import { getWorkPanel, type Task } from '#shared/statistics/panel.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { LanguageProvider } from '../app/text.tsx'
import { TodoList } from './todo-list.tsx'

const task = (kind: Task['kind'], id: string): Task => ({
  kind,
  count: 1,
  link: null,
  items: [{ id, title: 'HT1', detail: '', quotes: null, since: null, due: null, link: '/workbench' }],
})

test('the button of a task says once what is done', () => {
  const client = new QueryClient()
  client.setQueryData([getWorkPanel.url, 0], { tasks: [task('review', '1'), task('contractConfirm', '2'), task('contact', '3')] })
  const labels = (initial: typeof zhCn) => {
    const inPage = createElement(MemoryRouter, null, createElement(QueryClientProvider, { client }, createElement(TodoList)))
    const html = renderToStaticMarkup(createElement(() => LanguageProvider({ initial, children: inPage })))
    return [...html.matchAll(/<a[^>]* aria-label="([^"]*)"/g)].map(([, label]) => label)
  }
  expect(labels(en)).toEqual(['Review HT1', 'Confirm contract HT1', 'Handle: Contact request HT1'])
  expect(labels(zhCn)).toEqual(['去审核：审核 HT1', '去确认：确认合同 HT1', '去处理：合作联系 HT1'])
})

test('a task that is a machine is titled in the language of the reader', () => {
  const client = new QueryClient()
  const [item] = task('papers', '1').items
  if (!item) throw new Error('the task has no item')
  const named = { ...task('papers', '1'), items: [{ ...item, title: '三一 STC250 汽车吊', titleEn: 'SANY STC250 Truck crane' }] }
  client.setQueryData([getWorkPanel.url, 0], { tasks: [named] })
  const shown = (initial: typeof zhCn) => {
    const inPage = createElement(MemoryRouter, null, createElement(QueryClientProvider, { client }, createElement(TodoList)))
    return renderToStaticMarkup(createElement(() => LanguageProvider({ initial, children: inPage })))
  }
  expect(shown(en)).toContain('SANY STC250 Truck crane')
  expect(shown(en)).not.toContain('三一')
  expect(shown(zhCn)).toContain('三一 STC250 汽车吊')
})

test('the day of a document is the one until which it holds, and that of any other task the last one for it', () => {
  const client = new QueryClient()
  const due = addDays(dayOf(new Date()), 30)
  const dueOn = (kind: Task['kind']) => ({ ...task(kind, kind), items: task(kind, kind).items.map((item) => ({ ...item, due })) })
  client.setQueryData([getWorkPanel.url, 0], { tasks: [dueOn('papers'), dueOn('contractNeedsScan'), dueOn('contractChange')] })
  const shown = (initial: typeof zhCn) => {
    const inPage = createElement(MemoryRouter, null, createElement(QueryClientProvider, { client }, createElement(TodoList)))
    const html = renderToStaticMarkup(createElement(() => LanguageProvider({ initial, children: inPage })))
    return [...html.matchAll(/class="small num [^>]*>([^<]*)</g)].map(([, words]) => words).toSorted()
  }
  expect(shown(en)).toEqual([`no later than ${due}`, `no later than ${due}`, `valid to ${due}`])
  expect(shown(zhCn)).toEqual([`不晚于 ${due}`, `不晚于 ${due}`, `有效至 ${due}`])
})
