import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { giveUpQuote, submitQuote } from '#shared/quote/contract.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { openDueDemands } from '#server/opening/due.ts'
import type { Person } from '#test/world.ts'
import { openOwnServer } from './own-server.ts'
import { expectAccessible } from './accessible.ts'
import { expectNoOverflow, picture } from './inspect.ts'
import { go } from './product.ts'

const { world, visitAs: visitWith, followClock } = await openOwnServer()

const { cast } = world
const { compare, form, won, sheet } = zhCn.quote

const visitAs = (person: Person, path: string) => visitWith(person, path, { width: 1440, language: 'zh-CN' })

/** A demand for one machine in each of two lines: the first lessor quotes both, the second one line for more. */
async function givenQuoted() {
  const demand = await world.givenDemand({ items: [world.demandItem({ qty: 1 }), world.demandItem({ qty: 1, remark: '夜班' })] })
  const machine = ({ companyId }: Person) => world.givenMachine(companyId)
  const [first = 0, second = 0] = demand.items.map(({ id }) => id)
  const { lessor, lessor2 } = cast
  const lines = [world.quoteLine(first, [await machine(lessor)]), world.quoteLine(second, [await machine(lessor)])]
  const dearer = { unitPrice: 17_500, includesOperator: false, includesFuel: true, entryFee: 3000, taxRate: 13 }
  const answers = [
    await lessor.call(submitQuote, { body: { ...world.quoteBody(demand, []), lines } }),
    await lessor2.call(submitQuote, {
      body: { ...world.quoteBody(demand, []), lines: [world.quoteLine(second, [await machine(lessor2)], dearer)] },
    }),
  ]
  expect(answers.map(({ code }) => code)).toEqual([200, 200])
  return demand
}

/** Cells whose text runs down in a column that is too narrow for it. */
const squeezed = (page: Page, within: string) =>
  page.evaluate(
    (selector) =>
      [...document.querySelectorAll<HTMLElement>(`${selector} :is(td, th)`)]
        .filter(({ innerText, clientWidth }) => innerText.trim().length > 6 && clientWidth > 0 && clientWidth < 64)
        .map(({ innerText }) => innerText),
    within,
  )

