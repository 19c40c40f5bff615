import { afterAll, describe, expect, test } from 'vitest'
import { listPublicDemands } from '#shared/demand/contract.ts'
import { editSavedSearch, listFavouriteIds, setFavourite } from '#shared/favourite/contract.ts'
import { paths } from '#shared/paths.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { expectAccessible } from './accessible.ts'
import { hold } from './hold.ts'
import { expectNoOverflow } from './inspect.ts'
import { follow, go, press, settled, startProduct } from './product.ts'

const product = await startProduct()
afterAll(() => product.close())

const [open] = await product.sql(`select max(id) as id from demand where status = '3'`)

describe('searching and favourites', () => {
  test('the search suggests with the keyboard and searches the library that was chosen', async () => {
    const visitor = await product.visit({ width: 375 })
    const { page } = visitor
    await go(page, '/')
    // Nothing is typed, so the library opens without an empty filter.
    await press(page, zhCn.site.home.search)
    await page.waitForURL(/\/equipment$/)
    await go(page, '/')
    const box = page.getByRole('combobox')
    await box.fill('塔吊')
    await page.getByRole('option').first().waitFor()
    expect(await box.getAttribute('aria-expanded')).toBe('true')
    await box.press('ArrowDown')
    expect(await page.getByRole('option', { selected: true }).count()).toBe(1)
    await expectAccessible(page, 'suggestions')
    await expectNoOverflow(page, 'suggestions')
    await box.press('Enter')
    await page.waitForURL(/\/equipment\?fatherCategoryId=200&categoryId=201/)
    await page.goto('/')
    await settled(page)
    await page.getByRole('radio', { name: zhCn.site.home.scopes.supplier }).check({ force: true })
    await page.getByRole('combobox').fill('租赁')
    await page.getByRole('combobox').press('Escape')
    await page.getByRole('combobox').press('Enter')
    await page.waitForURL(`**/supplier?enterpriseName=${encodeURIComponent('租赁')}`)
    // The field's own example finds machines, the suggestions are whole, and what was understood can be taken away.
    await page.goto('/')
    await settled(page)
    await box.fill('25吨汽车吊')
    await page.getByRole('group', { name: zhCn.site.home.kinds.equipment }).getByRole('option').first().waitFor()
    const last = page.getByRole('option').last()
    await last.scrollIntoViewIfNeeded()
    expect(
      await last.evaluate((one) =>
        one.contains(document.elementFromPoint(one.getBoundingClientRect().x + 20, one.getBoundingClientRect().y + 5)),
      ),
    ).toBe(true)
    await box.press('Enter')
    await page.waitForURL(/\/equipment\?name=/)
    const chips = page.getByRole('list', { name: zhCn.search.understood })
    await chips.getByRole('link', { name: zhCn.search.remove(zhCn.search.about('25 t')) }).click()
    await page.waitForURL(/name=%E6%B1%BD%E8%BD%A6%E5%90%8A$/)
    expect(visitor.problems).toEqual([])
    await visitor.close()
  })

  test('the contact of one lessor is not shown under another', async () => {
    const { page, problems, close } = await product.visit({ user: 'lessee' })
    const lessors = await product.sql(
      `select id, enterprise_name as name from company where lessor_audit = '2' and blacklisted_at is null order by id limit 2`,
    )
    const [first, second] = lessors.map(({ id }) => paths.lessor(Number(id)))
    await page.goto(first ?? '')
    await settled(page)
    await press(page, zhCn.demand.contactLook)
    const phone = page.locator('.detail-side a[href^="tel:"]')
    await phone.waitFor()
    await follow(page, second ?? '')
    await page.getByRole('heading', { level: 1, name: String(lessors[1]?.name) }).waitFor()
    await page.getByRole('button', { name: zhCn.demand.contactLook }).waitFor()
    expect(await phone.count()).toBe(0)
    expect(problems).toEqual([])
    await close()
  })

  test('the searches of the trade find machines of the demo market', async () => {
    const words = ['25吨汽车吊', '25t', '25吨', '徐工汽车吊', '20吨挖掘机', '12米剪叉', 'QTZ80', '80塔吊', '成都 挖机', '人货梯']
    const totals = await Promise.all(
      words.map(async (name) => {
        const response = await fetch(`${product.origin}/prod-api/business/equipment/firstPageList?name=${encodeURIComponent(name)}`)
        return [name, ((await response.json()) as { total: number }).total > 0]
      }),
    )
    expect(totals).toEqual(words.map((name) => [name, true]))
    // A form without a script sends its empty fields as well; they do not stay in the address that people share.
    const shared = await fetch(`${product.origin}/equipment?name=&provinceId=510000&brand=`, { redirect: 'manual' })
    expect([shared.status, shared.headers.get('location')]).toEqual([302, '/equipment?provinceId=510000'])
  })

  test('on a phone the button of the filters says how many machines it shows, also of what is only typed', async () => {
    const visitor = await product.visit({ width: 375 })
    const { page } = visitor
    await page.goto('/equipment')
    await settled(page)
    await page.locator('.filter > summary').click()
    const button = page.locator('.filter button[type=submit]')
    const shown = async () => Number(/\d+/.exec((await button.innerText()).replaceAll(',', ''))?.[0])
    const all = await shown()
    await page.getByLabel(zhCn.equipment.name).fill('徐工')
    await expect.poll(shown).toBeLessThan(all)
    const typed = await shown()
    expect(await button.innerText()).toBe(zhCn.search.show(`${typed} ${zhCn.site.common.units.machine(typed)}`))
    await expectNoOverflow(page, 'filters')
    await button.click()
    await page.waitForURL(/name=/)
    await page.locator('.page-head .num', { hasText: zhCn.equipment.count(typed) }).waitFor()
    // The filters fold away, so the list stands where they were.
    await expect.poll(() => page.locator('.filter[open]').count()).toBe(0)
    expect(visitor.problems).toEqual([])
    await visitor.close()
  })

  test('parameters of the category, free dates and distance narrow and order the library', async () => {
    const visitor = await product.visit()
    const { page } = visitor
    await page.goto('/equipment?fatherCategoryId=200&categoryId=201')
    await settled(page)
    const count = async () => Number(/\d+/.exec((await page.locator('.page-head .num').textContent()) ?? '')?.[0])
    const all = await count()
    await page.getByLabel(`公称起重力矩 (t·m) ${zhCn.equipment.specFrom}`).fill('100')
    await page.getByRole('button', { name: zhCn.site.common.search, exact: true }).click()
    await page.waitForURL(/spec_/)
    await expect.poll(count).toBeLessThan(all)
    await page.goto('/equipment?fatherCategoryId=200&sort=distance&nearProvinceId=420000&nearCityId=420100&view=table')
    await settled(page)
    const distances = (await page.locator('td .num', { hasText: '公里' }).allTextContents()).map((words) => Number(/\d+/.exec(words)?.[0]))
    expect(distances.length).toBeGreaterThan(5)
    expect(distances).toEqual(distances.toSorted((a, b) => a - b))
    expect(distances[0]).toBe(0)
    // The next visit begins with the filters of the last one, and says so.
    await page.goto('/equipment')
    await page.waitForURL(/sort=distance/)
    await page.getByRole('status').filter({ hasText: zhCn.search.restored }).getByRole('link', { name: zhCn.search.clear }).click()
    await page.waitForURL(/\/equipment$/)
    await page.getByText(zhCn.search.restored).waitFor({ state: 'detached' })
    await visitor.close()
  })

  test('up to four machines are compared side by side; the basket survives a reload', async () => {
    const visitor = await product.visit()
    const { page } = visitor
    const { compare } = zhCn.equipment
    await page.goto('/equipment?fatherCategoryId=200&categoryId=201')
    await settled(page)
    for (const index of [0, 1, 2, 3]) await page.locator('.card').nth(index).getByRole('button', { name: compare.add }).click()
    await page.getByText(compare.bar(4)).waitFor()
    await page.locator('.card').nth(4).getByRole('button', { name: compare.add }).click()
    await page.locator('.toast-warning', { hasText: compare.full }).waitFor()
    await page.reload()
    await page.getByText(compare.bar(4)).waitFor()
    await page.getByRole('link', { name: compare.go }).click()
    await page.getByRole('heading', { name: compare.title }).waitFor()
    expect(await page.locator('.compare thead th').count()).toBe(5)
    const rows = await page.locator('.compare tbody tr').count()
    expect(await page.locator('.compare td .tag-good').count()).toBeGreaterThan(0)
    await page.getByLabel(compare.differing).check()
    expect(await page.locator('.compare tbody tr').count()).toBeLessThan(rows)
    await page.locator('.compare thead').getByRole('link', { name: compare.remove }).first().click()
    await expect.poll(() => page.locator('.compare thead th').count()).toBe(4)
    await expectAccessible(page, 'compare')
    await visitor.close()
  })

  test('the page of a machine prints as a sheet with a code, and invites its lessor into a new demand', async () => {
    const [machine] = await product.sql(
      `select e.id, c.enterprise_name as lessor, to_char(e.confirmed_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as confirmed
        from equipment e join company c on c.id = e.company_id where e.shelf_status = '1' order by e.id limit 1`,
    )
    const served = await (await fetch(`${product.origin}/equipment/detail?id=${machine?.id}`)).text()
    // A price without its unit means nothing to a search engine.
    expect(served).toContain('UnitPriceSpecification')
    expect(served).toContain(zhCn.equipment.confirmed(String(machine?.confirmed)))
    const visitor = await product.visit({ user: 'project' })
    const { page } = visitor
    await page.addInitScript(() => {
      window.print = () => document.documentElement.setAttribute('data-printed', '')
    })
    await page.goto(`/equipment/detail?id=${machine?.id}`)
    await settled(page)
    await page.getByRole('button', { name: zhCn.site.common.print }).click()
    await page.locator('html[data-printed]').waitFor()
    await page.emulateMedia({ media: 'print' })
    await page.locator('.print-code img').waitFor()
    expect(await page.locator('.site-header').isVisible()).toBe(false)
    await page.emulateMedia({ media: 'screen' })
    await page.getByRole('link', { name: zhCn.equipment.invite }).click()
    await page.waitForURL(/requirement\/add\?categoryId=/)
    await page.getByRole('button', { name: new RegExp(String(machine?.lessor)) }).waitFor()
    expect(visitor.problems).toEqual([])
    await visitor.close()
  })

  test('favourites and saved searches are in the personal centre; a visitor is led to the sign-in', async () => {
    const { favourite } = zhCn.personal
    const stranger = await product.visit()
    await stranger.page.goto('/equipment')
    await settled(stranger.page)
    await stranger.page.locator('.card').first().getByRole('button', { name: favourite.keep }).click()
    await stranger.page.waitForURL(/\/login\?redirect=/)
    await stranger.close()
    const visitor = await product.visit({ user: 'lessee' })
    const { page } = visitor
    await page.goto('/equipment?fatherCategoryId=100')
    await settled(page)
    const first = page.locator('.card').first()
    const name = (await first.locator('.card-title').textContent()) ?? ''
    await first.getByRole('button', { name: favourite.keep }).click()
    await first.getByRole('button', { name: favourite.kept }).waitFor()
    await page.getByRole('button', { name: favourite.save }).click()
    await page.locator('dialog[open]').getByRole('button', { name: zhCn.site.common.save }).click()
    await page.locator('.toast-success', { hasText: favourite.saved }).waitFor()
    await page.goto('/personal/favourites')
    await page.locator('.card-title', { hasText: name }).waitFor()
    await page.getByRole('button', { name: favourite.kept }).click()
    await page.locator('.card-title', { hasText: name }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: favourite.undo }).click()
    await page.locator('.card-title', { hasText: name }).waitFor()
    await page.getByRole('link', { name: favourite.searches }).click()
    const letSwitch = await hold(page, editSavedSearch.url)
    await page.getByRole('button', { name: favourite.alertOn }).click()
    await page.locator('.settings').getByRole('button', { name: zhCn.site.common.delete }).first().click()
    letSwitch()
    // The switch that is answered for closes no question that was opened meanwhile.
    await page.getByRole('button', { name: favourite.alertOff, includeHidden: true }).waitFor()
    await page.locator('dialog[open]').getByText(favourite.deleteAsk).waitFor()
    await page.keyboard.press('Escape')
    // The switch keeps the focus while it is answered for.
    await page.getByRole('button', { name: favourite.alertOff }).press('Enter')
    await page.getByRole('button', { name: favourite.alertOn }).and(page.locator(':focus')).waitFor()
    await page.locator('.settings a').first().click()
    await page.waitForURL(/\/equipment\?fatherCategoryId=100/)
    expect(visitor.problems).toEqual([])
    await visitor.close()
  })

  test('a star pressed before the list of favourites is there stays pressed once the list comes', async () => {
    const { favourite } = zhCn.personal
    const visitor = await product.visit({ user: 'project' })
    const { page } = visitor
    let answerList = () => {}
    const pressed = new Promise<void>((done) => {
      answerList = done
    })
    await page.route(`**${listFavouriteIds.url}`, async (route) => {
      const answer = await route.fetch()
      await pressed
      await route.fulfill({ response: answer })
    })
    const asked = page.waitForRequest(`**${listFavouriteIds.url}`)
    await page.goto('/equipment')
    await asked
    const first = page.locator('.card').first()
    const stored = page.waitForResponse(`**${setFavourite.url}`)
    await first.getByRole('button', { name: favourite.keep }).click()
    await stored
    const listed = page.waitForResponse(`**${listFavouriteIds.url}`)
    answerList()
    await (await listed).finished()
    await settled(page)
    expect(await first.getByRole('button', { name: favourite.kept }).getAttribute('aria-pressed')).toBe('true')
    expect(visitor.problems).toEqual([])
    await visitor.close()
  })

  test('the page says why an uncertified account, the demand’s own lessee or an operator cannot quote, and why nobody can after the deadline', async () => {
    const { quoteBars } = zhCn.demand
    const [closed] = await product.sql(`select id from demand where status = '5' and demand_type = '1' limit 1`)
    for (const [user, id, words] of [
      ['newcomer', open?.id, quoteBars.uncertified],
      ['lessee', open?.id, quoteBars.own],
      ['operator', open?.id, quoteBars.notLessor],
      ['lessor', closed?.id, quoteBars.closed],
    ] as const) {
      const visitor = await product.visit({ user })
      await visitor.page.goto(`/demand/detail?id=${id}`)
      await visitor.page.getByText(words).waitFor()
      await visitor.close()
    }
  })
})

