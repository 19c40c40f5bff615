import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { addArticle } from '#shared/article/manage.ts'
import { auditFieldsOf } from '#shared/text/audit-fields.ts'
import { en } from '#shared/text/en.ts'
import { paths } from '#shared/paths.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { copyDatabase } from '#test/template-db.ts'
import { expectNoOverflow, inspect, picture } from './inspect.ts'
import { settled, startProduct, startServer, visit } from './product.ts'

const product = await startProduct()
const folder = mkdtempSync(join(tmpdir(), 'zhujitong-console-'))
afterAll(async () => {
  await product.close()
  rmSync(folder, { recursive: true, force: true })
})

describe.each([
  ['zh-CN', 1440],
  ['en-US', 1024],
] as const)('the console in %s at %i px', (language, width) => {
  const text = (language === 'zh-CN' ? zhCn : en) as typeof zhCn
  const { admin } = text
  const look = (page: Page, name: string) => inspect(page, `console-${language}-${width}-${name}`)
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const field = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true })
  const said = (page: Page, words: string) => page.locator('.toast', { hasText: words }).first().waitFor()
  /** Confirms a dialog, with a reason where it requires one. */
  const confirm = async (page: Page, name: string, reason?: string) => {
    const dialog = page.locator('dialog[open]')
    if (reason !== undefined) await dialog.getByRole('textbox').fill(reason)
    await dialog.getByRole('button', { name, exact: true }).click()
  }

  test('every page of the console works for the operator and for the auditor', async () => {
    const operator = await product.visit({ width, language, user: 'operator' })
    const { page } = operator
    const [lessor] = await product.sql(`select company_id, id from account where user_name = 'lessor'`)
    const [judged] = await product.sql(`select id from demand where status = '5' order by id limit 1`)
    const [machine] = await product.sql(`select id from equipment where audit_status = '1' order by id limit 1`)
    const [contract] = await product.sql(`select id from contract where status = '2' order by id limit 1`)
    const [waiting] = await product.sql(`select id from certification where status = '1' order by id limit 1`)
    const paths = {
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
    for (const [name, path] of Object.entries(paths)) {
      await page.goto(path)
      if (language === 'zh-CN') await look(page, name)
      else {
        // The elements are the same in the other language; only their space can break.
        await settled(page)
        await expectNoOverflow(page, name)
        await picture(page, `console-${language}-${width}-${name}.png`)
      }
      expect(await page.locator('main h1').count(), name).toBe(1)
    }
    expect(operator.problems).toEqual([])
    await operator.close()

    const auditor = await product.visit({ width, language, user: 'auditor' })
    for (const path of ['/admin', '/admin/audit', '/workbench/requirement/list']) {
      await auditor.page.goto(path)
      await look(auditor.page, `auditor${path.replaceAll('/', '-')}`)
    }
    // Nothing of the operator's is in the menu.
    expect(await auditor.page.locator('aside nav a', { hasText: admin.menu.accounts }).count()).toBe(0)
    expect(auditor.problems).toEqual([])
    await auditor.close()
  })

  test('machines are approved in bulk and one is taken down; the log has each action with the values before and after', async () => {
    const { page, problems, close } = await product.visit({ width, language, user: 'operator' })
    await page.goto('/admin/equipment')
    await settled(page)
    const boxes = page.locator('tbody').getByRole('checkbox')
    const names = await page.locator('tbody tr a').allTextContents()
    for (const at of [0, 1]) await boxes.nth(at).check()
    await button(page, admin.equipment.passSelected(2)).click()
    await confirm(page, admin.equipment.passSelected(2))
    await said(page, text.list.batchDone(2))
    await page
      .locator('tbody tr a', { hasText: names[0] ?? '' })
      .first()
      .waitFor({ state: 'detached' })

    const [shelved] = await product.sql(
      `select id, name from equipment where shelf_status = '1' and audit_status = '2' order by id desc limit 1`,
    )
    await page.goto(`/admin/equipment/detail?id=${shelved?.id}`)
    await button(page, admin.equipment.takeDown).click()
    await confirm(page, admin.equipment.takeDown, '')
    await page.locator('dialog[open] .field-error').waitFor()
    await confirm(page, admin.equipment.takeDown, '照片不符')
    await said(page, admin.equipment.takenDown)

    await page.goto('/admin/audit')
    await page.locator('tbody tr', { hasText: '照片不符' }).first().getByRole('button').click()
    const entry = page.locator('dialog[open]')
    await entry.getByText(auditFieldsOf(text).shelf_status).waitFor()
    await look(page, 'audit-entry')
    await page.keyboard.press('Escape')
    await button(page, admin.audit.verify).click()
    await page.getByRole('status').getByText(admin.audit.head).waitFor()
    await look(page, 'audit-verified')
    expect(problems).toEqual([])
    await close()
  })

  test('an article with a picture is previewed and scheduled; leaving it unsaved asks first', async () => {
    const { page, problems, close } = await product.visit({ width, language, user: 'operator' })
    const picture = join(folder, `${language}.png`)
    writeFileSync(
      picture,
      await sharp({ create: { width: 400, height: 240, channels: 3, background: '#7a9' } })
        .png()
        .toBuffer(),
    )
    await page.goto('/admin/article/edit')
    await button(page, admin.articles.publishNow).click()
    await page.locator('.field-error').first().waitFor()
    const title = `${language} 关于 ${width} 的公告`
    await field(page, admin.articles.titleField).fill(title)
    await page.locator('.tiptap').click()
    await page.keyboard.type('First words. ')
    await button(page, admin.articles.toolbar.bold).click()
    await page.locator('.tiptap:focus').waitFor()
    await page.locator('[aria-pressed=true]').waitFor()
    await page.keyboard.type('Bold words.')
    await page.locator('.tiptap strong', { hasText: 'Bold words.' }).waitFor()
    // The first save gives the article its address, and the editor stays.
    // What is typed while it is under way belongs to this article, and is no draft of another new one.
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    await page.route(`**${addArticle.url}`, async (route) => {
      await held
      await route.continue()
    })
    await button(page, admin.articles.save).click()
    await field(page, admin.articles.summary).fill('保存时填写的摘要')
    letGo()
    await page.waitForURL(/article\/edit\?id=\d+$/)
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.endsWith(':article-new')))).toEqual([])
    expect(await page.locator('.tiptap strong').textContent()).toBe('Bold words.')
    await page.locator('input[type=file]').setInputFiles(picture)
    await page.locator('.tiptap img').waitFor()
    // The picture shows in the editor; a broken one would have no width.
    await expect.poll(() => page.locator('.tiptap img').evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(100)
    // On a phone the long menu folds into one button.
    if (width < 961) await page.locator('.menu-fold').click()
    await page.locator('aside nav a', { hasText: admin.menu.jobs }).click()
    await confirm(page, text.site.common.back)
    await button(page, admin.articles.preview).click()
    await page.locator('dialog[open] .prose strong', { hasText: 'Bold words.' }).waitFor()
    // Readers' browsers keep its place free while it is on its way.
    await page.locator('dialog[open] .prose img[width="400"][height="240"]').waitFor()
    await look(page, 'article-preview')
    await page.keyboard.press('Escape')
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    await page.getByLabel(admin.articles.publishTime).fill(`${tomorrow}T10:30`)
    await button(page, admin.articles.schedule).click()
    await said(page, admin.articles.scheduled(`${tomorrow} 10:30`))
    await page.locator('tbody tr', { hasText: title }).getByText(admin.articles.states.scheduled).waitFor()
    expect(problems).toEqual([])
    await close()
  })

  test('a broadcast to all lessors of one province arrives live, and nowhere else', async () => {
    const operator = await product.visit({ width, language, user: 'operator' })
    const lessor = await product.visit({ language, user: 'lessor' })
    const lessor2 = await product.visit({ language, user: 'lessor2' })
    const [own] = await product.sql(
      `select c.province_id, ${language === 'zh-CN' ? 'r.name' : 'r.name_en as name'} from company c join region r on r.code = c.province_id join account a on a.company_id = c.id where a.user_name = 'lessor'`,
    )
    await product.sql(`update company set province_id = 650000 where id = (select company_id from account where user_name = 'lessor2')`)
    for (const one of [lessor, lessor2]) {
      await one.page.goto('/personal/aboutme')
      await settled(one.page)
    }
    const { page } = operator
    await page.goto('/admin/broadcast')
    const title = `${language} 台风停工提醒`
    await field(page, admin.broadcasts.title).fill(title)
    await field(page, admin.broadcasts.content).fill('请加固塔吊与升降机，注意撤离')
    await page.getByLabel(admin.broadcasts.role.leaser).check()
    await page.getByRole('combobox', { name: admin.broadcasts.provinces }).fill(String(own?.name))
    await page.getByRole('option', { name: String(own?.name) }).click()
    const [meant] = await product.sql(
      `select count(*)::int as people from account a join company c on c.id = a.company_id where a.user_type = '4' and a.status = '0' and a.del_flag = '0'
        and a.audit_status in ('2', '5') and not a.driver_only and c.province_id = $1`,
      [own?.province_id],
    )
    await page.locator('form [role=status]', { hasText: String(meant?.people) }).waitFor()
    await button(page, admin.broadcasts.send).click()
    await confirm(page, admin.broadcasts.send)
    await said(page, admin.broadcasts.sent(Number(meant?.people)))
    await lessor.page.locator('.toast', { hasText: title }).waitFor()
    await lessor.page.reload()
    await lessor.page.getByText(title).first().waitFor()
    await lessor2.page.reload()
    await settled(lessor2.page)
    expect(await lessor2.page.getByText(title).count()).toBe(0)
    await page.locator('tbody tr', { hasText: title }).waitFor()
    await look(page, 'broadcast-sent')
    expect([...operator.problems, ...lessor.problems, ...lessor2.problems]).toEqual([])
    for (const one of [operator, lessor, lessor2]) await one.close()
  })

  test('locking a person signs their open page out at once; after unlocking they can sign in', async () => {
    const operator = await product.visit({ width, language, user: 'operator' })
    const victim = await product.visit({ language, user: 'lessor2' })
    await victim.page.goto('/workbench/cequipment')
    await settled(victim.page)
    const { page } = operator
    const [company] = await product.sql(
      `select c.id, c.enterprise_name as name from company c join account a on a.company_id = c.id where a.user_name = 'lessor2'`,
    )
    const query = `companyId=${company?.id}`
    const showsOnly = async (address: string, name: unknown) => {
      await page.goto(address)
      await page.getByRole('link', { name: admin.only(String(name)) }).waitFor()
    }
    await showsOnly(`/admin/account?${query}`, company?.name)
    await showsOnly(paths.allContracts(`?${query}`), company?.name)
    await page.goto('/admin/account?keyword=lessor2')
    await page
      .locator('tbody tr', { has: page.getByText('lessor2', { exact: true }) })
      .getByRole('link')
      .first()
      .click()
    await button(page, admin.accounts.lock).click()
    await confirm(page, admin.accounts.lock, '冒用他人证照')
    await said(page, admin.accounts.locked)
    await victim.page.waitForURL(/\/login/)
    await look(page, 'account-locked')
    await button(page, admin.accounts.unlock).click()
    await confirm(page, admin.accounts.unlock, '已核实')
    await said(page, admin.accounts.unlocked)
    const [entry] = await product.sql(
      `select biz_type as type, biz_id as id, biz_name as name from audit_log where biz_name not in ('', biz_id) order by seq desc limit 1`,
    )
    await showsOnly(`/admin/audit?bizType=${entry?.type}&bizId=${entry?.id}`, entry?.name)
    expect((await product.token('lessor2')).access_token).toBeTruthy()
    expect(operator.problems).toEqual([])
    for (const one of [operator, victim]) await one.close()
  })

  test('the owner verifies the chain of an awarded demand in the browser and downloads the evidence pack', async () => {
    const [judged] = await product.sql(
      `select d.id, d.demand_code from demand d join dept p on p.id = d.dept_id join account a on a.dept_id = p.id
        where a.user_name = 'project' and d.status in ('5', '6') order by d.id desc limit 1`,
    )
    const { page, problems, close } = await product.visit({ width, language, user: 'project' })
    await page.goto(`/workbench/requirement/detail?id=${judged?.id}`)
    await button(page, admin.chain.verify).click()
    await page.getByRole('status').getByText(admin.chain.head).waitFor()
    expect(await page.locator('.notice-warn [class=hash]').count()).toBe(0)
    await look(page, 'chain')
    const arriving = page.waitForEvent('download')
    await button(page, admin.evidence.action).click()
    const file = await (await arriving).path()
    const packed = unzipSync(readFileSync(file))
    const here = join(folder, language)
    for (const [path, content] of Object.entries(packed)) {
      mkdirSync(join(here, path, '..'), { recursive: true })
      writeFileSync(join(here, path), content)
    }
    const root = join(here, String(judged?.demand_code))
    expect(spawnSync('sha256sum', ['-c', '--quiet', 'manifest.sha256'], { cwd: root }).status).toBe(0)
    // The pack verifies itself when opened from the disk, without the platform.
    await page.context().setOffline(true)
    await page.goto(`file://${root}/index.html`)
    await page.locator('#verdict.good').waitFor()
    await picture(page, `console-${language}-${width}-evidence.png`)
    expect(problems).toEqual([])
    await close()
  })
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
    await page.goto(home)
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
      await page.goto(to)
      await settled(page)
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

