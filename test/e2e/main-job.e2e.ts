import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { addDays, addMonths, dayOf, toMoment } from '#shared/calendar.ts'
import { publishDemand, saveDraft } from '#shared/demand/contract.ts'
import type { TermName } from '#shared/text/terms.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { terms } from '#shared/text/zh-cn/terms.ts'
import { hold } from './hold.ts'
import { inspect, inspectBoth, picture, showIn } from './inspect.ts'
import { go, press, settled, startProduct, wordsIn, type Visitor } from './product.ts'

const product = await startProduct()
afterAll(() => product.close())

/** Two lessors of the demo market with an excavator and a loader on the shelf. */
const fitting = await product.sql(`
  select a.user_name from account a where a.user_type = '4'
    and exists (select 1 from equipment e where e.company_id = a.company_id and e.shelf_status = '1' and e.category_id = 101 and e.main_value >= 21)
    and exists (select 1 from equipment e where e.company_id = a.company_id and e.shelf_status = '1' and e.category_id = 106 and e.main_value >= 5)
  order by a.id limit 2`)
const [firstLessor = '', secondLessor = ''] = fitting.map((row) => String(row.user_name))

const start = addDays(dayOf(new Date()), 420)
const end = addDays(start, 90)
// The other two of the four are those of the workbench.
const [chinese, english] = [
  { width: 375, language: 'zh-CN' },
  { width: 1440, language: 'en-US' },
] as const

test('a demand is published, quoted by two lessors, opened by the clock, compared and awarded', async () => {
  const project = await product.visit(chinese)
  const lessor = await product.visit({ ...english, user: firstLessor })
  const lessor2 = await product.visit({ ...chinese, user: secondLessor })
  const { page } = project
  const { own } = project.text.demand
  const title = `主线 ${Date.now() % 100_000}`

  await signIn(project, 'project')
  await go(lessor.page, '/personal')

  // The lessor's open page gets a toast at once. It disappears by itself, so the test begins to wait for it now.
  const heard = lessor.page.getByRole('status').filter({ hasText: title }).waitFor({ timeout: 300_000 })
  // If publishing fails, its own error is reported.
  heard.catch(() => undefined)
  await publish(project, title)
  const id = new URL(page.url()).searchParams.get('id') ?? ''
  const code = String((await product.sql('select demand_code from demand where id = $1', [id]))[0]?.demand_code)

  await heard
  await quote(lessor, code, title, '26500', '17000')
  await changeBesideColleague(lessor, '26000')
  await quote(lessor2, code, title, '27000', '16000')
  await withdrawAndQuoteAgain(lessor2)

  await page.reload()
  await page.getByText(own.received(2)).waitFor()
  await page.getByText(own.receivedSealed).waitFor()
  expect(await page.getByText('26,000').count()).toBe(0)

  // Days pass. The job opens the demand and the open page updates.
  await product.sql(`update demand set quote_deadline = now() - interval '1 second' where id = $1`, [id])
  await compareAndAward(project)
  await inspect(page, 'main-awarded')
  // On a phone the button stands in a menu.
  await page.getByRole('button', { name: project.text.list.more }).click()
  await expectSheet(page, own.export, code)

  await wins(lessor, title)
  for (const visitor of [project, lessor, lessor2]) {
    expect(visitor.problems).toEqual([])
    await visitor.close()
  }
})

async function signIn({ page, text }: Visitor, user: string) {
  await page.goto('/workbench/requirement/add')
  await page.waitForURL(/\/login\?redirect=/)
  await page.getByLabel(text.account.userName).fill(user)
  await page.getByLabel(text.account.password, { exact: false }).first().fill('Zhuji@2026')
  await press(page, text.account.submit)
  await page.waitForURL(/\/workbench\/requirement\/add/)
}

