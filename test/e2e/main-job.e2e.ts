import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { addDays, addMonths, dayOf, toMoment } from '#shared/calendar.ts'
import { publishDemand } from '#shared/demand/contract.ts'
import { en } from '#shared/text/en.ts'
import { terms as termsEn } from '#shared/text/en/terms.ts'
import type { TermName } from '#shared/text/terms.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { terms } from '#shared/text/zh-cn/terms.ts'
import { expectAccessible } from './accessible.ts'
import { hold } from './hold.ts'
import { expectNoOverflow, picture } from './inspect.ts'
import { settled, startProduct, type Language, type Visitor } from './product.ts'

const product = await startProduct()
afterAll(() => product.close())

/** Two lessors of the demo market with an excavator and a loader on the shelf. */
const fitting = await product.sql(`
  select a.user_name from account a where a.user_type = '4'
    and exists (select 1 from equipment e where e.company_id = a.company_id and e.shelf_status = '1' and e.category_id = 101 and e.main_value >= 21)
    and exists (select 1 from equipment e where e.company_id = a.company_id and e.shelf_status = '1' and e.category_id = 106 and e.main_value >= 5)
  order by a.id limit 2`)
const [firstLessor = '', secondLessor = ''] = fitting.map((row) => String(row.user_name))

