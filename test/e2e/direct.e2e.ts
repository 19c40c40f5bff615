import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { addDays, dayOf } from '#shared/calendar.ts'
import { getContract } from '#shared/contract/contract.ts'
import { editDirectPositions } from '#shared/contract/direct.ts'
import { attachOwnForms } from '#shared/contract/moves.ts'
import { paths } from '#shared/paths.ts'
import { transact } from '#server/deed.ts'
import { sendMessages } from '#server/message/queries.ts'
import { monday } from '#test/world.ts'
import { openStage } from './contract-stage.ts'
import { hold } from './hold.ts'
import { inspectBoth, showIn } from './inspect.ts'
import { act, field, press, settled, wordsIn, type Look, type Visitor } from './product.ts'

const { world, visitAs, typeCode } = await openStage()
const { cast, clock, db } = world
beforeEach(() => clock.set(monday))

const wide: Look = { width: 1440, language: 'zh-CN' }
const narrow: Look = { width: 375, language: 'en-US' }
const look = (page: Page, part: string) => inspectBoth(page, `direct-${part}`)

async function choose(page: Page, label: string, typed: string) {
  const picker = page.getByRole('combobox', { name: label })
  await picker.click()
  await picker.pressSequentially(typed)
  await page.locator('.picker-option', { hasText: typed }).first().click()
}

const priceOf = (page: Page, text: Visitor['text']) => page.locator('.line-editor').getByLabel(new RegExp(`^${text.quote.form.unitPrice}`))

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

/** The machine that the contract is to have is booked until the first of the free days. */
async function givenBookedMachine() {
  const id = await world.givenMachine(cast.lessor.companyId)
  const { equipmentCode: code } = await db.selectFrom('equipment').where('id', '=', id).select('equipmentCode').executeTakeFirstOrThrow()
  const today = dayOf(monday)
  const free = addDays(today, 60)
  await db
    .insertInto('equipmentBooking')
    .values({ equipmentId: id, slot: 1, period: `[${addDays(today, 30)},${free})`, reason: 'own' })
    .execute()
  return { id, code, start: addDays(today, 40), end: addDays(today, 100), free }
}

test('a contract that a unit writes down itself is written with its machine, refused on booked days with the first free one, kept over a reload, sent and confirmed', async () => {
  const machine = await givenBookedMachine()
  const owner = await visitAs(cast.project, '/workbench/contract/list', wide)
  await write(owner, machine)
  await revise(owner)
  await send(owner)
  const lessor = await visitAs(cast.lessor, '/workbench/contract/list', narrow)
  await confirm(lessor)
  const booked = await db
    .selectFrom('equipmentBooking')
    .where('equipmentId', '=', machine.id)
    .where('reason', '=', 'contract')
    .select('slot')
    .execute()
  expect(booked).toEqual([{ slot: 1 }])
  for (const visitor of [owner, lessor]) {
    expect(visitor.problems).toEqual([])
    await visitor.close()
  }
})

/** Fills in the form until it is saved, on the first days that the machine is free. */
async function write({ page, text }: Visitor, machine: Awaited<ReturnType<typeof givenBookedMachine>>) {
  const words = text.contract
  const { direct } = words.pages
  const labels = text.demand.form
  await page.getByRole('link', { name: direct.add, exact: true }).first().click()
  await page.waitForURL('**/contract/add')
  await settled(page)
  await press(page, direct.save)
  await page.locator('.field-error').first().waitFor()
  await look(page, 'errors')

  await choose(page, words.side.lessor, '恒岳')
  await field(page, words.name).fill('二工区装载机租赁')
  await page.getByLabel(text.site.common.province).selectOption('510000')
  await page.getByLabel(text.site.common.city).selectOption('510100')
  await field(page, labels.address).fill('成都市双流区二工区驻地')
  await field(page, labels.start).fill(machine.start)
  await field(page, labels.end).fill(machine.end)
  await choose(page, direct.machine, machine.code)
  await priceOf(page, text).fill('15000')
  const fees = page.locator('summary', { hasText: direct.fees })
  const fee = field(page, text.quote.form.entryFee)
  await fees.click()
  await fee.fill('abc')
  await fees.click()
  await fee.waitFor({ state: 'hidden' })
  // The bar of the form grows when it says this, and a click on a button that moves is lost.
  await page.getByText(text.site.draft.saved).waitFor()
  await press(page, direct.save)
  // The machine is booked on some of these days.
  await page.getByText(direct.taken(machine.free)).first().waitFor()
  // The fold opens for the refused fee and stays open while it is corrected.
  await fee.waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-invalid'))).toBe('true')
  await fee.selectText()
  await fee.pressSequentially('800')
  expect(await fee.inputValue()).toBe('800')
  await fee.fill('')
  await field(page, labels.start).fill(machine.free)
  await page.getByText(text.site.draft.saved).waitFor()
  await page.reload()
  await settled(page)
  expect(await field(page, words.name).inputValue()).toBe('二工区装载机租赁')
  expect(await field(page, labels.start).inputValue()).toBe(machine.free)
  await press(page, direct.save)
  await page.waitForURL('**/contract/edit*')
}

