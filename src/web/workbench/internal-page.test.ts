import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { expect, test } from 'vitest'
import { zhCn } from '#shared/text/zh-cn.ts'
import { LanguageProvider } from '../app/text.tsx'
import InternalPage from './internal-page.tsx'

function shown(query: string): string {
  const page = createRoutesStub([{ id: 'root', path: '/', Component: InternalPage }])
  const root = { site: { name: '筑机通', nameEn: 'Zhujitong' }, origin: 'https://example.cn' }
  const inPage = createElement(page, { initialEntries: [`/${query}`], hydrationData: { loaderData: { root } } })
  const inQueries = createElement(QueryClientProvider, { client: new QueryClient() }, inPage)
  return renderToString(createElement(() => LanguageProvider({ initial: zhCn, children: inQueries })))
}

test('the idle machines of the group are narrowed to a category, in the tab that is open and stays when they are reset; transfers are not', () => {
  for (const tab of ['idle', 'mine']) {
    const html = shown(`?tab=${tab}`)
    expect(html).toContain('name="categoryId"')
    expect(html).toContain(`name="tab" value="${tab}"`)
  }
  const html = shown('?tab=mine&categoryId=1')
  expect(html).toContain('href="/?tab=mine"')
  expect(/<summary>(.*?)<\/summary>/.exec(html)?.[1]?.replaceAll('<!-- -->', '')).toBe(`${zhCn.site.common.filters} (1)`)
  expect(shown('?tab=transfers')).not.toContain('name="categoryId"')
})
