import { afterAll, describe, expect, test } from 'vitest'
import { paths } from '#shared/paths.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { own } from '#shared/text/zh-cn/own.ts'
import { expectAccessible } from './accessible.ts'
import { showIn } from './inspect.ts'
import { go, openUserMenu, settled, startProduct } from './product.ts'

const product = await startProduct()
afterAll(() => product.close())

describe('one shell', () => {
  test('the logo stands at the same place on public and private pages; the menu of the person has all that is theirs', async () => {
    const visitor = await product.visit({ user: 'project' })
    const { page } = visitor
    const left: number[] = []
    for (const path of ['/equipment', '/personal', '/workbench/requirement/list']) {
      await go(page, path)
      left.push((await page.locator('.brand').boundingBox())?.x ?? -1)
    }
    expect(new Set(left).size).toBe(1)
    const menu = await openUserMenu(page)
    await expectAccessible(page, 'user menu')
    // Dark by hand, on the next page from its first paint on. Journeys ask for less movement: no colour changes bit by bit.
    await page.evaluate(() => addEventListener('transitionrun', () => document.documentElement.setAttribute('data-moved', ''), true))
    await menu.getByRole('button', { name: own.themes.dark }).click()
    const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
    expect(await scheme()).toBe('dark')
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
    expect(await page.locator('html[data-moved]').count()).toBe(0)
    await page.goto('/equipment', { waitUntil: 'commit' })
    await page.locator('.site-header').waitFor()
    expect(await scheme()).toBe('dark')
    await settled(page)
    await openUserMenu(page)
    await menu.getByRole('button', { name: own.themes.system }).click()
    expect(await scheme()).toBe('light dark')
    // Esc closes the menu and leaves the focus on its button.
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('avatar')
    await page.locator('.site-tools .bell').click()
    await page.locator('.message-menu li').first().waitFor()
    expect(await page.locator('.message-menu li').count()).toBe(5)
    await expectAccessible(page, 'message menu')
    // Where a click gives the button no focus, the next key comes from the page, and the panel stays.
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
    await page.keyboard.press('Shift')
    await page.keyboard.press('PageDown')
    await page.locator('.message-menu').getByRole('link', { name: zhCn.site.common.more }).click()
    await page.waitForURL('**/personal/aboutme')
    await page.locator('.message-menu').waitFor({ state: 'detached' })
    expect(visitor.problems).toEqual([])
    await visitor.close()
  })

  const { organization, demand, blacklist, statistics, contract, internal, ceiling, equipment, quote, certification } = zhCn
  const demands: [string, string][] = [
    [organization.demands, paths.requirement],
    [demand.own.list, paths.ownDemands()],
    [demand.own.drafts, paths.drafts],
    [blacklist.title, paths.blacklist()],
    [statistics.title, paths.statistics],
  ]
  const organizations: [string, string][] = [
    [organization.title, paths.organization],
    [organization.list, paths.units],
    [organization.people, paths.people()],
  ]
  const machines: [string, string][] = [
    [equipment.own.title, paths.ownMachines],
    [quote.title, paths.market()],
  ]
  const added = [contract.title, internal.title, ceiling.title]
  test.each([
    [
      'lessee',
      [...organizations, ...demands],
      [...added, certification.review.title],
      [paths.addUnit(), paths.addProject(), paths.addPerson()],
    ],
    ['project', demands, added, [paths.addDemand(), paths.addBlacklist(), paths.addContract()]],
    ['lessor', machines, [blacklist.titleOwn, contract.title, organization.people], [paths.addMachine, paths.importMachines()]],
  ])(
    '[S2.26] the menu of %s is that of the specification with more after it, and each page has a title of its own, with its heading',
    async (user, named, after, others) => {
      const visitor = await product.visit({ user })
      const { page } = visitor
      await go(page, '/workbench')
      const entries = page.locator('aside nav a')
      // A counter at the end of an entry is no part of its name.
      const words = (await entries.allTextContents()).map((text) => text.replace(/\d+$/, ''))
      expect(words).toEqual([...named.map(([label]) => label), ...after])
      const addresses = await entries.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
      expect(addresses.slice(0, named.length)).toEqual(named.map(([, address]) => address))

      const titles = new Map<string, string>()
      for (const address of [...addresses, ...others].filter((one) => one !== paths.organization && one !== paths.requirement)) {
        await go(page, address)
        const title = await page.title()
        expect(titles.get(title), `${address} has the title of another page`).toBeUndefined()
        titles.set(title, address)
        // The number of rows behind it is no part of the heading.
        const heading = await page
          .locator('main h1')
          .first()
          .evaluate((found) => found.firstChild?.textContent?.trim())
        expect(title, address).toContain(heading)
      }
      expect(visitor.problems).toEqual([])
      await visitor.close()
    },
  )

  test('Ctrl-K finds pages, demands, contracts, machines and people by keyboard; Esc returns the focus; the heading has it on the next page', async () => {
    const visitor = await product.visit({ user: 'lessee', width: 375 })
    const { page } = visitor
    await go(page, '/personal/safety')
    await page.locator('.site-tools button.avatar').focus()
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: own.palette.placeholder })
    await field.waitFor()
    await expectAccessible(page, 'palette')
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('avatar')
    await page.keyboard.press('Control+k')
    await field.fill('keeper')
    await page.getByRole('option', { name: own.palette.kinds.person }).first().waitFor()
    const [contract] = await product.sql(
      `select c.contract_code as code from contract c join dept d on d.id = c.dept_id join account a on a.company_id = d.company_id
       where a.user_name = 'lessee' limit 1`,
    )
    await field.fill(String(contract?.code))
    await page
      .getByRole('option', { name: own.palette.kinds.contract })
      .filter({ hasText: String(contract?.code) })
      .waitFor()
    await field.fill(zhCn.contract.pages.direct.add)
    await page.getByRole('option', { name: zhCn.contract.pages.direct.add }).waitFor()
    await field.fill('挖掘机')
    await page.getByRole('option', { name: own.palette.kinds.machine }).first().waitFor()
    await field.fill(zhCn.organization.people)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/workbench/organization/userlist')
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1')
    expect(visitor.problems).toEqual([])
    await visitor.close()
  })

  test('in English the links of the header leave the tools their room at every width that shows them', async () => {
    for (const user of [undefined, 'lessor']) {
      const { page, close } = await product.visit({ width: 961, language: 'en-US', ...(user && { user }) })
      await go(page, '/contact')
      for (const width of [961, 1000, 1041]) {
        await page.setViewportSize({ width, height: 900 })
        const freePx = await page.evaluate(() => {
          const rights = [...document.querySelectorAll('.site-nav a')].map((one) => one.getBoundingClientRect().right)
          const tools = [...document.querySelectorAll('.site-tools > *')].filter((one) => one.getBoundingClientRect().width > 0)
          return Math.min(...tools.map((one) => one.getBoundingClientRect().left)) - Math.max(...rights)
        })
        expect(freePx, `${width} px`).toBeGreaterThanOrEqual(0)
      }
      await close()
    }
  })

  test('the menu of a phone closes on Escape, on a press beside it and when the focus leaves it', async () => {
    const { page, close } = await product.visit({ width: 375 })
    await go(page, '/')
    const menu = page.locator('details.menu')
    const isOpen = () => menu.evaluate((one) => (one as HTMLDetailsElement).open)
    const open = async () => {
      await menu.locator('summary').click()
      await expect.poll(isOpen).toBe(true)
      // React knows it by then.
      await settled(page)
    }
    await open()
    // Its registration is in the header where there is room.
    const register = menu.getByRole('link', { name: zhCn.site.action.register })
    expect([await register.isVisible(), await register.getAttribute('href')]).toEqual([true, paths.register])
    await page.setViewportSize({ width: 768, height: 800 })
    await register.waitFor({ state: 'hidden' })
    await page.setViewportSize({ width: 375, height: 800 })
    for (let at = 0; at < 10; at++) await page.keyboard.press('Tab')
    await expect.poll(isOpen).toBe(false)
    await open()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Escape')
    await expect.poll(isOpen).toBe(false)
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('SUMMARY')
    await open()
    await page.mouse.click(8, 780)
    await expect.poll(isOpen).toBe(false)
    await close()
  })

  test('in both languages the bar of the comparison holds its buttons and covers no line of the footer', async () => {
    const { page, close } = await product.visit({ width: 375 })
    await page.addInitScript(() => localStorage.setItem('compare', '[1,2,3]'))
    await go(page, '/equipment')
    const bar = page.locator('.compare-bar')
    await bar.waitFor()
    for (const language of ['zh-CN', 'en-US'] as const) {
      await showIn(page, { width: 375, language })
      await settled(page)
      const outside = await bar.evaluate((one) => {
        const { left, right } = one.getBoundingClientRect()
        return [...one.children].filter((part) => part.getBoundingClientRect().left < left || part.getBoundingClientRect().right > right)
          .length
      })
      expect(outside, language).toBe(0)
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
      const [end, top] = await Promise.all(
        [page.locator('.legal'), bar].map((one, at) =>
          one.evaluate((found, end_) => found.getBoundingClientRect()[end_], at ? ('top' as const) : ('bottom' as const)),
        ),
      )
      expect(end, language).toBeLessThanOrEqual(top ?? 0)
    }
    await close()
  })

  test('the focus shows white on the dark footer and the dark head of the home page, and blue in its search', async () => {
    const { page, close } = await product.visit()
    await go(page, '/')
    const white = 'rgb(255, 255, 255)'
    const ringOf = (selector: string) => async () => {
      await page.locator(selector).first().focus()
      return page
        .locator(selector)
        .first()
        .evaluate((one) => one.matches(':focus-visible') && getComputedStyle(one).outlineColor)
    }
    await page.keyboard.press('Tab')
    await expect.poll(ringOf('.site-footer a')).toBe(white)
    await expect.poll(ringOf('.hero-words a')).toBe(white)
    await expect.poll(ringOf('.hero-search button')).toBe('rgb(20, 83, 209)')
    await close()
  })

  test('a toast that comes as a dialog closes is announced: it enters a region that was there before', async () => {
    const { page, close } = await product.visit({ user: 'lessor' })
    await page.goto('/personal/aboutme')
    await page.locator('.message').first().waitFor()
    const names = await page.locator('.message').getByRole('button', { name: zhCn.site.common.delete }).allTextContents()
    expect(names.filter((name) => name.trim() === zhCn.site.common.delete)).toEqual([])
    await page.evaluate(() => {
      const region = document.querySelector('.toasts')
      const seen: string[] = []
      Object.assign(globalThis, { seen })
      if (region)
        new MutationObserver((changes) => {
          for (const { addedNodes } of changes) for (const node of addedNodes) seen.push(node.textContent ?? '')
        }).observe(region, { childList: true })
    })
    await page.locator('.message').getByRole('button', { name: zhCn.site.common.delete }).first().click()
    await page.locator('dialog[open] footer .button').last().click()
    await expect.poll(() => page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen.length)).toBe(1)
    await close()
  })

  test('at 320 px both buttons of a question stand inside its dialog', async () => {
    const { page, close } = await product.visit({ width: 320, language: 'en-US', user: 'project' })
    await page.goto('/workbench/requirement/drafts')
    await page.locator('tbody [type=checkbox]').first().check()
    await page.getByRole('button', { name: en.list.draft.deleteSelected }).click()
    const lefts = await page
      .locator('dialog[open] footer .button')
      .evaluateAll((buttons) =>
        buttons.map((one) => one.getBoundingClientRect().left - (one.closest('dialog')?.getBoundingClientRect().left ?? 0)),
      )
    expect(lefts.length).toBe(2)
    expect(Math.min(...lefts)).toBeGreaterThanOrEqual(0)
    await close()
  })

  test('the columns of a list can be chosen in a low window, wherever their button stands', async () => {
    const { page, close } = await product.visit({ width: 375, user: 'lessor' })
    await page.setViewportSize({ width: 375, height: 667 })
    await page.goto('/workbench/cequipment')
    await page.locator('.work-tools-open').click()
    const button = page.getByRole('button', { name: zhCn.list.columns })
    await button.evaluate((one) => scrollBy(0, one.getBoundingClientRect().bottom - 395))
    await button.click()
    const panel = page.locator('.popup:popover-open')
    await expect.poll(() => panel.evaluate((one) => one.getBoundingClientRect().bottom)).toBeLessThanOrEqual(667)
    await close()
  })

  test('what a figure means is read by a tap and by keyboard', async () => {
    const { page, close } = await product.visit({ width: 375, user: 'lessee' })
    await page.goto('/workbench/statistics')
    const sign = page.locator('.figure-grid .term').first()
    const hint = page.locator('.popup:popover-open p')
    await sign.click()
    await hint.waitFor()
    await page.keyboard.press('Escape')
    await hint.waitFor({ state: 'detached' })
    await sign.press('Enter')
    expect(Object.values(zhCn.statistics.hints)).toContain(await hint.textContent())
    await close()
  })
})
