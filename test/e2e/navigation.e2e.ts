import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { zhCn } from '#shared/text/zh-cn.ts'
import { showIn } from './inspect.ts'
import { go, openUserMenu, settled, startProduct } from './product.ts'
import { publicIds } from './public-ids.ts'

const product = await startProduct()
afterAll(() => product.close())

const [demandId, machineId, , articleId] = await publicIds(product)

describe('navigation', () => {
  test('[S2.1][S2.3][S2.5][S2.7] home fetches no code of the private areas; a navigation shows its progress; seven tabs follow the path', async () => {
    const visitor = await product.visit()
    const fetched: string[] = []
    visitor.page.on('request', (request) => fetched.push(request.url()))
    await visitor.page.goto('/')
    await settled(visitor.page)
    const sources = await Promise.all(fetched.filter((url) => url.endsWith('.js')).map((url) => fetch(url).then((answer) => answer.text())))
    expect(sources.length).toBeGreaterThan(3)
    const ofPrivateAreas = ['private-title', 'picker-list', 'action-bar']
    for (const source of sources) for (const name of ofPrivateAreas) expect(source).not.toContain(name)
    const assets = fileURLToPath(new URL('../../build/client/assets', import.meta.url))
    const built = readdirSync(assets).filter((name) => name.endsWith('.js'))
    const code = built.map((name) => readFileSync(join(assets, name), 'utf8')).join('\n')
    for (const name of ofPrivateAreas) expect(code).toContain(name)
    await expectProgress(visitor.page)
    await expectTabs(visitor.page)
    await visitor.close()
  })

  test('[S2.3][S3.3] six layouts: with and without the navigation, sign-in card, side menus, not found; the filters of each list stay', async () => {
    const visitor = await product.visit({ user: 'project' })
    const { page } = visitor
    const parts = async (path: string) => {
      await go(page, path)
      const has = async (selector: string) => (await page.locator(selector).count()) > 0
      return [await has('.site-nav'), await has('.site-footer'), await has('.login-card'), await has('.private aside nav')]
    }
    expect(await parts('/notice')).toEqual([true, true, false, false])
    for (const path of ['/login', '/register', '/updatepassword']) expect(await parts(path)).toEqual([false, false, true, false])
    expect(await parts('/agreement/terms')).toEqual([false, false, false, false])
    expect(await parts('/personal')).toEqual([true, false, false, true])
    expect(await page.locator('.private-title').textContent()).toBe(zhCn.account.personal.title)
    expect(await parts('/workbench/requirement/list')).toEqual([true, false, false, true])
    expect(await page.locator('.private-title').textContent()).toBe(zhCn.site.action.workbench)
    await go(page, '/nothing/here')
    await page.getByRole('heading', { name: zhCn.site.notFound.title }).waitFor()
    await expectFilters(page)
    await visitor.close()
  })

  test('[S2.16][S2.14][S3.1][S7.2] the five tabs of the personal centre in their order; my info is a page and no tab, and changes the name one is shown by', async () => {
    const visitor = await product.visit({ user: 'lessor' })
    const { page } = visitor
    await go(page, '/personal')
    const tabs = async () => (await page.locator('aside nav a').allTextContents()).map((words) => words.replace(/\d+$/, ''))
    expect((await tabs()).slice(0, 5)).toEqual(['工作面板', '账号安全', '消息管理', '系统反馈', '我的认证'])
    const active = page.locator('aside nav a[aria-current=page]')
    await active.filter({ hasText: '工作面板' }).waitFor()
    for (const [path, label] of [
      ['/personal/safety/updatephone', '账号安全'],
      ['/personal/aboutme', '消息管理'],
      ['/personal/myapprove/rentout', '我的认证'],
    ] as const) {
      await go(page, path)
      await active.filter({ hasText: label }).waitFor()
    }
    await go(page, '/personal/myinfo')
    await page.getByRole('heading', { name: zhCn.account.personal.info }).waitFor()
    expect(await active.count()).toBe(0)
    await page.getByLabel(zhCn.account.personal.nickName).fill('老赵')
    await page.getByRole('button', { name: zhCn.site.common.save }).click()
    await (await openUserMenu(page)).locator('strong', { hasText: '老赵' }).waitFor()
    // Before certification a person is named as the product, which is no name to save.
    const newcomer = await product.visit({ user: 'newcomer' })
    await go(newcomer.page, '/personal/myinfo')
    const menu = await openUserMenu(newcomer.page)
    await menu.locator('strong', { hasText: '筑机通' }).waitFor()
    await menu.getByText(/^144\*{4}\d{4}$/).waitFor()
    await newcomer.page.keyboard.press('Escape')
    const nickName = newcomer.page.getByLabel(zhCn.account.personal.nickName)
    expect(await nickName.inputValue()).toBe('')
    await nickName.fill('老钱')
    await newcomer.page.getByRole('button', { name: zhCn.site.common.save }).click()
    await (await openUserMenu(newcomer.page)).locator('strong', { hasText: '老钱' }).waitFor()
    await newcomer.close()
    // The page is reached through the person's own menu.
    await go(page, '/')
    await (await openUserMenu(page)).getByRole('link', { name: zhCn.account.personal.info }).click()
    await page.waitForURL('**/personal/myinfo')
    await visitor.close()
  })

  test('[S2.10] the work panel lists what waits with one button each, leads to their lists, and shows the latest messages', async () => {
    const waits: [string, RegExp, RegExp][] = [
      ['project', /待定标的需求/, /\/workbench\/requirement\/list\?todo=judge/],
      ['lessor', /可报价的需求/, /\/workbench\/crequirement/],
    ]
    for (const [user, task, address] of waits) {
      const visitor = await product.visit({ user, width: 375 })
      await go(visitor.page, '/personal')
      const link = visitor.page.getByRole('link', { name: task })
      await link.waitFor()
      expect(Number(await link.locator('strong').textContent())).toBeGreaterThan(0)
      // Each object has one button, whose name says what is done with which.
      expect(await visitor.page.locator('.todo').first().getByRole('link').count()).toBe(1)
      expect(await visitor.page.locator('.articles li').count()).toBe(5)
      await link.click()
      await visitor.page.waitForURL(address)
      await visitor.close()
    }
  })

  test('[S2.6] anchors of the about page scroll to their offsets, where each heading shows; other pages to the top, back to where one was', async () => {
    const visitor = await product.visit({ width: 375 })
    const { page } = visitor
    const standsAt = (wanted: number) => page.waitForFunction((top) => Math.abs(window.scrollY - top) <= 1, wanted)
    await page.goto('/aboutus#hxtd')
    await standsAt(1860)
    // Whoever reloads finds the page where they left it.
    await page.evaluate(() => window.scrollTo(0, 200))
    await page.reload()
    await settled(page)
    await standsAt(200)
    // Pressed again after one has scrolled away, it leads there again; whoever goes back finds the page where they left it.
    await go(page, '/aboutus')
    const tab = (hash: string) => page.locator(`.about-top .tabs a[href$="${hash}"]`)
    for (let n = 1; n <= 2; n++) {
      await page.evaluate(() => window.scrollTo(0, 0))
      await tab('#jyln').click()
      await standsAt(1060)
    }
    await page.evaluate(() => window.scrollTo(0, 200))
    await tab('#ppln').evaluate((link) => (link as HTMLElement).click())
    await standsAt(560)
    await page.goBack()
    await standsAt(200)
    expect(new URL(page.url()).hash).toBe('#jyln')
    await page.goForward()
    await standsAt(560)
    await go(page, '/notice')
    await page.evaluate(() => window.scrollTo(0, 300))
    await page.locator('.articles a').last().click()
    await page.waitForURL(/notice\/detail/)
    await page.waitForFunction(() => window.scrollY === 0)
    await page.goBack()
    await page.waitForFunction(() => window.scrollY > 200)
    await expectHeadings(page)
    await visitor.close()
  })

  test('[S2.8] an address of a private area leads to /login without a token, and those that are there back after it', async () => {
    const { page, close } = await product.visit()
    const asksToSignIn = (path: string) =>
      expect
        .poll(() => new URL(page.url()).pathname + new URL(page.url()).search, { message: path })
        .toBe(`/login?redirect=${encodeURIComponent(path)}`)
    // Which addresses these are stands in the tests of the rules.
    await page.goto('/nothing/supplier/detail')
    await asksToSignIn('/nothing/supplier/detail')
    for (const path of ['/workbench', '/workbench/organization', '/workbench/nothing/here', `/demand/detail?id=${demandId}`]) {
      await page.goto(path)
      await asksToSignIn(path)
      await page.getByRole('button', { name: zhCn.account.kinds.project }).click()
      // The parents lead a project department on, and the parent that is closed to it leads home.
      const goal = { '/workbench': '/workbench/requirement/list', '/workbench/organization': '/' }[path] ?? path
      await expect.poll(() => page.url().slice(product.origin.length), { message: path }).toBe(goal)
      await page.evaluate(() => localStorage.clear())
    }
    await close()
  })
})

