import { afterAll, describe, expect, test } from 'vitest'
import { connect } from '#server/db/connect.ts'
import { transact } from '#server/deed.ts'
import { Hub } from '#server/message/hub.ts'
import { sendMessages } from '#server/message/queries.ts'
import type { MessageKind } from '#shared/message/kinds.ts'
import { saveMessageConfig } from '#shared/message/contract.ts'
import { inDept, paths } from '#shared/paths.ts'
import { getWorkPanel } from '#shared/statistics/panel.ts'
import { getOverview } from '#shared/system/contract.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { expectAccessible } from './accessible.ts'
import { hold } from './hold.ts'
import { expectNoOverflow } from './inspect.ts'
import { field, follow, go, openUserMenu, photo, press, settled, startProduct, type Visitor } from './product.ts'

const product = await startProduct()
afterAll(() => product.close())

describe('[S2.12] feedback', () => {
  test('feedback with a picture is answered live, reopened and closed with a rating', async () => {
    const { feedback } = zhCn.personal
    const visitor = await product.visit({ user: 'lessor', width: 375 })
    const { page } = visitor
    await go(page, '/personal/feedback')
    await page.getByRole('link', { name: feedback.add }).click()
    await page.getByRole('button', { name: feedback.send }).click()
    expect(await page.locator('.field-error').count()).toBe(2)
    await field(page, feedback.subject).fill('上架按钮点了没反应')
    await field(page, feedback.content).fill('在设备管理里点上架，转圈之后没有变化，刷新也一样。')
    await page.locator('input[type=file]').setInputFiles(photo)
    await page.locator('.paper-thumb img').waitFor()
    await page.getByRole('button', { name: feedback.send }).click()
    await page.waitForURL(/feedback\/detail\?id=\d+/)
    const id = Number(new URL(page.url()).searchParams.get('id'))
    const operator = await product.visit({ user: 'operator' })
    await go(operator.page, `/admin/feedback/detail?id=${id}`)
    await operator.page.locator('.paper-thumb img').waitFor()
    await field(operator.page, feedback.reply).fill('已处理，请再试。')
    await operator.page.getByRole('button', { name: feedback.reply }).click()
    // Without a reload.
    await page.locator('.bubble', { hasText: '已处理，请再试。' }).waitFor()
    await field(page, feedback.ask).fill('可以了，谢谢')
    await page.getByRole('button', { name: feedback.send }).click()
    await page.locator('.bubble', { hasText: '可以了，谢谢' }).waitFor()
    await expectAccessible(page, 'feedback thread')
    await expectNoOverflow(page, 'feedback thread')
    await page.getByRole('button', { name: feedback.close }).click()
    await page
      .locator('dialog[open]')
      .getByRole('radio', { name: feedback.stars(4), exact: true })
      .check()
    await page.locator('dialog[open]').getByRole('button', { name: feedback.close }).click()
    await page.getByText(feedback.status['3'], { exact: true }).waitFor()
    expect(await product.sql('select satisfaction from feedback where id = $1', [id])).toEqual([{ satisfaction: 4 }])
    // The page of the operator is from before: a reply is refused, and the form gives way to how the feedback stands now.
    await field(operator.page, feedback.reply).fill('还有别的问题吗？')
    await operator.page.getByRole('button', { name: feedback.reply }).click()
    await operator.page.getByText(feedback.status['3'], { exact: true }).waitFor()
    expect(await operator.page.getByLabel(feedback.reply).count()).toBe(0)
    expect([...visitor.problems, ...operator.problems]).toEqual([])
    await visitor.close()
    await operator.close()
  })
})

test('what is typed for one feedback stays with it when another is opened', async () => {
  const { feedback } = zhCn.personal
  const { page, problems, close } = await product.visit({ user: 'lessor2' })
  const send = async (title: string) => {
    await go(page, '/personal/feedback/add')
    await field(page, feedback.subject).fill(title)
    await field(page, feedback.content).fill('每次都这样，请看看是什么原因。')
    await press(page, feedback.send)
    await page.waitForURL(/feedback\/detail\?id=\d+/)
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    return page.url()
  }
  const first = await send('设备照片传不上去')
  await send('地图打不开')
  const operator = await product.visit({ user: 'operator' })
  for (const { page: asked, path, label } of [
    { page, path: first, label: feedback.ask },
    { page: operator.page, path: first.replace('/personal/', '/admin/'), label: feedback.reply },
  ]) {
    const other = path.replace(/\d+$/, (id) => String(Number(id) + 1))
    await go(asked, path)
    await field(asked, label).fill('只与照片有关')
    await follow(asked, other)
    await asked.getByRole('heading', { level: 1, name: '地图打不开' }).waitFor()
    expect(await field(asked, label).inputValue()).toBe('')
    await follow(asked, path)
    await expect.poll(() => field(asked, label).inputValue()).toBe('只与照片有关')
  }
  expect([...problems, ...operator.problems]).toEqual([])
  await operator.close()
  await close()
})

