import type { Page, Route } from 'playwright-core'
import readSheets from 'read-excel-file/node'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { en } from '#shared/text/en.ts'
import { paths } from '#shared/paths.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { addPerson } from '#shared/person/contract.ts'
import { expectAccessible } from './accessible.ts'
import { hold } from './hold.ts'
import { newPhone } from './newcomer.ts'
import { inspect } from './inspect.ts'
import { field, press, settled, startProduct } from './product.ts'
import { quotableDemand } from './quotable-demand.ts'

const product = await startProduct()
afterAll(() => product.close())

let tries = 0

describe.each([
  ['zh-CN', 1440],
  ['en-US', 375],
] as const)('[S2.23][S2.26][S7.2][S9.3] an organisation builds its tree and adds people who sign in, in %s at %i px', (language, width) => {
  test('unit, project department, person, first password, changed menus; then moved, switched off and deleted', async () => {
    const text = (language === 'zh-CN' ? zhCn : en) as typeof zhCn
    const { organization } = text
    // Names and a number that nothing of an earlier try has.
    const mark = '甲乙丙丁'[tries++] ?? ''
    const [phone, unit, project, name] = [newPhone(), `第九工程公司${mark}`, `锦江隧道工程${mark}`, `何样本${mark}`]
    const visitor = await product.visit({ width, language, user: 'lessee' })
    const { page } = visitor
    const look = (part: string) => inspect(page, `organization-${language}-${width}-${part}`)
    // On a phone the long menu folds into one button, which names the current entry.
    const current = (entry: string) =>
      page.locator(width < 961 ? '.menu-fold' : 'aside nav a[aria-current=page]', { hasText: entry }).waitFor()
    await page.goto('/workbench/organization/list')
    await page.locator('tbody tr').first().waitFor()
    if (width > 1000) {
      expect(await page.locator('.private-group').allTextContents()).toEqual([
        organization.title,
        organization.demands,
        text.contract.group,
        organization.supply,
        organization.reviews,
      ])
      expect((await page.locator('aside nav a').allTextContents()).slice(0, 3)).toEqual([
        organization.title,
        organization.list,
        organization.people,
      ])
    }
    await look('list')

    await page.getByRole('link', { name: organization.addLease, exact: true }).click()
    await current(organization.list)
    await page.getByRole('button', { name: organization.save }).click()
    await page.locator('.field-error').waitFor()
    await field(page, organization.unitName).fill(unit)
    // [S9.3] A person is chosen from pages of five, which fills in the number, too.
    await page.getByRole('button', { name: organization.picker.pick }).click()
    const people = page.locator('dialog[open] .person-option')
    await people.first().waitFor()
    expect(await people.count()).toBeLessThanOrEqual(5)
    const chosen = await people.first().locator('strong').textContent()
    await people.first().click()
    expect(await field(page, organization.leader).inputValue()).toBe(chosen)
    expect(await field(page, organization.phone).inputValue()).toMatch(/^1\d{10}$/)
    await field(page, organization.leader).fill('郑样本')
    await look('unit')
    await page.getByRole('button', { name: organization.save }).click()
    await page.waitForURL('**/organization/list')
    const row = (words: string) => page.locator('tbody tr', { hasText: words })
    await row(unit).waitFor()

    await row(unit).getByRole('link', { name: organization.addDept }).click()
    // The name says the type of works where it can.
    await field(page, organization.deptName).fill('锦江高速公路项目经理部')
    expect(await field(page, organization.projectType).inputValue()).toBe('highway')
    await field(page, organization.deptName).fill(`${project}项目经理部`)
    expect(await field(page, organization.projectType).inputValue()).toBe('')
    await field(page, organization.projectName).fill(project)
    await field(page, organization.projectType).selectOption('highway')
    await field(page, text.site.common.province).selectOption('510000')
    await expect.poll(() => field(page, text.site.common.city).locator('option').count()).toBeGreaterThan(2)
    await field(page, text.site.common.city).selectOption('510100')
    await field(page, organization.address).fill('东岸驻地')
    await look('project')
    await page.getByRole('button', { name: organization.save }).click()
    await row(project).waitFor()

    await page.goto('/workbench/organization/adduser')
    await settled(page)
    await current(organization.people)
    // With a mouse and a keyboard one types at once.
    if (width > 1000) expect(await field(page, organization.realName).evaluate((input) => input === document.activeElement)).toBe(true)
    await field(page, organization.realName).fill(name.slice(1))
    await field(page, organization.mobile).fill(phone)
    await page.getByRole('checkbox', { name: new RegExp(project) }).check()
    await look('person')
    const letGo = await hold(page, addPerson.url)
    await page.getByRole('button', { name: organization.save }).click()
    // What is typed while the person is added waits in their form, which has no login name.
    await field(page, organization.realName).fill(name)
    await field(page, organization.userName).fill('z')
    letGo()
    await press(page.locator('.toast'), text.site.draft.goOn)
    await page.waitForURL('**/organization/adduser?id=*')
    await page.getByRole('button', { name: text.site.draft.discard }).waitFor()
    expect(await field(page, organization.realName).inputValue()).toBe(name)
    await page.getByRole('button', { name: organization.save }).click()
    await page.locator('tbody tr', { hasText: name }).waitFor()
    await look('people')

    // The new person signs in with the password from the SMS, must change it, and finds their own project.
    const [sms = ''] = await product.smsTo(phone)
    const password = /(?:初始密码|password) (\S{10})/.exec(sms)?.[1] ?? ''
    const newcomer = await product.visit({ width, language })
    await newcomer.page.goto('/login')
    await settled(newcomer.page)
    await field(newcomer.page, text.account.userName).fill(phone)
    await field(newcomer.page, text.account.password).fill(password)
    await newcomer.page.getByRole('button', { name: text.account.submit, exact: true }).click()
    // The password that was typed a moment ago is not asked for again.
    await newcomer.page.waitForURL('**/personal/safety/updatepassword**')
    await newcomer.page.getByText(text.personal.safety.first).waitFor()
    expect(await field(newcomer.page, text.personal.safety.oldPassword).count()).toBe(0)
    // A call that is refused when the page of the password is open already does not change where they are going.
    const late = async (route: Route) => {
      await newcomer.page.waitForURL('**/personal/safety/updatepassword**')
      await route.continue()
    }
    await newcomer.page.route('**/getMessageNumber', late, { times: 1 })
    const refusal = newcomer.page.waitForResponse('**/getMessageNumber')
    await newcomer.page.goto('/workbench/requirement/list')
    await newcomer.page.waitForURL('**/personal/safety/updatepassword**')
    await (await refusal).finished()
    await newcomer.page.getByText(text.personal.safety.first).waitFor()
    await field(newcomer.page, text.personal.safety.oldPassword).fill(password)
    await field(newcomer.page, text.personal.register.newPassword).fill('Neu@Neu55')
    await newcomer.page.getByRole('button', { name: text.personal.safety.changePassword }).click()
    // The change leads on to where they were going.
    await newcomer.page.waitForURL('**/workbench/requirement/list')
    await newcomer.page.getByRole('link', { name: text.demand.own.publish }).first().waitFor()
    await newcomer.page.goto('/personal/myinfo')
    await newcomer.page.locator('main').getByText(project).first().waitFor()

    // The open page signs out at once when the account is switched off.
    await page.locator('tbody tr', { hasText: name }).getByRole('button', { name: text.list.more }).click()
    await page.getByRole('menuitem', { name: organization.off }).click()
    await page.locator('dialog[open]').getByRole('button', { name: organization.off }).click()
    await newcomer.page.waitForURL(/\/login/)
    await newcomer.close()
    await page
      .locator('tbody tr', { hasText: name })
      .getByText(organization.status['1'] ?? '')
      .waitFor()
    await page.locator('tbody tr', { hasText: name }).getByRole('button', { name: text.list.more }).click()
    await page.getByRole('menuitem', { name: organization.delete }).click()
    await page.locator('dialog[open]').getByRole('button', { name: organization.delete }).click()
    await page.locator('tbody tr', { hasText: name }).waitFor({ state: 'detached' })

    // The project moves to the top; the unit, empty now, goes.
    await page.goto('/workbench/organization/list')
    await row(project).getByRole('link', { name: text.site.common.edit }).click()
    await field(page, organization.parent).selectOption({ index: 0 })
    await page.getByRole('button', { name: organization.save }).click()
    await page.waitForURL('**/organization/list')
    await row(unit).getByRole('button', { name: organization.delete }).click()
    await page.locator('dialog[open]').getByRole('button', { name: organization.delete }).click()
    await row(unit).waitFor({ state: 'detached' })
    // A unit with people or demands cannot be deleted, and the page says why.
    await row('华拓建设集团第三工程有限公司').getByRole('button', { name: organization.off }).click()
    await page.locator('dialog[open]').getByRole('button', { name: organization.off }).click()
    await page.locator('.toast-error', { hasText: text.refusal.dept_has_children }).waitFor()
    expect(visitor.problems).toEqual([])
    await visitor.close()
  })
})

