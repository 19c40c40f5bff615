import readSheets from 'read-excel-file/node'
import { afterAll, expect, test } from 'vitest'
import writeXlsxFile from 'write-excel-file/node'
import { addDays, dayOf } from '#shared/calendar.ts'
import { saveCeiling } from '#shared/ceiling/contract.ts'
import { getImport } from '#shared/equipment/import.ts'
import { paths } from '#shared/paths.ts'
import { submitQuote } from '#shared/quote/contract.ts'
import { hold } from './hold.ts'
import { inspectBoth, showIn } from './inspect.ts'
import { field, go, photo, press, settled, startProduct, wordsIn, type Look, type Visitor } from './product.ts'

const product = await startProduct()
afterAll(() => product.close())

const today = dayOf(new Date())

/** What somebody does in the workbench, in the words of their language; each page is looked at in the other language and width as well. */
const handsOf = ({ page, text, problems, close }: Visitor) => ({
  page,
  text,
  problems,
  press: (name: string) => press(page, name),
  confirm: (name: string) => press(page.locator('dialog[open]'), name),
  said: (words: string) => page.locator('.toast', { hasText: words }).first().waitFor(),
  look: (name: string) => inspectBoth(page, `workbench-${name}`),
  leave: async () => {
    expect(problems).toEqual([])
    await close()
  },
})
type Hands = ReturnType<typeof handsOf>

const wide: Look = { width: 1440, language: 'zh-CN' }
const phone: Look = { width: 375, language: 'en-US' }
const firstLine = ({ page, text }: Hands) => page.getByRole('region', { name: text.demand.line(1), exact: true })

test('[S2.24][S9.3] a project publishes with approval, answers, amends, compares, awards in part with approval and publishes the rest again', async () => {
  const above = handsOf(await product.visit({ ...wide, user: 'lessee' }))
  const project = handsOf(await product.visit({ ...phone, user: 'project' }))
  const lessor = handsOf(await product.visit({ ...wide, user: 'lessor' }))
  // The unit above wants both approvals.
  const [unit] = await product.sql(
    `update dept set approves_demands = true, approves_awards = true
       where id = (select d.parent_id from dept d join account a on a.dept_id = d.id where a.user_name = 'project') returning id`,
  )
  const id = await submitDemand(project)
  await approveSecondTry(above, project, id)
  await quote(lessor, project, id)
  const { question } = project.text.demand
  await field(project.page, question.answer).fill('可以，须提前一天报备')
  await project.press(question.answer)
  await project.said(question.answered)
  // The open page of the lessor who asked follows, too.
  await lessor.page.getByText('可以，须提前一天报备').waitFor()
  await amend(above, project, id)
  await lessor.page.getByText(lessor.text.quote.form.confirmHint).waitFor()
  await lessor.press(lessor.text.quote.form.confirm)
  await lessor.said(lessor.text.quote.form.confirmed)
  await awardPart(above, project, id)
  const [done] = await product.sql(
    'select status, (select string_agg(move, $2 order by id) from demand_event e where e.demand_id = d.id) as moves from demand d where id = $1',
    [id, ' '],
  )
  expect(done).toEqual({ status: '6', moves: 'submit reject submit approve quote amend confirm open awardSubmit awardApprove awardPart' })
  await product.sql('update dept set approves_demands = false, approves_awards = false where id = $1', [unit?.id])
  await typeIntoSentDialog(above)
  // The refusal of the second editor is a message, not an error.
  for (const one of [above, project, lessor]) await one.leave()
})

