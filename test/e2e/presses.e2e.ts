import type { Page } from 'playwright-core'
import { afterAll, afterEach, expect, test } from 'vitest'
import { creditCodeCheck } from '#shared/company/rules.ts'
import { handleContact } from '#shared/contact/manage.ts'
import { feedbackImages } from '#shared/feedback/rules.ts'
import { getCategoryVersion } from '#shared/category/contract.ts'
import { saveDictionary } from '#shared/category/manage.ts'
import { cancelDemand } from '#shared/demand/moves.ts'
import { paths } from '#shared/paths.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { hold } from './hold.ts'
import { signUp } from './newcomer.ts'
import { expectNoOverflow, inspect, showIn } from './inspect.ts'
import { field, go, photo, press, settled, startProduct, wordsIn, type Visitor } from './product.ts'

const product = await startProduct()
afterAll(() => product.close())

const visitors = new Map<string, Visitor>()

/** The page of that person, which stays open from one journey to the next. */
async function pageOf(user: string): Promise<Page> {
  const visitor = visitors.get(user) ?? (await product.visit({ user }))
  visitors.set(user, visitor)
  return visitor.page
}

afterEach(async ({ task }) => {
  const opened = [...visitors.values()]
  const problems = opened.flatMap((one) => one.problems)
  // Nobody knows where a journey that failed has left its page.
  if (task.result?.state === 'fail' || problems.length > 0) {
    visitors.clear()
    await Promise.all(opened.map((one) => one.close()))
  }
  expect(problems).toEqual([])
})

const hasCursor = (element: Element) => element === document.activeElement

test('a certification begins each step in its first field, and the credit code fills in the place and the service area', async () => {
  const { user, phone } = await signUp(product)
  const { page, problems, close } = await product.visit({ user })
  const { certification, site } = zhCn
  const labelled = (name: string) => field(page, certification.fields[name] ?? '')
  const calls = `**/prod-api${getCategoryVersion.url}`
  await page.route(calls, (route) => route.fulfill({ json: { code: 500, msg: 'false', data: null } }))
  await page.goto(paths.certificationOf('rentout'))
  await expect.poll(() => labelled('enterpriseName').evaluate(hasCursor)).toBe(true)
  await page.keyboard.type('成都少按机械租赁有限公司')
  const body = '91510107DEM000517'
  await labelled('creditCode').fill(body + creditCodeCheck(body))
  await labelled('scaleType').selectOption('small')
  await press(page, certification.next)
  await expect.poll(() => labelled('legalPerson').evaluate(hasCursor)).toBe(true)
  await expect.poll(() => field(page, site.common.city).inputValue()).toBe('510100')
  await expect.poll(() => field(page, site.common.district).inputValue()).toBe('510107')
  // A place that was chosen stays, whatever the code says.
  await field(page, site.common.province).selectOption('420000')
  await labelled('legalPerson').fill('张样本')
  await labelled('legalPersonPhone').fill(phone)
  await labelled('contactName').fill('李样本')
  await labelled('address').fill('汉口路 1 号')
  await field(page, site.common.city).selectOption('420100')
  await press(page, certification.next)
  await expect.poll(() => page.getByRole('searchbox', { name: certification.findCategory }).evaluate(hasCursor)).toBe(true)
  const served = page.getByRole('group', { name: certification.fields.serviceRegions ?? '' }).getByRole('checkbox', { checked: true })
  expect(await served.evaluateAll((boxes) => boxes.map((box) => box.closest('label')?.textContent.trim()))).toEqual(['湖北省'])
  // Where the categories have not come, the step says so and asks for them again.
  const categories = page.getByRole('group', { name: certification.fields.mainCategories ?? '' })
  const failed = categories.locator('.field-error', { hasText: site.common.failed })
  await failed.waitFor()
  await page.unroute(calls)
  await press(categories, site.common.retry)
  await failed.waitFor({ state: 'detached' })
  await categories.locator('.check-groups summary').first().waitFor()
  expect(problems).toEqual([])
  await close()
})

test('a question is answered from the work panel: one press to its field, which has the cursor, and one to send', async () => {
  // Among the most urgent, which the panel shows first.
  await product.sql(
    `update demand set quote_deadline = now() + interval '3 hours' where id = (
      select q.demand_id from demand_question q join demand d on d.id = q.demand_id join account a on a.dept_id = d.dept_id
      where a.user_name = 'project' and q.answer = '' and d.status = '3' order by d.quote_deadline desc limit 1)`,
  )
  const page = await pageOf('project')
  const { panel } = zhCn.statistics
  await go(page, paths.personal)
  const task = page.locator('.todos li', { has: page.getByText(panel.kinds.question[0], { exact: true }) })
  await task.getByRole('link').first().click()
  const answer = field(page, zhCn.demand.question.answer).first()
  await expect.poll(() => answer.evaluate(hasCursor)).toBe(true)
  await page.keyboard.type('可以，提前一天报备')
  await press(page.locator('#questions'), zhCn.demand.question.answer)
  await page.locator('.toast-success', { hasText: zhCn.demand.question.answered }).waitFor()
})