/** Seven tabs in their order; the active one follows the path, details included. */
async function expectTabs(page: Page) {
  await go(page, '/')
  const active = page.locator('.site-nav a[aria-current=page]')
  expect(await active.allTextContents()).toEqual(['首页'])
  expect(await page.locator('.site-nav a').allTextContents()).toEqual([
    '首页',
    '需求库',
    '设备库',
    '出租方库',
    '信息中心',
    '关于我们',
    '合作联系',
  ])
  for (const [path, label] of [
    [`/notice/detail?id=${articleId}`, '信息中心'],
    [`/supplier/equdetail?id=${machineId}`, '出租方库'],
    ['/equipment', '设备库'],
  ] as const) {
    await go(page, path)
    expect(await active.allTextContents()).toEqual([label])
  }
}

/** A progress bar shows while a navigation is under way, and goes when it ends or fails. */
async function expectProgress(page: Page) {
  let release: () => void = () => undefined
  const held = new Promise<void>((done) => {
    release = done
  })
  await page.route('**/firstPageList**', async (route) => {
    await held
    await route.continue()
  })
  await page.locator('.site-nav').getByText('设备库').click()
  await page.getByRole('progressbar').waitFor()
  release()
  await page.getByRole('heading', { name: '设备库' }).waitFor()
  await page.getByRole('progressbar').waitFor({ state: 'detached' })
  await page.unroute('**/firstPageList**')
  await page.route('**/supplier/firstPageList**', (route) => route.abort())
  await page.locator('.site-nav').getByText('出租方库').click()
  await page.getByText(zhCn.site.error.unreachedHint).waitFor()
  expect(await page.getByRole('progressbar').count()).toBe(0)
  await page.unroute('**/supplier/firstPageList**')
}