test('[S2.21] a lessor imports a workbook with seven kinds of error, repairs it, adds photo and documents, and the operator approves it', async () => {
  const lessor = handsOf(await product.visit({ ...wide, user: 'lessor2' }))
  const operator = handsOf(await product.visit({ ...phone, user: 'operator' }))
  await importMachines(lessor)
  // One of them gets what a submission needs.
  const [made] = await product.sql('select id from equipment where factory_no = $1', ['E2E-2'])
  await submitMachine(lessor, Number(made?.id))
  await go(operator.page, `/admin/equipment/detail?id=${made?.id}`)
  await operator.page.getByRole('button', { name: operator.text.equipment.review.pass, exact: true }).waitFor()
  await operator.press(operator.text.equipment.review.pass)
  await operator.said(operator.text.equipment.review.passed)
  const { page, text } = lessor
  // The lessor's open page, which only showed the machine while it was reviewed, has its form again.
  await page.getByRole('heading', { name: text.equipment.upload.editTitle, level: 1 }).waitFor()
  expect(await field(page, text.equipment.upload.blockTo).inputValue()).toBe(addDays(today, 9))
  await listMachines(lessor)
  await go(page, '/workbench/cequipment/import')
  await page.locator('main li a').first().click()
  await lessor.press(text.equipment.imports.undo)
  await lessor.confirm(text.equipment.imports.undo)
  await lessor.said(text.equipment.imports.undone(7, 1))
  for (const one of [lessor, operator]) await one.leave()
})

/** Fills in a demand for nine loaders and submits it; the answer is its id. */
async function submitDemand(project: Hands): Promise<string> {
  const { page, text } = project
  const { own, form: words } = text.demand
  await page.goto('/workbench/requirement/add')
  await page.getByLabel(words.titleField).fill(`Loaders ${Date.now() % 100_000}`)
  await page.getByLabel(text.demand.minQuotes).fill('1')
  await field(page, text.demand.deadline).fill(`${addDays(today, 5)}T12:00`)
  const line = firstLine(project)
  const picker = line.getByRole('combobox', { name: words.category })
  await picker.click()
  await picker.fill('Wheel load')
  await page.getByRole('option', { name: 'Wheel loader' }).first().click()
  await line.getByLabel('Rated load (t)', { exact: true }).fill('3')
  await line.getByLabel(words.start).fill(addDays(today, 900))
  await line.getByLabel(words.end).fill(addDays(today, 960))
  await line.getByLabel(words.qty).fill('9')
  await page.waitForURL(/draft=/)
  await project.press(words.submit)
  await page.waitForURL(/requirement\/detail\?id=/)
  await page.getByText(own.waiting).waitFor()
  return new URL(page.url()).searchParams.get('id') ?? ''
}

/** Sent back with a reason, mended on the same form, submitted again, approved. Either open page follows the other. */
async function approveSecondTry(above: Hands, project: Hands, id: string) {
  const { own } = above.text.demand
  const reason = '台数请按施工计划核减'
  await go(above.page, `/workbench/requirement/detail?id=${id}`)
  await above.look('approve')
  await above.press(own.reject)
  await above.confirm(own.reject)
  await above.page.locator('dialog[open] .field-error').waitFor()
  await above.page.locator('dialog[open]').getByLabel(own.reason).fill(reason)
  await above.confirm(own.reject)
  await above.said(own.rejected)
  const words = project.text.demand
  await project.page.getByText(reason).first().waitFor()
  await project.page.getByRole('link', { name: words.own.edit }).click()
  await firstLine(project).getByLabel(words.form.qty).fill('6')
  await project.press(words.form.submit)
  await project.page.getByText(words.own.waiting).waitFor()
  await above.press(own.approve)
  await above.confirm(own.approve)
  await above.said(own.approved)
}

