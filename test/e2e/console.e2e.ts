import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { addArticle } from '#shared/article/manage.ts'
import { auditFieldsOf } from '#shared/text/audit-fields.ts'
import { paths } from '#shared/paths.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { hold } from './hold.ts'
import { expectNoOverflow, inspect, inspectBoth, looksAtAll, picture, showIn } from './inspect.ts'
import { go, photo, press, settled, startProduct, type Language, type Look } from './product.ts'

const product = await startProduct()
const folder = mkdtempSync(join(tmpdir(), 'zhujitong-console-'))
afterAll(async () => {
  await product.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Operators work at a desk, on a small laptop at least. */
const wide = { width: 1440, language: 'zh-CN' } as const
const small = { width: 1024, language: 'en-US' } as const

const look = (page: Page, name: string) => inspectBoth(page, `console-${name}`, small.width)
const field = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true })
const said = (page: Page, words: string) => page.locator('.toast', { hasText: words }).first().waitFor()
/** Confirms a dialog, with a reason where it requires one. */
const confirm = async (page: Page, name: string, reason?: string) => {
  const dialog = page.locator('dialog[open]')
  if (reason !== undefined) await dialog.getByRole('textbox').fill(reason)
  await press(dialog, name)
}

/** Opens each page and checks it in both languages; the last language of a page is the first of the next one. */
async function walk(page: Page, pages: Record<string, string>, check: (name: string, language: Language) => Promise<void>) {
  const looks: Look[] = [wide, small]
  for (const [name, path] of Object.entries(pages)) {
    await go(page, path)
    for (const one of looks) {
      await showIn(page, one)
      await check(name, one.language)
    }
    looks.reverse()
  }
}

test('every page of the console works for the operator and for the auditor', async () => {
  const operator = await product.visit({ user: 'operator' })
  const [lessor] = await product.sql(`select company_id, id from account where user_name = 'lessor'`)
  const [judged] = await product.sql(`select id from demand where status = '5' order by id limit 1`)
  const [machine] = await product.sql(`select id from equipment where audit_status = '1' order by id limit 1`)
  const [contract] = await product.sql(`select id from contract where status = '2' order by id limit 1`)
  const [waiting] = await product.sql(`select id from certification where status = '1' order by id limit 1`)
  const pages = {
    overview: '/admin',
    certifications: '/admin/certification',
    certification: `/admin/certification/detail?id=${waiting?.id}`,
    machines: '/admin/equipment',
    machine: `/admin/equipment/detail?id=${machine?.id}`,
    demand: `/workbench/requirement/detail?id=${judged?.id}`,
    contracts: '/admin/contract',
    contract: `/workbench/contract/detail?id=${contract?.id}`,
    restriction: '/workbench/blacklist/add',
    companies: '/admin/company',
    company: `/admin/company/detail?id=${lessor?.company_id}`,
    accounts: '/admin/account',
    account: `/admin/account/detail?id=${lessor?.id}`,
    staff: '/admin/account/staff',
    cancellations: '/admin/cancellation',
    articles: '/admin/article',
    article: '/admin/article/edit',
    broadcasts: '/admin/broadcast',
    feedback: '/admin/feedback',
    contacts: '/admin/contact',
    categories: '/admin/category',
    dictionaries: '/admin/dictionary',
    settings: '/admin/setting',
    outbox: '/admin/outbox',
    audit: '/admin/audit',
    jobs: '/admin/job',
    system: '/admin/system',
  }
  await walk(operator.page, pages, async (name, language) => {
    if (looksAtAll || language === 'zh-CN') await inspect(operator.page, `console-${name}`)
    else {
      // The elements are the same in the other language; only their space can break.
      await settled(operator.page)
      await expectNoOverflow(operator.page, `${name} in English`)
      await picture(operator.page, `console-${name}-${language}-${small.width}.png`)
    }
    expect(await operator.page.locator('main h1').count(), name).toBe(1)
  })
  expect(operator.problems).toEqual([])
  await operator.close()

  const auditor = await product.visit({ user: 'auditor' })
  for (const path of ['/admin/audit', '/workbench/requirement/list', '/admin']) {
    await go(auditor.page, path)
    expect(await auditor.page.locator('main h1').count(), path).toBe(1)
    // Nothing of the operator's is in the menu.
    expect(await auditor.page.locator('aside nav a', { hasText: zhCn.admin.menu.accounts }).count(), path).toBe(0)
  }
  await look(auditor.page, 'auditor-overview')
  expect(auditor.problems).toEqual([])
  await auditor.close()
})

