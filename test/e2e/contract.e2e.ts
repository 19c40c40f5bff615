import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { getContract } from '#shared/contract/contract.ts'
import { attachOwnForms, editContract, uploadScanFile } from '#shared/contract/moves.ts'
import { paths } from '#shared/paths.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { givenFile } from '#test/given-file.ts'
import { readPdf } from '#test/read-pdf.ts'
import { openStage } from './contract-stage.ts'
import { hold } from './hold.ts'
import { expectNoOverflow, inspect, inspectBoth, showIn } from './inspect.ts'
import { act, field, go, photo, press, settled, wordsIn, type Visitor } from './product.ts'

const { world, steps, visitAs, typeCode } = await openStage()
const ownForm = { name: '合同范本.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') }
const { cast } = world

const [wide, narrow] = [
  { width: 1440, language: 'zh-CN' },
  { width: 375, language: 'en-US' },
] as const

// The lessee works in Chinese on a wide screen, the lessor in English on a phone; what each sees is looked at in the other ones as well.
test('accepted, drafted, edited, sent with a code, returned with a comment on a clause, sent again, confirmed, its scan matched', async () => {
  const { demand } = await steps.givenAwarded()
  const winner = await visitAs(cast.lessor, `/workbench/crequirement/detail?id=${demand.id}`, narrow)
  await accept(winner)
  const owner = await visitAs(cast.project, `/workbench/requirement/detail?id=${demand.id}`, wide)
  await openDraft(owner)
  const { page, text } = owner
  const { action, clause, pages, scan } = text.contract
  const address = page.url()

  await editDraft(owner)
  await inspectBoth(page, 'contract-edited')
  await act(page, action.send)
  await typeCode(page, text)
  await press(page.getByRole('dialog'), action.send)
  await page.getByText(pages.next.waitLessor).waitFor()

  await go(winner.page, '/workbench/contract/list')
  await winner.page.locator('tbody a').first().click()
  await returnIt(winner)
  await page.getByText('请改为 7 日').first().waitFor()
  await saveClause(owner, clause.noticeDays, '7')
  // The text of the first time is still in the browser while the new one is on its way.
  const ask = page.getByRole('dialog').getByRole('button', { name: text.personal.register.send, exact: true })
  const held = Promise.withResolvers<void>()
  await page.route('**/business/contract/*/text', async (route) => {
    await held.promise
    await route.continue()
  })
  await act(page, action.send)
  await page.getByRole('dialog').getByText(pages.sendAsk).waitFor()
  expect(await ask.count()).toBe(0)
  held.resolve()
  await typeCode(page, text)
  await press(page.getByRole('dialog'), action.send)
  await page.getByText(pages.next.waitLessor).waitFor()

  await confirmIt(winner)
  await winner.page.getByText(winner.text.contract.pages.next.waitScan).waitFor()
  await go(page, address)
  await act(page, action.matchScan)
  await inspect(page, 'contract-scan')
  const comparison = page.getByRole('dialog')
  await press(comparison, pages.matchSend)
  await comparison.getByText(text.rule.required).waitFor()
  await field(comparison, pages.matchResult).selectOption('same')
  await press(comparison, pages.same)
  await page.getByText(scan['2']).first().waitFor()
  for (const language of ['en-US', 'zh-CN'] as const) {
    await showIn(page, { width: 1440, language })
    const positions = page.locator('.contract-main .scroll-x')
    expect(await positions.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), language).toBe(0)
  }
  await readParts(page, text.contract, (part) => inspect(page, part))
  await showIn(page, narrow)
  const { contract } = wordsIn(narrow.language)
  // The elements are the same in the other language; only their space can break.
  await readParts(page, contract, async (part) => {
    await settled(page)
    await expectNoOverflow(page, part)
  })
  await expectPartsInView(page)
  await saveFiles(page, contract)
  await showIn(page, wide)
  await go(page, '/workbench/contract/list?status=2')
  await inspectBoth(page, 'contract-list-owner')
  expect(await page.locator('tbody [data-row]').count()).toBeGreaterThanOrEqual(1)
  for (const visitor of [owner, winner]) {
    expect(visitor.problems).toEqual([])
    await visitor.close()
  }
})

async function accept({ page, text }: Visitor) {
  const { award } = text.contract.pages
  const asked = page.getByRole('dialog')
  await press(page, text.quote.form.giveUp)
  await inspect(page, 'contract-give-up')
  await press(asked, text.site.common.back)
  await press(page, award.accept)
  await press(asked, award.accept)
  await page.getByText(award.waitDraft).waitFor()
  await inspectBoth(page, 'contract-accepted')
}