/** A lessor asks and quotes. The server is away when the quote is sent, and nothing typed is lost. */
async function quote(lessor: Hands, project: Hands, id: string) {
  const { page, text } = lessor
  const { form } = text.quote
  await go(page, `/workbench/crequirement/detail?id=${id}`)
  await field(page, text.demand.question.content).fill('夜间可以进场吗？')
  await lessor.press(text.demand.question.ask)
  await lessor.said(text.demand.question.asked)
  const quoted = firstLine(lessor)
  const price = quoted.getByLabel(form.unitPrice)
  await price.fill('15000')
  const machine = quoted.locator('.machine-option input[type=checkbox]:enabled').first()
  if (!(await machine.isChecked())) await machine.check()
  // Who answers for the quote may be a colleague.
  await field(page, form.contactName).fill('别人')
  await field(page, form.contactPhone).fill('')
  await lessor.press(text.organization.picker.pick)
  const person = page.locator('dialog[open] .person-option').first()
  await person.waitFor()
  expect(await page.locator('dialog[open] .person-option').count()).toBeLessThanOrEqual(5)
  const chosen = await person.locator('strong').textContent()
  await person.click()
  expect(await field(page, form.contactName).inputValue()).toBe(chosen)
  expect(await field(page, form.contactPhone).inputValue()).toMatch(/^1\d{10}$/)
  await lessor.look('quote')
  // The owner's open page follows the question.
  await project.page.getByText('夜间可以进场吗？').waitFor()
  await lessor.press(form.submit)
  await page.route('**/business/leasingApply', (route) => route.abort())
  await lessor.confirm(form.reviewSubmit)
  await page.getByRole('alert').getByText(form.notSentHint).waitFor()
  await page.unroute('**/business/leasingApply')
  expect(lessor.problems.splice(0)).toEqual([expect.stringContaining('ERR_FAILED')])
  await page.reload()
  await page.getByText(form.restored).waitFor()
  expect(await price.inputValue()).toBe('15000')
  const letGo = await hold(page, submitQuote.url)
  await lessor.press(form.submit)
  await lessor.confirm(form.reviewSubmit)
  // What is typed while the quote is sent is not in it, and stays in the form.
  await page.keyboard.press('Escape')
  await price.fill('14800')
  letGo()
  await page.locator('.hash').waitFor()
  await page.getByText(form.restored).waitFor()
  expect(await price.inputValue()).toBe('14800')
  await lessor.press(form.discard)
  await lessor.confirm(form.discard)
  await price.waitFor({ state: 'detached' })
  await lessor.look('receipt')
}

/** The terms change, so that the quote waits for confirmation: what was approved is changed by the unit above only. */
async function amend(above: Hands, project: Hands, id: string) {
  const fill = async ({ page, text }: Hands) => {
    await field(page, text.demand.own.amendReason).fill('增加夜间施工')
    await field(page, text.demand.terms).fill('夜间施工须配备照明')
  }
  const terms = ({ page, text }: Hands) => field(page, text.demand.terms).inputValue()
  // The form says so, the project is refused and loses nothing that was typed.
  const words = project.text.demand
  // A phone shows the main action and folds the others away.
  await project.press(project.text.list.more)
  await project.page.getByRole('link', { name: words.own.amend }).click()
  await project.page.getByText(words.own.amendApproved).waitFor()
  await fill(project)
  await project.press(words.form.amendSubmit)
  await project.said(project.text.refusal.amend_approval)
  expect(await terms(project)).toBe('夜间施工须配备照明')
  await go(project.page, `/workbench/requirement/detail?id=${id}`)
  const { own, form } = above.text.demand
  await above.page.getByRole('link', { name: own.amend }).click()
  await fill(above)
  // Somebody else changes the demand meanwhile: the page says so and loses nothing that was typed.
  await product.sql('update demand set version = version + 1 where id = $1', [id])
  await above.press(form.amendSubmit)
  await above.page.getByText(own.changed).waitFor()
  expect(await terms(above)).toBe('夜间施工须配备照明')
  await above.look('amend-conflict')
  await above.page.reload()
  await fill(above)
  await above.press(form.amendSubmit)
  await above.page.waitForURL(/requirement\/detail\?id=/)
}

