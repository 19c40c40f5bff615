import { afterAll, describe, expect, test } from 'vitest'
import { listCeilings } from '#shared/ceiling/contract.ts'
import { saveDraft } from '#shared/demand/contract.ts'
import { listOwnFeedback } from '#shared/feedback/contract.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { paths } from '#shared/paths.ts'
import { hold } from './hold.ts'
import { field, go, openUserMenu, press, settled, startProduct, theBrowser } from './product.ts'

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
    await (await openUserMenu(one)).getByRole('button', { name: 'English' }).click()
    await two.getByRole('heading', { name: en.equipment.title }).waitFor()
    await go(two, '/personal')
    await go(one, '/personal/myinfo')
    await (await openUserMenu(one)).getByRole('button', { name: en.site.action.logout }).click()
    await two.waitForURL(/\/login/)
    await visitor.close()
  })

  test('somebody who has signed in is not offered to sign in while the scripts are on their way; the text of a visitor stays in the tab, but no password', async () => {
    const visitor = await product.visit({ user: 'project' })
    const { page } = visitor
    await page.goto('/')
    await settled(page)
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.goto('/equipment')
    await page.locator('.site-header').waitFor()
    const offer = page.locator('.site-tools > a[href="/login"]')
    expect(await offer.count()).toBe(1)
    expect(await offer.isVisible()).toBe(false)
    await visitor.close()
    const { page: stranger, close } = await product.visit()
    await stranger.goto('/equipment')
    await stranger.locator('.site-tools > a[href="/login"]').waitFor()

    await settled(stranger)
    const { register } = zhCn.personal
    await go(stranger, paths.register)
    await field(stranger, register.phone).fill('14400001111')
    await field(stranger, register.password).fill('Zhuji@2026')
    await stranger.getByRole('link', { name: register.toLogin }).click()
    await stranger.getByRole('link', { name: register.toRegister }).click()
    await expect.poll(() => field(stranger, register.phone).inputValue()).toBe('14400001111')
    expect(await field(stranger, register.password).inputValue()).toBe('')
    await close()
  })

  test('[S8.4] the page says that it is offline until the line is back; input stays', async () => {
    const visitor = await product.visit({ isFresh: true })
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
    // The warning offers to press the button again; pressing it oneself within a second would be a repeated press.
    await page.locator('.toast-warning').getByRole('button', { name: zhCn.site.common.retry }).click()
    await page.waitForURL('**/personal')
    await visitor.close()
  })

  test('what is filled in before the scripts come is kept on public forms, and Enter counts once they are there', async () => {
    const context = await (
      await theBrowser()
    ).newContext({ baseURL: product.origin, locale: 'zh-CN', viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    const { register } = zhCn.personal
    const { contact } = zhCn.site
    /** Opens a page whose scripts wait until `fill` has run. */
    const late = async (path: string, fill: () => Promise<void>) => {
      const { promise: here, resolve: arrive } = Promise.withResolvers<void>()
      await page.route('**/assets/*.js', async (route) => {
        await here
        await route.continue()
      })
      await page.goto(path)
      await fill()
      arrive()
      await settled(page)
      await page.unroute('**/assets/*.js')
    }
    /** As a password manager does that knows no events. */
    const put = (label: string, value: string) =>
      page
        .getByLabel(label)
        .first()
        .evaluate((field, text) => {
          if (field instanceof HTMLInputElement) field.value = text
        }, value)
    const valueOf = (label: string) => page.getByLabel(label).first().inputValue()

    await late('/', async () => {
      await page.getByRole('combobox').pressSequentially('挖掘机')
    })
    await page.getByRole('option').first().waitFor()
    expect(await page.getByRole('combobox').inputValue()).toBe('挖掘机')

    await late('/register', async () => {
      await page.getByLabel(register.phone).pressSequentially('14400001111')
      await put(register.password, 'Zhuji@2026')
      await page.getByRole('checkbox').first().check()
      await page.getByLabel(register.phone).press('Enter')
    })
    // The early Enter is checked like any other: what is missing is marked, what was filled in stays.
    await page.locator('.field-error').first().waitFor()
    expect([await valueOf(register.phone), await valueOf(register.password)]).toEqual(['14400001111', 'Zhuji@2026'])
    expect(await page.getByRole('checkbox').first().isChecked()).toBe(true)
    expect(await page.getByLabel(register.phone).getAttribute('aria-invalid')).toBeNull()

    await late('/contact', async () => {
      for (const name of ['name', 'company', 'phone'] as const) await page.getByLabel(contact[name]).pressSequentially('13900000001')
      await page.getByLabel(contact.type).selectOption('media')
      await page.getByLabel(contact.content).pressSequentially('想了解平台的合作方式，请联系我。')
      await page.getByLabel(contact.name).press('End')
    })
    // The caret stands where it was, so the next letter follows the others.
    await page.keyboard.type('9')
    expect(await valueOf(contact.name)).toBe('139000000019')
    await page.keyboard.press('Backspace')
    await page.getByRole('button', { name: contact.send, exact: true }).click()
    await page.locator('.field-error').first().waitFor()
    expect(await Promise.all([contact.name, contact.phone, contact.type, contact.content].map(valueOf))).toEqual([
      '13900000001',
      '13900000001',
      'media',
      '想了解平台的合作方式，请联系我。',
    ])
    expect(await page.locator('[aria-invalid=true]').count()).toBe(1)

    await late('/login', async () => {
      await page.getByLabel(zhCn.account.userName).pressSequentially('project')
      await put(zhCn.account.password, 'Zhuji@2026')
      await page.getByLabel(zhCn.account.userName).press('Enter')
    })
    await page.waitForFunction(() => localStorage.getItem('access_token') !== null)
    await context.close()
  })

  test('a form of a machine survives a reload, and can be discarded', async () => {
    const visitor = await product.visit({ user: 'lessor' })
    const { page } = visitor
    const { draft } = zhCn.site
    const { upload } = zhCn.equipment
    const brand = page.getByLabel(upload.fields.brand)
    await page.goto(paths.addMachine)
    await brand.fill('徐工')
    await page.getByText(draft.saved).waitFor()
    await page.reload()
    await page.getByRole('button', { name: draft.discard }).waitFor()
    expect(await brand.inputValue()).toBe('徐工')
    await page.getByRole('button', { name: draft.discard }).click()
    expect(await brand.inputValue()).toBe('')
    // What is missing is listed once, with links, and the list is as long as the marks.
    await page.getByRole('button', { name: upload.submit }).click()
    const bar = page.locator('.action-bar')
    await bar.getByRole('button', { name: upload.fields.brand }).waitFor()
    await bar.getByText(zhCn.demand.form.fix(await page.locator('.field-bad').count())).waitFor()
    await visitor.close()
  })

  test('a demand that the server could not save says so, survives a reload, and is saved afterwards', async () => {
    const visitor = await product.visit({ user: 'project' })
    const { page } = visitor
    const { form: words } = zhCn.demand
    const title = page.getByLabel(words.titleField)
    await page.goto(paths.addDemand())
    await page.route(`**${saveDraft.url}`, (route) => route.abort())
    await title.fill('汽车起重机一台')
    await page.getByText(words.saveFailed).waitFor()
    await title.fill('汽车起重机两台')
    await page.reload()
    await page.getByRole('button', { name: zhCn.site.draft.discard }).waitFor()
    expect(await title.inputValue()).toBe('汽车起重机两台')
    await page.unroute(`**${saveDraft.url}`)
    await page.waitForURL(/draft=/)
    // The server has it now, and this browser nothing.
    await page.reload()
    await expect.poll(() => title.inputValue()).toBe('汽车起重机两台')
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes(':demand-')))).toEqual([])
    await visitor.close()
  })

  test('a screen that is not loaded yet, clicked without a network, says so in its frame and opens once the line is back', async () => {
    const visitor = await product.visit({ user: 'project', isFresh: true })
    const { page, context } = visitor
    const { error, common, nav, action } = zhCn.site
    const unreached = page.locator('main').getByText(error.unreached)
    await page.goto(paths.personal)
    await settled(page)
    await context.setOffline(true)
    await page.locator('aside nav').getByText(zhCn.personal.tabs.feedback).click()
    await unreached.waitFor()
    await page.locator('main').getByRole('button', { name: common.retry }).click()
    await page.locator('.toast-warning', { hasText: error.stillUnreached }).waitFor()
    expect(new URL(page.url()).pathname).toBe(paths.feedback)
    await context.setOffline(false)
    await page.locator('.articles li').first().waitFor()

    // A public page, and an area of which nothing is loaded.
    for (const click of [
      () => page.locator('header nav').getByText(nav.contact).first().click(),
      () => page.locator('.site-tools > a', { hasText: action.workbench }).click(),
    ]) {
      await page.goto(paths.home)
      await settled(page)
      await context.setOffline(true)
      await click()
      await unreached.waitFor()
      await context.setOffline(false)
      await unreached.waitFor({ state: 'detached' })
      await page.locator('main h1').waitFor()
    }
    await visitor.close()
  })

  test('a failed call is no empty list and no missing record: it says so and can be repeated', async () => {
    const visitor = await product.visit({ user: 'lessor' })
    const { page } = visitor
    const { common, error } = zhCn.site
    const [machine] = await product.sql(
      `select e.id from equipment e join account a on a.company_id = e.company_id where a.user_name = 'lessor' and e.del_flag = '0' limit 1`,
    )
    const failed = page.getByText(common.failed)
    for (const [path, endpoint] of [
      [paths.ownMachines, '**/business/equipment/list**'],
      [paths.editMachine(Number(machine?.id)), '**/business/equipment/own/**'],
    ] as const) {
      await page.route(endpoint, (route) =>
        route.request().resourceType() === 'fetch' ? route.fulfill({ status: 500, json: {} }) : route.continue(),
      )
      await page.goto(path)
      await failed.waitFor()
      await page.getByText(`${error.http500} · ${common.code(500)}`).waitFor()
      await page.unroute(endpoint)
      await page.locator('main').getByRole('button', { name: common.retry }).click()
      await failed.waitFor({ state: 'detached' })
    }
    await go(page, `${paths.ownMachines}?name=${encodeURIComponent('没有这种设备')}`)
    await page.getByText(common.empty).waitFor()
    await page
      .getByRole('link', { name: new RegExp(common.clear) })
      .first()
      .click()
    await page.locator('tbody tr').first().waitFor()
    await visitor.close()
  })

  test('[S4.5] after a restart of the server the socket reconnects, nobody is signed out and the next click works, with progress until a slow answer is there', async () => {
    const visitor = await product.visit({ user: 'project' })
    const { page } = visitor
    let sockets = 0
    page.on('websocket', () => sockets++)
    await page.goto('/personal/aboutme')
    await settled(page)
    await expect.poll(() => sockets).toBe(1)
    await product.restart()
    await expect.poll(() => sockets).toBeGreaterThanOrEqual(2)
    const letList = await hold(page, `${listOwnFeedback.url}*`)
    await page.locator('aside nav').getByText(zhCn.personal.tabs.feedback).click()
    await page.waitForURL('**/personal/feedback')
    await page.locator('.skeleton').first().waitFor()
    letList()
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
})

test('a ceiling that somebody else has changed is shown as it is, and what was typed about it is offered', async () => {
  const { page, problems, close } = await product.visit({ user: 'lessee' })
  const { ceiling, site } = zhCn
  const dialog = page.locator('dialog[open]')
  const edit = page.locator('tbody').getByRole('button', { name: site.common.edit }).first()
  const price = field(dialog, ceiling.price)
  await page.goto(paths.ceilings)
  await edit.click()
  await price.fill('31000')
  await product.sql('update price_ceiling set version = version + 1, price_fen = price_fen + 100')
  const listed = page.waitForResponse(`**${listCeilings.url}*`)
  await press(dialog, ceiling.save)
  await price.waitFor({ state: 'detached' })
  await listed
  await settled(page)
  await edit.click()
  await press(dialog, site.draft.accept)
  expect(await price.inputValue()).toBe('31000')
  await press(dialog, ceiling.save)
  await page.locator('.toast-success', { hasText: ceiling.saved }).waitFor()
  expect(problems).toEqual([])
  await close()
})