test('[S3.3] the filters of the people list are restored on return', async () => {
  const visitor = await product.visit({ user: 'lessee' })
  const { page } = visitor
  await page.goto('/workbench/organization/userlist?userName=keeper&phonenumber=144')
  await page.locator('tbody tr').first().waitFor()
  expect(await page.locator('tbody tr').count()).toBe(10)
  const menu = page.locator('aside nav')
  await menu.getByRole('link', { name: zhCn.organization.list, exact: true }).click()
  await page.waitForURL('**/organization/list')
  await menu.getByRole('link', { name: zhCn.organization.people, exact: true }).click()
  await page.waitForURL(/userlist\?userName=keeper&phonenumber=144/)
  // A page beyond the end, as a remembered address may name it, becomes the last one.
  await page.goto('/workbench/organization/userlist?userName=keeper&phonenumber=144&pageNum=90')
  await page.waitForURL((url) => Number(url.searchParams.get('pageNum')) < 90)
  await page.locator('tbody tr').first().waitFor()
  expect(await page.locator('.pagination [rel=next]').count()).toBe(0)
  await visitor.close()
})

test('[S9.3][S7.2] the picker names the contact of a demand and of a quote, and the signer and the acceptor of a contract', async () => {
  const { picker } = zhCn.organization
  const [contract] = await product.sql(
    `select c.id from contract c join account a on a.dept_id = c.dept_id where a.user_name = 'project' and c.status in ('2', '3') limit 1`,
  )
  const project = await product.visit({ user: 'project' })
  const lessor = await product.visit({ user: 'lessor' })
  for (const { page, path, name, phone } of [
    { page: project.page, path: paths.addDemand(), name: zhCn.demand.form.contactName, phone: zhCn.demand.form.contactPhone },
    {
      page: lessor.page,
      path: paths.marketDemand(await quotableDemand(product, 'lessor')),
      name: zhCn.quote.form.contactName,
      phone: zhCn.quote.form.contactPhone,
    },
  ]) {
    await page.goto(path)
    await field(page, name).fill('别人')
    await field(page, phone).fill('')
    await page.getByRole('button', { name: picker.pick }).click()
    const person = page.locator('dialog[open] .person-option').first()
    await person.waitFor()
    expect(await page.locator('dialog[open] .person-option').count()).toBeLessThanOrEqual(5)
    const chosen = await person.locator('strong').textContent()
    await person.click()
    expect(await field(page, name).inputValue()).toBe(chosen)
    expect(await field(page, phone).inputValue()).toMatch(/^1\d{10}$/)
  }
  await lessor.close()

  const { page } = project
  const { task, action, pages } = zhCn.contract
  await page.goto(paths.contract(Number(contract?.id)))
  await page.getByRole('button', { name: action.persons }).click()
  const asked: (string | null)[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname.endsWith('/personnelList')) asked.push(searchParams.get('type'))
  })
  const dialog = page.locator('dialog[open]').filter({ hasText: pages.peopleHint })
  for (const type of ['signer', 'acceptor'] as const) {
    await dialog.getByRole('group', { name: task[type] }).getByRole('button', { name: picker.pick }).click()
    await page.locator('dialog[open] .person-option').first().click()
    await dialog.getByRole('group', { name: task[type] }).locator('.picker-chosen').first().waitFor()
  }
  await inspect(page, 'persons')
  await dialog.getByRole('button', { name: zhCn.site.common.save }).click()
  await page.locator('.toast-success', { hasText: pages.named }).waitFor()
  expect(new Set(asked)).toEqual(new Set(['signer', 'acceptor']))
  const tasks = await product.sql(`select task from contract_person where contract_id = $1 and side = 'lessee'`, [Number(contract?.id)])
  expect(tasks.map((row) => row.task)).toEqual(expect.arrayContaining(['signer', 'acceptor']))
  expect(project.problems).toEqual([])
  await project.close()
})