test('an article that is edited keeps its tables and lists', async () => {
  const [tabled] = await product.sql(`select id from article where content like '%<table%' and content like '%<li>%' order by id limit 1`)
  const { page, close } = await product.visit({ user: 'operator' })
  await page.goto(`/admin/article/edit?id=${tabled?.id}`)
  const shape = async (within: string) => {
    await page.locator(`${within} td`).first().waitFor()
    return page.locator(within).evaluate((text) => ['tr', 'th', 'td', 'li', 'img'].map((tag) => text.querySelectorAll(tag).length))
  }
  const before = await shape('.tiptap')
  expect(before[2]).toBeGreaterThan(1)
  await page.locator('.tiptap td').first().click()
  await page.keyboard.type('改过')
  await page.getByRole('button', { name: zhCn.admin.articles.preview, exact: true }).click()
  await page.locator('dialog[open] .prose td', { hasText: '改过' }).waitFor()
  expect(await shape('dialog[open] .prose')).toEqual(before)
  await close()
})

test('a backup restored on an empty machine gives the same figures', async () => {
  const manage = (args: readonly string[], url: string, data: string) =>
    spawnSync(process.execPath, ['src/server/manage.ts', ...args], {
      encoding: 'utf8',
      env: { ...process.env, DATABASE_URL: url, TOKEN_SECRET: product.secret, DATA_DIR: data },
    })
  // Nothing opens by itself while the figures are compared.
  await product.sql(
    `update demand set quote_deadline = quote_deadline + interval '1 day' where status = '3' and quote_deadline < now() + interval '1 hour'`,
  )
  expect(manage(['backup'], product.url, product.folder).stdout).toContain('tables')
  const [name = ''] = readdirSync(join(product.folder, 'backups'))
  const before = await product.figures('operator')
  // Writes after the backup are not on the restored machine.
  await product.sql(`update demand set status = '8' where status = '3'`)
  const empty = await copyDatabase(inject('template'), 'template0')
  const data = mkdtempSync(join(tmpdir(), 'zhujitong-restored-'))
  const restored = manage(['restore', '--from', join(product.folder, 'backups', name)], empty.url, data)
  expect(restored.stdout).toContain('Restored the backup')
  const server = await startServer(empty.url, data)
  const { page, problems, close } = await visit(product.browser, server.origin, { user: 'operator' })
  expect(await server.figures('operator')).toEqual(before)
  await page.goto('/admin')
  await settled(page)
  await page.getByText(String(before.overview.quoting), { exact: true }).first().waitFor()
  await page.goto('/demand')
  await settled(page)
  expect(problems).toEqual([])
  await close()
  await server.stop()
  await empty.drop()
  rmSync(data, { recursive: true, force: true })
})
