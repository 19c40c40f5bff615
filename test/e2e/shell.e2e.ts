import { afterAll, describe, expect, test } from 'vitest'
import { paths } from '#shared/paths.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { own } from '#shared/text/zh-cn/own.ts'
import { expectAccessible } from './accessible.ts'
import { openUserMenu, settled, startProduct } from './product.ts'

const product = await startProduct()
afterAll(() => product.close())

describe('one shell', () => {
  test('the logo stands at the same place on public and private pages; the menu of the person has all that is theirs', async () => {
    const visitor = await product.visit({ user: 'project' })
    const { page } = visitor
    const left: number[] = []
    for (const path of ['/equipment', '/personal', '/workbench/requirement/list']) {
      await page.goto(path)
      await settled(page)
      left.push((await page.locator('.brand').boundingBox())?.x ?? -1)
    }
    expect(new Set(left).size).toBe(1)
    const menu = await openUserMenu(page)
    await expectAccessible(page, 'user menu')
    // Dark by hand, on the next page from its first paint on.
    await menu.getByRole('button', { name: own.themes.dark }).click()
    const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
    expect(await scheme()).toBe('dark')
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
    ['lessee', [...organizations, ...demands], [...added, certification.review.title]],
    ['project', demands, added],
    ['lessor', machines, [blacklist.titleOwn, contract.title, organization.people]],
  ])('[S2.26] the menu of %s is that of the specification, and what it does not name comes after it', async (user, named, after) => {
    const visitor = await product.visit({ user })
    const { page } = visitor
    await page.goto('/workbench')
    await settled(page)
    const entries = page.locator('aside nav a')
    // A counter at the end of an entry is no part of its name.
    const words = (await entries.allTextContents()).map((text) => text.replace(/\d+$/, ''))
    expect(words).toEqual([...named.map(([label]) => label), ...after])
    const addresses = await entries.evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    expect(addresses.slice(0, named.length)).toEqual(named.map(([, address]) => address))
    await visitor.close()
  })

  test.each([
    ['project', [paths.addDemand(), paths.addBlacklist(), paths.addContract()]],
    ['lessee', [paths.addUnit(), paths.addProject(), paths.addPerson()]],
    ['lessor', [paths.addMachine, paths.importMachines()]],
  ])('each page of the workbench has a title of its own, with the heading of the page (%s)', async (user, others) => {
    const visitor = await product.visit({ user })
    const { page } = visitor
    await page.goto('/workbench')
    await settled(page)
    const entries = await page.locator('aside nav a').evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
    const titles = new Map<string, string>()
    for (const address of [...entries, ...others].filter((one) => one !== paths.organization && one !== paths.requirement)) {
      await page.goto(address)
      await settled(page)
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
  })

  test('Ctrl-K finds pages, demands, contracts, machines and people by keyboard; Esc returns the focus; the heading has it on the next page', async () => {
    const visitor = await product.visit({ user: 'lessee', width: 375 })
    const { page } = visitor
    await page.goto('/personal/safety')
    await settled(page)
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
})
