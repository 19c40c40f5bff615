import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { dayOf } from '#shared/calendar.ts'
import type { ChangeKind } from '#shared/contract/rules.ts'
import { getContract } from '#shared/contract/contract.ts'
import { matchContractScan, uploadContractScan } from '#shared/contract/moves.ts'
import { addBlock } from '#shared/equipment/own.ts'
import { amendmentWordsOf } from '#shared/text/amendment-words.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { contractSteps } from '#test/given-contract.ts'
import { givenFile } from '#test/given-file.ts'
import { readPdf } from '#test/read-pdf.ts'
import { openWorld, type Person } from '#test/world.ts'
import { act, field, inspect, launchBrowser, photo, press, settled, visitWithToken, type Look, type Visitor } from './product.ts'

/** The server of this process, so that its clock can be moved by hand. */
const world = await openWorld({ pages: true })
await world.server.listen({ port: 0, host: '127.0.0.1' })
const origin = `http://127.0.0.1:${(world.server.server.address() as AddressInfo).port}`
const browser = await launchBrowser()
const { cast, db, letters } = world
const steps = contractSteps(world)
afterAll(async () => {
  await browser.close()
  await world.close()
})
beforeEach(async () => {
  // Each run begins on the same Monday, so the codes of the one before are of the future.
  await db.deleteFrom('smsCode').execute()
  await db.deleteFrom('callLimit').execute()
  await db.updateTable('company').set({ scaleType: 'small' }).where('id', '=', cast.lessor.companyId).execute()
})

const visitAs = (person: Person, path: string, look: Look) => visitWithToken(browser, origin, { token: person.token ?? '', path, ...look })

