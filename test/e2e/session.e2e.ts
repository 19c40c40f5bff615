import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { paths } from '#shared/paths.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { follow, go, openUserMenu, press, settled, startProduct } from './product.ts'

const product = await startProduct()
afterAll(() => product.close())

describe('the session', () => {
  test('[S3.2][S4.2] signing in stores token and expiry in milliseconds, then the user, and opens the websocket; the next person at the same tab sees nothing of the one before, however slow the answers are', async () => {
    const { page, problems, close } = await product.visit()
    const socket = page.waitForEvent('websocket')
    await go(page, '/login')
    // What the call of the user does not bring stays as the sign-in brought it.
    await page.route('**/foregroundGetInfo', async (route) => {
      const response = await route.fetch()
      const { user, ...body } = (await response.json()) as { user: Record<string, unknown> }
      await route.fulfill({ response, json: { ...body, user: { ...user, certSign: undefined, auditStatus: undefined } } })
    })
    await page.getByLabel(zhCn.account.userName).fill('project')
    await page.getByRole('textbox', { name: zhCn.account.password }).fill('Zhuji@2026')
    await page.locator('form button[type=submit]').click()
    expect((await socket).url()).toContain('/schedule/websocket')
    await page.waitForFunction(() => JSON.parse(localStorage.getItem('user') ?? '{}').info)
    const stored = await page.evaluate(() => ({ ...localStorage }))
    expect(stored.access_token).toMatch(/^[\w-]{43}$/)
    expect(Math.abs(Number(stored.expires_time) - Date.now() - 720 * 60_000)).toBeLessThan(60_000)
    expect(JSON.parse(stored.user ?? '')).toMatchObject({ certSign: 3, auditStatus: 2, info: { roles: ['projectUser'] } })
    await page.waitForURL(/\/personal/)
    await settled(page)
    await page.unroute('**/foregroundGetInfo')

    const messages = page.locator('.message')
    await go(page, paths.messages)
    expect(await messages.count()).toBeGreaterThan(0)
    await (await openUserMenu(page)).getByRole('button', { name: zhCn.site.action.logout }).click()
    await page.waitForURL(product.origin + '/')
    await page.locator('.site-tools').getByRole('link', { name: zhCn.site.action.login }).click()
    await settled(page)
    expect(await page.getByLabel(zhCn.account.userName).inputValue()).toBe('')
    await page.getByRole('button', { name: zhCn.account.kinds.lessor, exact: true }).click()
    await page.locator('aside nav').waitFor()
    await settled(page)
    const { promise: held, resolve: answer } = Promise.withResolvers<void>()
    await page.route('**/sysUserMessage/ownPageList**', async (route) => {
      await held
      await route.continue()
    })
    await follow(page, paths.messages)
    await page.locator('main .skeleton').first().waitFor()
    expect(await messages.count()).toBe(0)
    answer()
    await messages.first().waitFor()
    expect(problems).toEqual([])
    await close()
  })

  test('[S4.1] at the start a valid session fetches and stores its person and opens the websocket; an expired one shows a warning, signs out and leads to /login; a visitor does neither', async () => {
    const { page, close } = await product.visit({ user: 'project' })
    const begun = new Set<string>()
    page.on('request', (request) => void (request.url().includes('/foregroundGetInfo') && begun.add('person')))
    page.on('websocket', () => begun.add('websocket'))
    await page.goto('/equipment')
    await settled(page)
    await page.waitForFunction(() => JSON.parse(localStorage.getItem('user') ?? '{}').info)
    await expect.poll(() => [...begun].toSorted()).toEqual(['person', 'websocket'])
    await page.evaluate(() => localStorage.setItem('expires_time', String(Date.now() - 1)))
    // The toast may have gone by the time the whole page has loaded, so waiting for it begins first.
    const warned = page.locator('.toast-warning', { hasText: '登录已过期，请重新登录' }).waitFor()
    await Promise.all([warned, page.reload()])
    await page.waitForURL(/\/login/)
    expect(await page.evaluate(() => localStorage.getItem('access_token'))).toBeNull()
    // Whoever opens the sign-in page with such a token is led to where that page led before.
    await page.evaluate(() => {
      localStorage.setItem('access_token', 'ended')
      localStorage.setItem('expires_time', String(Date.now() - 1))
    })
    await page.reload()
    await page.waitForFunction(() => localStorage.getItem('access_token') === null)
    await settled(page)
    expect(new URL(page.url()).searchParams.get('redirect')).toBe('/equipment')
    begun.clear()
    await page.goto('/equipment')
    await settled(page)
    expect([...begun]).toEqual([])
    await close()
  })

  test('[S3.2][S4.3] signing out clears everything and leads home on 200; on another code it clears nothing', async () => {
    const visitor = await product.visit({ user: 'project' })
    const { page } = visitor
    // The form of a demand brings the categories into the browser.
    for (const path of ['/workbench/requirement/add', '/personal']) await go(page, path)
    const keys = ['access_token', 'expires_time', 'user', 'navigation', 'typelist']
    const stored = (): Promise<Record<string, string>> => page.evaluate(() => ({ ...localStorage }))
    await expect.poll(async () => Object.keys(await stored())).toEqual(expect.arrayContaining(keys))
    const unread = page.locator('aside nav .badge')
    // The person and the number of messages are asked for as the page opens.
    await settled(page)
    const before = { ...(await stored()), unread: await unread.allTextContents() }
    expect(before.unread).toEqual([expect.stringMatching(/^[1-9]/)])
    await page.route('**/auth/logout', (route) => route.fulfill({ json: { code: 500, msg: '暂时不能退出', data: null } }))
    const leave = (await openUserMenu(page)).getByRole('button', { name: zhCn.site.action.logout })
    await leave.click()
    await page.locator('.toast-error', { hasText: '暂时不能退出' }).waitFor()
    // A call that writes brings the id of the browser besides.
    expect({ ...(await stored()), unread: await unread.allTextContents() }).toMatchObject(before)
    await page.unroute('**/auth/logout')
    // Clicks within a second are one click.
    await page.locator('.toast').first().waitFor({ state: 'detached' })
    await leave.click()
    await page.waitForURL(product.origin + '/')
    await page.waitForFunction((gone) => gone.every((key) => localStorage.getItem(key) === null), keys)
    await visitor.close()
  })

  test('[S4.6] a message with nothing but its subject counts; a text that is no JSON breaks nothing', async () => {
    const visitor = await product.visit({ user: 'project' })
    const { page } = visitor
    const { promise: opened, resolve } = Promise.withResolvers<{ send(text: string): void }>()
    await page.routeWebSocket(/websocket/, resolve)
    await page.goto('/personal/safety')
    await settled(page)
    const badge = page.locator('aside nav .badge')
    const before = Number(await badge.textContent())
    const socket = await opened
    for (const news of ['no JSON', 'null', '7', JSON.stringify({ systemSubject: '系统公告' })]) socket.send(news)
    await expect.poll(async () => Number(await badge.textContent())).toBe(before + 1)
    await page.locator('.toast', { hasText: '系统公告' }).waitFor()
    expect(visitor.problems).toEqual([])
    await visitor.close()
  })

  test('[S2.4][S6.1] with a token each parent leads to its first page, and a page that is not there keeps header and menu', async () => {
    const visitor = await product.visit({ user: 'lessee' })
    const { page } = visitor
    for (const [path, first] of [
      ['/workbench', '/workbench/requirement/list'],
      ['/workbench/requirement/', '/workbench/requirement/list'],
    ] as const) {
      await go(page, path)
      await page.waitForURL((url) => url.pathname === first)
    }
    await page.locator('aside nav').getByText(zhCn.organization.title, { exact: true }).click()
    await page.waitForURL('**/workbench/organization/list')
    for (const path of ['/workbench/organization/nothing', '/demand/detail', '/personal/nothing']) {
      expect((await page.goto(path))?.status(), path).toBe(404)
      await page.getByRole('heading', { name: zhCn.site.notFound.title }).waitFor()
      await page.locator('.site-nav').waitFor()
      expect(await page.locator('aside nav').count(), path).toBe(path.startsWith('/workbench') || path.startsWith('/personal') ? 1 : 0)
      expect(await page.title()).toContain(zhCn.site.notFound.title)
    }
    await page.locator('main').getByRole('link', { name: zhCn.site.notFound.panel }).click()
    await page.waitForURL('**/personal')
    // A record that is not there says so in the title of the page.
    await go(page, '/workbench/requirement/detail')
    await page.getByText(zhCn.demand.own.notYours).waitFor()
    await expect.poll(() => page.title()).toBe(`${zhCn.demand.own.notYours} - 筑机通`)
    await visitor.close()
  })

  test.each([
    ['lessor', ['/workbench/requirement/list', '/workbench/organization']],
    ['newcomer', ['/workbench/cequipment']],
  ] as const)('[S6.1] what %s may not open leads home, also where the routes of other pages are not known yet', async (user, paths) => {
    const { page, close } = await product.visit({ user })
    await page.route('**/__manifest*', (route) => route.abort())
    for (const path of paths) {
      // It does not stay until the page is there.
      const toast = page.locator('.toast-warning', { hasText: zhCn.site.error.closed }).waitFor()
      await Promise.all([toast, page.goto(path)])
      await page.waitForURL(product.origin + '/')
      await page.getByRole('heading', { level: 1 }).waitFor()
    }
    await close()
  })

  test('whoever may not publish a demand is not offered to invite a lessor to one', async () => {
    const [lessor] = await product.sql(`select min(id) as id from company where lessor_audit = '2' and blacklisted_at is null`)
    for (const [user, offered] of [
      ['lessor', 0],
      ['operator', 0],
      ['project', 1],
    ] as const) {
      const { page, close } = await product.visit({ user })
      await page.goto(paths.lessor(Number(lessor?.id)))
      await page.getByRole('button', { name: zhCn.demand.contactLook }).waitFor()
      expect(await page.getByRole('link', { name: zhCn.search.inviteLessor }).count(), user).toBe(offered)
      await close()
    }
  })

  const { demand, equipment, quote } = zhCn
  /** The list of each address is left by the menu, and opens from it as it was. */
  const returnsTo = async (page: Page, lists: (readonly [address: string, label: string, other: string])[]) => {
    const menu = page.locator('aside nav')
    for (const [address, label, other] of lists) {
      await go(page, address)
      await menu.getByText(other, { exact: true }).click()
      await page.waitForURL((url) => url.pathname !== address.split('?')[0])
      await menu.getByText(label, { exact: true }).click()
      await page.waitForURL((url) => url.pathname + url.search === address)
    }
  }

  test('[S3.3][S2.27] a project returns to its lists as they were; add and detail light up the demand list, draft-add the drafts', async () => {
    const { page, close } = await product.visit({ user: 'project' })
    await returnsTo(page, [
      ['/workbench/requirement/list?status=3&projectName=%E6%A0%87', demand.own.list, demand.own.drafts],
      ['/workbench/requirement/drafts?projectName=%E6%A0%87', demand.own.drafts, demand.own.list],
    ])
    for (const [path, label] of [
      ['/workbench/requirement/add', demand.own.list],
      ['/workbench/requirement/detail?id=1', demand.own.list],
      ['/workbench/requirement/draftsadd', demand.own.drafts],
    ] as const) {
      await go(page, path)
      await page.locator('aside nav a[aria-current=page]', { hasText: label }).waitFor()
    }
    await close()
  })

  test('[S3.3] a lessor returns to lists as they were; the filters stay when another scope is pressed, but for a state that it does not offer', async () => {
    const { page, close } = await product.visit({ user: 'lessor' })
    await returnsTo(page, [
      ['/workbench/cequipment?categoryId=201', equipment.own.title, quote.title],
      ['/workbench/crequirement?scope=quoted&projectName=%E6%A0%87', quote.title, equipment.own.title],
    ])
    await go(page, '/workbench/crequirement?scope=quoted&projectName=%E6%A0%87&status=3&pageNum=1')
    const tabs = page.locator('main nav.tabs')
    await tabs.getByText(quote.scope.won, { exact: true }).click()
    await page.waitForURL((url) => url.search === '?scope=won&projectName=%E6%A0%87&status=3')
    await tabs.getByText(quote.scope.open, { exact: true }).click()
    await page.waitForURL((url) => url.search === '?scope=open&projectName=%E6%A0%87')
    await close()
  })

  test('[S6.3] the auditor sees demands but no button to change one', async () => {
    const visitor = await product.visit({ user: 'auditor' })
    await visitor.page.goto('/workbench/requirement/list')
    await settled(visitor.page)
    await visitor.page.locator('tbody tr').first().waitFor()
    expect(await visitor.page.getByText(zhCn.demand.own.publish).count()).toBe(0)
    await visitor.close()
  })
})

test('signing out asks first where something typed would be lost, and then leads home', async () => {
  const { page, problems, close } = await product.visit({ user: 'operator' })
  const { articles } = zhCn.admin
  const signOut = async () => (await openUserMenu(page)).getByRole('button', { name: zhCn.site.action.logout }).click()
  const dialog = page.locator('dialog[open]')
  await page.goto(paths.editArticle())
  const title = page.getByRole('textbox', { name: articles.titleField })
  await title.fill('尚未保存的公告')
  await signOut()
  await dialog.getByText(articles.leaveAsk).waitFor()
  expect(await page.evaluate(() => localStorage.getItem('access_token'))).not.toBeNull()
  await press(dialog, zhCn.site.common.back)
  expect(await title.inputValue()).toBe('尚未保存的公告')
  await signOut()
  await press(dialog, articles.leave)
  await page.waitForURL(product.origin + '/')
  expect(await page.evaluate(() => localStorage.getItem('access_token'))).toBeNull()
  expect(problems).toEqual([])
  await close()
})
