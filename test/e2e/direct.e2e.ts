import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { addDays, dayOf } from '#shared/calendar.ts'
import { getContract } from '#shared/contract/contract.ts'
import { editDirectPositions } from '#shared/contract/direct.ts'
import { attachOwnForms } from '#shared/contract/moves.ts'
import { paths } from '#shared/paths.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { transact } from '#server/deed.ts'
import { sendMessages } from '#server/message/queries.ts'
import { monday } from '#test/world.ts'
import { openStage } from './contract-stage.ts'
import { hold } from './hold.ts'
import { inspect } from './inspect.ts'
import { act, field, press, settled } from './product.ts'

const { world, visitAs, typeCode } = await openStage()
const { cast, clock, db } = world
beforeEach(() => clock.set(monday))

describe.each([
  ['zh-CN', 1440],
  ['en-US', 375],
] as const)('a contract that a unit writes down itself, in %s at %i px', (language, width) => {
  const text = (language === 'zh-CN' ? zhCn : en) as typeof zhCn
  const words = text.contract
  const { pages } = words
  const { direct } = pages
  const labels = text.demand.form
  const look = { width, language }
  const named = (part: string) => `direct-${language}-${width}-${part}`

  async function choose(page: Page, label: string, typed: string) {
    const picker = page.getByRole('combobox', { name: label })
    await picker.click()
    await picker.pressSequentially(typed)
    await page.locator('.picker-option', { hasText: typed }).first().click()
  }

  /** Saves the draft in another page, of which the open one hears nothing. */
  async function saveSilently(id: number) {
    const { data } = await cast.project.call(getContract, { params: { id } })
    const saved = await cast.project.call(attachOwnForms, { params: { id }, body: { version: data.version, fileIds: [] } })
    expect(saved.data.version).toBeGreaterThan(data.version)
  }

  /** Saves the draft in another page, of which the open one hears. */
  async function saveByColleague(id: number) {
    await saveSilently(id)
    await transact(world.services, { now: clock.now() }, (work) =>
      sendMessages(work, {
        to: { accounts: [cast.project.id] },
        kind: 'announcement',
        params: { title: '合同已修改' },
        bizType: 'contract',
        bizId: id,
        link: paths.contract(id),
      }),
    )
  }

  test('is written with its machine, refused on booked days with the first free one, kept over a reload, sent and confirmed', async () => {
    const machine = await world.givenMachine(cast.lessor.companyId)
    const { equipmentCode } = await db.selectFrom('equipment').where('id', '=', machine).select('equipmentCode').executeTakeFirstOrThrow()
    const today = dayOf(monday)
    const [start, end, free] = [addDays(today, 40), addDays(today, 100), addDays(today, 60)]
    await db
      .insertInto('equipmentBooking')
      .values({ equipmentId: machine, slot: 1, period: `[${addDays(today, 30)},${free})`, reason: 'own' })
      .execute()

    const owner = await visitAs(cast.project, '/workbench/contract/list', look)
    const { page } = owner
    await page.getByRole('link', { name: direct.add, exact: true }).first().click()
    await page.waitForURL('**/contract/add')
    await settled(page)
    await inspect(page, named('blank'))
    await press(page, direct.save)
    await page.locator('.field-error').first().waitFor()
    await inspect(page, named('errors'))

    await choose(page, words.side.lessor, '恒岳')
    await field(page, words.name).fill('二工区装载机租赁')
    await page.getByLabel(text.site.common.province).selectOption('510000')
    await page.getByLabel(text.site.common.city).selectOption('510100')
    await field(page, labels.address).fill('成都市双流区二工区驻地')
    await field(page, labels.start).fill(start)
    await field(page, labels.end).fill(end)
    await choose(page, direct.machine, equipmentCode)
    const line = page.locator('.line-editor')
    await line.getByLabel(new RegExp(`^${text.quote.form.unitPrice}`)).fill('15000')
    // The bar of the form grows when it says this, and a click on a button that moves is lost.
    await page.getByText(text.site.draft.saved).waitFor()
    await press(page, direct.save)
    // The machine is booked on some of these days.
    await page.getByText(direct.taken(free)).first().waitFor()
    await inspect(page, named('taken'))
    await field(page, labels.start).fill(free)
    await page.getByText(text.site.draft.saved).waitFor()
    await page.reload()
    await settled(page)
    expect(await field(page, words.name).inputValue()).toBe('二工区装载机租赁')
    expect(await field(page, labels.start).inputValue()).toBe(free)
    await press(page, direct.save)
    await page.waitForURL('**/contract/edit*')
    await field(page, words.clause.noticeDays).waitFor()
    await saveByColleague(Number(new URL(page.url()).searchParams.get('id')))
    await page.getByText(pages.form.changed).waitFor()
    await page.reload()
    await settled(page)
    expect(await page.getByText(pages.form.changed).count()).toBe(0)
    await field(page, words.clause.noticeDays).fill('6')
    await press(page, pages.form.saveOpen)
    await page.waitForURL('**/contract/detail*')
    await page.getByText(pages.next.send).waitFor()
    await inspect(page, named('draft'))
    await saveSilently(Number(new URL(page.url()).searchParams.get('id')))
    await page.getByRole('link', { name: direct.edit }).click()
    await page.waitForURL('**/contract/positions*')
    await settled(page)
    await inspect(page, named('positions'))
    expect(await page.getByText(pages.form.changed).count()).toBe(0)
    const price = line.getByLabel(new RegExp(`^${text.quote.form.unitPrice}`))
    await price.fill('15800')
    await page.getByText(text.site.draft.saved).waitFor()
    // What is typed while the save is under way is not sent with it, and waits.
    const letSave = await hold(page, editDirectPositions.url)
    await press(page, pages.form.saveOpen)
    await price.fill('15900')
    letSave()
    await page.waitForURL('**/contract/detail*')
    await page.locator('.toast').getByRole('button', { name: text.site.draft.goOn }).click()
    await page.waitForURL('**/contract/positions*')
    await press(page, text.site.draft.discard)
    await page.goBack()
    await page.waitForURL('**/contract/detail*')
    await page.getByText('15,800.00').first().waitFor()
    await act(page, words.action.send)
    await typeCode(page, text)
    await press(page.getByRole('dialog'), words.action.send)
    await page.getByText(pages.next.waitLessor).waitFor()

    const lessor = await visitAs(cast.lessor, '/workbench/contract/list', look)
    await lessor.page.locator('tbody a').first().click()
    await lessor.page.getByText(pages.next.confirm).waitFor()
    await act(lessor.page, words.action.confirm)
    const dialog = lessor.page.getByRole('dialog')
    await field(dialog, pages.bankName).fill('中国工商银行成都分行')
    await field(dialog, pages.bankAccount).fill('6222 0000 0000 0000 123')
    // A reload loses no account.
    await lessor.page.reload()
    await act(lessor.page, words.action.confirm)
    expect(await field(dialog, pages.bankName).inputValue()).toBe('中国工商银行成都分行')
    expect(await field(dialog, pages.bankAccount).inputValue()).toBe('6222 0000 0000 0000 123')
    await typeCode(lessor.page, text)
    await press(dialog, words.action.confirm)
    await lessor.page.getByText(pages.next.scan).waitFor()
    const booked = await db
      .selectFrom('equipmentBooking')
      .where('equipmentId', '=', machine)
      .where('reason', '=', 'contract')
      .select('slot')
      .execute()
    expect(booked).toEqual([{ slot: 1 }])
    for (const visitor of [owner, lessor]) {
      expect(visitor.problems).toEqual([])
      await visitor.close()
    }
  })

  test('has nothing to offer a lessor, who only answers', async () => {
    const { page, problems, close } = await visitAs(cast.lessor, '/workbench/contract/list', look)
    expect(await page.getByRole('link', { name: direct.add, exact: true }).count()).toBe(0)
    const saved = page.waitForEvent('download')
    if (width < 600) await press(page, text.list.tools)
    await press(page, text.list.export)
    expect((await saved).suggestedFilename()).toBe(`${words.title}.xlsx`)
    expect(problems).toEqual([])
    await close()
  })
})
