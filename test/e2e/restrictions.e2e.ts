import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { inspectBoth } from './inspect.ts'
import { field, go, photo, press, startProduct, type Visitor } from './product.ts'

const product = await startProduct()
afterAll(() => product.close())

test('[S2.20] an entry of the restriction list goes from proposal to appeal and blocks quotes meanwhile', async () => {
  const [subject] = await product.sql(
    `select c.id, c.enterprise_name as name from company c join account a on a.company_id = c.id where a.user_name = 'lessor2'`,
  )
  const [open] = await product.sql(
    `select d.id from demand d join account a on a.dept_id = d.dept_id and a.user_name = 'project' where d.status = '3'
      and not exists (select 1 from quote q where q.demand_id = d.id and q.company_id = $1) order by d.id desc limit 1`,
    [subject?.id],
  )
  // Those of one company work in Chinese on a wide screen, the other one in English on a phone.
  const project = await product.visit({ user: 'project' })
  const lessee = await product.visit({ user: 'lessee' })
  const lessor = await product.visit({ width: 375, language: 'en-US', user: 'lessor2' })
  const id = await propose(project, String(subject?.name))
  await answer(lessor, id)
  await decide(lessee, id)
  await expectBlocked(lessor, String(open?.id))
  await appeal(lessor)
  await uphold(lessee, id)
  await lessor.page
    .getByText(lessor.text.blacklist.status['4'] ?? '')
    .first()
    .waitFor()
  for (const visitor of [project, lessee, lessor]) {
    expect(visitor.problems).toEqual([])
    await visitor.close()
  }
})

const said = (page: Page, words: string) => page.locator('.toast', { hasText: words }).first().waitFor()
const dialog = (page: Page) => page.locator('dialog[open]')

/** Proposes to restrict that company and sends the proposal into its hearing. Returns the number of the entry. */
async function propose({ page, text }: Visitor, name: string): Promise<string> {
  const list = text.blacklist
  await go(page, '/workbench/blacklist')
  await inspectBoth(page, 'restrictions-list')
  await page.getByRole('link', { name: list.add }).click()
  await press(page, list.save)
  await page.locator('.field-error').first().waitFor()
  const picker = page.getByRole('combobox', { name: text.demand.form.invite })
  await picker.click()
  await picker.fill(name)
  await page.getByRole('option', { name }).first().click()
  await page.keyboard.press('Escape')
  await field(page, list.facts).fill(
    '该企业两台装载机未经同意撤离工地，经三次书面催告后仍未返场，造成路基施工停工四天，有监理签认记录与往来函件为证。',
  )
  await page.locator('input[data-files]').setInputFiles(photo)
  await page.locator('.paper-thumb').waitFor()
  await inspectBoth(page, 'restrictions-proposal')
  await press(page, list.save)
  await page.waitForURL(/blacklist\/detail\?id=/)
  const id = new URL(page.url()).searchParams.get('id') ?? ''
  await press(page, list.notify)
  await press(dialog(page), list.notify)
  await said(page, list.notified)
  await page.locator('header .tag', { hasText: list.status['1'] ?? '' }).waitFor()
  // The proposal has become a hearing, and its form leads back to it.
  await go(page, `/workbench/blacklist/add?id=${id}`)
  await page.getByText(list.locked).waitFor()
  expect(await page.getByRole('button', { name: list.save, exact: true }).count()).toBe(0)
  await page.getByRole('link', { name: list.open }).click()
  await page.waitForURL(/blacklist\/detail\?id=/)
  return id
}

async function answer({ page, text }: Visitor, id: string) {
  const list = text.blacklist
  await go(page, `/workbench/blacklist/detail?id=${id}`)
  await press(page, list.answer)
  await dialog(page).getByLabel(list.answerText).fill('因故障返厂，已提前告知现场负责人')
  await press(dialog(page), list.answer)
  await said(page, list.answered)
}

async function decide({ page, text }: Visitor, id: string) {
  const list = text.blacklist
  await go(page, `/workbench/blacklist/detail?id=${id}`)
  await press(page, list.decide)
  await press(dialog(page), list.decide)
  const wrong = dialog(page).locator('.field-error')
  await wrong.waitFor()
  await dialog(page).getByLabel(list.note).fill('证据充分')
  await wrong.waitFor({ state: 'detached' })
  await press(dialog(page), list.decide)
  await said(page, list.decided)
  await inspectBoth(page, 'restrictions-entry')
}

/** Meanwhile the lessor cannot quote for this project, and the page says why. */
async function expectBlocked({ page, text }: Visitor, demandId: string) {
  await go(page, `/workbench/crequirement/detail?id=${demandId}`)
  await page.getByText(text.quote.bar.blacklisted).waitFor()
  expect(await page.getByRole('button', { name: text.quote.form.submit, exact: true }).count()).toBe(0)
}

async function appeal({ page, text, context }: Visitor) {
  const list = text.blacklist
  await go(page, '/workbench/blacklist')
  await page.getByRole('heading', { level: 1, name: list.titleOwn }).waitFor()
  await page.getByText(list.leadOwn).waitFor()
  await page.locator('tbody tr a').first().click()
  await press(page, list.appeal)
  const second = await context.newPage()
  await go(second, page.url())
  await press(second, list.appeal)
  for (const one of [page, second]) await dialog(one).getByLabel(list.appealText).fill('维修厂已出具证明，请求复核解除限制')
  await press(dialog(page), list.appeal)
  await said(page, list.appealed)
  // The dialog of the other page closes over an entry that cannot be appealed again.
  await press(dialog(second), list.appeal)
  await dialog(second).waitFor({ state: 'detached' })
  await second.getByRole('button', { name: list.appeal, exact: true }).waitFor({ state: 'detached' })
  await second.close()
}

/** The appeal has reached the open page by itself. */
async function uphold({ page, text }: Visitor, id: string) {
  const list = text.blacklist
  const [other] = await product.sql(
    `select b.id from blacklist b, blacklist own where own.id = $1 and b.id <> own.id
      order by b.scope_dept_id is not distinct from own.scope_dept_id desc limit 1`,
    [id],
  )
  // A dialog closes with its entry: it neither stays over another one nor is there again on the way back.
  await press(page, list.uphold)
  await dialog(page).waitFor()
  await go(page, `/workbench/blacklist/detail?id=${String(other?.id)}`)
  expect(await dialog(page).count()).toBe(0)
  await page.goBack()
  await press(page, list.uphold)
  await dialog(page).getByLabel(list.note).fill('证明属实')
  await press(dialog(page), list.uphold)
  await said(page, list.decided)
}
