import { expect, test } from 'vitest'
import { dayOf } from '#shared/calendar.ts'
import { getContract } from '#shared/contract/contract.ts'
import { matchContractScan, uploadContractScan } from '#shared/contract/moves.ts'
import { holdsAtOnce, type ChangeKind } from '#shared/contract/rules.ts'
import { addBlock } from '#shared/equipment/own.ts'
import { amendmentWordsOf } from '#shared/text/amendment-words.ts'
import { ruleWords } from '#shared/text/validation.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { givenFile } from '#test/given-file.ts'
import { openStage } from './contract-stage.ts'
import { inspectBoth } from './inspect.ts'
import { field, go, press, settled, type Visitor } from './product.ts'

const { world, steps, visitAs, typeCode } = await openStage()
const { cast, db } = world

test('an extension is confirmed, a price refused, a clause withdrawn, an account changed and stopped, and both end the contract', async () => {
  const { id } = await steps.givenContract({ alone: true })
  await givenScan(id)
  // Each side works in its language and at its width; what it sees is looked at in the other ones as well.
  const owner = await visitAs(cast.project, `/workbench/contract/detail?id=${id}&tab=changes`, { width: 1440, language: 'zh-CN' })
  const owned = await visitAs(cast.lessor, `/workbench/contract/detail?id=${id}`, { width: 375, language: 'en-US' })
  const [lessee, lessor] = [amendmentsOf(owner, id), amendmentsOf(owned, id)]
  await lessee.page.getByText(lessee.amendment.empty).waitFor()

  await lessee.others()
  await lessee.add()
  await lessee.extend()
  await lessee.print()
  await lessor.page.getByText(lessor.words.pages.next.answerChange).waitFor()
  await lessor.page.getByRole('link', { name: lessor.words.changeKind.extend }).click()
  await lessor.inspect('asked')
  await lessor.print()
  await lessor.answer('confirm', 'extend')
  await go(lessor.page, `/workbench/contract/detail?id=${id}`)
  await lessor.page.getByText('2027-04-13').first().waitFor()

  await lessor.price()
  await lessee.refuse()

  await lessee.clause()
  await lessee.answer('recall', 'clause')
  await lessor.account()
  await lessee.answer('confirm', 'account')
  await lessor.stop()

  await lessee.terminate()
  await lessor.answer('confirm', 'terminate')
  await lessor.page.locator('header .tag', { hasText: lessor.words.status['6'] }).waitFor()
  await lessor.inspect('ended')
  // Until the last day is over the lessor still names another account, and nobody amends anything else.
  await go(lessor.page, `/workbench/contract/change?id=${id}`)
  await lessor.page.getByRole('link', { name: lessor.words.changeKind.account }).waitFor()
  expect(await lessor.page.locator('.kind-choice li').count()).toBe(1)
  await go(lessee.page, `/workbench/contract/change?id=${id}`)
  await lessee.page.getByText(lessee.amendment.lockedState(lessee.words.status['6'])).waitFor()
  for (const visitor of [owner, owned]) {
    expect(visitor.problems).toEqual([])
    await visitor.close()
  }
})

/** Both sides have the same sealed scan. */
async function givenScan(id: number) {
  const params = { id }
  const fileIds = [await givenFile(world, cast.lessor)]
  const uploaded = await cast.lessor.call(uploadContractScan, { params, body: { fileIds } })
  const matched = await cast.project.call(matchContractScan, { params, body: { agrees: true, fileIds } })
  expect([uploaded.code, matched.code]).toEqual([200, 200])
}