describe.each([
  ['zh-CN', 1440],
  ['en-US', 375],
] as const)('contracts, in %s at %i px', (language, width) => {
  const text = (language === 'zh-CN' ? zhCn : en) as typeof zhCn
  const words = text.contract
  const { pages } = words
  const amendment = amendmentWordsOf(text)
  const { register } = text.personal

  /** Requests a code in the open dialog and types it as the phone got it. */
  async function typeCode(page: Page) {
    // A minute passes between two codes of one number.
    steps.pass(61)
    const dialog = page.getByRole('dialog')
    const before = letters.length
    await press(dialog, register.send)
    await expect.poll(() => letters.length).toBeGreaterThan(before)
    await field(dialog, register.smsCode).fill(letters.findLast(({ template }) => template === 'signCode')?.params[0]?.[1] ?? '')
  }

  async function saveClause(page: Page, label: string, value: string) {
    await page.locator('.action-bar').getByRole('link', { name: words.action.edit, exact: true }).click()
    await page.waitForURL('**/contract/edit*')
    await field(page, label).fill(value)
    await press(page, pages.form.saveOpen)
    await page.waitForURL('**/contract/detail*')
    await settled(page)
  }

  test('accepted, drafted, edited, sent with a code, returned with a comment on a clause, sent again, confirmed, its scan matched', async () => {
    const { demand } = await steps.givenAwarded()
    const look = { width, language }
    const named = (part: string) => `contract-${language}-${width}-${part}`
    const winner = await visitAs(cast.lessor, `/workbench/crequirement/detail?id=${demand.id}`, look)
    await press(winner.page, pages.award.accept)
    await press(winner.page.getByRole('dialog'), pages.award.accept)
    await winner.page.getByText(pages.award.waitDraft).waitFor()
    await inspect(winner.page, named('accepted'))

    // The first lessor has accepted, so it has a draft; that of the second is made by hand.
    const owner = await visitAs(cast.project, `/workbench/requirement/detail?id=${demand.id}`, look)
    const { page } = owner
    const links = page.locator('section', { has: page.getByRole('heading', { name: pages.award.title }) }).locator('a')
    expect(await links.count()).toBe(1)
    await press(page, pages.award.draft)
    await expect.poll(() => links.count()).toBe(2)
    await inspect(page, named('demand'))
    await links.first().click()
    await page.getByText(pages.next.send).waitFor()
    await inspect(page, named('draft'))
    const address = page.url()

    await editDraft(page)
    await inspect(page, named('edited'))
    await act(page, words.action.send)
    await typeCode(page)
    await inspect(page, named('send'))
    await press(page.getByRole('dialog'), words.action.send)
    await page.getByText(pages.next.waitLessor).waitFor()

    await winner.page.goto('/workbench/contract/list')
    await inspect(winner.page, named('list'))
    await winner.page.locator('tbody a').first().click()
    await returnIt(winner)
    await page.getByText('请改为 7 日').first().waitFor({ timeout: 20_000 })
    await saveClause(page, words.clause.noticeDays, '7')
    await act(page, words.action.send)
    await typeCode(page)
    await press(page.getByRole('dialog'), words.action.send)
    await page.getByText(pages.next.waitLessor).waitFor()

    await confirmIt(winner)
    await winner.page.getByText(pages.next.waitScan).waitFor()
    await page.goto(address)
    await act(page, words.action.matchScan)
    await inspect(page, named('scan'))
    await press(page.getByRole('dialog'), pages.same)
    await page.getByText(words.scan['2']).first().waitFor()
    for (const tab of ['clauses', 'people', 'text', 'history'] as const) {
      // A phone chooses from a list.
      if (width > 768) await page.getByRole('link', { name: pages.tabs[tab], exact: true }).click()
      else await page.getByRole('combobox', { name: pages.tabsLabel }).selectOption(tab)
      await page.locator('.tabs a[aria-current=page]', { hasText: pages.tabs[tab] }).waitFor({ state: 'attached' })
      await page.locator('.progress').waitFor({ state: 'detached' })
      await inspect(page, named(tab))
    }
    await page.getByText(words.record.good(11, 1)).waitFor()
    const [pack] = await Promise.all([page.waitForEvent('download'), press(page, words.record.evidence.action)])
    expect(pack.suggestedFilename()).toBe(words.record.evidence.file(/HT\d+/.exec(pack.suggestedFilename())?.[0] ?? ''))
    const [saved] = await Promise.all([page.waitForEvent('download'), press(page, pages.pdf)])
    expect(saved.suggestedFilename()).toMatch(/^HT\d+\.pdf$/)
    const [first] = await readPdf(readFileSync(await saved.path()))
    expect(first?.header).toContain(saved.suggestedFilename().replace('.pdf', ''))
    await page.goto('/workbench/contract/list?status=2')
    await inspect(page, named('list-owner'))
    expect(await page.locator('tbody [data-row]').count()).toBeGreaterThanOrEqual(1)
    for (const visitor of [owner, winner]) {
      expect(visitor.problems).toEqual([])
      await visitor.close()
    }
  })

  test('an extension is confirmed, a price refused and then agreed, a clause withdrawn, an account changed, and both end the contract', async () => {
    const { id } = await steps.givenContract({ alone: true })
    await givenScan(id)
    const amended = amendments(id)
    const lessee = await visitAs(cast.project, `/workbench/contract/detail?id=${id}&tab=changes`, { width, language })
    const lessor = await visitAs(cast.lessor, `/workbench/contract/detail?id=${id}`, { width, language })
    await lessee.page.getByText(amendment.empty).waitFor()
    await amended.inspect(lessee.page, 'empty')

    await amended.others(lessee.page)
    await amended.add(lessee.page)
    await amended.extend(lessee.page)
    await lessor.page.getByText(pages.next.answerChange).waitFor({ timeout: 20_000 })
    await lessor.page.getByRole('link', { name: words.changeKind.extend }).click()
    await amended.inspect(lessor.page, 'asked')
    await amended.answer(lessor.page, 'confirm', 'extend')
    await lessor.page.goto(`/workbench/contract/detail?id=${id}`)
    await lessor.page.getByText('2027-04-13').first().waitFor()

    await amended.price(lessor.page)
    await amended.refuse(lessee.page)
    await amended.price(lessor.page)
    await amended.answer(lessee.page, 'confirm', 'price')

    await amended.clause(lessee.page)
    await amended.inspect(lessee.page, 'clause-sent')
    await amended.answer(lessee.page, 'recall', 'clause')
    await amended.account(lessor.page)
    await amended.answer(lessee.page, 'confirm', 'account')

    await amended.terminate(lessee.page)
    await amended.answer(lessor.page, 'confirm', 'terminate')
    await lessor.page.locator('header .tag', { hasText: words.status['6'] }).waitFor()
    await amended.inspect(lessor.page, 'ended')
    await lessor.page.goto(`/workbench/contract/change?id=${id}`)
    await lessor.page.getByText(amendment.lockedState(words.status['6'])).waitFor()
    await amended.inspect(lessor.page, 'locked')
    for (const visitor of [lessee, lessor]) {
      expect(visitor.problems).toEqual([])
      await visitor.close()
    }
  })

  /** Both sides have the same sealed scan. */
  async function givenScan(id: number) {
    const params = { id }
    const uploaded = await cast.lessor.call(uploadContractScan, { params, body: { fileIds: [await givenFile(world, cast.lessor)] } })
    const matched = await cast.project.call(matchContractScan, { params, body: { agrees: true } })
    expect([uploaded.code, matched.code]).toEqual([200, 200])
  }

  /** The steps by which people amend the contract. */
  function amendments(id: number) {
    // The form counts from the day of the browser, the server from that of its clock.
    const today = [dayOf(new Date()), dayOf(world.clock.now())].toSorted().at(-1) ?? ''
    const look = (page: Page, part: string) => inspect(page, `amend-${language}-${width}-${part}`)
    const open = async (page: Page, kind: ChangeKind) => {
      await page.goto(`/workbench/contract/detail?id=${id}&tab=changes`)
      await page.locator('.action-bar').getByRole('link', { name: words.action.change, exact: true }).click()
      await page.waitForURL('**/contract/change*')
      if (kind === 'extend') await look(page, 'kinds')
      const title = kind === 'quantity' ? amendment.cancel : words.changeKind[kind]
      await page.getByRole('link', { name: title, exact: true }).click()
      await page.waitForURL(`**kind=${kind}`)
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
    }
    const explain = async (page: Page, reason: string) => {
      await field(page, amendment.reason).fill(reason)
      await field(page, amendment.from).fill(today)
    }
    const send = async (page: Page, kind: ChangeKind) => {
      await press(page, amendment.next)
      await page.getByRole('dialog').waitFor()
      if (kind === 'account') await typeCode(page)
      await look(page, `${kind}-summary`)
      await press(page.getByRole('dialog'), amendment.send)
      await page.waitForURL('**tab=changes')
      await page.locator('.tag', { hasText: words.changeStatus['1'] }).waitFor()
    }
    /** The lessor needs the machine of the first position on these days. */
    const reserve = async (from: string, to: string) => {
      const { data } = await cast.project.call(getContract, { params: { id } })
      const params = { id: data.lines[0]?.equipmentId ?? 0 }
      expect((await cast.lessor.call(addBlock, { params, body: { from, to, reason: 'own' } })).code).toBe(200)
    }
    const newest = (page: Page) => page.getByRole('list', { name: amendment.list }).locator('article').first()
    return {
      inspect: look,
      /** The forms of positions that the rest of the journey does not send. */
      others: async (page: Page) => {
        for (const kind of ['shorten', 'tax', 'quantity'] as const) {
          await open(page, kind)
          await page.getByRole('checkbox').nth(1).check()
          if (kind === 'shorten') await field(page, amendment.value.shorten).fill('2027-01-13')
          if (kind === 'tax') await field(page, amendment.value.tax).selectOption('6')
          await explain(page, '与承租方商定')
          await look(page, kind)
          await press(page, amendment.next)
          await look(page, `${kind}-summary`)
          await press(page.getByRole('dialog'), text.site.common.back)
        }
      },
      /** A further position: its machine, days and rent, as far as the summary. */
      add: async (page: Page) => {
        const machine = await world.givenMachine(cast.lessor.companyId)
        const { equipmentCode } = await db
          .selectFrom('equipment')
          .where('id', '=', machine)
          .select('equipmentCode')
          .executeTakeFirstOrThrow()
        const { direct } = words.pages
        await page.goto(`/workbench/contract/change?id=${id}`)
        await page.getByRole('link', { name: amendment.add, exact: true }).click()
        await page.getByRole('heading', { level: 1, name: amendment.add }).waitFor()
        await field(page, text.demand.form.start).fill('2027-06-01')
        await field(page, text.demand.form.end).fill('2027-08-01')
        const picker = page.getByRole('combobox', { name: direct.machine })
        await picker.click()
        await picker.pressSequentially(equipmentCode)
        await page.locator('.picker-option', { hasText: equipmentCode }).first().click()
        await page
          .locator('.line-editor')
          .getByLabel(new RegExp(`^${text.quote.form.unitPrice}`))
          .fill('15000')
        await field(page, amendment.reason).fill('与承租方商定')
        await page.getByText(text.site.draft.saved).waitFor()
        await look(page, 'add')
        await press(page, amendment.next)
        await page.getByRole('dialog').getByText(equipmentCode).waitFor()
        await look(page, 'add-summary')
        await press(page.getByRole('dialog'), text.site.common.back)
      },
      extend: async (page: Page) => {
        await open(page, 'extend')
        await field(page, amendment.from).fill(today)
        await press(page, amendment.next)
        await page.getByText(text.rule.list_min(1), { exact: true }).first().waitFor()
        await look(page, 'extend-nothing')
        await page.getByRole('checkbox').nth(1).check()
        const end = field(page, amendment.value.extend)
        await end.fill('2027-03-13')
        await field(page, amendment.reason).fill('工期顺延一个月')
        await press(page, amendment.next)
        await page
          .getByText(text.rule.codes.extend_later ?? '')
          .first()
          .waitFor()
        await look(page, 'extend-early')
        await end.fill('2027-05-01')
        await reserve('2027-04-20', '2027-05-20')
        await press(page, amendment.next)
        await press(page.getByRole('dialog'), amendment.send)
        await page.getByText(amendment.taken('2027-04-20', '2027-05-20')).first().waitFor()
        await look(page, 'extend-taken')
        await end.fill('2027-04-13')
        await page.getByText('→').waitFor()
        // What is typed survives leaving the page.
        await page.getByText(text.site.draft.saved).waitFor()
        await page.reload()
        await settled(page)
        expect(await end.inputValue()).toBe('2027-04-13')
        await look(page, 'extend')
        await send(page, 'extend')
        await look(page, 'sent')
      },
      price: async (page: Page) => {
        await open(page, 'price')
        await page.getByLabel(amendment.all).check()
        await field(page, amendment.value.price).first().fill('18000')
        await press(page, amendment.same)
        await explain(page, '柴油涨价，按市场价调整')
        await look(page, 'price')
        await send(page, 'price')
      },
      refuse: async (page: Page) => {
        await page.goto(`/workbench/contract/detail?id=${id}&tab=changes`)
        await press(newest(page), amendment.refuse)
        const dialog = page.getByRole('dialog')
        await press(dialog, amendment.refuse)
        await dialog.locator('.field-error').waitFor()
        await field(dialog, amendment.refusedWhy).fill('预算没有这笔')
        await look(page, 'refuse')
        await press(dialog, amendment.refuse)
        await newest(page).locator('.tag', { hasText: words.changeStatus['3'] }).waitFor()
        await look(page, 'refused')
      },
      clause: async (page: Page) => {
        await open(page, 'clause')
        await press(page, amendment.next)
        await page.getByText(amendment.noClause).first().waitFor()
        const box = page.getByRole('combobox', { name: amendment.clauses })
        for (const key of ['noticeDays', 'payDays', 'stopRules'] as const) {
          await box.fill(words.clause[key])
          await page.getByRole('option', { name: words.clause[key], exact: true }).click()
        }
        await field(page, words.clause.noticeDays).fill('7')
        await field(page, words.clause.payDays).fill('45')
        await explain(page, '项目付款流程变更')
        await look(page, 'clause')
        await send(page, 'clause')
      },
      account: async (page: Page) => {
        await open(page, 'account')
        await field(page, pages.bankName).fill('中国建设银行成都分行')
        await field(page, pages.bankAccount).fill('6217 0000 0000 0000 001')
        await field(page, amendment.reason).fill('原账户注销')
        await field(page, amendment.dated).fill(today)
        await look(page, 'account')
        await send(page, 'account')
      },
      terminate: async (page: Page) => {
        await open(page, 'terminate')
        await field(page, amendment.lastDay).fill(today)
        await field(page, amendment.reason).fill('标段取消')
        await look(page, 'terminate')
        await send(page, 'terminate')
      },
      /** Answers the newest amendment, once it has reached the page. */
      answer: async (page: Page, answer: 'confirm' | 'recall', kind: ChangeKind) => {
        await page.goto(`/workbench/contract/detail?id=${id}&tab=changes`)
        await press(newest(page), amendment[answer])
        await look(page, `${kind}-${answer}`)
        await press(page.getByRole('dialog'), amendment[answer])
        await newest(page)
          .locator('.tag', { hasText: words.changeStatus[answer === 'confirm' ? '2' : '4'] })
          .waitFor()
      },
    }
  }

  /** The form words each clause as it is typed, names what is wrong, and quotes the article that a value breaks. */
  async function editDraft(page: Page) {
    await page.locator('.action-bar').getByRole('link', { name: words.action.edit, exact: true }).click()
    await page.waitForURL('**/contract/edit*')
    const notice = field(page, words.clause.noticeDays)
    await notice.fill('40')
    await page.getByText(text.rule.number_max(30)).first().waitFor()
    await notice.fill('5')
    await page
      .getByText(language === 'zh-CN' ? '承租方应提前 5 日通知退场。' : /5 days/)
      .first()
      .waitFor()
    await page.getByLabel(pages.form.scaleLessee).selectOption('large')
    await field(page, words.clause.payDays).fill('90')
    await page.getByText(words.rule.pay_days_sme).first().waitFor()
    await inspect(page, `contract-${language}-${width}-edit`)
    // What is to be corrected stands at the top and leads to its field.
    await page.locator('.form-problems').getByRole('button', { name: words.clause.payDays }).click()
    await expect.poll(() => field(page, words.clause.payDays).evaluate((input) => input === document.activeElement)).toBe(true)
    await field(page, words.clause.payDays).fill('30')
    // What is typed survives a reload.
    await page.getByText(text.site.draft.saved).waitFor()
    await page.reload()
    await settled(page)
    expect(await field(page, words.clause.noticeDays).inputValue()).toBe('5')
    // The own form is saved at once, and the draft can be saved after it.
    const annex = page.locator('section', { has: page.getByRole('heading', { name: pages.ownForm.title }) })
    await annex
      .locator('input[data-files]')
      .setInputFiles({ name: '合同范本.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') })
    await page.getByText(pages.ownForm.saved).waitFor()
    await press(page, pages.form.saveOpen)
    await page.waitForURL('**/contract/detail*')
    await settled(page)
  }

  async function returnIt({ page }: Visitor) {
    await page.getByText(pages.next.confirm).waitFor()
    await act(page, words.action.return)
    const dialog = page.getByRole('dialog')
    await field(dialog, pages.returnComment).fill('退场通知太短')
    await press(dialog, pages.addClause)
    await dialog.getByLabel(pages.clause, { exact: true }).selectOption('noticeDays')
    await field(dialog, pages.clauseComment).fill('请改为 7 日')
    await inspect(page, `contract-${language}-${width}-return`)
    await press(dialog, words.action.return)
    await page.getByText(words.status['0'], { exact: true }).first().waitFor()
  }

  async function confirmIt({ page }: Visitor) {
    await page.getByText(pages.next.confirm).waitFor({ timeout: 20_000 })
    await act(page, words.action.confirm)
    const dialog = page.getByRole('dialog')
    await field(dialog, pages.bankName).fill('中国工商银行成都分行')
    await field(dialog, pages.bankAccount).fill('6222 0000 0000 0000 123')
    await typeCode(page)
    await inspect(page, `contract-${language}-${width}-confirm`)
    await press(dialog, words.action.confirm)
    await page.getByText(pages.next.scan).waitFor()
    await act(page, words.action.scan)
    await dialog.locator('input[data-files]').setInputFiles(photo)
    await dialog.locator('.paper-thumb').waitFor()
    await press(dialog, words.action.scan)
  }
})
