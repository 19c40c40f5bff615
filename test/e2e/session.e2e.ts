import { afterAll, describe, expect, test } from 'vitest'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { openUserMenu, settled, startProduct } from './product.ts'

const product = await startProduct()
afterAll(() => product.close())

describe('the session', () => {
  test('[S3.2][S4.2] signing in stores token and expiry in milliseconds, then the user, and opens the websocket', async () => {
    const visitor = await product.visit()
    const { page } = visitor
    const socket = page.waitForEvent('websocket')
    await page.goto('/login')
    await settled(page)
    await page.getByRole('button', { name: zhCn.account.kinds.project }).click()
    expect((await socket).url()).toContain('/schedule/websocket')
    await page.waitForFunction(() => JSON.parse(localStorage.getItem('user') ?? '{}').info)
    const stored = await page.evaluate(() => ({ ...localStorage }))
    expect(stored.access_token).toMatch(/^[\w-]{43}$/)
    expect(Math.abs(Number(stored.expires_time) - Date.now() - 720 * 60_000)).toBeLessThan(60_000)
    expect(JSON.parse(stored.user ?? '')).toMatchObject({ certSign: 3, auditStatus: 2, info: { roles: ['projectUser'] } })
    await visitor.close()
  })

  test('[S4.1] an expired session shows a warning, signs out and leads to /login', async () => {
    const visitor = await product.visit({ user: 'project' })
    const { page } = visitor
    await page.goto('/')
    await settled(page)
    await page.evaluate(() => localStorage.setItem('expires_time', String(Date.now() - 1)))
    // The toast may have gone by the time the whole page has loaded, so waiting for it begins first.
    const warned = page.locator('.toast-warning', { hasText: '登录已过期，请重新登录' }).waitFor()
    await Promise.all([warned, page.reload()])
    await page.waitForURL(/\/login/)
    expect(await page.evaluate(() => localStorage.getItem('access_token'))).toBeNull()
    await visitor.close()
  })

  test('[S4.3] signing out clears everything and leads home on 200; on another code it clears nothing', async () => {
    const visitor = await product.visit({ user: 'project' })
    const { page } = visitor
    await page.goto('/personal')
    await settled(page)
    await page.route('**/auth/logout', (route) => route.fulfill({ json: { code: 500, msg: '暂时不能退出', data: null } }))
    const leave = (await openUserMenu(page)).getByRole('button', { name: zhCn.site.action.logout })
    await leave.click()
    await page.locator('.toast-error', { hasText: '暂时不能退出' }).waitFor()
    expect(await page.evaluate(() => localStorage.getItem('access_token'))).not.toBeNull()
    await page.unroute('**/auth/logout')
    // Clicks within a second are one click.
    await page.locator('.toast').first().waitFor({ state: 'detached' })
    await leave.click()
    await page.waitForURL(product.origin + '/')
    await page.waitForFunction(() =>
      ['access_token', 'expires_time', 'user', 'navigation', 'typelist'].every((key) => localStorage.getItem(key) === null),
    )
    await visitor.close()
  })

  test('whoever signs out leaves no sign-in name behind for the next person at the same tab', async () => {
    const visitor = await product.visit()
    const { page } = visitor
    await page.goto('/login')
    await settled(page)
    await page.getByLabel(zhCn.account.userName).fill('project')
    await page.getByRole('textbox', { name: zhCn.account.password }).fill('Zhuji@2026')
    await page.locator('form button[type=submit]').click()
    await page.waitForURL(/\/personal/)
    await (await openUserMenu(page)).getByRole('button', { name: zhCn.site.action.logout }).click()
    await page.waitForURL(product.origin + '/')
    await page.goto('/login')
    await settled(page)
    expect(await page.getByLabel(zhCn.account.userName).inputValue()).toBe('')
    await visitor.close()
  })

  test('[S4.5][S4.6] a heartbeat every five seconds; a message raises the unread count; the certification notice changes the menus without a reload', async () => {
    const visitor = await product.visit({ user: 'newcomer' })
    const { page } = visitor
    let pings = 0
    let pongs = 0
    page.on('websocket', (socket) => {
      socket.on('framesent', ({ payload }) => void (payload === 'ping' && pings++))
      socket.on('framereceived', ({ payload }) => void (payload === 'pong' && pongs++))
    })
    await page.clock.install()
    await page.goto('/personal')
    await settled(page)
    expect(await page.locator('aside nav').textContent()).not.toContain(zhCn.site.action.workbench)
    const [newcomer] = await product.sql(`update account set user_type = '4', audit_status = '2', cert_sign = 1,
      company_id = (select id from company where lessor_audit = '2' limit 1) where user_name = 'newcomer' returning id`)
    const message = {
      systemSubject: '企业认证审核通知',
      title: '认证已通过',
      content: '',
      level: 'info',
      bizType: '',
      bizId: '',
      link: '',
      isRead: '0',
      readTime: null,
      createTime: '2026-11-21 10:00:00',
    }
    await product.sql('select pg_notify($1, $2)', [
      'zhujitong',
      JSON.stringify({ kind: 'messages', message, to: [[Number(newcomer?.id), '1', 0]] }),
    ])
    await page.locator('aside nav').getByText(zhCn.site.action.workbench).waitFor()
    expect(await page.locator('aside nav .badge').textContent()).toBe('1')
    // From here on time passes only as the test says: in each five seconds one ping, whatever the machine has to do beside.
    await page.clock.pauseAt(Date.now() + 120_000)
    await expect.poll(() => pings - pongs).toBe(0)
    for (let beat = 0; beat < 5; beat++) {
      const before = pings
      await page.clock.runFor(5000)
      await expect.poll(() => pongs).toBe(before + 1)
      expect(pings).toBe(before + 1)
    }
    await visitor.close()
  })

  test('[S4.2] certSign and auditStatus of the sign-in stay where the user call brings neither', async () => {
    const visitor = await product.visit()
    const { page } = visitor
    await page.goto('/login')
    await settled(page)
    await page.route('**/foregroundGetInfo', async (route) => {
      const response = await route.fetch()
      const { user, ...body } = (await response.json()) as { user: Record<string, unknown> }
      await route.fulfill({ response, json: { ...body, user: { ...user, certSign: undefined, auditStatus: undefined } } })
    })
    await page.getByRole('button', { name: zhCn.account.kinds.project }).click()
    await page.waitForFunction(() => JSON.parse(localStorage.getItem('user') ?? '{}').info)
    expect(await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? ''))).toMatchObject({ certSign: 3, auditStatus: 2 })
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

  test('[S2.8] with a token each parent leads to its first page, and a page that is not there keeps header and menu', async () => {
    const visitor = await product.visit({ user: 'lessee' })
    const { page } = visitor
    for (const [path, first] of [
      ['/workbench', '/workbench/requirement/list'],
      ['/workbench/organization', '/workbench/organization/list'],
      ['/workbench/requirement/', '/workbench/requirement/list'],
    ] as const) {
      await page.goto(path)
      await page.waitForURL((url) => url.pathname === first)
    }
    await page.locator('aside nav').getByText(zhCn.organization.title, { exact: true }).click()
    await page.waitForURL('**/workbench/organization/list')
    for (const path of ['/workbench/organization/nothing', '/personal/nothing', '/nothing/here', '/demand/detail']) {
      expect((await page.goto(path))?.status(), path).toBe(404)
      await page.getByRole('heading', { name: zhCn.site.notFound.title }).waitFor()
      await page.locator('.site-nav').waitFor()
      expect(await page.locator('aside nav').count(), path).toBe(path.startsWith('/workbench') || path.startsWith('/personal') ? 1 : 0)
      expect(await page.title()).toContain(zhCn.site.notFound.title)
    }
    // A record that is not there says so in the title of the page.
    await page.goto('/workbench/requirement/detail')
    await page.getByText(zhCn.demand.own.notYours).waitFor()
    await expect.poll(() => page.title()).toBe(`${zhCn.demand.own.notYours} - 筑机通`)
    await page.goto('/personal/nothing')
    await page.locator('main').getByRole('link', { name: zhCn.site.notFound.panel }).click()
    await page.waitForURL('**/personal')
    await visitor.close()
  })

  test.each([
    ['lessee', ['/workbench/cequipment', '/workbench/crequirement']],
    ['project', ['/workbench/cequipment', '/workbench/crequirement/detail?id=1', '/workbench/organization']],
    ['lessor', ['/workbench/requirement/list', '/workbench/requirement/add', '/workbench/requirement', '/workbench/organization']],
    ['newcomer', ['/workbench/organization']],
  ] as const)('[S6.1] what %s may not open leads home', async (user, paths) => {
    const visitor = await product.visit({ user })
    for (const path of paths) {
      await visitor.page.goto(path)
      await visitor.page.waitForURL(product.origin + '/')
    }
    await visitor.close()
  })

  test.each([
    ['project', '/workbench/requirement/list?status=3&projectName=%E6%A0%87', zhCn.demand.own.list, zhCn.demand.own.drafts],
    ['project', '/workbench/requirement/drafts?projectName=%E6%A0%87', zhCn.demand.own.drafts, zhCn.demand.own.list],
    ['lessor', '/workbench/cequipment?categoryId=201', zhCn.equipment.own.title, zhCn.quote.title],
    ['lessor', '/workbench/crequirement?scope=quoted&projectName=%E6%A0%87', zhCn.quote.title, zhCn.equipment.own.title],
  ])('[S3.3] in the workbench too: %s at %s', async (user, address, label, other) => {
    const visitor = await product.visit({ user })
    const { page } = visitor
    await page.goto(address)
    await settled(page)
    const menu = page.locator('aside nav')
    await menu.getByText(other, { exact: true }).click()
    await page.waitForURL((url) => url.pathname !== address.split('?')[0])
    await menu.getByText(label, { exact: true }).click()
    await page.waitForURL((url) => url.pathname + url.search === address)
    await visitor.close()
  })

  test('[S6.3] the auditor sees demands but no button to change one', async () => {
    const visitor = await product.visit({ user: 'auditor' })
    await visitor.page.goto('/workbench/requirement/list')
    await settled(visitor.page)
    await visitor.page.locator('tbody tr').first().waitFor()
    expect(await visitor.page.getByText(zhCn.demand.own.publish).count()).toBe(0)
    await visitor.close()
  })

  test('[S2.27] add and detail light up the demand list, draft-add the drafts', async () => {
    const visitor = await product.visit({ user: 'project' })
    const { page } = visitor
    for (const [path, label] of [
      ['/workbench/requirement/add', zhCn.demand.own.list],
      ['/workbench/requirement/detail?id=1', zhCn.demand.own.list],
      ['/workbench/requirement/draftsadd', zhCn.demand.own.drafts],
    ] as const) {
      await page.goto(path)
      await page.locator('aside nav a[aria-current=page]', { hasText: label }).waitFor()
    }
    await visitor.close()
  })
})