test('the lines of a demand are pasted from a table in either language; a row that was not read stays', async () => {
  const page = await pageOf('project')
  await go(page, paths.addDemand())
  expect(await field(page, zhCn.demand.deadline).inputValue()).toMatch(/ 17:00$/)
  const dialog = page.locator('dialog[open]')
  const lines = page.locator('.line-editor')
  for (const [at, [language, width, rows]] of (
    [
      ['zh-CN', 1440, ['设备\t数量\t进场', '25吨汽车吊\t2\t2027-03-01', '看不懂的\t1']],
      ['en-US', 375, ['25t Truck crane\t2\t2027-03-01', 'Unheard of\t1']],
    ] as const
  ).entries()) {
    await showIn(page, { width, language })
    const { form: words } = wordsIn(language).demand
    await press(page, words.pasteLines)
    await field(dialog, words.pasteField).fill(rows.join('\n'))
    await press(dialog, words.pasteAdd(1))
    await dialog.locator('.field-error', { hasText: words.pasteUnread }).waitFor()
    expect(await field(dialog, words.pasteField).inputValue()).toBe((rows.at(-1) ?? '').trim())
    if (language === 'zh-CN') await inspect(page, 'presses-paste')
    else await expectNoOverflow(page, 'presses-paste in English')
    await page.keyboard.press('Escape')
    // The first line that is read takes the place of the empty one, the next one comes after it.
    expect(await lines.count()).toBe(at + 1)
    const line = lines.nth(at)
    expect(await field(line, words.qty).inputValue()).toBe('2')
    expect(await field(line, words.start).inputValue()).toBe('2027-03-01')
    expect(await line.locator('.spec input').first().inputValue()).toBe('25')
  }
  await showIn(page, { width: 1440, language: 'zh-CN' })
})

test('what got no answer is pressed again from the toast, which stands before the dialog that asked', async () => {
  const { page, close } = await product.visit({ user: 'project' })
  const { own } = zhCn.demand
  const [demand] = await product.sql(
    `select d.id from demand d join account a on a.dept_id = d.dept_id where a.user_name = 'project' and d.status = '3' order by d.id limit 1`,
  )
  await page.goto(paths.ownDemand(Number(demand?.id)))
  const dialog = page.locator('dialog[open]')
  // A refusal that comes when its dialog was closed marks no field of the one that is open by then.
  const { promise: isClosed, resolve: refuse } = Promise.withResolvers<void>()
  const cancels = `**/prod-api${cancelDemand.url.replace(':id', '*')}`
  await page.route(cancels, async (route) => {
    await isClosed
    await route.fulfill({ json: { code: 422, msg: '原因不足', data: { errors: [{ field: 'reason', message: '原因不足' }] } } })
  })
  await press(page.locator('main'), own.cancel)
  await dialog.getByRole('textbox').fill('施工计划')
  await press(dialog, own.cancel)
  await page.keyboard.press('Escape')
  await press(page.locator('main'), own.extend)
  refuse()
  await page.locator('.toast-error', { hasText: '原因不足' }).waitFor()
  expect(await dialog.locator('.field-error').count()).toBe(0)
  await page.unroute(cancels)
  await page.keyboard.press('Escape')
  await press(page.locator('main'), own.cancel)
  await dialog.getByRole('textbox').fill('施工计划改变')
  const calls = '**/prod-api/business/leasingDemand/**'
  await page.route(calls, (route) => route.abort())
  await press(dialog, own.cancel)
  const toast = page.locator('.toast-warning', { hasText: zhCn.site.error.unreachable })
  await toast.waitFor()
  expect(await dialog.getByRole('textbox').inputValue()).toBe('施工计划改变')
  await page.unroute(calls)
  await toast.getByRole('button', { name: zhCn.site.common.retry }).click()
  await page.locator('.toast-success', { hasText: own.cancelled }).waitFor()
  expect(await dialog.count()).toBe(0)
  await close()
})

