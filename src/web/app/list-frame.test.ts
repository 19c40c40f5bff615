import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { expect, test } from 'vitest'
import { zhCn } from '#shared/text/zh-cn.ts'
import { ListFrame } from './list-frame.tsx'
import { LanguageProvider } from './text.tsx'

type Entry = string | { pathname: string; search: string; state: unknown }

function shown(data: { total: number; capped?: boolean; rows: string[] }, entry: Entry = '/'): string {
  const list = { data, isError: false, error: null, fetchStatus: 'idle', refetch: () => undefined } as const
  const frame = { list, title: '设备', empty: '没有', pageSize: 10, children: (rows: readonly string[]) => rows.join(' ') }
  const page = createRoutesStub([{ id: 'root', path: '/', Component: () => createElement(ListFrame<string>, frame) }])
  const root = { site: { name: '筑机通', nameEn: 'Zhujitong' }, origin: 'https://example.cn' }
  const inPage = createElement(page, { initialEntries: [entry], hydrationData: { loaderData: { root } } })
  return renderToStaticMarkup(createElement(() => LanguageProvider({ initial: zhCn, children: inPage })))
}

test('a list says beside its title how many rows it has, or that they are more than it counts', () => {
  const title = (html: string) => /<h1>(.*?)<\/h1>/.exec(html)?.[1]
  expect(title(shown({ total: 1234, rows: ['一'] }))).toContain(zhCn.list.total('1,234'))
  expect(title(shown({ total: 1000, capped: true, rows: ['一'] }))).toContain(zhCn.list.total('1,000+'))
})

test('a list says that its filters are those of the last visit, and not of filters that a link has asked for', () => {
  const one = { total: 1, rows: ['一'] }
  const restored = shown(one, { pathname: '/', search: '?todo=judge', state: { restored: true } })
  expect(restored).toContain(zhCn.search.restored)
  expect(/<a href="([^"]*)"[^>]*>(.*?)<\/a>/.exec(restored)?.slice(1)).toEqual(['/', zhCn.search.clear])
  expect(shown(one, '/?todo=judge')).not.toContain(zhCn.search.restored)
})
