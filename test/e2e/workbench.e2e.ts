import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import readSheets from 'read-excel-file/node'
import { afterAll, describe, expect, test } from 'vitest'
import writeXlsxFile from 'write-excel-file/node'
import { addDays, dayOf, toMoment } from '#shared/calendar.ts'
import { saveCeiling } from '#shared/ceiling/contract.ts'
import { paths } from '#shared/paths.ts'
import { submitQuote } from '#shared/quote/contract.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { hold } from './hold.ts'
import { inspect } from './inspect.ts'
import { field, photo, press, settled, startProduct } from './product.ts'

const product = await startProduct()
afterAll(() => product.close())

const today = dayOf(new Date())
const folder = mkdtempSync(join(tmpdir(), 'zhujitong-workbench-'))

describe.each([
  ['zh-CN', 1440, 0],
  ['en-US', 375, 1],
] as const)('the workbench in %s at %i px', (language, width, round) => {
  const text = (language === 'zh-CN' ? zhCn : en) as typeof zhCn
  const { own, question, form: words } = text.demand
  const look = (page: Page, name: string) => inspect(page, `workbench-${language}-${width}-${name}`)
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const confirm = async (page: Page, name: string) => page.locator('dialog[open]').getByRole('button', { name, exact: true }).click()
  const said = (page: Page, words_: string) => page.locator('.toast', { hasText: words_ }).first().waitFor()
  const pickCategory = async (page: Page, search: string, category: string, scope = page.locator('body')) => {
    const picker = scope.getByRole('combobox', { name: text.demand.form.category })
    await picker.click()
    await picker.fill(search)
    await page.getByRole('option', { name: category }).first().click()
  }

  test('[S2.24] a project publishes with approval, answers, amends, compares, awards in part with approval and publishes the rest again', async () => {
    const lessee = await product.visit({ width, language, user: 'lessee' })
    const project = await product.visit({ width, language, user: 'project' })
    const lessor = await product.visit({ width, language, user: 'lessor' })
    const start = addDays(today, 900 + round * 200)
    const title = `${language} ${width} ${Date.now() % 100_000}`

    // The unit above switches both approvals on.
    const [unit] = await product.sql(
      `select p.id from dept p join dept d on p.id = d.parent_id join account a on a.dept_id = d.id where a.user_name = 'project'`,
    )
    await lessee.page.goto(`/workbench/organization/addlease?id=${unit?.id}`)
    await lessee.page.getByLabel(text.organization.approvesDemands).check()
    await lessee.page.getByLabel(text.organization.approvesAwards).check()
    await look(lessee.page, 'approvals')
    await button(lessee.page, text.organization.save).click()
    await lessee.page.waitForURL('**/organization/list')

    // One more loader of the lessor, so that a demand for two is met by half.
    const { page } = project
    await page.goto('/workbench/requirement/add')
    await page.getByLabel(words.titleField).fill(title)
    await page.getByLabel(text.demand.minQuotes).fill('1')
    await field(page, text.demand.deadline).fill(
      toMoment(new Date(Date.now() + 5 * 86_400_000))
        .slice(0, 16)
        .replace(' ', 'T'),
    )
    const line = page.getByRole('region', { name: text.demand.line(1), exact: true })
    await pickCategory(page, language === 'zh-CN' ? '铲车' : 'Wheel load', language === 'zh-CN' ? '轮式装载机' : 'Wheel loader', line)
    await line.getByLabel(words.start).fill(start)
    await line.getByLabel(words.end).fill(addDays(start, 60))
    await line.getByLabel(language === 'zh-CN' ? '额定载重量 (t)' : 'Rated load (t)', { exact: true }).fill('3')
    await line.getByLabel(words.qty).fill('9')
    await page.waitForURL(/draft=/)
    await button(page, words.submit).click()
    await page.waitForURL(/requirement\/detail\?id=/)
    await page.getByText(own.waiting).waitFor()
    const id = new URL(page.url()).searchParams.get('id') ?? ''

    // Sent back with a reason, mended on the same form, submitted again, approved.
    await lessee.page.goto(`/workbench/requirement/detail?id=${id}`)
    await look(lessee.page, 'approve')
    await button(lessee.page, own.reject).click()
    await confirm(lessee.page, own.reject)
    await lessee.page.locator('dialog[open] .field-error').waitFor()
    await lessee.page.locator('dialog[open]').getByLabel(own.reason).fill('台数请按施工计划核减')
    await confirm(lessee.page, own.reject)
    await said(lessee.page, own.rejected)
    await page.reload()
    await page.getByText('台数请按施工计划核减').first().waitFor()
    await page.getByRole('link', { name: own.edit }).click()
    await page
      .getByRole('region', { name: text.demand.line(1), exact: true })
      .getByLabel(words.qty)
      .fill('6')
    await button(page, words.submit).click()
    await page.getByText(own.waiting).waitFor()
    await lessee.page.reload()
    await button(lessee.page, own.approve).click()
    await confirm(lessee.page, own.approve)
    await said(lessee.page, own.approved)

    // A lessor asks and quotes; the owner answers and changes the terms, so the quote waits for confirmation.
    await lessor.page.goto(`/workbench/crequirement/detail?id=${id}`)
    await field(lessor.page, question.content).fill('夜间可以进场吗？')
    await button(lessor.page, question.ask).click()
    await said(lessor.page, question.asked)
    const quoted = lessor.page.getByRole('region', { name: text.demand.line(1), exact: true })
    await quoted.getByLabel(text.quote.form.unitPrice).fill('15000')
    const machine = quoted.locator('.machine-option input[type=checkbox]:enabled').first()
    if (!(await machine.isChecked())) await machine.check()
    await look(lessor.page, 'quote')
    // The owner's open page follows the question; the server is away when the quote is sent, and nothing typed is lost.
    await page.getByText('夜间可以进场吗？').waitFor()
    await button(lessor.page, text.quote.form.submit).click()
    await lessor.page.route('**/business/leasingApply', (route) => route.abort())
    await confirm(lessor.page, text.quote.form.reviewSubmit)
    await lessor.page.getByRole('alert').getByText(text.quote.form.notSentHint).waitFor()
    await lessor.page.unroute('**/business/leasingApply')
    expect(lessor.problems.splice(0)).toEqual([expect.stringContaining('ERR_FAILED')])
    await lessor.page.reload()
    await lessor.page.getByText(text.quote.form.restored).waitFor()
    expect(await quoted.getByLabel(text.quote.form.unitPrice).inputValue()).toBe('15000')
    const letGo = await hold(lessor.page, submitQuote.url)
    await button(lessor.page, text.quote.form.submit).click()
    await confirm(lessor.page, text.quote.form.reviewSubmit)
    // What is typed while the quote is sent is not in it, and stays in the form.
    await lessor.page.keyboard.press('Escape')
    await quoted.getByLabel(text.quote.form.unitPrice).fill('14800')
    letGo()
    await lessor.page.locator('.hash').waitFor()
    await lessor.page.getByText(text.quote.form.restored).waitFor()
    expect(await quoted.getByLabel(text.quote.form.unitPrice).inputValue()).toBe('14800')
    await button(lessor.page, text.quote.form.discard).click()
    await confirm(lessor.page, text.quote.form.discard)
    await quoted.getByLabel(text.quote.form.unitPrice).waitFor({ state: 'detached' })
    await look(lessor.page, 'receipt')

    await field(page, question.answer).fill('可以，须提前一天报备')
    await button(page, question.answer).click()
    await said(page, question.answered)
    // So does the page of the lessor who asked.
    await lessor.page.getByText('可以，须提前一天报备').waitFor()
    // A phone shows the main action and folds the others away.
    if (width < 500) await button(page, text.list.more).click()
    await page.getByRole('link', { name: own.amend }).click()
    // What was approved is changed by the unit above: the form says so, the project is refused and loses nothing that was typed.
    await page.getByText(own.amendApproved).waitFor()
    await field(page, own.amendReason).fill('增加夜间施工')
    await field(page, text.demand.terms).fill('夜间施工须配备照明')
    await button(page, words.amendSubmit).click()
    await said(page, text.refusal.amend_approval)
    expect(await field(page, text.demand.terms).inputValue()).toBe('夜间施工须配备照明')
    await look(page, 'amend-approved')
    await page.goto(`/workbench/requirement/detail?id=${id}`)
    const above = lessee.page
    await above.reload()
    if (width < 500) await button(above, text.list.more).click()
    await above.getByRole('link', { name: own.amend }).click()
    await field(above, own.amendReason).fill('增加夜间施工')
    await field(above, text.demand.terms).fill('夜间施工须配备照明')
    // Somebody else changes the demand meanwhile: the page says so and loses nothing that was typed.
    await product.sql('update demand set version = version + 1 where id = $1', [id])
    await button(above, words.amendSubmit).click()
    await above.getByText(own.changed).waitFor()
    expect(await field(above, text.demand.terms).inputValue()).toBe('夜间施工须配备照明')
    await look(above, 'amend-conflict')
    await above.reload()
    await field(above, own.amendReason).fill('增加夜间施工')
    await field(above, text.demand.terms).fill('夜间施工须配备照明')
    await button(above, words.amendSubmit).click()
    await above.waitForURL(/requirement\/detail\?id=/)
    await lessor.page.reload()
    await lessor.page.getByText(text.quote.form.confirmHint).waitFor()
    await button(lessor.page, text.quote.form.confirm).click()
    await said(lessor.page, text.quote.form.confirmed)

    // Days pass. The award waits for approval; the rest goes into a new demand.
    await product.sql(`update demand set quote_deadline = now() - interval '1 second' where id = $1`, [id])
    await page.reload()
    await page.getByRole('heading', { name: text.quote.compare.title, exact: true }).waitFor({ timeout: 30_000 })
    await button(page, text.quote.compare.strategy.lowestLine).click()
    await page.locator('.action-bar').getByRole('button', { name: text.quote.compare.award }).click()
    await confirm(page, text.quote.compare.award)
    await said(page, own.awardSent)
    await lessee.page.reload()
    await lessee.page.getByText(text.quote.compare.awardProposed).waitFor()
    await look(lessee.page, 'award-waiting')
    await button(lessee.page, own.awardApprove).click()
    await confirm(lessee.page, own.awardApprove)
    await lessee.page
      .locator('strong')
      .and(lessee.page.getByText(text.quote.compare.awardTitle, { exact: true }))
      .waitFor()
    await page.reload()
    await page.getByRole('link', { name: own.rest }).click()
    expect(
      await page
        .getByRole('region', { name: text.demand.line(1), exact: true })
        .getByLabel(words.qty)
        .inputValue(),
    ).toBe('5')
    await look(page, 'rest')
    const [done] = await product.sql(
      'select status, (select string_agg(move, $2 order by id) from demand_event e where e.demand_id = d.id) as moves from demand d where id = $1',
      [id, ' '],
    )
    expect(done).toEqual({ status: '6', moves: 'submit reject submit approve quote amend confirm open awardSubmit awardPart' })
    await product.sql('update dept set approves_demands = false, approves_awards = false where id = $1', [unit?.id])
    for (const visitor of [lessee, project, lessor]) {
      // The refusal of the second editor is a message, not an error.
      expect(visitor.problems).toEqual([])
      await visitor.close()
    }
  })

  test('[S2.21] a lessor imports a workbook with seven kinds of error, repairs it, adds photo and documents, and the operator approves it', async () => {
    const lessor = await product.visit({ width, language, user: 'lessor2' })
    const operator = await product.visit({ width, language, user: 'operator' })
    const { page } = lessor
    const words_ = text.equipment.imports
    const { upload } = text.equipment
    await page.goto('/workbench/cequipment')
    await page.getByRole('link', { name: words_.title }).click()
    const template = page.waitForEvent('download')
    await button(page, words_.template).click()
    const [sheet] = await readSheets(await (await template).path())
    const keys = (sheet?.data[0] ?? []).map(String)
    const plain = keys.map((key) => key.split(':').at(-1) ?? key)
    const good = {
      category: '轮式装载机',
      brand: '柳工',
      model: '856H',
      factoryNo: `E2E-${round}-0`,
      outFactoryDate: '2022-03-05',
      province: '四川省',
      city: '成都市',
      priceM: '16000',
      emissionStage: '国三',
      envCode: 'CDW-00123',
      'spec.ratedLoad': '5',
    }
    const rows: Record<string, string>[] = [
      good,
      { ...good, factoryNo: `E2E-${round}-1`, category: '铲车' },
      { ...good, factoryNo: `E2E-${round}-2`, 'spec.ratedLoad': '5t' },
      { ...good, factoryNo: `E2E-${round}-3`, brand: '柳工集团' },
      { ...good, factoryNo: `E2E-${round}-4`, outFactoryDate: '不详' },
      { ...good, factoryNo: `E2E-${round}-5`, province: '四川' },
      { ...good, factoryNo: `E2E-${round}-6`, emissionStage: '国九' },
      { ...good, factoryNo: `E2E-${round}-7`, priceM: '' },
    ]
    const file = join(folder, `import-${round}.xlsx`)
    await writeXlsxFile([
      {
        sheet: 'x',
        data: [keys, keys, ...rows.map((row) => plain.map((key) => row[key] ?? ''))].map((cells) =>
          cells.map((value) => ({ type: String, value })),
        ),
      },
    ]).toFile(file)
    await page.locator('input[data-import]').setInputFiles(file)
    await page.getByText(words_.bad(7)).waitFor()
    await look(page, 'import')
    // The list arrives again, late, after the first was taken over: input typed in between stays.
    const { promise: typed, resolve: nowTyped } = Promise.withResolvers<void>()
    await page.route(/equipment\/import\/\d+$/, async (route) => {
      await typed
      await route.continue()
    })
    const anew = page.waitForResponse(/equipment\/import\/\d+$/)
    await button(page, words_.accept(1)).click()
    await said(page, words_.accepted(1))
    await button(page, words_.takeAll(4)).click()
    const cell = (column: string) => page.locator(`input[aria-label^="${column} "]`)
    await cell(words_.columns.outFactoryDate ?? '').fill('2021/6/1')
    await cell(words_.columns.emissionStage ?? '').fill('国三')
    await cell(words_.columns.priceM ?? '').fill('15800')
    nowTyped()
    await anew
    await page.unrouteAll({ behavior: 'wait' })
    await settled(page)
    await button(page, words_.recheck).click()
    await button(page, words_.accept(7)).click()
    await said(page, words_.accepted(7))

    // One of them gets what a submission needs.
    const [made] = await product.sql('select id from equipment where factory_no = $1', [`E2E-${round}-2`])
    await page.goto(`/workbench/cequipment/add?id=${made?.id}`)
    await button(page, upload.submit).click()
    await page.locator('.field-error').first().waitFor()
    await page.locator('input[data-photos]').setInputFiles(photo)
    const turn = page.locator('.photo button', { hasText: upload.turn })
    const before = await turn.getAttribute('data-turn')
    await turn.press('Enter')
    await expect.poll(() => turn.and(page.locator(':focus')).getAttribute('data-turn')).not.toBe(before)
    for (const kind of ['ownership', 'conformity', 'emission']) {
      await page.locator(`input[data-paper=${kind}]`).setInputFiles(photo)
      await page
        .locator('.paper', { hasText: text.equipment.document[kind as 'ownership'] })
        .locator('.paper-thumb')
        .waitFor()
    }
    await look(page, 'machine')
    // A draft is let to nobody, so days of its own are kept from when it is handed in, also those typed while it is reviewed.
    await button(page, upload.submit).click()
    await button(page, upload.withdraw).waitFor()
    await field(page, upload.blockTo).fill(addDays(today, 7))
    await button(page, upload.block).click()
    await button(page, upload.unblock).waitFor()
    await field(page, upload.blockTo).fill(addDays(today, 9))

    await operator.page.goto(`/admin/equipment/detail?id=${made?.id}`)
    await button(operator.page, text.equipment.review.pass).waitFor()
    await look(operator.page, 'machine-review')
    await button(operator.page, text.equipment.review.pass).click()
    await said(operator.page, text.equipment.review.passed)
    // The lessor's open page, which only showed the machine while it was reviewed, has its form again.
    await page.getByRole('heading', { name: upload.editTitle, level: 1 }).waitFor()
    expect(await field(page, upload.blockTo).inputValue()).toBe(addDays(today, 9))
    await page.goto('/workbench/cequipment?auditStatus=2')
    await page
      .locator('tbody tr', { hasText: `E2E-${round}-2` })
      .getByText(text.equipment.shelf['1'] ?? '')
      .waitFor()
    await look(page, 'machines')
    // J moves to the first row, X selects it; what is done to it is done to the selected ones, and a view keeps the order.
    await page.goto('/workbench/cequipment?auditStatus=2&shelfStatus=1&sort=-monthPrice')
    await page.locator('tbody tr').first().waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.getByText(text.list.selected(1)).waitFor()
    await look(page, 'machines-selected')
    await button(page, text.list.machine.confirmSelected).click()
    await said(page, text.list.batchDone(1))
    // A phone has the tools of a list behind one button.
    if (width < 500) await button(page, text.list.tools).click()
    await button(page, text.list.views).click()
    await field(page, text.list.viewName).fill(`view ${round}`)
    await button(page, text.list.viewSave).click()
    await said(page, text.list.viewSaved)
    await page.goto('/workbench/cequipment?sort=name')
    await page.locator('tbody tr').first().waitFor()
    if (width < 500) await button(page, text.list.tools).click()
    await button(page, text.list.views).click()
    await page.getByRole('button', { name: `view ${round}`, exact: true }).click()
    await page.waitForURL(/sort=-monthPrice/)
    await page.goto('/workbench/cequipment/import')
    await page.locator('main li a').first().click()
    await button(page, words_.undo).click()
    await confirm(page, words_.undo)
    await said(page, words_.undone(7, 1))
    for (const visitor of [lessor, operator]) {
      expect(visitor.problems).toEqual([])
      await visitor.close()
    }
  })
})