test('the focus returns to the button whose dialog is closed, and stays in the filter that was chosen', async () => {
  const page = await pageOf('lessee')
  await go(page, paths.ceilings)
  const add = page.getByRole('button', { name: zhCn.ceiling.add, exact: true })
  for (const end of [() => press(page.locator('dialog[open]'), zhCn.site.action.close), () => page.keyboard.press('Escape')]) {
    await add.focus()
    await page.keyboard.press('Enter')
    await page.locator('dialog[open]').waitFor()
    await end()
    await expect.poll(() => add.evaluate(hasCursor)).toBe(true)
  }
  await go(page, '/demand/')
  const group = page.getByLabel(zhCn.site.common.category, { exact: true })
  await group.focus()
  await group.selectOption('100')
  await page.waitForURL('**fatherCategoryId=100')
  await settled(page)
  expect(await group.evaluate(hasCursor)).toBe(true)
})

test('a setting that was changed is shown as it is to whoever comes back', async () => {
  const page = await pageOf('operator')
  const { settings, menu, reason } = zhCn.admin
  await go(page, paths.settings)
  const limits = page.locator('form', { has: page.getByRole('heading', { name: settings.names.limits }) })
  const looks = field(limits, settings.fields.looksPerDay ?? '')
  await looks.fill('60')
  await field(limits, reason).fill('旺季查看更多')
  await press(limits, settings.save)
  await page.locator('.toast-success', { hasText: settings.saved }).waitFor()
  const menuOf = page.locator('aside nav')
  await menuOf.getByRole('link', { name: menu.dictionaries }).click()
  await page.getByRole('heading', { level: 1, name: menu.dictionaries }).waitFor()
  await menuOf.getByRole('link', { name: menu.settings }).click()
  await expect.poll(() => looks.inputValue()).toBe('60')
})

test('the palette opens on a public page too, and leads to the pages of the workbench', async () => {
  const page = await pageOf('project')
  await go(page, paths.about)
  // The keys count once the buttons of somebody who has signed in are there, whose code comes after the page.
  await page.locator('.palette-button').waitFor()
  await settled(page)
  await page.keyboard.press('Control+K')
  const { publish } = zhCn.demand.own
  await page.getByRole('option', { name: publish }).waitFor()
  await page.keyboard.type(publish)
  await page.keyboard.press('Enter')
  await page.waitForURL(`**${paths.addDemand()}`)
})

test('a refused decision shows the reviewer what has changed, and their reasons come back', async () => {
  const { page, close } = await product.visit({ user: 'operator' })
  const { certification, equipment } = zhCn
  const [waiting] = await product.sql(`select id from certification where status = '1' order by id limit 1`)
  await page.goto(paths.review(Number(waiting?.id)))
  await page.getByRole('checkbox', { name: certification.review.reject }).first().check()
  await page
    .getByPlaceholder(certification.review.reasons[0] ?? '')
    .first()
    .fill('名称与执照不符')
  await product.sql(`update certification set version = version + 1, name = '成都改名机械租赁有限公司' where id = $1`, [
    Number(waiting?.id),
  ])
  await press(page, certification.review.sendBack)
  await page.getByRole('heading', { level: 1, name: '成都改名机械租赁有限公司' }).waitFor()
  const box = page.getByRole('checkbox', { name: certification.review.reject }).first()
  expect(await box.isChecked()).toBe(false)
  // A reload loses no offer.
  await page.reload()
  await press(page, zhCn.site.draft.accept)
  expect(await box.isChecked()).toBe(true)
  expect(
    await page
      .getByPlaceholder(certification.review.reasons[0] ?? '')
      .first()
      .inputValue(),
  ).toBe('名称与执照不符')

  const [machine] = await product.sql(`select id from equipment where audit_status = '1' order by id limit 1`)
  await go(page, paths.equipmentReview(Number(machine?.id)))
  await field(page, equipment.review.reason).fill('照片不清楚')
  await product.sql(`update equipment set version = version + 1, factory_no = 'CHANGED-1' where id = $1`, [Number(machine?.id)])
  await press(page, equipment.review.reject)
  await page.getByText('CHANGED-1').first().waitFor()
  await press(page, zhCn.site.draft.accept)
  expect(await field(page, equipment.review.reason).inputValue()).toBe('照片不清楚')
  await close()
})