/** Days pass. The award waits for approval; the rest goes into a new demand. Either open page follows the other. */
async function awardPart(above: Hands, project: Hands, id: string) {
  await product.sql(`update demand set quote_deadline = now() - interval '1 second' where id = $1`, [id])
  const { page, text } = project
  const { compare } = text.quote
  await page.getByRole('heading', { name: compare.title, exact: true }).waitFor()
  await project.press(compare.strategy.lowestLine)
  await page.locator('.action-bar').getByRole('button', { name: compare.award }).click()
  await project.confirm(compare.award)
  await project.said(text.demand.own.awardSent)
  const words = above.text
  await above.page.getByText(words.quote.compare.awardProposed).waitFor()
  await above.look('award-waiting')
  await above.press(words.demand.own.awardApprove)
  await above.confirm(words.demand.own.awardApprove)
  await above.page.locator('strong', { hasText: new RegExp(`^${words.quote.compare.awardTitle}$`) }).waitFor()
  await page.getByRole('link', { name: text.demand.own.rest }).click()
  expect(await firstLine(project).getByLabel(text.demand.form.qty).inputValue()).toBe('5')
}

/** Eight rows, one of them correct; the others are repaired on the page. */
async function importMachines(lessor: Hands) {
  const { page, text } = lessor
  const words = text.equipment.imports
  await page.goto('/workbench/cequipment')
  await page.getByRole('link', { name: words.title }).click()
  const template = page.waitForEvent('download')
  await lessor.press(words.template)
  const [sheet] = await readSheets(await (await template).path())
  const keys = (sheet?.data[0] ?? []).map(String)
  const plain = keys.map((key) => key.split(':').at(-1) ?? key)
  const good = {
    category: '轮式装载机',
    brand: '柳工',
    model: '856H',
    factoryNo: 'E2E-0',
    outFactoryDate: '2022-03-05',
    province: '四川省',
    city: '成都市',
    priceM: '16000',
    emissionStage: '国三',
    envCode: 'CDW-00123',
    'spec.ratedLoad.t': '5',
  }
  const wrong = [{ category: '铲车' }, { 'spec.ratedLoad.t': '5t' }, { brand: '柳工集团' }, { outFactoryDate: '不详' }]
  const others = [...wrong, { province: '四川' }, { emissionStage: '国九' }, { priceM: '' }]
  const rows: Record<string, string>[] = [good, ...others.map((cells, at) => ({ ...good, factoryNo: `E2E-${at + 1}`, ...cells }))]
  const cellsOf = [keys, keys, ...rows.map((row) => plain.map((key) => row[key] ?? ''))]
  const data = cellsOf.map((row) => row.map((value) => ({ type: String, value })))
  const file = { name: 'import.xlsx', mimeType: 'application/octet-stream', buffer: await writeXlsxFile([{ sheet: 'x', data }]).toBuffer() }
  await page.locator('input[data-import]').setInputFiles(file)
  await page.getByText(words.bad(7)).waitFor()
  await lessor.look('import')
  // The list arrives again, late, after the first was taken over: input typed in between stays.
  const letCome = await hold(page, getImport.url)
  const anew = page.waitForResponse(/equipment\/import\/\d+$/)
  await lessor.press(words.accept(1))
  await lessor.said(words.accepted(1))
  await lessor.press(words.takeAll(4))
  const cell = (column: string) => page.locator(`input[aria-label^="${column} "]`)
  await cell(words.columns.outFactoryDate ?? '').fill('2021/6/1')
  await cell(words.columns.emissionStage ?? '').fill('国三')
  await cell(words.columns.priceM ?? '').fill('15800')
  letCome()
  await anew
  await page.unrouteAll({ behavior: 'wait' })
  await settled(page)
  await lessor.press(words.recheck)
  await lessor.press(words.accept(7))
  await lessor.said(words.accepted(7))
}