const today = dayOf(new Date())
// Each round has its own months, because machines awarded in one round are not free in the next.
// The other two of the four are the journeys of the workbench.
describe.each([
  ['zh-CN', 375, 0],
  ['en-US', 1440, 1],
] as const)('the main job in %s at %i px', (language, width, season) => {
  const start = addDays(today, 420 + 120 * season)
  const end = addDays(start, 90)
  const text = language === 'zh-CN' ? zhCn : en
  const shot = (page: Page, name: string) => picture(page, `main-${language}-${width}-${name}.png`)
  const look = async (page: Page, name: string) => {
    await settled(page)
    await expectNoOverflow(page, name)
    await expectAccessible(page, name)
    await shot(page, name)
  }

  test('a demand is published, quoted by two lessors, opened by the clock, compared and awarded', async () => {
    const project = await product.visit({ width, language })
    const lessor = await product.visit({ width, language, user: firstLessor })
    const lessor2 = await product.visit({ width, language, user: secondLessor })
    const title = `${language} ${width} ${Date.now() % 100_000}`

    await signIn(project.page, language, 'project')
    await lessor.page.goto('/personal')
    await settled(lessor.page)

    // The lessor's open page gets a toast at once. It disappears by itself, so the test begins to wait for it now.
    const heard = lessor.page.getByRole('status').filter({ hasText: title }).waitFor({ timeout: 120_000 })
    await publish(project.page, title)
    await look(project.page, 'published')
    const id = new URL(project.page.url()).searchParams.get('id') ?? ''
    const code = String((await product.sql('select demand_code from demand where id = $1', [id]))[0]?.demand_code)

    await heard
    await quote(lessor.page, code, title, '26000', '17000', 'lessor')
    await quote(lessor2.page, code, title, '27000', '16000', 'lessor2')
    await withdrawAndQuoteAgain(lessor2.page)

    await project.page.reload()
    await project.page.getByText(text.demand.own.received(2)).waitFor()
    await project.page.getByText(text.demand.own.receivedSealed).waitFor()
    expect(await project.page.getByText('26,000').count()).toBe(0)

    // Days pass. The job opens the demand and the open page updates.
    await product.sql(`update demand set quote_deadline = now() - interval '1 second' where id = $1`, [id])
    await compareAndAward(project.page)
    await look(project.page, 'awarded')
    const file = project.page.waitForEvent('download')
    if (width < 500) await project.page.getByRole('button', { name: text.list.more }).click()
    await project.page.getByRole('button', { name: text.demand.own.export }).click()
    const download = await file
    expect(download.suggestedFilename()).toContain(code)
    expect(
      readFileSync(await download.path())
        .subarray(0, 2)
        .toString(),
    ).toBe('PK')

    await wins(lessor, 1)
    await wins(lessor2, 1)
    for (const visitor of [project, lessor, lessor2]) {
      expect(visitor.problems).toEqual([])
      await visitor.close()
    }
  })

  async function signIn(page: Page, _: Language, user: string) {
    await page.goto('/workbench/requirement/add')
    await page.waitForURL(/\/login\?redirect=/)
    await page.getByLabel(text.account.userName).fill(user)
    await page.getByLabel(text.account.password, { exact: false }).first().fill('Zhuji@2026')
    await page.getByRole('button', { name: text.account.submit, exact: true }).click()
    await page.waitForURL(/\/workbench\/requirement\/add/)
  }

  async function publish(page: Page, title: string) {
    const words = text.demand.form
    await page.getByRole('heading', { name: words.title }).waitFor()
    await page.getByLabel(words.titleField).fill(title)
    // Missing input is reported beside the fields.
    await page.getByRole('button', { name: words.submit }).click()
    await page
      .getByText(text.rule.codes.required ?? '')
      .first()
      .waitFor()
    await look(page, 'form-errors')

    await page.getByLabel(text.demand.minQuotes).fill('2')
    await page.getByLabel(text.demand.deadline).fill(
      toMoment(new Date(Date.now() + 3 * 86_400_000))
        .slice(0, 16)
        .replace(' ', 'T'),
    )
    // The calendar comes when it is opened; a usual deadline takes one click and no calendar.
    await page.getByRole('button', { name: text.site.dates.open }).first().click()
    await page.locator('.rdp-day_button:focus').waitFor()
    await look(page, 'calendar')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: text.site.dates.days(3) }).click()
    await expect.poll(() => page.getByLabel(text.demand.deadline).inputValue()).toMatch(/17:00$/)
    await fillLine(
      page,
      1,
      language === 'zh-CN' ? '勾机' : 'Crawler exc',
      text.locale === 'zh-CN' ? '履带式液压挖掘机' : 'Crawler excavator',
      language === 'zh-CN' ? '工作质量 (t)' : 'Operating weight (t)',
      '21',
    )
    await page.getByRole('button', { name: words.addLine }).click()
    // The cursor is in the category of the new line.
    const added = page.getByRole('region', { name: text.demand.line(2), exact: true }).getByRole('combobox', { name: words.category })
    expect(await added.evaluate((input) => input === document.activeElement)).toBe(true)
    await fillLine(
      page,
      2,
      language === 'zh-CN' ? '铲车' : 'Wheel load',
      text.locale === 'zh-CN' ? '轮式装载机' : 'Wheel loader',
      language === 'zh-CN' ? '额定载重量 (t)' : 'Rated load (t)',
      '5',
    )
    await page.locator('.action-bar').getByText(words.savedAt('').trim(), { exact: false }).waitFor()
    // The last thing typed is in the draft, not only the first.
    await expect
      .poll(
        async () =>
          (
            await product.sql(`select draft #>> '{items,1,specs,ratedLoad,value}' as load from demand where status = '0' and title = $1`, [
              title,
            ])
          )[0]?.load,
      )
      .toBe('5')
    await look(page, 'form')
    // A reload brings the draft back as it was typed.
    await page.reload()
    await settled(page)
    expect(await page.getByLabel(words.titleField).inputValue()).toBe(title)
    const letGo = await hold(page, publishDemand.url)
    await page.getByRole('button', { name: words.submit }).click()
    // Until the answer comes nothing can be typed, as it would be lost, and the button keeps the focus.
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(words.submitting)
    expect(await page.getByLabel(words.titleField).evaluate((box) => box.closest('[inert]') !== null)).toBe(true)
    letGo()
    await page.waitForURL(/\/workbench\/requirement\/detail\?id=/)
    await page.getByRole('heading', { name: title }).waitFor()
  }

  async function fillLine(page: Page, number: number, search: string, category: string, param: string, value: string) {
    const line = page.getByRole('region', { name: text.demand.line(number), exact: true })
    const picker = line.getByRole('combobox', { name: text.demand.form.category })
    await picker.click()
    await picker.fill(search)
    await page.getByRole('option', { name: category }).first().click()
    await line.getByLabel(text.demand.form.start).fill(start)
    await line.getByLabel(text.demand.form.end).fill(end)
    await line.getByLabel(param, { exact: true }).fill(value)
  }

  async function quote(page: Page, code: string, title: string, first: string, second: string, who: string) {
    await page.goto(`/workbench/crequirement?scope=open&demandCode=${code}`)
    await look(page, `market-${who}`)
    await page.getByRole('link', { name: title }).click()
    await page.getByRole('heading', { name: text.quote.form.title, exact: true }).waitFor()
    await fillQuote(page, first, second)
    await look(page, `quote-${who}`)
    await submitQuote(page)
  }

  /** Nothing is sent before the summary has been confirmed. */
  async function submitQuote(page: Page) {
    await page.getByRole('button', { name: text.quote.form.submit }).click()
    const summary = page.getByRole('dialog', { name: text.quote.form.review })
    await summary.waitFor()
    await look(page, 'quote-review')
    await summary.getByRole('button', { name: text.quote.form.reviewSubmit }).click()
    await page.locator('.hash').waitFor()
  }

  async function fillQuote(page: Page, ...prices: string[]) {
    for (const [index, price] of prices.entries()) {
      const line = page.getByRole('region', { name: text.demand.line(index + 1), exact: true })
      if (!(await line.getByLabel(text.quote.form.include).isChecked())) await line.getByLabel(text.quote.form.include).check()
      await line.getByLabel(text.quote.form.unitPrice).fill(price)
      await line.getByLabel(text.quote.form.entryFee).fill('1500')
      if (index === 0) await readTerm(page, text.quote.form.entryFee.replace(/\s*[(（].*/, ''), 'transport')
      const machine = line.locator('.machine-option input[type=checkbox]:enabled').first()
      if (!(await machine.isChecked())) await machine.check()
    }
  }

  /** The question mark beside a label explains its word as the glossary of the help does, follows its label, and Escape closes it. */
  async function readTerm(page: Page, label: string, term: TermName) {
    const sign = page.getByRole('button', { name: text.demand.form.explain(label), exact: true }).first()
    await sign.press('Enter')
    const [word, meaning] = (language === 'zh-CN' ? terms : termsEn)[term]
    const panel = page.getByRole('dialog', { name: text.demand.form.explain(label), exact: true })
    await panel.getByText(word, { exact: true }).waitFor()
    await panel.getByText(meaning, { exact: true }).waitFor()
    await page.evaluate(() => {
      window.scrollBy(0, 24)
      return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    })
    await panel.getByText(meaning, { exact: true }).waitFor()
    await look(page, 'term')
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'hidden' })
  }

  async function withdrawAndQuoteAgain(page: Page) {
    await page.getByRole('button', { name: text.quote.form.withdraw }).click()
    await page.getByRole('dialog').getByRole('button', { name: text.quote.form.withdraw }).click()
    await page.getByRole('heading', { name: text.quote.form.title, exact: true }).waitFor()
    await submitQuote(page)
  }

  async function compareAndAward(page: Page) {
    const words = text.quote.compare
    await page.getByRole('heading', { name: words.title, exact: true }).waitFor({ timeout: 30_000 })
    // Every figure opens its arithmetic; Esc closes it.
    await page.getByRole('button', { name: text.quote.cost.open }).first().click()
    await page.getByRole('dialog').getByText(text.quote.cost.part.vat).waitFor()
    await shot(page, 'arithmetic')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.getByRole('slider').fill('50')
    await page.getByRole('slider').fill('100')
    await page.getByRole('button', { name: words.byLessor }).click()
    await look(page, 'by-lessor')
    await page.getByRole('button', { name: words.byLine }).click()
    await page.getByRole('button', { name: words.strategy.lowestLine }).click()
    await look(page, 'compare')
    // The choice is stored until the award.
    await page.reload()
    await page.locator('.action-bar').getByRole('button', { name: words.award }).click()
    await shot(page, 'award-dialog')
    await page.getByRole('dialog').getByRole('button', { name: words.award }).click()
    // Its own title, not any text that holds the word.
    await page
      .locator('strong')
      .and(page.getByText(words.awardTitle, { exact: true }))
      .waitFor()
  }

  async function wins({ page }: Visitor, lines: number) {
    await page.goto('/personal/aboutme')
    await settled(page)
    await page.locator('.articles .tag', { hasText: text.account.message.subjects.中选结果通知 }).first().waitFor()
    await page.goto('/workbench/crequirement?scope=won')
    await settled(page)
    expect(await page.locator('article.demand').count()).toBeGreaterThanOrEqual(lines)
  }
})