describe('errors, languages, constants', () => {
  test('[S8.1] an envelope 401 signs out and leads to /login', async () => {
    const visitor = await product.visit({ user: 'lessor' })
    const { page } = visitor
    await page.goto('/personal')
    await settled(page)
    await page.route('**/ownPageList**', (route) => route.fulfill({ json: { code: 401, msg: '登录状态已过期', data: null } }))
    await page.locator('aside nav').getByText(zhCn.account.personal.messages).click()
    await page.waitForURL(/\/login/)
    expect(await page.evaluate(() => localStorage.getItem('access_token'))).toBeNull()
    // The sign-in page says why, and leads back to the page where it happened.
    await page.locator('.login-card .notice', { hasText: '登录状态已过期' }).waitFor()
    await page.unroute('**/ownPageList**')
    await page.getByRole('button', { name: zhCn.account.kinds.lessor, exact: true }).click()
    await page.waitForURL('**/personal/aboutme')
    await visitor.close()
  })

  test.each([
    [{ json: { code: 500, msg: '库存不足', data: null } }, '.toast-error', '库存不足'],
    [{ json: { code: 500, msg: '', data: null } }, '.toast-error', '未知错误'],
    [{ status: 400, json: {} }, '.toast-warning', '参数错误'],
    [{ status: 500, json: {} }, '.toast-warning', '服务端错误'],
    [{ status: 404, json: {} }, '.toast-warning', '路由未找到'],
    [{ status: 500, json: { message: '数据库维护' } }, '.toast-warning', '数据库维护'],
  ])('[S8.2][S8.3] answer %j shows %s %s', async (answer, kind, words) => {
    const visitor = await product.visit()
    const { page } = visitor
    await page.goto('/login')
    await settled(page)
    await page.route('**/auth/webLogin', (route) => route.fulfill(answer))
    await page.getByRole('button', { name: zhCn.account.kinds.project }).click()
    await page.locator(kind, { hasText: words }).waitFor()
    expect(await page.locator('.toast').count()).toBe(1)
    await visitor.close()
  })

  test('[S8.2] msg "false" fails silently; [S8.4] a request that cannot be made is a warning', async () => {
    const visitor = await product.visit()
    const { page } = visitor
    await page.goto('/login')
    await settled(page)
    await page.route('**/auth/webLogin', (route) => route.fulfill({ json: { code: 500, msg: 'false', data: null } }))
    const silent = page.waitForResponse('**/auth/webLogin')
    await page.getByRole('button', { name: zhCn.account.kinds.project }).click()
    await silent
    expect(await page.locator('.toast').count()).toBe(0)
    await page.unroute('**/auth/webLogin')
    await page.route('**/auth/webLogin', (route) => route.abort())
    // Another button: the same one within a second would be a repeated press.
    await page.getByRole('button', { name: zhCn.account.kinds.lessor, exact: true }).click()
    // The product's own sentence, and a way on: the button is pressed again.
    const warning = page.locator('.toast-warning', { hasText: zhCn.site.error.unreachable })
    await warning.waitFor()
    await page.unroute('**/auth/webLogin')
    await warning.getByRole('button', { name: zhCn.site.common.retry }).click()
    await page.waitForFunction(() => localStorage.getItem('access_token') !== null)
    await visitor.close()
  })

  test('[S9.1] the language is kept under "locale", a switch keeps page and filters, and the server follows', async () => {
    const visitor = await product.visit()
    const { page } = visitor
    await page.goto('/equipment?name=%E6%8C%96')
    await settled(page)
    await page.getByRole('button', { name: 'English' }).click()
    await page.getByRole('heading', { name: en.equipment.title }).waitFor()
    expect([
      await page.evaluate(() => localStorage.getItem('locale')),
      await page.getAttribute('html', 'lang'),
      new URL(page.url()).search,
    ]).toEqual(['en-US', 'en-US', '?name=%E6%8C%96'])
    await page.reload()
    await page.getByRole('heading', { name: en.equipment.title }).waitFor()
    expect(await page.title()).toBe('Equipment - Zhujitong')
    // Input and its errors stay, in the other language.
    await page.goto('/register')
    await settled(page)
    await page.getByLabel(en.personal.register.phone).fill('12345')
    await page.getByRole('button', { name: en.personal.register.submit, exact: true }).click()
    await page.getByText(en.rule.codes.mobile ?? '').waitFor()
    await page.getByRole('button', { name: '中文' }).click()
    await page.getByRole('heading', { name: zhCn.personal.register.title }).waitFor()
    expect(await page.getByLabel(zhCn.personal.register.phone).inputValue()).toBe('12345')
    await page.getByText(zhCn.rule.codes.mobile ?? '').waitFor()
    await visitor.close()
  })

  test('[S9.2] toasts stand top-centre for a second and a half; those of an error long enough to be read', async () => {
    const visitor = await product.visit({ user: 'project' })
    const { page } = visitor
    await page.clock.install()
    await page.goto('/personal/myinfo')
    await settled(page)
    await page.clock.pauseAt(Date.now() + 120_000)
    const name = page.getByLabel(zhCn.account.personal.nickName)
    const save = page.getByRole('button', { name: zhCn.site.common.save })
    const toast = page.locator('.toast')
    const staysFor = async (ms: number) => {
      await toast.waitFor()
      await page.clock.runFor(ms - 10)
      expect(await toast.count()).toBe(1)
      await page.clock.runFor(20)
      await toast.waitFor({ state: 'detached' })
    }
    await name.fill('老钱')
    await save.click()
    await toast.waitFor()
    const box = await toast.boundingBox()
    expect(Math.abs((box?.x ?? 0) + (box?.width ?? 0) / 2 - 720)).toBeLessThan(10)
    const header = (await page.locator('.site-header').boundingBox())?.height ?? 0
    expect(header).toBeGreaterThan(0)
    expect((box?.y ?? 0) - header).toBeGreaterThanOrEqual(0)
    expect((box?.y ?? 0) - header).toBeLessThan(40)
    await staysFor(1500)
    await page.route('**/updateNickname', (route) => route.fulfill({ json: { code: 500, msg: '稍后', data: null } }))
    await name.fill('老孙')
    await save.click()
    await staysFor(4000)
    // What was typed is still there.
    expect(await name.inputValue()).toBe('老孙')
    await visitor.close()
  })

  test('[S9.5][S9.6][S8.5] inputs of 48 px, blue, dialogs of 446 px that close on Esc and beside them; clicks within a second are one', async () => {
    const visitor = await product.visit({ user: 'lessor' })
    const { page } = visitor
    await page.goto('/personal/aboutme')
    await settled(page)
    // Dialogs move for whoever has not asked for no movement.
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await page.locator('.articles').getByText(zhCn.site.common.delete).first().click()
    const dialog = page.locator('dialog[open]')
    await dialog.waitFor()
    expect(await dialog.getAttribute('class')).toContain('dialog-warning')
    await page.waitForFunction(() => document.querySelector('dialog[open]')?.getBoundingClientRect().width === 446)
    expect(await dialog.evaluate((element) => getComputedStyle(element).transitionDuration)).toContain('0.25s')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.locator('.articles').getByText(zhCn.site.common.delete).first().click()
    await dialog.waitFor()
    await page.mouse.click(20, 500)
    await dialog.waitFor({ state: 'detached' })
    // A press inside that ends beside the dialog, as when text is selected, leaves it open.
    await page.locator('.articles').getByText(zhCn.site.common.delete).first().click()
    const question = await dialog.locator('p').first().boundingBox()
    await page.mouse.move((question?.x ?? 0) + 20, (question?.y ?? 0) + 8)
    await page.mouse.down()
    await page.mouse.move(20, 500)
    await page.mouse.up()
    expect(await dialog.count()).toBe(1)
    // The buttons of a dialog count repeated presses as one, also in the private area.
    let deletions = 0
    await page.route('**/sysUserMessage/delete**', (route) => {
      deletions++
      return route.fulfill({ json: { code: 500, msg: '稍后', data: null } })
    })
    await dialog.getByRole('button', { name: zhCn.site.common.delete }).dblclick()
    await page.locator('.toast-error').waitFor()
    expect(deletions).toBe(1)
    await page.goto('/personal/myinfo')
    await settled(page)
    expect(await page.locator('input.input').evaluate((element) => element.getBoundingClientRect().height)).toBe(48)
    expect(await page.locator('.button-primary').evaluate((element) => getComputedStyle(element).backgroundColor)).toBe('rgb(20, 83, 209)')
    let asked = 0
    await page.route('**/auth/logout', (route) => {
      asked++
      return route.fulfill({ json: { code: 500, msg: '稍后', data: null } })
    })
    const leave = (await openUserMenu(page)).getByRole('button', { name: zhCn.site.action.logout })
    await leave.dblclick()
    await page.locator('.toast-error').waitFor()
    expect(asked).toBe(1)
    await visitor.close()
  })
})
