import { afterAll, describe, expect, test } from 'vitest'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { settled, startProduct } from './product.ts'

const product = await startProduct()
afterAll(() => product.close())

describe('several tabs and bad connections', () => {
  test('[S4.3][S9.1] the tabs of one browser stay together: signing in, the language, signing out', async () => {
    const visitor = await product.visit()
    const { page: one, context } = visitor
    const two = await context.newPage()
    await one.goto('/login')
    await two.goto('/equipment')
    await settled(one)
    await settled(two)
    await one.getByRole('button', { name: zhCn.account.kinds.project }).click()
    await two.locator('.site-tools > a', { hasText: zhCn.site.action.workbench }).waitFor()
    await one.getByRole('button', { name: 'English' }).first().click()
    await two.getByRole('heading', { name: en.equipment.title }).waitFor()
    await two.goto('/personal')
    await settled(two)
    await one.goto('/personal/myinfo')
    await settled(one)
    await one.locator('.private-me').getByText(en.site.action.logout).click()
    await two.waitForURL(/\/login/)
    await visitor.close()
  })

  test('[S8.4] the page says that it is offline until the line is back; input stays', async () => {
    const visitor = await product.visit()
    const { page, context } = visitor
    await page.goto('/login')
    await settled(page)
    await page.getByLabel(zhCn.account.userName).fill('project')
    await context.setOffline(true)
    await page.locator('.offline').waitFor()
    await page.getByLabel(zhCn.account.password).first().fill('Zhuji@2026')
    await page.getByRole('button', { name: zhCn.account.submit, exact: true }).click()
    await page.locator('.toast-warning', { hasText: zhCn.site.common.offline }).waitFor()
    await context.setOffline(false)
    await page.locator('.offline').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: zhCn.account.submit, exact: true }).click()
    await page.waitForURL(product.origin + '/')
    await visitor.close()
  })

  test('[S2.7] on a slow line the page shows progress and reacts to a click at once', async () => {
    const visitor = await product.visit({ user: 'project' })
    const { page } = visitor
    const { promise: seen, resolve: nowSeen } = Promise.withResolvers<void>()
    await page.route('**/prod-api/business/feedback/list**', async (route) => {
      await seen
      await route.continue()
    })
    await page.goto('/personal/myinfo')
    await settled(page)
    await page.locator('aside nav').getByText(zhCn.personal.tabs.feedback).click()
    await page.locator('.skeleton').waitFor()
    nowSeen()
    await page.locator('.articles li').first().waitFor()
    await visitor.close()
  })

  test('[S4.5] after a restart of the server the socket reconnects, nobody is signed out and the next click works', async () => {
    const visitor = await product.visit({ user: 'project' })
    const { page } = visitor
    let sockets = 0
    page.on('websocket', () => sockets++)
    await page.goto('/personal/aboutme')
    await settled(page)
    await expect.poll(() => sockets).toBe(1)
    await product.restart()
    await expect.poll(() => sockets).toBeGreaterThanOrEqual(2)
    await page.locator('aside nav').getByText(zhCn.personal.tabs.feedback).click()
    await page.waitForURL('**/personal/feedback')
    await page.locator('.articles li').first().waitFor()
    const [account] = await product.sql(`select id from account where user_name = 'project'`)
    // A message after the restart still arrives.
    const before = Number(await page.locator('aside nav .badge').textContent())
    await expect
      .poll(
        async () => {
          await product.sql('select pg_notify($1, $2)', [
            'zhujitong',
            JSON.stringify({
              kind: 'messages',
              message: { systemSubject: '系统公告', title: '重启之后', isRead: '0' },
              to: [[Number(account?.id), '1', 1]],
            }),
          ])
          return Number(await page.locator('aside nav .badge').textContent())
        },
        { interval: 1000 },
      )
      .toBeGreaterThan(before)
    await visitor.close()
  })

  test('[S4.6] the unread count still updates where sockets are blocked', async () => {
    const visitor = await product.visit({ user: 'lessor' })
    const { page } = visitor
    await page.routeWebSocket(/websocket/, (socket) => void socket.close())
    await page.clock.install()
    await page.goto('/personal/aboutme')
    await settled(page)
    const before = Number(await page.locator('aside nav .badge').textContent())
    await product.sql(
      `insert into message (account_id, system_subject, kind, title, content) select id, '系统公告', 'announcement', '没有推送', '' from account where user_name = 'lessor'`,
    )
    await page.clock.fastForward(61_000)
    await expect.poll(async () => Number(await page.locator('aside nav .badge').textContent())).toBe(before + 1)
    await visitor.close()
  })
})