test('machines are approved in bulk and one is taken down, a person is locked and unlocked; the log has the values before and after', async () => {
  const { page, text, problems, close } = await product.visit({ ...small, user: 'operator' })
  const { admin } = text
  await go(page, '/admin/equipment')
  const boxes = page.locator('tbody').getByRole('checkbox')
  const names = await page.locator('tbody tr a').allTextContents()
  for (const at of [0, 1]) await boxes.nth(at).check()
  await press(page, admin.equipment.passSelected(2))
  await confirm(page, admin.equipment.passSelected(2))
  await said(page, text.list.batchDone(2))
  await page
    .locator('tbody tr a', { hasText: names[0] ?? '' })
    .first()
    .waitFor({ state: 'detached' })

  const [shelved] = await product.sql(
    `select id from equipment where shelf_status = '1' and audit_status = '2' and del_flag = '0' order by id desc limit 1`,
  )
  await go(page, paths.machine(Number(shelved?.id)))
  await page.getByRole('link', { name: text.equipment.toReview, exact: true }).click()
  await press(page, admin.equipment.takeDown)
  await confirm(page, admin.equipment.takeDown, '')
  await page.locator('dialog[open] .field-error').waitFor()
  await confirm(page, admin.equipment.takeDown, '照片不符')
  await said(page, admin.equipment.takenDown)

  await go(page, '/admin/audit')
  await page.locator('tbody tr', { hasText: '照片不符' }).first().getByRole('button').click()
  const entry = page.locator('dialog[open]')
  await entry.getByText(auditFieldsOf(text).shelf_status).waitFor()
  await look(page, 'audit-entry')
  await page.keyboard.press('Escape')
  await press(page, admin.audit.verify)
  await page.getByRole('status').getByText(admin.audit.head).waitFor()
  await lockAndUnlock(page, text)
  expect(problems).toEqual([])
  await close()
})

test('an article with a picture is previewed and scheduled, one that is edited keeps its tables; leaving it unsaved asks first', async () => {
  const { page, text, problems, close } = await product.visit({ ...wide, user: 'operator' })
  const { admin } = text
  await go(page, '/admin/article/edit')
  // Somebody who adds an article types its title at once.
  await expect.poll(() => field(page, admin.articles.titleField).evaluate((input) => input === document.activeElement)).toBe(true)
  await press(page, admin.articles.publishNow)
  await page.locator('.field-error').first().waitFor()
  const title = '关于夏季安全检查的公告'
  await field(page, admin.articles.titleField).fill(title)
  await page.locator('.tiptap').click()
  await page.keyboard.type('First words. ')
  await press(page, admin.articles.toolbar.bold)
  await page.locator('.tiptap:focus').waitFor()
  await page.locator('[aria-pressed=true]').waitFor()
  await page.keyboard.type('Bold words.')
  await page.locator('.tiptap strong', { hasText: 'Bold words.' }).waitFor()
  // The first save gives the article its address, and the editor stays.
  // What is typed while it is under way belongs to this article, and is no draft of another new one.
  const letGo = await hold(page, addArticle.url)
  await press(page, admin.articles.save)
  await field(page, admin.articles.summary).fill('保存时填写的摘要')
  letGo()
  await page.waitForURL(/article\/edit\?id=\d+$/)
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.endsWith(':article-new')))).toEqual([])
  expect(await page.locator('.tiptap strong').textContent()).toBe('Bold words.')
  await page.locator('input[type=file]').setInputFiles(photo)
  await page.locator('.tiptap img').waitFor()
  // The picture shows in the editor; a broken one would have no width.
  await expect.poll(() => page.locator('.tiptap img').evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(100)
  await page.locator('aside nav a', { hasText: admin.menu.jobs }).click()
  await confirm(page, text.site.common.back)
  await press(page, admin.articles.preview)
  await page.locator('dialog[open] .prose strong', { hasText: 'Bold words.' }).waitFor()
  // Readers' browsers keep its place free while it is on its way.
  await page.locator('dialog[open] .prose img[width="320"][height="200"]').waitFor()
  await inspect(page, 'console-article-preview')
  await page.keyboard.press('Escape')
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  await page.getByLabel(admin.articles.publishTime).fill(`${tomorrow}T10:30`)
  await press(page, admin.articles.schedule)
  await said(page, admin.articles.scheduled(`${tomorrow} 10:30`))
  await page.locator('tbody tr', { hasText: title }).getByText(admin.articles.states.scheduled).waitFor()
  await editTable(page)
  expect(problems).toEqual([])
  await close()
})