/** The filters of each list are as they were when one comes back; the address wins over them; signing out forgets them. */
async function expectFilters(page: Page) {
  for (const [address, label] of [
    ['/demand?demandType=1&status=3&provinceId=510000&pageNum=1', '需求库'],
    ['/supplier?enterpriseName=%E5%85%AC%E5%8F%B8&pageNum=2', '出租方库'],
    ['/equipment?fatherCategoryId=200&categoryId=201&beginPrice=5000&endPrice=9000', '设备库'],
    ['/notice?tab=3', '信息中心'],
  ] as const) {
    await go(page, address)
    await page.locator('.site-nav').getByText('关于我们').click()
    await page.waitForURL('**/aboutus')
    await page.locator('.site-nav').getByText(label).click()
    await expect.poll(() => page.url().slice(product.origin.length), { message: label }).toBe(address)
  }
  await go(page, '/equipment?name=%E5%A1%94')
  expect(await page.getByLabel(zhCn.equipment.name).inputValue()).toBe('塔')
  await go(page, '/personal')
  await (await openUserMenu(page)).getByRole('button', { name: zhCn.site.action.logout }).click()
  await page.waitForURL(product.origin + '/')
  await page.locator('.site-nav').getByText('设备库').click()
  await page.getByRole('heading', { name: '设备库' }).waitFor()
  expect(new URL(page.url()).search).toBe('')
}

/** At each anchor of the about page its heading stands below the header, on phones and on tall windows, in both languages. */
async function expectHeadings(page: Page) {
  await go(page, '/aboutus')
  for (const [width, height, language] of [
    [375, 812, 'zh-CN'],
    [375, 812, 'en-US'],
    [1024, 1366, 'en-US'],
    [1920, 1600, 'zh-CN'],
  ] as const) {
    await showIn(page, { width, language })
    await page.setViewportSize({ width, height })
    await settled(page)
    for (const [part, top] of [
      ['.about-brand', 560],
      ['.about-business', 1060],
      ['.about-business + section', 1860],
    ] as const) {
      await page.evaluate((offset) => window.scrollTo(0, offset), top)
      const place = await page.evaluate((selector) => {
        const below = document.querySelector('.site-header')?.getBoundingClientRect().bottom ?? 0
        const heading = document.querySelector(`${selector} h2`)?.getBoundingClientRect().top ?? 0
        return { scrolled: window.scrollY, gap: heading - below }
      }, part)
      expect(place.scrolled, `${width} ${language} ${part}`).toBe(top)
      expect(place.gap, `${width} ${language} ${part}`).toBeGreaterThan(0)
      expect(place.gap, `${width} ${language} ${part}`).toBeLessThan(200)
    }
  }
}