async function publish({ page, text }: Visitor, title: string) {
  const words = text.demand.form
  await page.getByRole('heading', { name: words.title }).waitFor()
  await page.getByLabel(words.titleField).fill(title)
  // Missing input is reported beside the fields.
  await page.getByRole('button', { name: words.submit }).click()
  await page
    .getByText(text.rule.codes.required ?? '')
    .first()
    .waitFor()
  await inspectBoth(page, 'main-form-errors')

  await page.getByLabel(text.demand.minQuotes).fill('2')
  await page.getByLabel(text.demand.deadline).fill(
    toMoment(new Date(Date.now() + 3 * 86_400_000))
      .slice(0, 16)
      .replace(' ', 'T'),
  )
  // The calendar comes when it is opened; a usual deadline takes one click and no calendar.
  await page.getByRole('button', { name: text.site.dates.open }).first().click()
  await page.locator('.rdp-day_button:focus').waitFor()
  await inspect(page, 'main-calendar')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: text.site.dates.days(3) }).click()
  await expect.poll(() => page.getByLabel(text.demand.deadline).inputValue()).toMatch(/17:00$/)
  // The words of English find the same as those of Chinese.
  await showIn(page, english)
  await fillLine(
    { page, text: wordsIn(english.language) },
    { number: 1, value: '21', search: 'Crawler exc', category: 'Crawler excavator', param: 'Operating weight (t)' },
  )
  await showIn(page, chinese)
  await fillLine({ page, text }, { number: 1, value: '21', search: '勾机', category: '履带式液压挖掘机', param: '工作质量 (t)' })
  await page.getByRole('button', { name: words.addLine }).click()
  // The cursor is in the category of the new line.
  const added = page.getByRole('region', { name: text.demand.line(2), exact: true }).getByRole('combobox', { name: words.category })
  expect(await added.evaluate((input) => input === document.activeElement)).toBe(true)
  await fillLine({ page, text }, { number: 2, value: '5', search: '铲车', category: '轮式装载机', param: '额定载重量 (t)' })
  await page.locator('.action-bar').getByText(words.savedAt('').trim(), { exact: false }).waitFor()
  // The last thing typed is in the draft, not only the first.
  const load = async () => {
    const sql = `select draft #>> '{items,1,specs,ratedLoad,value}' as load from demand where status = '0' and title = $1`
    return (await product.sql(sql, [title]))[0]?.load
  }
  await expect.poll(load).toBe('5')
  const letGo = await hold(page, publishDemand.url)
  await page.getByRole('button', { name: words.submit }).click()
  // Until the answer comes nothing can be typed, as it would be lost, and the button keeps the focus.
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(words.submitting)
  expect(await page.getByLabel(words.titleField).evaluate((box) => box.closest('[inert]') !== null)).toBe(true)
  letGo()
  await page.waitForURL(/\/workbench\/requirement\/detail\?id=/)
  await page.getByRole('heading', { name: title }).waitFor()
}

/** Fills in a line in the words of the page. */
async function fillLine(
  { page, text: { demand } }: Pick<Visitor, 'page' | 'text'>,
  { number, value, search, category, param }: { number: number; value: string; search: string; category: string; param: string },
) {
  const line = page.getByRole('region', { name: demand.line(number), exact: true })
  const picker = line.getByRole('combobox', { name: demand.form.category })
  await picker.click()
  await picker.fill(search)
  await page.getByRole('option', { name: category }).first().click()
  await line.getByLabel(demand.form.start).fill(start)
  await line.getByLabel(demand.form.end).fill(end)
  await line.getByLabel(param, { exact: true }).fill(value)
}

/** Each lessor looks in its own language and width, so the summary is seen in both. */
async function quote(lessor: Visitor, code: string, title: string, ...prices: string[]) {
  const { page, text } = lessor
  await go(page, `/workbench/crequirement?scope=open&demandCode=${code}`)
  await page.getByRole('link', { name: title }).click()
  await page.getByRole('heading', { name: text.quote.form.title, exact: true }).waitFor()
  await fillQuote(lessor, prices)
  await submitQuote(lessor, () => inspect(page, 'main-quote-review'))
}

/** Nothing is sent before the summary has been confirmed. */
async function submitQuote({ page, text }: Visitor, look = () => Promise.resolve()) {
  await page.getByRole('button', { name: text.quote.form.submit }).click()
  const summary = page.getByRole('dialog', { name: text.quote.form.review })
  await summary.waitFor()
  await look()
  await summary.getByRole('button', { name: text.quote.form.reviewSubmit }).click()
  await page.locator('.hash').waitFor()
}

async function fillQuote(lessor: Visitor, prices: string[]) {
  const { page, text } = lessor
  for (const [index, price] of prices.entries()) {
    const line = page.getByRole('region', { name: text.demand.line(index + 1), exact: true })
    if (!(await line.getByLabel(text.quote.form.include).isChecked())) await line.getByLabel(text.quote.form.include).check()
    await line.getByLabel(text.quote.form.unitPrice).fill(price)
    await line.getByLabel(text.quote.form.entryFee).fill('1500')
    if (index === 0 && text === zhCn) await readTerm(lessor, text.quote.form.entryFee.replace(/\s*[(（].*/, ''), 'transport')
    const machine = line.locator('.machine-option input[type=checkbox]:enabled').first()
    if (!(await machine.isChecked())) await machine.check()
  }
}

/** The question mark beside a label explains its word as the glossary of the help does, follows its label, and Escape closes it. */
async function readTerm({ page, text }: Visitor, label: string, term: TermName) {
  const sign = page.getByRole('button', { name: text.demand.form.explain(label), exact: true }).first()
  await sign.press('Enter')
  const [word, meaning] = terms[term]
  const panel = page.getByRole('dialog', { name: text.demand.form.explain(label), exact: true })
  await panel.getByText(word, { exact: true }).waitFor()
  await panel.getByText(meaning, { exact: true }).waitFor()
  await page.evaluate(() => {
    window.scrollBy(0, 24)
    return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  })
  await panel.getByText(meaning, { exact: true }).waitFor()
  await inspect(page, 'main-term')
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'hidden' })
}