test('the buttons of photos say which they act on, and when one is removed, the focus goes to the next', async () => {
  const { page, close } = await product.visit({ user: 'lessor' })
  await page.goto('/workbench/cequipment/add')
  await page.locator('input[data-photos]').setInputFiles([photo, { ...photo, name: 'other.png' }])
  const buttons = page.locator('.photo button')
  await expect.poll(() => buttons.count()).toBe(7)
  const names = await buttons.allTextContents()
  expect(new Set(names).size).toBe(names.length)
  const removal = page.locator('.photo button', { hasText: zhCn.equipment.upload.remove })
  await removal.first().press('Enter')
  await expect.poll(() => removal.count()).toBe(1)
  expect(await removal.evaluate((one) => one === document.activeElement)).toBe(true)
  await removal.press('Enter')
  await removal.waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(zhCn.equipment.upload.addPhotos)
  await close()
})

test('what is typed into a dialog while it is sent is a draft of what is stored then', async () => {
  const { page, problems, close } = await product.visit({ user: 'lessee' })
  const { ceiling, site } = zhCn
  const dialog = page.locator('dialog[open]')
  const price = field(dialog, ceiling.price)
  await page.goto(paths.ceilings)
  await page.locator('main').getByRole('button', { name: site.common.edit }).first().click()
  const letSave = await hold(page, saveCeiling.url)
  await price.fill('31000')
  await press(dialog, ceiling.save)
  await price.fill('32000')
  letSave()
  await page.locator('.toast-success', { hasText: ceiling.saved }).waitFor()
  await dialog.waitFor({ state: 'detached' })
  const draft = await page.evaluate(() => Object.entries(localStorage).find(([key]) => key.includes(':ceiling-'))?.[1])
  expect(/"values":.*"price":"(\d+)"/.exec(String(draft))?.[1]).toBe('32000')
  expect(problems).toEqual([])
  await close()
})