/** Adds a photo and documents to the draft, submits it, and keeps days for the lessor meanwhile. */
async function submitMachine(lessor: Hands, id: number) {
  const { page, text } = lessor
  const { upload } = text.equipment
  await go(page, `/workbench/cequipment/add?id=${id}`)
  await lessor.press(upload.submit)
  await page.locator('.field-error').first().waitFor()
  await page.locator('input[data-photos]').setInputFiles(photo)
  const turn = page.locator('.photo button', { hasText: upload.turn })
  const before = await turn.getAttribute('data-turn')
  await turn.press('Enter')
  await expect.poll(() => turn.and(page.locator(':focus')).getAttribute('data-turn')).not.toBe(before)
  for (const kind of ['ownership', 'conformity', 'emission'] as const) {
    await page.locator(`input[data-paper=${kind}]`).setInputFiles(photo)
    await page.locator('.paper', { hasText: text.equipment.document[kind] }).locator('.paper-thumb').waitFor()
  }
  await lessor.look('machine')
  // A draft is let to nobody, so days of its own are kept from when it is handed in, also those typed while it is reviewed.
  await lessor.press(upload.submit)
  await page.getByRole('button', { name: upload.withdraw, exact: true }).waitFor()
  await field(page, upload.blockTo).fill(addDays(today, 7))
  await lessor.press(upload.block)
  await page.getByRole('button', { name: upload.unblock, exact: true }).waitFor()
  await field(page, upload.blockTo).fill(addDays(today, 9))
}

async function listMachines(lessor: Hands) {
  const { page, text } = lessor
  await go(page, '/workbench/cequipment?auditStatus=2')
  const shelf = text.equipment.shelf['1'] ?? ''
  await page.locator('tbody tr', { hasText: 'E2E-2' }).getByText(shelf).waitFor()
  await lessor.look('machines')
  // J moves to the first row, X selects it; what is done to it is done to the selected ones, and a view keeps the order.
  await page.goto('/workbench/cequipment?auditStatus=2&shelfStatus=1&sort=-monthPrice')
  await page.locator('tbody tr').first().waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.getByText(text.list.selected(1)).waitFor()
  await lessor.look('machines-selected')
  await lessor.press(text.list.machine.confirmSelected)
  await lessor.said(text.list.batchDone(1))
  await lessor.press(text.list.views)
  await field(page, text.list.viewName).fill('view of the test')
  await lessor.press(text.list.viewSave)
  await lessor.said(text.list.viewSaved)
  // A phone has the tools of a list behind one button.
  await go(page, '/workbench/cequipment?sort=name')
  await showIn(page, phone)
  await page.locator('tbody tr').first().waitFor()
  const { list } = wordsIn(phone.language)
  await lessor.press(list.tools)
  await lessor.press(list.views)
  await lessor.press('view of the test')
  await page.waitForURL(/sort=-monthPrice/)
  await showIn(page, wide)
}

test('the buttons of photos say which they act on, and when one is removed, the focus goes to the next', async () => {
  const { page, text, close } = await product.visit({ user: 'lessor' })
  await page.goto('/workbench/cequipment/add')
  await page.locator('input[data-photos]').setInputFiles([photo, { ...photo, name: 'other.png' }])
  const buttons = page.locator('.photo button')
  await expect.poll(() => buttons.count()).toBe(7)
  const names = await buttons.allTextContents()
  expect(new Set(names).size).toBe(names.length)
  const removal = page.locator('.photo button', { hasText: text.equipment.upload.remove })
  await removal.first().press('Enter')
  await expect.poll(() => removal.count()).toBe(1)
  expect(await removal.evaluate((one) => one === document.activeElement)).toBe(true)
  await removal.press('Enter')
  await removal.waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(text.equipment.upload.addPhotos)
  await close()
})

/** What is typed into a dialog while it is sent is a draft of what is stored then. */
async function typeIntoSentDialog({ page, text }: Hands) {
  const { ceiling, site } = text
  const dialog = page.locator('dialog[open]')
  const price = field(dialog, ceiling.price)
  await go(page, paths.ceilings)
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
}