describe('a page is that of whoever looks at it, and of what they do', () => {
  test('a lessor who loads the document of a demand that invites them, or of the library, reads what the server shows no visitor', async () => {
    const [invited] = await product.sql(
      `update demand set demand_type = '2' where id = (select min(id) from demand where status = '3' and demand_type = '1') returning id, title`,
    )
    await product.sql(`insert into demand_invite select $1, company_id from account where user_name = 'lessor' on conflict do nothing`, [
      invited?.id,
    ])
    const title = String(invited?.title)
    const address = paths.demand(Number(invited?.id))
    expect((await fetch(product.origin + address)).status).toBe(404)
    expect(await (await fetch(product.origin + '/demand?demandType=2')).text()).toContain(zhCn.demand.invitedHint)
    const { page, close } = await product.visit({ user: 'lessor' })
    await page.goto(address)
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await page.goto('/demand?demandType=2')
    await page.getByRole('link', { name: title }).first().waitFor()
    // Where their own list cannot be loaded, that of the visitors stays.
    const incomplete = page.getByText(zhCn.site.error.incomplete)
    for (const path of ['/', '/demand?status=3']) {
      await page.route(`**${listPublicDemands.url}*`, (route) => route.abort())
      await page.goto(path)
      await incomplete.waitFor()
      await page.locator('.demand').first().waitFor()
      await page.unroute(`**${listPublicDemands.url}*`)
    }
    // Their own follows as soon as the line is back, and when they ask for it.
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await incomplete.waitFor({ state: 'detached' })
    const [open] = await product.sql(`select min(id) as id from demand where status = '3' and demand_type = '1'`)
    await page.route(`**/firstPageList/*`, (route) => route.fulfill({ status: 429 }))
    await page.goto(paths.demand(Number(open?.id)))
    await incomplete.waitFor()
    await page.unroute(`**/firstPageList/*`)
    await page.getByRole('button', { name: zhCn.site.common.retry }).last().click()
    await incomplete.waitFor({ state: 'detached' })
    await close()
    // For everybody else it stays what it is for visitors.
    const other = await product.visit({ user: 'lessor2' })
    await other.page.goto(address)
    await settled(other.page)
    await other.page.getByRole('heading', { level: 1, name: zhCn.site.notFound.title }).waitFor()
    await other.close()
  })

  test('a province that is chosen takes the city of another one out of the list, also of lessors, whose filters can be removed', async () => {
    const { page, problems, close } = await product.visit()
    for (const path of ['/equipment', '/demand', '/supplier']) {
      await go(page, `${path}?provinceId=510000&cityId=510100`)
      await page.getByLabel(zhCn.site.common.province, { exact: true }).selectOption('420000')
      await page.waitForURL(/provinceId=420000/)
      expect(page.url()).not.toContain('cityId')
    }
    await page.getByRole('link', { name: zhCn.search.remove('湖北省') }).click()
    await page.waitForURL(/\/supplier$/)
    await go(page, '/supplier?enterpriseName=%E6%97%A0%E6%AD%A4')
    await page.locator('.empty').getByRole('link', { name: zhCn.site.common.reset }).click()
    await page.waitForURL(/\/supplier$/)
    // How the list is shown is no filter.
    await go(page, '/equipment?view=table&pageSize=50&exact=1')
    await page.getByText(zhCn.site.common.filters, { exact: true }).first().waitFor({ state: 'attached' })
    expect(await page.getByRole('button', { name: zhCn.personal.favourite.save }).count()).toBe(0)
    expect(problems).toEqual([])
    await close()
  })

  test('the way back to a whole list finds the whole list, whatever filters were used since', async () => {
    const { page, close } = await product.visit()
    await go(page, '/aboutus')
    await go(page, '/equipment')
    await go(page, '/contact')
    await go(page, '/equipment?name=%E5%A1%94')
    for (const path of [/\/contact$/, /\/equipment$/]) {
      await page.goBack()
      await page.waitForURL(path)
    }
    await settled(page)
    expect(new URL(page.url()).search).toBe('')
    await close()
  })

  test('the keys of an input method move nothing in the suggestions', async () => {
    const { page, close } = await product.visit()
    await page.goto('/')
    await settled(page)
    const box = page.getByRole('combobox')
    await box.fill('塔吊')
    await page.getByRole('option').first().waitFor()
    const pressed = (key: string) =>
      box.evaluate((input, name) => input.dispatchEvent(new KeyboardEvent('keydown', { key: name, isComposing: true, bubbles: true })), key)
    for (const key of ['ArrowDown', 'Escape']) await pressed(key)
    expect([await page.getByRole('option', { selected: true }).count(), await box.getAttribute('aria-expanded')]).toEqual([0, 'true'])
    await close()
  })

  test('the focus goes on to the next record and the next page of a list at the same path', async () => {
    const { page, close } = await product.visit()
    const focused = () => page.evaluate(() => document.activeElement?.tagName)
    await go(page, '/notice')
    await page.locator('.articles a').nth(1).click()
    await page.waitForURL(/notice\/detail/)
    await settled(page)
    const title = await page.getByRole('heading', { level: 1 }).textContent()
    await page.locator('main a[href*="notice/detail"]').first().press('Enter')
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).not.toBe(title)
    await expect.poll(focused).toBe('H1')
    await go(page, '/equipment')
    await page.locator('.pagination a[rel="next"]').press('Enter')
    await page.waitForURL(/pageNum=2/)
    await expect.poll(focused).toBe('H1')
    await close()
  })
})