describe('[S2.11][S7.3] messages', () => {
  const open = async (): Promise<Visitor> => {
    const visitor = await product.visit({ user: 'lessor2' })
    await go(visitor.page, '/personal/aboutme')
    return visitor
  }
  test('several messages are marked read and deleted at once; one leads to its task; all read ones are deleted', async () => {
    // No demand opens meanwhile, which would tell this lessor of it and move the rows.
    await product.sql(`update demand set quote_deadline = quote_deadline + interval '1 day' where quote_deadline > now()`)
    // More unread ones than a page holds.
    await product.sql(`insert into message (account_id, system_subject, kind, params, title, content, level, biz_type, biz_id, link, create_time)
      select m.account_id, system_subject, kind, params, title, content, level, biz_type, biz_id, link, m.create_time
      from message m join account a on a.id = m.account_id where user_name = 'lessor2' and kind = 'demandMatched' order by m.id desc limit 8`)
    const { page, close, problems } = await open()
    const { message } = zhCn.account
    // The product's own clock may tell this lessor of something meanwhile, so only what was there is counted.
    const [newest] = await product.sql('select max(id) as id from message')
    const total = async () =>
      Number(
        (
          await product.sql(
            `select count(*) as n from message m join account a on a.id = m.account_id where user_name = 'lessor2' and m.id <= ${String(newest?.id)}`,
          )
        )[0]?.n,
      )
    const before = await total()
    const isRead = async (ids: unknown[]) =>
      (await product.sql('select is_read from message where id = any($1)', [ids])).map((row) => row.is_read)
    const top = await product.sql(
      `select m.id from message m join account a on a.id = m.account_id where user_name = 'lessor2' and m.id <= $1
       order by is_read, m.create_time desc, m.id desc limit 3`,
      [newest?.id],
    )
    const [first, second, third] = top.map(({ id }) => id)
    expect(await isRead([first, second, third])).toEqual(['0', '0', '0'])
    for (const index of [0, 1]) await page.locator('.message input').nth(index).check()
    await page.getByRole('button', { name: message.markSelected, exact: true }).click()
    await page.getByText(message.selected(2)).waitFor({ state: 'detached' })
    expect([await isRead([first, second]), await isRead([third])]).toEqual([['1', '1'], ['0']])
    await page.getByLabel(message.selectAll).check()
    await page.getByRole('button', { name: message.deleteSelected }).click()
    await page.locator('dialog[open]').getByRole('button', { name: zhCn.site.common.delete }).click()
    await expect.poll(total).toBe(before - 10)
    await page.getByRole('button', { name: message.deleteRead }).click()
    await page.locator('dialog[open]').getByRole('button', { name: zhCn.site.common.delete }).click()
    await expect
      .poll(async () =>
        Number(
          (
            await product.sql(
              `select count(*) as n from message m join account a on a.id = m.account_id where user_name = 'lessor2' and is_read = '1'`,
            )
          )[0]?.n,
        ),
      )
      .toBe(0)
    await settled(page)
    await page.locator('.message').getByRole('button', { name: /./ }).first().click()
    await page.waitForURL(/\/workbench\//)
    expect(problems).toEqual([])
    await close()
  })

  /** The product sends them to lessor2, one after the other. */
  const sendAll = async (messages: [MessageKind, Record<string, string>][]) => {
    const { db } = connect(product.url, 1)
    const hub = new Hub(db)
    const [account] = await product.sql(`select id from account where user_name = 'lessor2'`)
    const to = { accounts: [Number(account?.id)] }
    for (const [kind, params] of messages)
      await transact({ db, hub }, { now: new Date() }, (work) =>
        sendMessages(work, { to, kind, params, bizType: 'test', bizId: 1, link: '/personal' }),
      )
    await hub.stop()
    await db.destroy()
  }

  test('a subject that is switched off is not stored, and a quiet one does not pop up', async () => {
    const visitor = await product.visit({ user: 'lessor2' })
    const { page } = visitor
    await go(page, '/personal/aboutme/subscriptions')
    const { subscription } = zhCn.personal
    expect(await page.getByLabel(`企业认证审核通知：${subscription.inApp}`).count()).toBe(0)
    await page.getByLabel(`系统公告：${subscription.push}`).uncheck()
    await page.getByLabel(`闲置调剂通知：${subscription.inApp}`).uncheck()
    expect(await page.getByLabel(`闲置调剂通知：${subscription.push}`).isDisabled()).toBe(true)
    // Nobody chooses about what is not sent.
    expect(await page.getByLabel(`合同待确认通知：${subscription.push}`).count()).toBe(1)
    expect(await page.getByLabel(`台班签认提醒：${subscription.push}`).count()).toBe(0)
    // An SMS goes out beside what stands in the app, so its switch shows what is stored.
    const sms = page.getByLabel(`闲置调剂通知：${subscription.sms}`)
    await sms.check()
    expect(await sms.isChecked()).toBe(true)
    const quiet = page.getByRole('group', { name: subscription.quiet })
    await field(quiet, subscription.from).selectOption('22:00')
    await press(page, zhCn.site.common.save)
    await quiet.locator('.field-error', { hasText: subscription.bothHours }).waitFor()
    await field(quiet, subscription.to).selectOption('07:00')
    // Another language loses nothing that was ticked.
    const menu = await openUserMenu(page)
    await press(menu, zhCn.site.action.language)
    await page.getByRole('heading', { name: en.personal.subscription.title }).waitFor()
    await settled(page)
    await press(menu, en.site.action.language)
    await page.getByRole('heading', { name: subscription.title }).waitFor()
    await settled(page)
    await page.keyboard.press('Escape')
    await press(page, zhCn.site.common.save)
    await page.locator('.toast-success', { hasText: subscription.saved }).waitFor()
    await page.reload()
    await settled(page)
    expect(await sms.isChecked()).toBe(true)
    expect(await field(quiet, subscription.from).inputValue()).toBe('22:00')
    expect(await page.getByLabel(`系统公告：${subscription.push}`).isChecked()).toBe(false)
    expect(await page.getByLabel(`闲置调剂通知：${subscription.inApp}`).isChecked()).toBe(false)
    const unread = page.locator('aside nav .badge')
    const before = Number(await unread.textContent())
    await sendAll([
      ['transferMoved', { code: 'DB1', status: '2' }],
      ['announcement', { title: '今晚维护' }],
      ['feedbackAnswered', { title: '上架', content: '已处理' }],
    ])
    const toast = page.locator('.toast')
    await toast.filter({ hasText: '反馈已回复：上架' }).waitFor()
    expect(await toast.count()).toBe(1)
    await expect.poll(async () => Number(await unread.textContent())).toBe(before + 2)
    await go(page, '/personal/aboutme')
    const listed = await page.locator('.message').allTextContents()
    expect(['调剂进展', '今晚维护', '反馈已回复：上架'].map((title) => listed.filter((row) => row.includes(title)).length)).toEqual([
      0, 1, 1,
    ])
    await visitor.close()
  })
})

test.each([
  ['project', paths.ownDemands(), getWorkPanel.url, 1],
  ['operator', paths.admin, getOverview.url, 0],
])('what waits for the %s is asked once when a page is loaded, with messages unread or without', async (user, path, url, badges) => {
  const { page, close } = await product.visit({ user })
  await page.goto(path)
  await settled(page)
  expect(await page.locator('.bell .badge').count()).toBe(badges)
  let asked = 0
  page.on('request', (request) => (asked += request.url().includes(url) ? 1 : 0))
  await page.reload()
  await settled(page)
  expect(asked).toBe(1)
  await close()
})

test('a message about another project of the person leads there: the page offers to switch, and then shows the record or the list', async () => {
  const { record, list } = zhCn.personal.safety.otherProject
  const [demand] = await product.sql(
    `select d.id, d.title, d.dept_id, a.dept_id as home from demand d join account_dept m on m.dept_id = d.dept_id join account a on a.id = m.account_id
     where a.user_name = 'project' and d.dept_id <> a.dept_id and d.status <> '0' order by d.id limit 1`,
  )
  const { page, text, close } = await product.visit({ user: 'project' })
  const address = paths.ownDemand(Number(demand?.id))
  await page.goto(inDept(address, Number(demand?.dept_id)))
  await page.getByRole('heading', { level: 1, name: text.demand.own.notYours }).waitFor()
  await expectAccessible(page, 'record of another project')
  await press(page, record.action)
  await page.getByRole('heading', { level: 1, name: String(demand?.title) }).waitFor()
  // Nothing is offered for a department of others.
  await go(page, inDept(paths.ownDemand(999_999), 999_999))
  await page.getByRole('heading', { level: 1, name: text.demand.own.notYours }).waitFor()
  expect(await page.getByRole('button', { name: record.action }).count()).toBe(0)
  // The list of transfers is there in each project, with other transfers. Its address forgets the project of the message once the person is there.
  await go(page, inDept(paths.transfers, Number(demand?.home)))
  await expectAccessible(page, 'list of another project')
  await press(page, list.action)
  await page.getByRole('button', { name: list.action, exact: true }).waitFor({ state: 'detached' })
  await page.waitForURL((url) => !url.searchParams.has('dept'))
  await page.getByRole('link', { name: text.internal.tabs.transfers, exact: true }).waitFor()
  await close()
})

test('what is chosen while a save of the subscriptions is under way stays chosen', async () => {
  const { page, close } = await product.visit({ user: 'project' })
  await page.goto(paths.subscriptions)
  await settled(page)
  const boxes = page.locator('table.subscriptions input:enabled')
  const [first, last] = [boxes.first(), boxes.last()]
  const wanted = !(await last.isChecked())
  const letGo = await hold(page, saveMessageConfig.url)
  await first.setChecked(!(await first.isChecked()))
  await press(page, zhCn.site.common.save)
  await last.setChecked(wanted)
  letGo()
  await page.locator('.toast-success', { hasText: zhCn.personal.subscription.saved }).waitFor()
  await expect.poll(() => page.locator('.action-bar button').isEnabled()).toBe(true)
  expect(await last.isChecked()).toBe(wanted)
  await close()
})
