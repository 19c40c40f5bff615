import { createElement, type ComponentType } from 'react'
import { renderToString } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { zhCn } from '#shared/text/zh-cn.ts'
import { SiteFooter } from '../app/shell.tsx'
import { LanguageProvider } from '../app/text.tsx'
import type { Site } from '#shared/site.ts'
import ContactPage from './contact-page.tsx'

const unset: Site = {
  name: '筑机通',
  nameEn: 'Zhujitong',
  company: '',
  address: '',
  icp: '',
  police: '',
  phone: '',
  hours: '',
  apiDocs: false,
}

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

function shown(Component: ComponentType, site: Partial<Site>): string {
  const page = createRoutesStub([{ id: 'root', path: '/', Component }])
  const root = { site: { ...unset, ...site }, origin: 'https://example.cn' }
  const inPage = createElement(page, { hydrationData: { loaderData: { root } } })
  return renderToString(createElement(() => LanguageProvider({ initial: zhCn, children: inPage })))
}

test('phone, hours and address stand on the contact page and in the footer only where they are configured', () => {
  const site = { phone: '400-000-0000', hours: '工作日 9:00–18:00', address: '成都市示例路 1 号' }
  for (const Part of [ContactPage, SiteFooter]) {
    const html = shown(Part, site)
    for (const words of Object.values(site)) expect(html).toContain(words)
    expect(html).toContain('href="tel:400-000-0000"')
    const bare = shown(Part, {})
    expect(bare).not.toContain(zhCn.site.contact.ways)
    for (const words of [zhCn.site.contact.hours, zhCn.site.contact.address, 'tel:']) expect(bare).not.toContain(words)
  }
})

test('the footer leads to help, rules and questions, and to the registers of its record numbers', () => {
  const html = shown(SiteFooter, { icp: '蜀ICP备00000000号-1', police: '川公网安备 51010000000000号' })
  for (const address of ['/help', '/help/faq', '/agreement/rules', '/agreement/terms', '/agreement/privacy', '/contact', '/aboutus'])
    expect(html).toContain(`href="${address}"`)
  expect(html).toContain('href="https://beian.miit.gov.cn/"')
  expect(html).toContain('webSearch?code=51010000000000"')
  expect(shown(SiteFooter, {})).not.toContain('beian')
})

test('the year of the footer is that of Beijing, wherever the page is rendered', () => {
  vi.stubEnv('TZ', 'UTC')
  vi.useFakeTimers({ now: new Date('2026-12-31T18:00:00Z') })
  expect(shown(SiteFooter, {})).toMatch(/© (<!-- -->)?2027/)
})