test('a question that is closed while its action runs leaves the next one open, and its own reason is forgotten', async () => {
  const ids = await product.sql(
    `insert into contact (name, company, phone, type, content)
     select '张样本', company, '14466660021', (select type from contact limit 1), '咨询' from unnest(array['先办公司', '后办公司']) company returning id`,
  )
  const page = await pageOf('operator')
  const { contacts } = zhCn.admin
  await go(page, paths.contacts)
  const open = (company: string) => page.getByRole('button', { name: `${contacts.handle} ${company}` }).click()
  const note = page.locator('dialog[open]').getByRole('textbox')
  const letGo = await hold(page, handleContact.url)
  await open('先办公司')
  // Whoever opens it goes on with its field, not with the button that closes it.
  expect(await note.evaluate(hasCursor)).toBe(true)
  await note.fill('已回电')
  await press(page.locator('dialog[open]'), contacts.handle)
  await page.keyboard.press('Escape')
  await open('后办公司')
  await note.fill('约在周五')
  letGo()
  await page.locator('.toast-success', { hasText: contacts.handled }).waitFor()
  await page.getByRole('button', { name: `${contacts.handle} 先办公司` }).waitFor({ state: 'detached' })
  expect(await note.inputValue()).toBe('约在周五')
  const drafts = await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('draft:')))
  expect(drafts.map((key) => key.split(':').at(-1))).toEqual([`contact-${ids[1]?.id}`])
})

test('a dialog that is closed while its call runs leaves the next one open, and what it sent is no draft', async () => {
  const page = await pageOf('operator')
  const dialog = page.locator('dialog[open]')
  const { dictionaries } = zhCn.admin
  await go(page, paths.dictionaries)
  await page.locator('main').getByRole('button', { name: zhCn.site.common.edit }).first().click()
  const letSave = await hold(page, saveDictionary.url)
  await field(dialog, dictionaries.label).fill('改过的名称')
  await press(dialog, dictionaries.save)
  await page.keyboard.press('Escape')
  await page.locator('main').getByRole('button', { name: zhCn.site.common.edit }).nth(1).click()
  letSave()
  await page.locator('.toast-success', { hasText: dictionaries.saved }).waitFor()
  expect(await field(dialog, dictionaries.label).isVisible()).toBe(true)
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes(':dictionary-')))).toEqual([])
})

test('a reason that is proposed no more opens as another one from a draft', async () => {
  const page = await pageOf('project')
  const { blacklist } = zhCn
  await go(page, paths.addBlacklist())
  await field(page, blacklist.facts).fill('该企业两台装载机未经同意撤离工地')
  await page.getByText(zhCn.site.draft.saved).waitFor()
  await go(page, paths.about)
  await page.evaluate(() => {
    for (const [key, draft] of Object.entries(localStorage))
      if (key.includes(':blacklist-new-'))
        localStorage.setItem(key, String(draft).replace('"reasonCode":"quit","facts":"该', '"reasonCode":"rent","facts":"该'))
  })
  await go(page, paths.addBlacklist())
  await expect.poll(() => field(page, blacklist.facts).inputValue()).toBe('该企业两台装载机未经同意撤离工地')
  expect(await page.getByLabel(blacklist.reason).inputValue()).toBe('other')
})

test('pictures of a feedback beyond the limit are named, not dropped in silence', async () => {
  const page = await pageOf('project')
  await go(page, paths.addFeedback)
  await page
    .locator('input[type=file]')
    .setInputFiles(Array.from({ length: feedbackImages + 2 }, (_, at) => ({ ...photo, name: `${at}.png` })))
  await page.locator('.toast-warning', { hasText: zhCn.site.common.filesLeftOut(2, feedbackImages) }).waitFor()
  await page.locator('input[type=file]').waitFor({ state: 'detached' })
})

test('the form of a unit opens with the unit as it is, not as the list showed it', async () => {
  const page = await pageOf('lessee')
  const { organization } = zhCn
  await go(page, paths.units)
  const row = page.locator('tbody tr', { hasText: organization.types['3'] }).last()
  const edit = row.getByRole('link', { name: zhCn.site.common.edit })
  const id = new URL((await edit.getAttribute('href')) ?? '', product.origin).searchParams.get('id')
  await product.sql(`update dept set leader = '周新任', version = version + 1 where id = $1`, [Number(id)])
  await edit.click()
  await expect.poll(() => field(page, organization.leader).inputValue()).toBe('周新任')
  await field(page, organization.order).fill('7')
  await press(page, organization.save)
  await page.locator('.toast-success', { hasText: organization.saved }).waitFor()
})

test('a category that is moved keeps the focus on its arrow, for the next place', async () => {
  const page = await pageOf('operator')
  const { categories } = zhCn.admin
  await go(page, paths.categories)
  await page.locator('main summary').first().click()
  const label = await page.locator(`button[aria-label^='${categories.down} ']`).first().getAttribute('aria-label')
  const arrow = page.getByRole('button', { name: label ?? '', exact: true })
  await arrow.press('Enter')
  await page.locator('.toast-success', { hasText: categories.ordered }).waitFor()
  expect(await arrow.evaluate(hasCursor)).toBe(true)
})
