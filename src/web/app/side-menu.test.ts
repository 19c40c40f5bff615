import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { SideMenu } from './side-menu.tsx'
import { LanguageProvider } from './text.tsx'

afterEach(() => vi.unstubAllGlobals())

/** Of each heading, whether its entries are shown, in the menu of this language. */
function shownGroups(initial: typeof zhCn): string[] {
  const { organization, demand, ceiling } = initial
  const groups = [
    { label: organization.demands, to: '/demands', entries: [{ to: '/demands/list', label: demand.own.list }] },
    { label: organization.supply, entries: [{ to: '/ceilings', label: ceiling.title }] },
    { label: organization.reviews, entries: [{ to: '/reviews', label: organization.reviews }] },
  ]
  const inPage = createElement(MemoryRouter, null, createElement(SideMenu, { title: 'menu', groups }))
  const html = renderToStaticMarkup(createElement(() => LanguageProvider({ initial, children: inPage })))
  return [...html.matchAll(/<button[^>]* aria-expanded="(\w+)"/g)].map(([, shown = '']) => shown)
}

test('a group of the menu stays folded in another language', () => {
  vi.stubGlobal('localStorage', { getItem: () => '/demands\n/ceilings' })
  for (const language of [zhCn, en]) expect(shownGroups(language)).toEqual(['false', 'false', 'true'])
})