test('whoever revokes a certification without a reason is told so at its field, and with one is asked first', async () => {
  const { page, problems, close } = await product.visit({ user: 'operator' })
  const { review } = zhCn.certification
  const [passed] = await product.sql(`select id from certification where status = '2' and kind = 'rentout' order by id limit 1`)
  await go(page, paths.review(Number(passed?.id)))
  const bar = page.locator('.review-bar')
  const dialog = page.locator('dialog[open]')
  await press(bar, review.revoke)
  await bar.locator('.field-error').waitFor()
  expect(await dialog.count()).toBe(0)
  await field(page, review.overall).fill('伪造证照')
  await bar.locator('.field-error').waitFor({ state: 'detached' })
  await press(bar, review.revoke)
  await dialog.getByText(review.revokeAsk.rentout).waitFor()
  expect(problems).toEqual([])
  await close()
})

test('a broadcast to all lessors of one province arrives live', async () => {
  const operator = await product.visit({ ...small, user: 'operator' })
  const lessor = await product.visit({ language: 'en-US', user: 'lessor' })
  const [own] = await product.sql(
    `select c.province_id, r.name, r.name_en from company c join region r on r.code = c.province_id join account a on a.company_id = c.id where a.user_name = 'lessor'`,
  )
  await go(lessor.page, '/personal/aboutme')
  const { page, text } = operator
  const { admin } = text
  await go(page, '/admin/broadcast')
  const title = '台风停工提醒'
  await field(page, admin.broadcasts.title).fill(title)
  await field(page, admin.broadcasts.content).fill('请加固塔吊与升降机，注意撤离')
  await page.getByLabel(admin.broadcasts.role.leaser).check()
  // A province is found by its name in the language of the page.
  await showIn(page, wide)
  await page.getByRole('combobox', { name: zhCn.admin.broadcasts.provinces }).fill(String(own?.name))
  await page.getByRole('option', { name: String(own?.name) }).waitFor()
  await showIn(page, small)
  await page.getByRole('combobox', { name: admin.broadcasts.provinces }).fill(String(own?.name_en))
  await page.getByRole('option', { name: String(own?.name_en) }).click()
  const [meant] = await product.sql(
    `select count(*)::int as people from account a join company c on c.id = a.company_id where a.user_type = '4' and a.status = '0' and a.del_flag = '0'
      and a.audit_status in ('2', '5') and not a.driver_only and c.province_id = $1`,
    [own?.province_id],
  )
  await page.locator('form [role=status]', { hasText: String(meant?.people) }).waitFor()
  await press(page, admin.broadcasts.send)
  await confirm(page, admin.broadcasts.send)
  await said(page, admin.broadcasts.sent(Number(meant?.people)))
  await lessor.page.locator('.toast', { hasText: title }).waitFor()
  await lessor.page.locator('.articles', { hasText: title }).waitFor()
  await page.locator('tbody tr', { hasText: title }).waitFor()
  expect([...operator.problems, ...lessor.problems]).toEqual([])
  for (const one of [operator, lessor]) await one.close()
})

/** Locking and unlocking a person, who can sign in again; the lists and the log of one company or object. */
async function lockAndUnlock(page: Page, text: typeof zhCn) {
  const { admin } = text
  const [company] = await product.sql(
    `select c.id, c.enterprise_name as name from company c join account a on a.company_id = c.id where a.user_name = 'lessor2'`,
  )
  const query = `companyId=${company?.id}`
  const showsOnly = async (address: string, name: unknown) => {
    await go(page, address)
    await page.getByRole('link', { name: admin.only(String(name)) }).waitFor()
  }
  await showsOnly(`/admin/account?${query}`, company?.name)
  await showsOnly(paths.allContracts(`?${query}`), company?.name)
  await go(page, '/admin/account?keyword=lessor2')
  const row = page.locator('tbody tr', { has: page.getByText('lessor2', { exact: true }) })
  await row.getByRole('link').first().click()
  await press(page, admin.accounts.lock)
  await confirm(page, admin.accounts.lock, '冒用他人证照')
  await said(page, admin.accounts.locked)
  await press(page, admin.accounts.unlock)
  await confirm(page, admin.accounts.unlock, '已核实')
  await said(page, admin.accounts.unlocked)
  const [entry] = await product.sql(
    `select biz_type as type, biz_id as id, biz_name as name from audit_log where biz_name not in ('', biz_id) order by seq desc limit 1`,
  )
  await showsOnly(`/admin/audit?bizType=${entry?.type}&bizId=${entry?.id}`, entry?.name)
  expect((await product.token('lessor2')).access_token).toBeTruthy()
}