describe.each([
  ['zh-CN', 1440, 0],
  ['en-US', 375, 1],
] as const)('an organisation looks after its rentals in %s at %i px', (language, width, round) => {
  const text = (language === 'zh-CN' ? zhCn : en) as typeof zhCn
  const look = (page: Page, name: string) => inspect(page, `workbench-${language}-${width}-${name}`)
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const confirm = (page: Page, name: string) => page.locator('dialog[open]').getByRole('button', { name, exact: true }).click()

  test('[S2.25] statistics open their rows and export; own machines first; ceilings', async () => {
    const lessee = await product.visit({ width, language, user: 'lessee' })
    const { page } = lessee
    await page.goto('/workbench/statistics')
    // A chart is drawn when it comes into view.
    const boxes = page.locator('.chart-box')
    await boxes.first().waitFor()
    expect(await boxes.count()).toBe(2)
    for (const box of await boxes.all()) {
      await box.scrollIntoViewIfNeeded()
      await box.and(page.locator('[data-drawn]')).locator('svg').waitFor()
    }
    await look(page, 'statistics')
    // The keyboard walks to the last month and filters the demands by it; the same values stand in a table.
    const chart = page.getByRole('slider').first()
    await chart.focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.waitForURL(/key=\d{4}-\d{2}/)
    const picture = page.waitForEvent('download')
    await button(page, text.site.chart.picture).first().click()
    expect((await sharp(await (await picture).path()).metadata()).format).toBe('png')
    await button(page, text.site.chart.table).first().click()
    expect(await page.locator('.chart tbody tr').count()).toBeGreaterThan(11)
    await page.getByRole('link', { name: text.statistics.by.category }).click()
    await page.waitForURL(/by=category/)
    await settled(page)
    // By key: a chart that has just loaded may move the row under a pointer.
    await page.locator('tbody tr a[aria-label]').first().press('Enter')
    await page.waitForURL(/key=\d+/)
    await page.getByRole('heading', { name: /：|: / }).waitFor()
    await page.getByRole('link', { name: text.statistics.by.unit }).click()
    await page.waitForURL(/by=unit/)
    await settled(page)
    await page.getByRole('link', { name: text.statistics.drill }).first().press('Enter')
    await page.waitForURL(/deptId=\d+/)
    const file = page.waitForEvent('download')
    await button(page, text.statistics.export).click()
    expect((await readSheets(await (await file).path())).length).toBe(7)
    await page.goto('/workbench/internal')
    await page.locator('tbody tr').first().waitFor()
    await look(page, 'internal')
    const category = await page.locator('tbody tr td p').first().textContent()
    if (width < 641) await page.locator('.filter > summary').click()
    await page.getByLabel(text.site.common.category).selectOption({ label: String(category) })
    await page.waitForURL(/categoryId=\d+/)
    await settled(page)
    expect(new Set(await page.locator('tbody tr td:first-child p').allTextContents())).toEqual(new Set([category]))
    await page.goto('/workbench/internal?tab=transfers')
    await page.locator('main li.panel').first().waitFor()
    await look(page, 'transfers')
    // One waits in the demo market; the first round agrees to it.
    if (round === 0) {
      await button(page, text.internal.agree).first().click()
      await confirm(page, text.internal.agree)
      await page.locator('.toast', { hasText: text.internal.agreed }).first().waitFor()
    }
    await page.goto('/workbench/ceilings')
    await page.locator('tbody tr').first().waitFor()
    await button(page, text.ceiling.add).click()
    await confirm(page, text.ceiling.save)
    await page.locator('dialog[open] .field-error').first().waitFor()
    await expectAccessible(page, 'ceiling form')
    await page.locator('dialog[open]').getByLabel(text.ceiling.price).fill('28000')
    await page.locator('dialog[open] .field-hint', { hasText: '28,000' }).waitFor()
    await page.keyboard.press('Escape')
    await look(page, 'ceilings')
    expect(lessee.problems).toEqual([])
    await lessee.close()
  })

  test('whoever is named in contracts is not switched off until a colleague has their tasks, in one press', async () => {
    // Somebody with tasks who is in one project only, its leader, and somebody of another project.
    const people = await product.sql(
      `select a.phonenumber, a.name, count(distinct c.id) as contracts, min(leader.phonenumber) as leader, min(other.phonenumber) as other
       from account a
       join contract_person p on p.account_id = a.id and p.side = 'lessee'
       join contract c on c.id = p.contract_id and c.status < '5'
       join account leader on leader.dept_id = a.dept_id and leader.user_name like 'project%'
       join account other on other.company_id = a.company_id and other.user_type = '3' and other.dept_id <> a.dept_id and other.user_name like 'keeper%'
         and other.status = '0'
       where a.user_name like 'keeper%' group by a.id order by contracts desc, a.id limit 2`,
    )
    const { phonenumber, name, contracts, leader, other } = people[round] ?? {}
    const { organization, contract } = text
    const words = contract.pages.handOver
    const lessee = await product.visit({ width, language, user: 'lessee' })
    const { page } = lessee
    await page.goto(`/workbench/organization/userlist?phonenumber=${phonenumber}`)
    const row = page.locator('tbody tr', { hasText: String(name) })
    const pressOff = async () => {
      await row.getByRole('button', { name: text.list.more }).click()
      await page.getByRole('menuitem', { name: organization.off }).click()
      await confirm(page, organization.off)
    }
    await pressOff()
    const dialog = page.locator('dialog[open]').filter({ hasText: words.lead(String(name)) })
    await dialog.waitFor()
    expect(await dialog.locator('ul.settings > li').count()).toBe(Number(contracts))
    await look(page, 'hand-over')
    // People of the demo market share their names, and no two a number.
    const pick = async (phone: unknown) => {
      const [whom] = await product.sql('select name from account where phonenumber = $1', [phone])
      await dialog.getByRole('button', { name: words.to }).click()
      const picker = page.locator('dialog[open]').filter({ has: page.locator('.person-option') })
      await picker.getByRole('textbox').or(picker.getByRole('searchbox')).fill(String(whom?.name))
      await picker
        .locator('.person-option')
        .filter({ hasText: String(phone) })
        .click()
    }
    // Somebody who does not see these contracts cannot have their tasks.
    await pick(other)
    await button(page, words.action).last().click()
    await dialog.locator('.field-error', { hasText: text.rule.codes.person_unknown ?? '' }).waitFor()
    await look(page, 'hand-over-refused')
    await pick(leader)
    await button(page, words.action).last().click()
    await page.locator('.toast-success', { hasText: words.done(Number(contracts)) }).waitFor()
    await dialog.waitFor({ state: 'detached' })
    await pressOff()
    await row.getByText(organization.status['1'] ?? '', { exact: true }).waitFor()
    expect(lessee.problems).toEqual([])
    await lessee.close()
  })
})
