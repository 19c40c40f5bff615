import { afterAll, expect, test } from 'vitest'
import { addDays, dayOf } from '#shared/calendar.ts'
import { saveDraft } from '#shared/demand/contract.ts'
import { listOwnMessages } from '#shared/message/contract.ts'
import { paths } from '#shared/paths.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { hold } from './hold.ts'
import { field, follow, openUserMenu, press, settled, startProduct } from './product.ts'

const product = await startProduct()
afterAll(() => product.close())

const words = zhCn.demand.form
const started = new Date().toISOString()

/** The titles of the drafts that were made here and begin with this one. */
const drafts = async (title: string) => {
  const sql = `select title from demand where status = '0' and create_time > $1 and title like $2 order by id`
  return (await product.sql(sql, [started, `${title}%`])).map((row) => String(row.title))
}

async function open(path: string) {
  const visitor = await product.visit({ user: 'project' })
  await visitor.page.goto(path)
  await settled(visitor.page)
  return { ...visitor, title: field(visitor.page, words.titleField) }
}

test('a draft that is opened from its list during the save of the form that was left goes on; rows that were pasted and not read stay with it, and another demand begins without them', async () => {
  const { page, title, close } = await open(paths.addDemand())
  const rows = field(page.locator('dialog[open]'), words.pasteField)
  await press(page, words.pasteLines)
  await rows.fill('看不懂的')
  await page.keyboard.press('Escape')
  await title.fill('离开时保存')
  await page.waitForURL(/draft=/)
  const id = new URL(page.url()).searchParams.get('draft') ?? ''
  const letSave = await hold(page, saveDraft.url)
  await title.fill('离开时保存，第二次')
  await page.locator('aside nav').getByText(zhCn.demand.own.list, { exact: true }).click()
  await title.waitFor({ state: 'detached' })
  await follow(page, paths.addDemand(`?draft=${id}`))
  await title.waitFor()
  await expect.poll(() => title.inputValue()).toBe('离开时保存，第二次')
  await title.fill('离开时保存，第三次')
  letSave()
  await expect.poll(() => drafts('离开时保存')).toEqual(['离开时保存，第三次'])
  expect(await page.getByText(words.conflict).count()).toBe(0)

  await page.reload()
  await press(page, words.pasteLines)
  expect(await rows.inputValue()).toBe('看不懂的')
  await page.keyboard.press('Escape')
  await follow(page, paths.addDemand())
  await expect.poll(() => title.inputValue()).not.toBe('离开时保存，第三次')
  await press(page, words.pasteLines)
  expect(await rows.inputValue()).toBe('')
  await close()
})

test('what was typed last is stored when a session ends by itself', async () => {
  const { page, title, close } = await open(paths.addDemand())
  const bell = page.locator('.site-tools').getByRole('button', { name: new RegExp(zhCn.site.action.messages) })
  // Its panel is loaded, so that the next press asks for the messages at once.
  await bell.click()
  await page.locator('.message-menu').waitFor()
  await bell.click()
  await page.route(`**${listOwnMessages.url}**`, (route) => route.fulfill({ json: { code: 401, msg: '登录已过期', data: null } }))
  await title.fill('最后一句')
  await bell.click()
  await page.waitForURL(/\/login/)
  const stored = await page.evaluate(() => Object.entries(localStorage).filter(([key]) => key.startsWith('draft:')))
  expect(stored.map(([, text]) => String(text).includes('最后一句'))).toEqual([true])
  await close()
})

test('what is not saved when the project is switched does not open in the form of the next project', async () => {
  const { page, title, close } = await open(paths.addDemand())
  const { safety } = zhCn.personal
  const letSave = await hold(page, saveDraft.url)
  const sent = page.waitForRequest(`**${saveDraft.url}`)
  await title.fill('切换项目前')
  await sent
  await title.fill('切换项目前，再填')
  const choice = (await openUserMenu(page)).getByLabel(safety.projects)
  // A second try begins in the project to which the first one has switched.
  const other = choice.locator(`option:not([value="${await choice.inputValue()}"])`).first()
  const name = await other.textContent()
  await choice.selectOption(await other.getAttribute('value'))
  await page.locator('.toast-success', { hasText: safety.switched(name ?? '') }).waitFor()
  await title.waitFor()
  await expect.poll(() => title.inputValue()).toBe('')
  letSave()
  await close()
})

test('a draft that a colleague has saved meanwhile is not published over; what the page shows may be stored as a copy', async () => {
  const [whole] = await product.sql(
    `select d.id from demand d join account a on a.dept_id = d.dept_id join demand_item i on i.demand_id = d.id
     where a.user_name = 'project' and d.status = '3' and d.demand_type = '1' group by d.id having count(*) = 1 order by d.id desc limit 1`,
  )
  const { page, title, close } = await open(paths.addDemand(`?copy=${String(whole?.id)}`))
  const [start, end] = [addDays(dayOf(new Date()), 900), addDays(dayOf(new Date()), 960)]
  await title.fill('发布前的草稿')
  await field(page, words.start).fill(start)
  await field(page, words.end).fill(end)
  const stored = `from demand where status = '0' and title = '发布前的草稿' and draft #>> '{items,0,planEnd}' = $1`
  await expect.poll(async () => (await product.sql(`select id ${stored}`, [end])).length).toBe(1)
  await page.locator('.action-bar').getByText(words.savedAt('').trim(), { exact: false }).waitFor()
  await product.sql(`update demand set title = '发布前的草稿，同事改过', version = version + 1 where id = (select id ${stored})`, [end])
  await press(page, words.submit)
  await page.getByText(words.conflict).waitFor()
  expect(await drafts('发布前的草稿')).toEqual(['发布前的草稿，同事改过'])
  await press(page, words.saveCopy)
  await expect.poll(() => drafts('发布前的草稿')).toEqual(['发布前的草稿，同事改过', '发布前的草稿'])
  await page.getByText(words.conflict).waitFor({ state: 'detached' })
  // The toast stands longer than a second press counts as a repeated one.
  await page.locator('.toast-error').waitFor({ state: 'detached' })
  await press(page, words.submit)
  await page.waitForURL(/\/workbench\/requirement\/detail\?id=/)
  expect(await drafts('发布前的草稿')).toEqual(['发布前的草稿，同事改过'])
  await close()
})

test('a reload that is under way while the first save of a draft is answered opens that draft', async () => {
  const { page, title, close } = await open(paths.addDemand())
  const letSave = await hold(page, saveDraft.url)
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
  const { promise: held, resolve: letLoad } = Promise.withResolvers<void>()
  await page.route(`**${paths.addDemand()}`, async (route) => {
    ask()
    await held
    await route.continue()
  })
  const sent = page.waitForRequest(`**${saveDraft.url}`)
  await title.fill('刷新时保存')
  await sent
  const reloaded = page.reload()
  await asked
  letSave()
  await expect.poll(() => page.url()).toContain('draft=')
  letLoad()
  await reloaded
  await expect.poll(() => title.inputValue().catch(() => '')).toBe('刷新时保存')
  await title.fill('刷新时保存，再填')
  await expect.poll(() => drafts('刷新时保存')).toEqual(['刷新时保存，再填'])
  await page.waitForURL(/draft=/)
  // What was noted was about that form alone.
  await follow(page, paths.addDemand())
  await expect.poll(() => title.inputValue().catch(() => '?')).toBe('')
  await close()
})
