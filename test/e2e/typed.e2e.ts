import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { listOwnCertifications, saveCertificationDraft } from '#shared/certification/contract.ts'
import { addEquipment } from '#shared/equipment/own.ts'
import { saveDraft } from '#shared/demand/contract.ts'
import { addFeedback } from '#shared/feedback/contract.ts'
import { paths } from '#shared/paths.ts'
import { askQuestion } from '#shared/question/contract.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { hold } from './hold.ts'
import { field, follow, go, press, settled, startProduct } from './product.ts'
import { quotableDemand } from './quotable-demand.ts'
import { typedForms } from './typed-forms.ts'

const product = await startProduct()
afterAll(() => product.close())

const openDemand = await quotableDemand(product, 'lessor')

const { forms, names, openForm, drafts, stored } = typedForms(product, openDemand)

const slow = async (page: Page) => {
  const line = await page.context().newCDPSession(page)
  await line.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: 60_000,
    uploadThroughput: 60_000,
  })
}

type OpenForm = Awaited<ReturnType<typeof openForm>>

/** A save ends after its form was opened again and left with newer text. */
async function savesLate({ page, box, type, leave, holds }: OpenForm, isSaved: boolean): Promise<void> {
  let end = () => undefined as void
  const ended = new Promise<void>((done) => (end = done))
  let saves = 0
  await page.route('**/prod-api/**', async (route) => {
    if (route.request().method() === 'GET') return route.continue()
    // The save of what is typed later follows it, and gets no answer.
    if (++saves > 1) return
    await ended
    return isSaved ? route.continue() : route.abort()
  })
  await type(`先填 ${isSaved}`)
  await leave()
  await expect.poll(() => saves).toBe(1)
  await page.goBack()
  await box.waitFor()
  await holds(`先填 ${isSaved}`)
  await type(`后填 ${isSaved}`)
  await leave()
  end()
  await expect.poll(() => saves).toBeGreaterThan(1)
  await page.goBack()
  await holds(`后填 ${isSaved}`)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.reload()
  await holds(`后填 ${isSaved}`)
  await expect.poll(() => stored('certification')).toBe(`后填 ${isSaved}`)
  await settled(page)
}

/** An answer with an older draft comes after a newer one was saved. */
async function answersWithOlder({ page, box, type, leave, holds }: OpenForm): Promise<void> {
  await type('较早的草稿')
  await expect.poll(() => stored('certification')).toBe('较早的草稿')
  await leave()
  // What was fetched is old enough to be asked for again when the form opens.
  await page.evaluate((later) => (Date.now = () => later), Date.now() + 60_000)
  const letGo = await hold(page, listOwnCertifications.url, { isAsked: true })
  await page.goBack()
  await box.waitFor()
  await type('较新的草稿')
  await expect.poll(() => stored('certification')).toBe('较新的草稿')
  await leave()
  letGo()
  await settled(page)
  await page.goBack()
  await holds('较新的草稿')
}

/** The answer to a save comes while its form is drawn again. */
async function answersWhileDrawn({ page, box, type, leave, holds }: OpenForm): Promise<void> {
  await type('打开之前')
  await expect.poll(() => stored('certification')).toBe('打开之前')
  await page.evaluate(() => {
    const { fetch } = window
    const { promise: drawn, resolve: draw } = Promise.withResolvers<void>()
    document.addEventListener('draws', () => draw())
    window.fetch = async (...asked) => {
      const response = await fetch(...asked)
      const answer: unknown = asked[1]?.method === 'GET' ? null : await response.json()
      if (answer === null) return response
      await drawn
      return Object.assign(response, { json: () => Promise.resolve(answer) })
    }
  })
  await type('打开之时')
  await leave()
  await expect.poll(() => stored('certification')).toBe('打开之时')
  await page.evaluate(() => {
    const { structuredClone } = window
    // The form copies its values while it is drawn. What takes long is interrupted for what has come, as on a slow machine.
    window.structuredClone = <T>(values: T): T => {
      document.dispatchEvent(new Event('draws'))
      for (const end = performance.now() + 50; performance.now() < end;);
      return structuredClone(values)
    }
  })
  await follow(page, forms.certification.path)
  await box.waitFor()
  await holds('打开之时')
}

