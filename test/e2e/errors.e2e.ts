import { afterAll, describe, expect, test } from 'vitest'
import { getCategoryVersion } from '#shared/category/contract.ts'
import { getCertification } from '#shared/certification/contract.ts'
import { getContract } from '#shared/contract/contract.ts'
import { getReview } from '#shared/equipment/manage.ts'
import { en } from '#shared/text/en.ts'
import { paths } from '#shared/paths.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { field, follow, go, openUserMenu, press, settled, startProduct } from './product.ts'

const product = await startProduct()
afterAll(() => product.close())

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

  test('[S8.2][S8.3][S8.4] msg "false" fails silently; every other failure is said once, by its own words where it has them, and a call that got no answer is pressed again', async () => {
    const { page, close } = await product.visit()
    await go(page, '/login')
    const signIn = page.getByRole('button', { name: zhCn.account.kinds.project })
    // Another button: the same one within a second would be a repeated press.
    const otherSignIn = page.getByRole('button', { name: zhCn.account.kinds.lessor, exact: true })
    const calls = '**/auth/webLogin'
    const answered = Promise.withResolvers<void>()
    await page.route(calls, async (route) => {
      await answered.promise
      await route.fulfill({ json: { code: 500, msg: 'false', data: null } })
    })
    await signIn.click()
    await expect.poll(() => signIn.isDisabled()).toBe(true)
    answered.resolve()
    // The page has dealt with the answer once it may be pressed again.
    await expect.poll(() => signIn.isDisabled()).toBe(false)
    expect(await page.locator('.toast').count()).toBe(0)
    await page.unroute(calls)

    let presses = 0
    /** Presses one of the buttons. All that is said then, beside what was said before, are these words. */
    const expectSaid = async (kind: string, words: string) => {
      const toasts = page.locator('.toast')
      const before = await toasts.allTextContents()
      await (presses++ % 2 === 0 ? otherSignIn : signIn).click()
      await page.locator(kind, { hasText: words }).waitFor()
      const said = (await toasts.allTextContents()).filter((one) => !before.includes(one))
      expect(said).toEqual([expect.stringContaining(words)])
    }
    for (const [answer, kind, words] of [
      [{ json: { code: 500, msg: '库存不足', data: null } }, '.toast-error', '库存不足'],
      [{ json: { code: 500, msg: '', data: null } }, '.toast-error', '未知错误'],
      [{ status: 400, json: {} }, '.toast-warning', '参数错误'],
      [{ status: 500, json: {} }, '.toast-warning', '服务端错误'],
      [{ status: 404, json: {} }, '.toast-warning', '路由未找到'],
      [{ status: 500, json: { message: '数据库维护' } }, '.toast-warning', '数据库维护'],
    ] as const) {
      await page.route(calls, (route) => route.fulfill(answer), { times: 1 })
      await expectSaid(kind, words)
    }
    for (const [failure, words] of [
      [{ status: 503 }, '未知响应错误'],
      [{ status: 503, statusText: 'Power cut' }, 'Power cut'],
      [{ error: '' }, '未知请求错误'],
      [{ error: '令牌不是文本' }, '令牌不是文本'],
    ] as const) {
      // Over HTTP/2 an answer has no text of its status, which HTTP/1 always brings.
      await page.evaluate((how) => {
        const { fetch } = window
        window.fetch = (...asked) => {
          if (asked[1]?.method !== 'POST') return fetch(...asked)
          window.fetch = fetch
          return 'error' in how ? Promise.reject(new Error(how.error)) : Promise.resolve(new Response('{}', how))
        }
      }, failure)
      await expectSaid('.toast-warning', words)
    }

    await page.route(calls, (route) => route.abort(), { times: 1 })
    // The product's own sentence, and a way on: the button is pressed again.
    await expectSaid('.toast-warning', zhCn.site.error.unreachable)
    const warning = page.locator('.toast-warning', { hasText: zhCn.site.error.unreachable })
    await warning.getByRole('button', { name: zhCn.site.common.retry }).click()
    await page.waitForFunction(() => localStorage.getItem('access_token') !== null)
    await close()
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
    await go(page, '/register')
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
    const visitor = await product.visit({ user: 'project', isFresh: true })
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
    // Each kind of dialog has a colour of its own.
    const colours = await dialog.evaluate((element) => {
      const own = element.getAttribute('class') ?? ''
      const found = ['default', 'info', 'success', 'warning', 'error'].map((kind) => {
        element.setAttribute('class', `dialog dialog-${kind}`)
        return getComputedStyle(element.querySelector('h2') ?? element).color
      })
      element.setAttribute('class', own)
      return found
    })
    expect(new Set(colours).size).toBe(5)
    await page.waitForFunction(() => document.querySelector('dialog[open]')?.getBoundingClientRect().width === 446)
    expect(await dialog.evaluate((element) => getComputedStyle(element).transitionDuration)).toContain('0.25s')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    // The shade behind it goes with it.
    await page.locator('.articles').getByText(zhCn.site.common.delete).first().click()
    const shaded = await dialog.elementHandle()
    await page.evaluate(() => document.documentElement.style.setProperty('--transition', '600s'))
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    const fading = await shaded?.evaluate((element) => {
      const moving = element.getAnimations({ subtree: true })
      document.documentElement.style.removeProperty('--transition')
      for (const one of moving) one.finish()
      return moving.map(({ effect }) => (effect instanceof KeyframeEffect ? effect.pseudoElement : null))
    })
    expect(fading).toContain('::backdrop')
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

  test('a form whose record cannot be asked anew says so, instead of beginning with the record of before', async () => {
    const { common } = zhCn.site
    const first = async (sql: string) => Number((await product.sql(`${sql} order by id limit 1`))[0]?.id)
    const review = await first(`select id from certification where status = '1'`)
    const machine = await first(`select id from equipment where audit_status = '1'`)
    const contract = await first(`select id from contract where dept_id = (select dept_id from account where user_name = 'project')`)
    for (const [user, records] of [
      [
        'operator',
        [
          [paths.review(review), getCertification, review],
          [paths.equipmentReview(machine), getReview, machine],
        ],
      ],
      ['project', [[paths.editContract(contract), getContract, contract]]],
    ] as const) {
      const { page, close } = await product.visit({ user })
      for (const [path, endpoint, id] of records) {
        await go(page, path)
        await page.locator('main h1').waitFor()
        await go(page, paths.personal)
        const address = `**/prod-api${endpoint.url.replace(':id', String(id))}`
        await page.route(address, (route) => route.fulfill({ status: 500, json: {} }))
        await follow(page, path)
        const failed = page.locator('main').getByText(common.failed)
        await failed.waitFor()
        expect(await page.locator('main h1').count()).toBe(0)
        await page.unroute(address)
        await press(page, common.retry)
        await failed.waitFor({ state: 'detached' })
        await page.locator('main h1').waitFor()
      }
      await close()
    }
  })

  test('a field whose categories have not come says so instead of finding nothing, and asks for them again', async () => {
    const { page, problems, close } = await product.visit({ user: 'lessee' })
    const { ceiling, demand, site } = zhCn
    const calls = `**/prod-api${getCategoryVersion.url}`
    await page.route(calls, (route) => route.fulfill({ json: { code: 500, msg: 'false', data: null } }))
    await go(page, '/workbench/ceilings')
    await press(page, ceiling.add)
    const dialog = page.locator('dialog[open]')
    const failed = dialog.locator('.field-error', { hasText: site.common.failed })
    await failed.waitFor()
    // The dialog asked as well when it opened: answered now, that would take the button away.
    await settled(page)
    await page.unroute(calls)
    await press(dialog, site.common.retry)
    await failed.waitFor({ state: 'detached' })
    await dialog.getByRole('combobox', { name: demand.form.category }).click()
    await dialog.getByRole('listbox', { name: demand.form.category }).getByRole('option').first().waitFor()
    expect(problems).toEqual([])
    await close()
  })

  test('a public list whose filters came back is loaded again without an error', async () => {
    const { page, problems, close } = await product.visit()
    await go(page, '/equipment?fatherCategoryId=200')
    await page.goto('/equipment')
    await page.waitForURL(/fatherCategoryId=200/)
    const restored = page.getByRole('status').filter({ hasText: zhCn.search.restored })
    await restored.waitFor()
    await page.reload()
    await settled(page)
    await restored.waitFor({ state: 'detached' })
    expect(problems).toEqual([])
    await close()
  })

  test('a setting that a colleague has changed is shown as it is now, and what was typed is offered', async () => {
    const { page, problems, close } = await product.visit({ user: 'operator' })
    const { admin, site } = zhCn
    await page.goto(paths.settings)
    const limits = page.locator('form', { has: page.getByRole('heading', { name: admin.settings.names.limits }) })
    const looks = field(limits, admin.settings.fields.looksPerDay ?? '')
    await looks.fill('80')
    await field(limits, admin.reason).fill('旺季查看更多')
    const value = JSON.stringify({ looksPerDay: 70 })
    await product.sql(`insert into setting (key, value) values ('limits', $1) on conflict (key) do update set value = excluded.value`, [
      value,
    ])
    await press(limits, admin.settings.save)
    await page.locator('.toast-error', { hasText: zhCn.refusal.changed }).waitFor()
    await expect.poll(() => looks.inputValue()).toBe('70')
    await press(limits, site.draft.accept)
    expect(await looks.inputValue()).toBe('80')
    // Twice from one form: the second save begins with what the first one has stored.
    for (const looksPerDay of ['80', '90']) {
      await looks.fill(looksPerDay)
      await field(limits, admin.reason).fill('旺季查看更多')
      await press(limits, admin.settings.save)
      await expect.poll(() => field(limits, admin.reason).inputValue()).toBe('')
    }
    expect(problems).toEqual([])
    await close()
  })
})