/** A colleague submits another offer while one is typed: the form shows that, and offers what was typed on the one before. */
async function changeBesideColleague({ page, context, text }: Visitor, offer: string) {
  const { form } = text.quote
  const price = (within: Page) => within.getByRole('region', { name: text.demand.line(1), exact: true }).getByLabel(form.unitPrice)
  const change = async (within: Page, typed: string) => {
    await press(within, form.change)
    await price(within).fill(typed)
  }
  await change(page, '25000')
  const colleague = await context.newPage()
  await colleague.goto(page.url())
  await settled(colleague)
  await change(colleague, offer)
  await press(colleague, form.resubmit)
  await press(colleague.getByRole('dialog', { name: form.review }), form.reviewSubmit)
  await colleague.locator('.toast-success', { hasText: form.changed }).waitFor()
  await colleague.close()
  await page.reload()
  const accept = page.getByRole('button', { name: text.site.draft.accept, exact: true })
  await accept.waitFor()
  expect(Number(await price(page).inputValue())).toBe(Number(offer))
  await accept.click()
  expect(await price(page).inputValue()).toBe('25000')
  await press(page, form.discard)
  await press(page.getByRole('dialog'), form.discard)
  await price(page).waitFor({ state: 'detached' })
}

async function withdrawAndQuoteAgain(lessor: Visitor) {
  const { page, text } = lessor
  await page.getByRole('button', { name: text.quote.form.withdraw }).click()
  await page.getByRole('dialog').getByRole('button', { name: text.quote.form.withdraw }).click()
  await page.getByRole('heading', { name: text.quote.form.title, exact: true }).waitFor()
  await submitQuote(lessor)
}

async function compareAndAward({ page, text }: Visitor) {
  const words = text.quote.compare
  await page.getByRole('heading', { name: words.title, exact: true }).waitFor()
  // Every figure opens its arithmetic; Esc closes it.
  await page.getByRole('button', { name: text.quote.cost.open }).first().click()
  await page.getByRole('dialog').getByText(text.quote.cost.part.vat).waitFor()
  await picture(page, 'main-arithmetic.png')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.getByRole('slider').fill('50')
  await page.getByRole('slider').fill('100')
  await page.getByRole('button', { name: words.byLessor }).click()
  await inspectBoth(page, 'main-by-lessor')
  await page.getByRole('button', { name: words.byLine }).click()
  await page.getByRole('button', { name: words.strategy.lowestLine }).click()
  await inspectBoth(page, 'main-compare')
  await page.locator('.action-bar').getByRole('button', { name: words.award }).click()
  await picture(page, 'main-award-dialog.png')
  await page.getByRole('dialog').getByRole('button', { name: words.award }).click()
  // Its own title, not any text that holds the word.
  await page
    .locator('strong')
    .and(page.getByText(words.awardTitle, { exact: true }))
    .waitFor()
}

/** The button saves a sheet that is named after the demand. */
async function expectSheet(page: Page, button: string, code: string) {
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: button }).click()
  const download = await file
  expect(download.suggestedFilename()).toContain(code)
  const content = readFileSync(await download.path())
  expect(content.subarray(0, 2).toString()).toBe('PK')
}

async function wins({ page, text }: Visitor, title: string) {
  await go(page, '/personal/aboutme')
  await page.locator('.articles .tag', { hasText: text.account.message.subjects.中选结果通知 }).first().waitFor()
  await go(page, '/workbench/crequirement?scope=won')
  await page.locator('article.demand', { hasText: title }).waitFor()
}

test('a new demand takes its title from its project and lines until somebody types another, its days from one press each, and its draft along', async () => {
  const visitor = await product.visit({ user: 'project' })
  const { page } = visitor
  const words = zhCn.demand.form
  const { dates } = zhCn.site
  const opened = new Date().toISOString()
  const letSave = await hold(page, saveDraft.url)
  const saves = page.waitForRequest(`**${saveDraft.url}`)
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

  // The first save of its draft is under way, and the draft does not stay behind. No machine of the group is meant for days so far ahead.
  await line.getByLabel(words.start).fill(start)
  await line.getByLabel(words.end).fill(end)
  await line.getByLabel('额定载重量 (t)', { exact: true }).fill('5')
  await saves
  await press(page, words.submit)
  await page.getByRole('button', { name: words.submitting }).waitFor()
  const saved = page.waitForResponse(`**${saveDraft.url}`)
  letSave()
  await saved
  await page.waitForURL(/\/workbench\/requirement\/detail\?id=/)
  expect(await product.sql(`select title from demand where status = '0' and create_time > $1`, [opened])).toEqual([])
  expect(visitor.problems).toEqual([])
  await visitor.close()
})