test('the owner verifies the chain of an awarded demand in the browser and downloads the evidence pack', async () => {
  const [judged] = await product.sql(
    `select d.id, d.demand_code from demand d join dept p on p.id = d.dept_id join account a on a.dept_id = p.id
      where a.user_name = 'project' and d.status in ('5', '6') order by d.id desc limit 1`,
  )
  const { page, problems, close } = await product.visit({ user: 'project' })
  await go(page, `/workbench/requirement/detail?id=${judged?.id}`)
  const { chain, evidence } = zhCn.admin
  await press(page, chain.verify)
  await page.getByRole('status').getByText(chain.head).waitFor()
  expect(await page.locator('.notice-warn [class=hash]').count()).toBe(0)
  await look(page, 'chain')
  const arriving = page.waitForEvent('download')
  await press(page, evidence.action)
  for (const [path, content] of Object.entries(unzipSync(readFileSync(await (await arriving).path())))) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  const root = join(folder, String(judged?.demand_code))
  expect(spawnSync('sha256sum', ['-c', '--quiet', 'manifest.sha256'], { cwd: root }).status).toBe(0)
  // The pack verifies itself when opened from the disk, without the platform.
  await page.context().setOffline(true)
  await page.goto(`file://${root}/index.html`)
  await page.locator('#verdict.good').waitFor()
  await picture(page, 'console-evidence.png')
  expect(problems).toEqual([])
  await close()
})

test.each([
  ['operator', '/admin'],
  ['lessee', '/personal'],
])('each list that the work panel of the %s leads to has as many rows as the panel counts', async (user, home) => {
  const { page, problems, close } = await product.visit({ user })
  let total = 0
  page.on('response', (answer) => {
    if (!answer.url().includes('/prod-api/') || !answer.url().includes('pageSize=')) return
    void answer.json().then(
      (body: { total?: number }) => (total = body.total ?? total),
      () => undefined,
    )
  })
  const readPanel = async () => {
    await go(page, home)
    const links = page.getByRole('navigation', { name: zhCn.statistics.panel.lists }).getByRole('link')
    await links.first().waitFor()
    return links.evaluateAll((found) =>
      found.map((link) => ({ to: link.getAttribute('href') ?? '', count: Number(link.querySelector('strong')?.textContent) })),
    )
  }
  const lists = await readPanel()
  expect(lists.length).toBeGreaterThan(3)
  for (const { to, count } of lists) {
    let counted: number | undefined = count
    const isCounted = async () => {
      total = -1
      await go(page, to)
      if (total === counted) return true
      // A deadline of the demo market may have passed since the panel was read.
      counted = (await readPanel()).find((list) => list.to === to)?.count
      return false
    }
    await expect.poll(isCounted, { message: to }).toBe(true)
  }
  expect(problems).toEqual([])
  await close()
})

/** An article that is edited keeps its tables and lists. */
async function editTable(page: Page) {
  const [tabled] = await product.sql(`select id from article where content like '%<table%' and content like '%<li>%' order by id limit 1`)
  await go(page, `/admin/article/edit?id=${tabled?.id}`)
  const shape = async (within: string) => {
    await page.locator(`${within} td`).first().waitFor()
    return page.locator(within).evaluate((text) => ['tr', 'th', 'td', 'li', 'img'].map((tag) => text.querySelectorAll(tag).length))
  }
  const before = await shape('.tiptap')
  expect(before[2]).toBeGreaterThan(1)
  await page.locator('.tiptap td').first().click()
  await page.keyboard.type('改过')
  await press(page, zhCn.admin.articles.preview)
  await page.locator('dialog[open] .prose td', { hasText: '改过' }).waitFor()
  expect(await shape('dialog[open] .prose')).toEqual(before)
}