/** The steps by which one side amends the contract. */
function amendmentsOf({ page, text }: Visitor, id: number) {
  const words = text.contract
  const amendment = amendmentWordsOf(text)
  const today = dayOf(world.clock.now())
  const look = (part: string) => inspectBoth(page, `amend-${part}`)
  const open = async (kind: ChangeKind) => {
    await go(page, `/workbench/contract/detail?id=${id}&tab=changes`)
    await page.locator('.action-bar').getByRole('link', { name: words.action.change, exact: true }).click()
    await page.waitForURL('**/contract/change*')
    if (kind === 'extend') await look('kinds')
    const title = kind === 'quantity' ? amendment.cancel : words.changeKind[kind]
    await page.getByRole('link', { name: title, exact: true }).click()
    await page.waitForURL(`**kind=${kind}`)
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
  }
  const explain = async (kind: ChangeKind, reason: string) => {
    await field(page, amendment.reason).fill(reason)
    if (!holdsAtOnce(kind)) await field(page, amendment.from).fill(today)
  }
  const send = async (kind: ChangeKind) => {
    await press(page, amendment.next)
    await page.getByRole('dialog').waitFor()
    if (kind === 'account') await typeCode(page, text)
    if (kind === 'extend' || kind === 'account') await look(`${kind}-summary`)
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
  /** Ends the newest amendment, which needs a reason. */
  const end = async (move: 'refuse' | 'stop', reason: string) => {
    await go(page, `/workbench/contract/detail?id=${id}&tab=changes`)
    await press(newest(), amendment[move])
    const dialog = page.getByRole('dialog')
    await press(dialog, amendment[move])
    await dialog.locator('.field-error').waitFor()
    const why = move === 'refuse' ? amendment.refusedWhy : amendment.stoppedWhy
    await field(dialog, why).fill(reason)
    if (move === 'refuse') await look(move)
    await press(dialog, amendment[move])
    await newest()
      .locator('.tag', { hasText: words.changeStatus[move === 'refuse' ? '3' : '5'] })
      .waitFor()
  }
  const newest = () => page.getByRole('list', { name: amendment.list }).locator('article').first()
  return {
    page,
    words,
    amendment,
    inspect: look,
    /** The forms of positions that the rest of the journey does not send. */
    others: async () => {
      for (const kind of ['tax', 'quantity'] as const) {
        await open(kind)
        await page.getByRole('checkbox').nth(1).check()
        if (kind === 'tax') await field(page, amendment.value.tax).selectOption('6')
        await explain(kind, '与承租方商定')
        await press(page, amendment.next)
        await page.getByRole('dialog').waitFor()
        await press(page.getByRole('dialog'), text.site.common.back)
      }
    },
    /** A further position: its machine, days and rent, as far as the summary. */
    add: async () => {
      const machine = await world.givenMachine(cast.lessor.companyId)
      const { equipmentCode } = await db.selectFrom('equipment').where('id', '=', machine).select('equipmentCode').executeTakeFirstOrThrow()
      const { direct } = words.pages
      await go(page, `/workbench/contract/change?id=${id}`)
      await page.getByRole('link', { name: amendment.add, exact: true }).click()
      await page.getByRole('heading', { level: 1, name: amendment.add }).waitFor()
      const why = field(page, amendment.reason)
      await why.fill('写错了')
      await page.getByText(text.site.draft.saved).waitFor()
      await page.reload()
      await settled(page)
      expect(await why.inputValue()).toBe('写错了')
      await press(page, text.site.draft.discard)
      expect(await why.inputValue()).toBe('')
      // What is missing is said in one go, the reason too.
      await press(page, amendment.next)
      await page.locator('.line-editor .field-error').first().waitFor()
      expect(await page.locator('.field-bad', { has: why }).count()).toBe(1)
      await page.locator('.form-problems').getByRole('button', { name: amendment.reason }).waitFor()
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
      await why.fill('与承租方商定')
      await page.getByText(text.site.draft.saved).waitFor()
      await look('add')
      await press(page, amendment.next)
      await page.getByRole('dialog').getByText(equipmentCode).waitFor()
      await press(page.getByRole('dialog'), text.site.common.back)
    },
    extend: async () => {
      await open('extend')
      await press(page, amendment.next)
      await page.getByText(ruleWords(text, 'positions_none'), { exact: true }).first().waitFor()
      await page.getByRole('checkbox').nth(1).check()
      const end = field(page, amendment.value.extend)
      await end.fill('2027-03-13')
      await field(page, amendment.reason).fill('工期顺延一个月')
      await press(page, amendment.next)
      await page
        .getByText(text.rule.codes.extend_later ?? '')
        .first()
        .waitFor()
      await end.fill('2027-05-01')
      await reserve('2027-04-20', '2027-05-20')
      await press(page, amendment.next)
      await press(page.getByRole('dialog'), amendment.send)
      await page.getByText(amendment.taken('2027-04-20', '2027-05-20')).first().waitFor()
      await look('extend-taken')
      await end.fill('2027-04-13')
      await page.getByText('→').waitFor()
      await send('extend')
    },
    price: async () => {
      await open('price')
      await page.getByLabel(amendment.all).check()
      await field(page, amendment.value.price).first().fill('18000')
      await press(page, amendment.same)
      await explain('price', '柴油涨价，按市场价调整')
      await send('price')
    },
    /** The newest amendment as a file to seal. */
    print: async () => {
      const [saved] = await Promise.all([page.waitForEvent('download'), press(newest(), words.pages.pdf)])
      expect(saved.suggestedFilename()).toMatch(/^BC\d+\.pdf$/)
    },
    refuse: () => end('refuse', '预算没有这笔'),
    stop: () => end('stop', '账号不是本公司的'),
    clause: async () => {
      await open('clause')
      await press(page, amendment.next)
      await page.getByText(amendment.noClause).first().waitFor()
      const box = page.getByRole('combobox', { name: amendment.clauses })
      for (const key of ['noticeDays', 'payDays', 'stopRules'] as const) {
        await box.fill(words.clause[key])
        await page.getByRole('option', { name: words.clause[key], exact: true }).click()
      }
      await field(page, words.clause.noticeDays).fill('7')
      await field(page, words.clause.payDays).fill('45')
      await explain('clause', '项目付款流程变更')
      await look('clause')
      await send('clause')
    },
    account: async () => {
      await open('account')
      await field(page, words.pages.bankName).fill('中国建设银行成都分行')
      await field(page, words.pages.bankAccount).fill('6217 0000 0000 0000 001')
      await field(page, amendment.reason).fill('原账户注销')
      await field(page, amendment.dated).fill(today)
      await send('account')
    },
    terminate: async () => {
      await open('terminate')
      await field(page, amendment.lastDay).fill(today)
      await field(page, amendment.reason).fill('标段取消')
      await look('terminate')
      await send('terminate')
    },
    /** Answers the newest amendment, once it has reached the page. */
    answer: async (answer: 'confirm' | 'recall', kind: ChangeKind) => {
      await go(page, `/workbench/contract/detail?id=${id}&tab=changes`)
      await press(newest(), amendment[answer])
      // The other kinds ask in the same words.
      if (kind === 'account') await look(`${kind}-${answer}`)
      await press(page.getByRole('dialog'), amendment[answer])
      await newest()
        .locator('.tag', { hasText: words.changeStatus[answer === 'confirm' ? '2' : '4'] })
        .waitFor()
    },
  }
}

test('the form of an amendment opens anew with another version of the contract, says so and offers the reason', async () => {
  const amendment = amendmentWordsOf(zhCn)
  const { id } = await steps.givenContract({ alone: true })
  const address = `/workbench/contract/change?id=${id}&kind=price`
  const { page, problems, close } = await visitAs(cast.project, address, { width: 1440, language: 'zh-CN' })
  const reason = field(page, amendment.reason)
  await reason.fill('柴油涨价')
  await db.updateTable('contract').set({ revision: 2 }).where('id', '=', id).execute()
  // The message about the scan has the page fetch the contract again.
  const fileIds = [await givenFile(world, cast.lessor)]
  await cast.lessor.call(uploadContractScan, { params: { id }, body: { fileIds } })
  await page.getByText(amendment.openedAnew).waitFor()
  expect(await reason.inputValue()).toBe('')
  await press(page, zhCn.site.draft.accept)
  expect(await reason.inputValue()).toBe('柴油涨价')
  expect(await page.locator('.toast', { hasText: zhCn.site.draft.left }).count()).toBe(0)
  expect(problems).toEqual([])
  await close()
})