test('open pages follow the opening and the award; the comparison keeps its columns on every screen and on paper', async () => {
  const demand = await givenQuoted()
  const owner = await visitAs(cast.project, `/workbench/requirement/detail?id=${demand.id}`)
  const winner = await visitAs(cast.lessor, `/workbench/crequirement/detail?id=${demand.id}`)
  const other = await visitAs(cast.lessor2, `/workbench/crequirement/detail?id=${demand.id}`)
  const { page } = owner

  // The receipt stands at the top, the quote below it is to read, and changing it is a decision.
  await winner.page.getByRole('heading', { name: form.receiptTitle(true) }).waitFor()
  expect(await winner.page.locator('.line-editor').count()).toBe(0)
  await winner.page.getByRole('button', { name: form.change }).click()
  await winner.page.getByRole('button', { name: form.stopChange }).click()
  expect(await winner.page.locator('.line-editor').count()).toBe(0)

  world.passDeadline()
  await followClock()
  await openDueDemands(world.services)
  await winner.page.getByRole('heading', { name: form.receiptOpened }).waitFor()
  await page.getByRole('heading', { name: compare.title, exact: true }).waitFor()

  for (const width of [375, 700, 768, 1024, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    for (const view of [compare.byLessor, compare.byLine]) {
      await page.getByRole('button', { name: view }).click()
      await expectNoOverflow(page, `${view} at ${width}`)
      expect(await squeezed(page, '.comparison'), `${view} at ${width}`).toEqual([])
    }
    await picture(page, `compare-${width}.png`)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  // The dearer offer leaves the driver to the lessee, and brings the fuel.
  await page
    .locator('.comparison')
    .getByText(compare.deviates(`${zhCn.demand.duties.operatorBy}、${zhCn.demand.duties.fuelBy}`))
    .waitFor()

  // Of the second line the dearer lessor is chosen, which needs a reason; by lessor, the one who left a line out comes last.
  await page.getByRole('button', { name: compare.byLessor }).click()
  expect(await page.locator('.lessors-table tbody tr').last().innerText()).toContain(compare.missing(1))
  await page.getByRole('button', { name: compare.byLine }).click()
  await page
    .getByRole('button', { name: `${compare.choose}：成都恒岳机械租赁有限公司` })
    .first()
    .click()
  // The reason that a loser will read stays over a reload, as the choice does.
  const award = page.locator('.action-bar').getByRole('button', { name: compare.award })
  const dialog = page.getByRole('dialog')
  const why = dialog.getByLabel(`武汉昌磐机械租赁有限公司：${compare.loseReason}`)
  await award.click()
  await dialog.getByText(compare.awardRest(1)).waitFor()
  await why.selectOption('time')
  await page.reload()
  await award.click()
  expect(await why.inputValue()).toBe('time')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: `${compare.choose}：武汉昌磐机械租赁有限公司` }).click()
  await award.click()
  expect(await dialog.getByText(compare.awardRest(1)).count()).toBe(0)
  await dialog.getByLabel(/武汉昌磐/).fill('可以提前进场')
  // Signatures are often given before the award, on a sheet that has the reasons.
  await expect.poll(() => page.locator('.approval-sheet .sheet-result').textContent()).toContain('可以提前进场')
  await expectAccessible(page, 'award dialog')
  await dialog.getByRole('button', { name: compare.award }).click()

  // Lines are marked, not quotes: the first lessor has won one of two.
  await page.getByText(compare.awardTitle, { exact: true }).waitFor()
  await page.getByText(compare.awardNext).waitFor()
  const rowsOf = (name: string) => page.locator('.comparison section tbody tr', { has: page.locator('strong', { hasText: name }) })
  await expect.poll(() => rowsOf('恒岳').getByText(compare.lineWon(1), { exact: true }).count()).toBe(1)
  await expect.poll(() => rowsOf('恒岳').getByText(compare.lineLost, { exact: true }).count()).toBe(1)
  expect(await page.locator('.award-result tbody tr').allInnerTexts()).toEqual([
    expect.stringMatching(/恒岳.*856H.*陈调度.*14400000002/s),
    expect.stringMatching(/昌磐.*可以提前进场.*856H/s),
  ])
  await expectAccessible(page, 'awarded')
  await picture(page, 'award-result.png')

  await page.emulateMedia({ media: 'print' })
  await page.getByRole('heading', { name: sheet.title }).waitFor()
  expect(await page.locator('main').isVisible()).toBe(false)
  expect(await squeezed(page, '.approval-sheet')).toEqual([])
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  // A4 across, on one page.
  expect(pdf.match(/\/MediaBox \[0 0 84[12][\d.]* 59[45][\d.]*\]/g)).toHaveLength(1)

  await winner.page.getByRole('heading', { name: won.title(1, '48,000.00') }).waitFor()
  await winner.page.getByText(won.lostLines(zhCn.demand.line(2))).waitFor()
  await expectAccessible(winner.page, 'won')
  await picture(winner.page, 'award-won.png')
  const file = winner.page.waitForEvent('download')
  await winner.page.getByRole('button', { name: won.calendar }).click()
  const calendar = readFileSync(await (await file).path(), 'utf8')
  expect(calendar).toContain('DTSTART;VALUE=DATE:20261213')
  expect(calendar).not.toMatch(/48,?000|16,?000/)
  await other.page.getByText('王样本').first().waitFor()
  await go(winner.page, '/workbench/crequirement?scope=won')
  await winner.page.getByText('48,000.00').waitFor()

  await page.emulateMedia({ media: null })
  const quotes = await world.db.selectFrom('quote').where('demandId', '=', demand.id).select(['id', 'companyId']).execute()
  for (const person of [cast.lessor, cast.lessor2]) {
    const params = { id: quotes.find(({ companyId }) => companyId === person.companyId)?.id ?? 0 }
    expect((await person.call(giveUpQuote, { params, body: { reason: '设备故障' } })).code).toBe(200)
  }
  await page.getByText(compare.awardGone).first().waitFor()
  for (const visitor of [owner, winner, other]) {
    expect(visitor.problems).toEqual([])
    await visitor.close()
  }
})