/** The first lessor has accepted, so it has a draft; that of the second is made by hand. */
async function openDraft({ page, text }: Visitor) {
  const { award, next } = text.contract.pages
  const links = page.locator('section', { has: page.getByRole('heading', { name: award.title }) }).locator('a')
  expect(await links.count()).toBe(1)
  await press(page, award.draft)
  await expect.poll(() => links.count()).toBe(2)
  await page.getByText(award.notAccepted).waitFor()
  await inspectBoth(page, 'contract-demand')
  await press(page, award.move)
  await inspect(page, 'contract-move')
  await press(page.getByRole('dialog'), text.site.common.back)
  await links.first().click()
  await page.getByText(next.send).waitFor()
}

async function saveClause({ page, text }: Visitor, label: string, value: string) {
  const { action, pages } = text.contract
  await page.locator('.action-bar').getByRole('link', { name: action.edit, exact: true }).click()
  await page.waitForURL('**/contract/edit*')
  await field(page, label).fill(value)
  await press(page, pages.form.saveOpen)
  await page.waitForURL('**/contract/detail*')
  await settled(page)
}

/** Every part of a matched contract, the record as the last one. */
async function readParts(page: Page, { pages, record }: Visitor['text']['contract'], look: (part: string) => Promise<void>) {
  const { width } = page.viewportSize()!
  for (const tab of ['clauses', 'people', 'text', 'history'] as const) {
    // A phone chooses from a list.
    if (width > 768) await page.getByRole('link', { name: pages.tabs[tab], exact: true }).click()
    else await page.getByRole('combobox', { name: pages.tabsLabel }).selectOption(tab)
    await page.locator('.tabs a[aria-current=page]', { hasText: pages.tabs[tab] }).waitFor({ state: 'attached' })
    await page.locator('.progress').waitFor({ state: 'detached' })
    await look(`contract-${tab}`)
  }
  await page.getByText(record.good(11, 1)).waitFor()
}

/** The evidence of a contract and its text as files. */
async function saveFiles(page: Page, { pages, record }: Visitor['text']['contract']) {
  const [pack] = await Promise.all([page.waitForEvent('download'), press(page, record.evidence.action)])
  expect(pack.suggestedFilename()).toBe(record.evidence.file(/HT\d+/.exec(pack.suggestedFilename())?.[0] ?? ''))
  const [saved] = await Promise.all([page.waitForEvent('download'), press(page, pages.pdf)])
  expect(saved.suggestedFilename()).toMatch(/^HT\d+\.pdf$/)
  const [first] = await readPdf(readFileSync(await saved.path()))
  expect(first?.header).toContain(saved.suggestedFilename().replace('.pdf', ''))
}

/** However far a phone scrolls, the list of parts stands below the header of the site and is not covered by it. */
async function expectPartsInView(page: Page) {
  const top = (selector: string) => page.locator(selector).evaluate((element) => element.getBoundingClientRect().top)
  const headerEnd = await page.locator('.site-header').evaluate((element) => element.getBoundingClientRect().bottom)
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await expect.poll(() => top('.contract-tab-select')).toBeLessThanOrEqual(headerEnd)
  expect(await top('.contract-tab-select .select')).toBeGreaterThanOrEqual(headerEnd)
}

/** The form words each clause as it is typed, names what is wrong, and quotes the article that a value breaks. */
async function editDraft({ page, text }: Visitor) {
  const { action, clause, pages, rule } = text.contract
  await page.locator('.action-bar').getByRole('link', { name: action.edit, exact: true }).click()
  await page.waitForURL('**/contract/edit*')
  const notice = field(page, clause.noticeDays)
  await notice.fill('40')
  await page.getByText(text.rule.number_max(30)).first().waitFor()
  await notice.fill('5')
  await page.getByText('承租方应提前 5 日提出退场申请；').first().waitFor()
  await page.getByLabel(pages.form.scaleLessee).selectOption('large')
  await field(page, clause.payDays).fill('90')
  await page.getByText(rule.pay_days_sme).first().waitFor()
  await inspect(page, 'contract-edit')
  await showIn(page, narrow)
  await page
    .getByText(/5 days/)
    .first()
    .waitFor()
  await inspect(page, 'contract-edit')
  await showIn(page, wide)
  // What is to be corrected stands at the top and leads to its field.
  await page.locator('.form-problems').getByRole('button', { name: clause.payDays }).click()
  await expect.poll(() => field(page, clause.payDays).evaluate((input) => input === document.activeElement)).toBe(true)
  await field(page, clause.payDays).fill('30')
  // What is typed survives a reload.
  await page.getByText(text.site.draft.saved).waitFor()
  await page.reload()
  await settled(page)
  expect(await field(page, clause.noticeDays).inputValue()).toBe('5')
  // The own form is saved at once, and the draft can be saved after it.
  const annex = page.locator('section', { has: page.getByRole('heading', { name: pages.ownForm.title }) })
  await annex.locator('input[data-files]').setInputFiles(ownForm)
  await page.getByText(pages.ownForm.saved).waitFor()
  await press(page, pages.form.saveOpen)
  await page.waitForURL('**/contract/detail*')
  await settled(page)
}

