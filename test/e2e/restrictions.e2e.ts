import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { inspect } from './inspect.ts'
import { field, photo, startProduct } from './product.ts'

const product = await startProduct()
afterAll(() => product.close())

describe.each([
  ['zh-CN', 1440],
  ['en-US', 375],
] as const)('restrictions in %s at %i px', (language, width) => {
  const text = (language === 'zh-CN' ? zhCn : en) as typeof zhCn
  const look = (page: Page, name: string) => inspect(page, `workbench-${language}-${width}-${name}`)
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const confirm = async (page: Page, name: string) => page.locator('dialog[open]').getByRole('button', { name, exact: true }).click()
  const said = (page: Page, words_: string) => page.locator('.toast', { hasText: words_ }).first().waitFor()

  test('[S2.20] an entry of the restriction list goes from proposal to appeal and blocks quotes meanwhile', async () => {
    const project = await product.visit({ width, language, user: 'project' })
    const lessee = await product.visit({ width, language, user: 'lessee' })
    const lessor = await product.visit({ width, language, user: 'lessor2' })
    const list = text.blacklist
    const { page } = project
    await page.goto('/workbench/blacklist')
    await look(page, 'restrictions')
    await page.getByRole('link', { name: list.add }).click()
    await button(page, list.save).click()
    await page.locator('.field-error').first().waitFor()
    const [subject] = await product.sql(
      `select c.id, c.enterprise_name as name from company c join account a on a.company_id = c.id where a.user_name = 'lessor2'`,
    )
    const picker = page.getByRole('combobox', { name: text.demand.form.invite })
    await picker.click()
    await picker.fill(String(subject?.name))
    await page
      .getByRole('option', { name: String(subject?.name) })
      .first()
      .click()
    await page.keyboard.press('Escape')
    await field(page, list.facts).fill(
      '该企业两台装载机未经同意撤离工地，经三次书面催告后仍未返场，造成路基施工停工四天，有监理签认记录与往来函件为证。',
    )
    await page.locator('input[data-files]').setInputFiles(photo)
    await page.locator('.paper-thumb').waitFor()
    await look(page, 'proposal')
    await button(page, list.save).click()
    await page.waitForURL(/blacklist\/detail\?id=/)
    const id = new URL(page.url()).searchParams.get('id') ?? ''
    await button(page, list.notify).click()
    await confirm(page, list.notify)
    await said(page, list.notified)
    await page.locator('header .tag', { hasText: list.status['1'] ?? '' }).waitFor()
    // The proposal has become a hearing, and its form leads back to it.
    await page.goto(`/workbench/blacklist/add?id=${id}`)
    await page.getByText(list.locked).waitFor()
    expect(await button(page, list.save).count()).toBe(0)
    await look(page, 'locked')
    await page.getByRole('link', { name: list.open }).click()
    await page.waitForURL(/blacklist\/detail\?id=/)

    await lessor.page.goto(`/workbench/blacklist/detail?id=${id}`)
    await button(lessor.page, list.answer).click()
    await lessor.page.locator('dialog[open]').getByLabel(list.answerText).fill('因故障返厂，已提前告知现场负责人')
    await confirm(lessor.page, list.answer)
    await said(lessor.page, list.answered)
    await lessee.page.goto(`/workbench/blacklist/detail?id=${id}`)
    await button(lessee.page, list.decide).click()
    await confirm(lessee.page, list.decide)
    const wrong = lessee.page.locator('dialog[open] .field-error')
    await wrong.waitFor()
    await lessee.page.locator('dialog[open]').getByLabel(list.note).fill('证据充分')
    await wrong.waitFor({ state: 'detached' })
    await confirm(lessee.page, list.decide)
    await said(lessee.page, list.decided)
    await look(lessee.page, 'restriction')

    // Meanwhile the lessor cannot quote for this project, and the page says why.
    const [open] = await product.sql(
      `select d.id from demand d join account a on a.dept_id = d.dept_id and a.user_name = 'project' where d.status = '3'
        and not exists (select 1 from quote q where q.demand_id = d.id and q.company_id = $1) order by d.id desc limit 1`,
      [subject?.id],
    )
    await lessor.page.goto(`/workbench/crequirement/detail?id=${open?.id}`)
    await lessor.page.getByText(text.quote.bar.blacklisted).waitFor()
    expect(await button(lessor.page, text.quote.form.submit).count()).toBe(0)

    await lessor.page.goto('/workbench/blacklist')
    await lessor.page.getByRole('heading', { level: 1, name: list.titleOwn }).waitFor()
    await lessor.page.getByText(list.leadOwn).waitFor()
    await lessor.page.locator('tbody tr a').first().click()
    await button(lessor.page, list.appeal).click()
    const second = await lessor.context.newPage()
    await second.goto(lessor.page.url())
    await button(second, list.appeal).click()
    for (const one of [lessor.page, second])
      await one.locator('dialog[open]').getByLabel(list.appealText).fill('维修厂已出具证明，请求复核解除限制')
    await confirm(lessor.page, list.appeal)
    await said(lessor.page, list.appealed)
    // The dialog of the other page closes over an entry that cannot be appealed again.
    await confirm(second, list.appeal)
    await second.locator('dialog[open]').waitFor({ state: 'detached' })
    await button(second, list.appeal).waitFor({ state: 'detached' })
    await second.close()
    await lessee.page.reload()
    await button(lessee.page, list.uphold).click()
    await lessee.page.locator('dialog[open]').getByLabel(list.note).fill('证明属实')
    await confirm(lessee.page, list.uphold)
    await said(lessee.page, list.decided)
    await lessor.page
      .getByText(list.status['4'] ?? '')
      .first()
      .waitFor()
    await look(lessor.page, 'lifted')
    for (const visitor of [project, lessee, lessor]) {
      expect(visitor.problems).toEqual([])
      await visitor.close()
    }
  })
})