describe('nothing typed is lost', () => {
  test('by a server that is killed under the forms: a reload after it is back shows the text, and a draft is then saved', async () => {
    const opened = await Promise.all(names.map(async (name) => ({ name, ...(await openForm(name)) })))
    await product.restart(async () => {
      for (const { type, name } of opened) await type(`服务器停机时填写 ${name}`)
      // Left while the server is away, and come back to.
      const [demand] = opened
      await demand?.leave()
      await demand?.page.goBack()
      await demand?.holds('服务器停机时填写 demand')
    })
    await Promise.all(
      opened.map(async ({ name, page, holds, close }) => {
        await page.reload()
        await holds(`服务器停机时填写 ${name}`)
        if (name === 'demand' || name === 'certification') await expect.poll(() => stored(name)).toBe(`服务器停机时填写 ${name}`)
        await close()
      }),
    )
  })

  test('by a wrong click in the menu, the way back and a reload', async () => {
    await Promise.all(
      names.map(async (name) => {
        const { page, type, leave, holds, close } = await openForm(name)
        // A draft that the server has by the time the form is left needs no way back.
        const letSave = await hold(page, name === 'demand' ? saveDraft.url : saveCertificationDraft.url)
        await type('点错菜单')
        await leave()
        letSave()
        await page.locator('.toast').getByRole('button', { name: zhCn.site.draft.goOn }).click()
        await holds('点错菜单')
        await type('浏览器后退')
        await page.goBack()
        await page.goForward()
        await holds('浏览器后退')
        await type('点错菜单再后退')
        await leave()
        await page.goBack()
        await holds('点错菜单再后退')
        await type('刷新页面')
        await page.reload()
        await holds('刷新页面')
        await close()
      }),
    )
  })

  test('by a reload while a save is on its way, whether the server gets it or not', async () => {
    const proves = async (name: 'demand' | 'certification', arrives: boolean) => {
      const { page, type, holds, close } = await openForm(name)
      await type(`已保存 ${arrives}`)
      await expect.poll(() => drafts(name)).toContain(`已保存 ${arrives}`)
      let held = 0
      await page.route('**/prod-api/**', async (route) => {
        if (route.request().method() === 'GET') return route.continue()
        if (arrives) await route.fetch()
        // The answer never comes.
        held++
      })
      await type(`途中 ${arrives}`)
      await expect.poll(() => held).toBe(1)
      if (arrives) expect(await drafts(name)).toContain(`途中 ${arrives}`)
      const newest = arrives ? `途中之后 ${arrives}` : `途中 ${arrives}`
      await type(newest)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await page.reload()
      await holds(newest)
      await expect.poll(() => drafts(name)).toContain(newest)
      await close()
    }
    await Promise.all([proves('demand', true), proves('certification', false)])
  })

  test('by a save or an answer that comes once its form was left, opened again or is drawn again', async () => {
    const opened = await openForm('certification')
    for (const isSaved of [true, false]) await savesLate(opened, isSaved)
    await answersWhileDrawn(opened)
    await opened.page.reload()
    await opened.holds('打开之时')
    await settled(opened.page)
    await answersWithOlder(opened)
    await opened.close()
  })

  test('on a slow line and without one, also by the way back to where a draft was left before it was written on elsewhere', async () => {
    const proves = async (name: 'demand' | 'quote') => {
      const { page, context, box, type, leave, holds, close } = await openForm(name, { isFresh: true })
      // The page behind the entry is loaded once, so it opens without a line too.
      await leave()
      await page.goBack()
      await box.waitFor()
      await slow(page)
      const before = (await drafts('demand')).length
      await type('网速很慢')
      await leave()
      await page.goBack()
      await holds('网速很慢')
      await context.setOffline(true)
      await type('没有网络')
      await leave()
      await page.goBack()
      await holds('没有网络')
      await context.setOffline(false)
      await page.reload()
      await holds('没有网络')
      if (name === 'demand') {
        await expect.poll(() => stored(name)).toBe('没有网络')
        // Whoever comes back goes on with the same draft.
        expect(await drafts(name)).toHaveLength(before + 1)

        await type('先写')
        await leave()
        await expect.poll(() => stored(name)).toBe('先写')
        const [draft] = await product.sql(`select id from demand where title = '先写'`)
        await follow(page, paths.addDemand(`?draft=${draft?.id}`))
        await holds('先写')
        await type('后写')
        await leave()
        await expect.poll(() => stored(name)).toBe('后写')
        await context.setOffline(true)
        await page.evaluate(() => history.go(-3))
        await holds('后写')
      }
      await close()
    }
    await Promise.all([proves('demand'), proves('quote')])
  })

  test('by two pages of one certification: the older does not replace the newer, and the person decides', async () => {
    const one = await openForm('certification')
    const page = await one.context.newPage()
    await page.goto(forms.certification.path)
    const box = field(page, forms.certification.label)
    await box.waitFor()
    await settled(page)
    await one.type('成都先填机械租赁有限公司')
    await one.leave()
    await expect.poll(() => stored('certification')).toBe('成都先填机械租赁有限公司')
    await box.fill('成都后填机械租赁有限公司')
    await page.getByRole('button', { name: zhCn.site.draft.accept }).waitFor()
    expect([await box.inputValue(), await stored('certification')]).toEqual(Array(2).fill('成都先填机械租赁有限公司'))
    // What is typed beside the offer is on its way when the form is left, and stands in it when it opens again.
    const letGo = await hold(page, saveCertificationDraft.url)
    await Promise.all([page.waitForRequest(`**/prod-api${saveCertificationDraft.url}`), box.fill('成都另填机械租赁有限公司')])
    await page.locator('aside nav').getByText(forms.certification.elsewhere, { exact: true }).click()
    await box.waitFor({ state: 'detached' })
    await page.goBack()
    await expect.poll(() => box.inputValue().catch(() => '')).toBe('成都另填机械租赁有限公司')
    letGo()
    await expect.poll(() => stored('certification')).toBe('成都另填机械租赁有限公司')
    await page.getByRole('button', { name: zhCn.site.draft.accept }).click()
    await page.locator('aside nav').getByText(forms.certification.elsewhere, { exact: true }).click()
    await expect.poll(() => stored('certification')).toBe('成都后填机械租赁有限公司')
    await one.close()
  })

  test('in a dialog: the reason for ending a demand survives a press beside it, a reload and a wrong click, and is gone once it is sent; nor is an answer lost where a colleague answers the same question first', async () => {
    const { page, close } = await product.visit({ user: 'project' })
    const { own, question } = zhCn.demand
    const newest = async () => {
      const [mine] = await product.sql(
        `select d.id from demand d join account a on a.dept_id = d.dept_id where a.user_name = 'project' and d.status = '3' order by d.id desc limit 1`,
      )
      return Number(mine?.id)
    }
    await page.goto(paths.ownDemand(await newest()))
    const reason = page.locator('dialog[open]').getByLabel(own.reason)
    const openDialog = () => page.getByRole('button', { name: own.cancel, exact: true }).click()
    await openDialog()
    await reason.fill('工期推迟，暂不租赁')
    await page.mouse.click(4, 400)
    await reason.waitFor({ state: 'detached' })
    await openDialog()
    expect(await reason.inputValue()).toBe('工期推迟，暂不租赁')
    await page.reload()
    await openDialog()
    expect(await reason.inputValue()).toBe('工期推迟，暂不租赁')
    await page.locator('dialog[open]').getByRole('button', { name: own.cancel, exact: true }).click()
    await page.locator('.toast-success', { hasText: own.cancelled }).waitFor()
    expect(await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('draft:')))).toEqual([])

    const other = await newest()
    const asked = await product.sql(
      `insert into demand_question (demand_id, company_id, account_id, content, ask_time)
       select $1, company_id, id, '能否夜间进场？', now() from account where user_name = 'lessor' returning id`,
      [other],
    )
    await go(page, paths.ownDemand(other))
    const item = page.locator('#questions li', { hasText: '能否夜间进场？' })
    const box = field(item, question.answer)
    await box.fill('可以，须提前报备')
    await product.sql(`update demand_question set answer = '不可以', answer_time = now() where id = $1`, [Number(asked[0]?.id)])
    // What the page did not show yet is not replaced, but by whoever presses again beside it.
    await press(item, question.answer)
    await item.getByText('不可以').waitFor()
    expect(await box.inputValue()).toBe('可以，须提前报备')
    await box.fill('可以，须提前一天报备')
    await press(item, question.answer)
    await box.waitFor({ state: 'detached' })
    await item.getByText('可以，须提前一天报备').waitFor()
    await close()
  })

  test('by the first save of a machine that is under way: what is typed meanwhile waits in the form of the machine; nor by a question that is being sent', async () => {
    const { page, type, close } = await openForm('machine')
    const { upload } = zhCn.equipment
    const letGo = await hold(page, addEquipment.url)
    const category = page.getByRole('combobox', { name: upload.fields.categoryId })
    await category.click()
    await category.pressSequentially('汽车吊')
    await page.locator('.picker-option').first().click()
    await type('徐工')
    await field(page, upload.fields.model).fill('XCT25L5')
    await press(page, upload.draft)
    // Who presses it by a key goes on from there.
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-disabled'))).toBe('true')
    const factoryNo = field(page, upload.fields.factoryNo)
    await factoryNo.fill('XUG0123456')
    letGo()
    await page.waitForURL(/cequipment\/\w+\?id=\d+/)
    await press(page, zhCn.site.draft.accept)
    expect(await factoryNo.inputValue()).toBe('XUG0123456')
    expect(await page.locator('.toast', { hasText: zhCn.site.draft.left }).count()).toBe(0)

    const { question } = zhCn.demand
    const section = page.locator('#questions')
    const box = field(section, question.content)
    await go(page, paths.marketDemand(openDemand))
    const letAsk = await hold(page, askQuestion.url)
    await box.fill('能否提供临时电源？')
    await press(section, question.ask)
    await box.fill('进场道路能否通行平板车？')
    letAsk()
    await page.locator('.toast-success', { hasText: question.asked }).waitFor()
    expect(await box.inputValue()).toBe('进场道路能否通行平板车？')
    await page.reload()
    await expect.poll(() => box.inputValue()).toBe('进场道路能否通行平板车？')
    await close()
  })

  test('by an answer that comes late, which leads nobody away from where they went, and by a browser that cannot store', async () => {
    const { page, problems, close } = await product.visit({ user: 'project' })
    const { feedback, tabs } = zhCn.personal
    const content = field(page, feedback.content)
    const leave = () => page.locator('aside nav').getByText(tabs.safety, { exact: true }).click()
    await page.goto(paths.addFeedback)
    const letGo = await hold(page, addFeedback.url)
    await field(page, feedback.subject).fill('列表不全')
    await content.fill('列表里找不到昨天的需求，请查看')
    await press(page, feedback.send)
    await content.fill('还有一条：导出也缺少昨天的需求')
    await leave()
    await content.waitFor({ state: 'detached' })
    letGo()
    await page.locator('.toast-success', { hasText: feedback.sent }).waitFor()
    await settled(page)
    expect(new URL(page.url()).pathname).toBe(paths.safety)
    await press(page.locator('.toast'), zhCn.site.draft.goOn)
    await press(page, zhCn.site.draft.accept)
    expect(await content.inputValue()).toBe('还有一条：导出也缺少昨天的需求')

    await page.evaluate(() => {
      for (let size = 1 << 22; size > 0;)
        try {
          // A key for each piece: one that grows would be written anew, millions of characters long, at every step.
          localStorage.setItem(`full${localStorage.length}`, 'x'.repeat(size))
        } catch {
          size >>= 1
        }
    })
    await content.fill('还有一条：导出的表格也缺少昨天的需求。'.repeat(20))
    await page.getByText(zhCn.site.draft.failed).waitFor()
    await leave()
    await press(page.locator('dialog[open]'), zhCn.site.common.back)
    // What was sent is left without a question.
    await press(page, feedback.send)
    await page.waitForURL('**/feedback/detail?id=*')
    expect(problems).toEqual([])
    await close()
  })
})