async function returnIt({ page, text }: Visitor) {
  const { action, pages, status } = text.contract
  await page.getByText(pages.next.confirm).waitFor()
  await act(page, action.return)
  const dialog = page.getByRole('dialog')
  await field(dialog, pages.returnComment).fill('退场通知太短')
  await press(dialog, pages.addClause)
  await dialog.getByLabel(pages.clause, { exact: true }).selectOption('noticeDays')
  await field(dialog, pages.clauseComment).fill('请改为 7 日')
  await inspectBoth(page, 'contract-return')
  await press(dialog, action.return)
  await page.getByText(status['0'], { exact: true }).first().waitFor()
}

async function confirmIt({ page, text }: Visitor) {
  const { action, pages } = text.contract
  await page.getByText(pages.next.confirm).waitFor()
  const dialog = page.getByRole('dialog')
  await act(page, action.confirm)
  // The page was opened with the text that was returned: the one that was sent again is read before it is signed.
  await dialog.getByText(pages.textChanged).waitFor()
  expect(await dialog.getByRole('button', { name: text.personal.register.send, exact: true }).count()).toBe(0)
  await dialog.getByRole('link', { name: pages.readAgain, exact: true }).click()
  await page.waitForURL('**tab=text')
  await settled(page)
  await act(page, action.confirm)
  await field(dialog, pages.bankName).fill('中国工商银行成都分行')
  // The code signs the account too, so none is sent before it is named.
  await press(dialog, text.personal.register.send)
  await dialog.locator('.field-error').first().waitFor()
  const number = field(dialog, pages.bankAccount)
  await number.fill('6222 0000 0000 0000 123')
  await typeCode(page, text)
  await number.fill('6222 0000 0000 0000 321')
  await dialog.getByText(pages.codeForOther).waitFor()
  expect(await dialog.getByRole('button', { name: action.confirm, exact: true }).getAttribute('aria-disabled')).toBe('true')
  await number.fill('6222000000000000123')
  await dialog.getByText(pages.codeForOther).waitFor({ state: 'detached' })
  await inspectBoth(page, 'contract-confirm')
  await press(dialog, action.confirm)
  await page.getByText(pages.next.scan).waitFor()
  await act(page, action.scan)
  await dialog.locator('input[data-files]').setInputFiles(photo)
  await dialog.locator('.paper-thumb').waitFor()
  await press(dialog, action.scan)
}

test('what is typed into a draft while it is being saved is kept, and its own forms are added and removed one after the other', async () => {
  const { pages } = zhCn.contract
  const { id } = await steps.givenDraft()
  const fileIds = [await givenFile(world, cast.project), await givenFile(world, cast.project)]
  const { data } = await cast.project.call(getContract, { params: { id } })
  await cast.project.call(attachOwnForms, { params: { id }, body: { version: data.version, fileIds } })
  const { page, problems, close } = await visitAs(cast.project, paths.editContract(id), wide)
  const letSave = await hold(page, editContract.url)
  await field(page, zhCn.contract.name).fill('二工区挖掘机租赁')
  await press(page, pages.form.save)
  await field(page, pages.externalNo).fill('HT-2027-01')
  letSave()
  await page.locator('.toast-success', { hasText: pages.form.saved }).waitFor()
  await page.reload()
  await settled(page)
  expect([await field(page, zhCn.contract.name).inputValue(), await field(page, pages.externalNo).inputValue()]).toEqual([
    '二工区挖掘机租赁',
    'HT-2027-01',
  ])

  const letRemove = await hold(page, attachOwnForms.url)
  const removes = page.getByRole('button', { name: zhCn.certification.remove })
  await removes.first().click()
  await expect.poll(() => removes.last().isDisabled()).toBe(true)
  const save = page.locator('.action-bar').getByRole('button', { name: pages.form.save, exact: true })
  expect(await save.isDisabled()).toBe(true)
  letRemove()
  await expect.poll(() => removes.count()).toBe(1)
  expect(await removes.evaluate((one) => one === document.activeElement)).toBe(true)
  await removes.click()
  await expect.poll(() => removes.count()).toBe(0)

  // While a file is on its way, no save makes another version.
  const letUpload = await hold(page, uploadScanFile.url)
  await page.locator('input[data-files]').setInputFiles(ownForm)
  await expect.poll(() => save.isDisabled()).toBe(true)
  letUpload()
  await expect.poll(() => removes.count()).toBe(1)
  await expect.poll(() => save.isDisabled()).toBe(false)
  expect(await page.getByText(pages.form.changed).count()).toBe(0)
  expect(problems).toEqual([])
  await close()
})