/** Changes a clause and then the rent, while a colleague saves the same draft and while an own save is under way. */
async function revise({ page, text }: Visitor) {
  const words = text.contract
  const { direct, form, next } = words.pages
  const id = Number(new URL(page.url()).searchParams.get('id'))
  await field(page, words.clause.noticeDays).waitFor()
  await saveByColleague(id)
  await page.getByText(form.changed).waitFor()
  await page.reload()
  await settled(page)
  expect(await page.getByText(form.changed).count()).toBe(0)
  await field(page, words.clause.noticeDays).fill('6')
  await press(page, form.saveOpen)
  await page.waitForURL('**/contract/detail*')
  await page.getByText(next.send).waitFor()
  await saveSilently(id)
  await page.getByRole('link', { name: direct.edit }).click()
  await page.waitForURL('**/contract/positions*')
  await settled(page)
  await look(page, 'positions')
  expect(await page.getByText(form.changed).count()).toBe(0)
  const price = priceOf(page, text)
  await price.fill('15800')
  await page.getByText(text.site.draft.saved).waitFor()
  // What is typed while the save is under way is not sent with it, and waits.
  const letSave = await hold(page, editDirectPositions.url)
  await press(page, form.saveOpen)
  await price.fill('15900')
  letSave()
  await page.waitForURL('**/contract/detail*')
  await page.locator('.toast').getByRole('button', { name: text.site.draft.goOn }).click()
  await page.waitForURL('**/contract/positions*')
  await press(page, text.site.draft.discard)
  await page.goBack()
  await page.waitForURL('**/contract/detail*')
  await page.getByText('15,800.00').first().waitFor()
}

async function send({ page, text }: Visitor) {
  const words = text.contract
  await act(page, words.action.send)
  await typeCode(page, text)
  await press(page.getByRole('dialog'), words.action.send)
  await page.getByText(words.pages.next.waitLessor).waitFor()
}

async function confirm({ page, text }: Visitor) {
  const words = text.contract
  const { pages } = words
  await page.locator('tbody a').first().click()
  await page.getByText(pages.next.confirm).waitFor()
  await act(page, words.action.confirm)
  const dialog = page.getByRole('dialog')
  await field(dialog, pages.bankName).fill('中国工商银行成都分行')
  await field(dialog, pages.bankAccount).fill('6222 0000 0000 0000 123')
  // A reload loses no account.
  await page.reload()
  await act(page, words.action.confirm)
  expect(await field(dialog, pages.bankName).inputValue()).toBe('中国工商银行成都分行')
  expect(await field(dialog, pages.bankAccount).inputValue()).toBe('6222 0000 0000 0000 123')
  await typeCode(page, text)
  await press(dialog, words.action.confirm)
  await page.getByText(pages.next.scan).waitFor()
}

test('a lessor is offered nothing to write down, and exports the list of contracts in either language', async () => {
  const { page, problems, close } = await visitAs(cast.lessor, '/workbench/contract/list', wide)
  for (const one of [wide, narrow]) {
    const words = wordsIn(one.language)
    await showIn(page, one)
    expect(await page.getByRole('link', { name: words.contract.pages.direct.add, exact: true }).count()).toBe(0)
    const saved = page.waitForEvent('download')
    // On a phone the tools of the list are in a menu.
    if (one === narrow) await press(page, words.list.tools)
    await press(page, words.list.export)
    expect((await saved).suggestedFilename()).toBe(`${words.contract.title}.xlsx`)
  }
  expect(problems).toEqual([])
  await close()
})