test('a new demand takes its title from its project and lines until somebody types another, and its days from one press each', async () => {
  const visitor = await product.visit({ user: 'project' })
  const { page } = visitor
  const words = zhCn.demand.form
  const { dates } = zhCn.site
  await page.goto('/workbench/requirement/add')
  const line = page.getByRole('region', { name: zhCn.demand.line(1), exact: true })
  const title = page.getByLabel(words.titleField)
  const pick = async (typed: string, category: string) => {
    await line.getByRole('combobox', { name: words.category }).click()
    await line.getByRole('combobox', { name: words.category }).fill(typed)
    await page.getByRole('option', { name: category }).first().click()
  }
  await pick('勾机', '履带式液压挖掘机')
  await expect.poll(() => title.inputValue()).toMatch(/挖机1台$/)
  await line.getByLabel(words.qty).fill('2')
  await expect.poll(() => title.inputValue()).toMatch(/挖机2台$/)
  await title.fill('二号隧道挖机')
  await pick('铲车', '轮式装载机')
  expect(await title.inputValue()).toBe('二号隧道挖机')

  // An end counts from the start, so it has no usual length before there is one.
  expect(await line.getByRole('button', { name: dates.months(3) }).isDisabled()).toBe(true)
  await line.getByRole('button', { name: dates.inDays(7) }).click()
  await line.getByRole('button', { name: dates.months(3) }).click()
  const first = addDays(dayOf(new Date()), 7)
  expect(await line.getByLabel(words.start).inputValue()).toBe(first)
  expect(await line.getByLabel(words.end).inputValue()).toBe(addMonths(first, 3))
  expect(visitor.problems).toEqual([])
  await visitor.close()
})
