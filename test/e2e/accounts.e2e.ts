import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { saveCertificationDraft, submitRentout } from '#shared/certification/contract.ts'
import { creditCodeCheck } from '#shared/company/rules.ts'
import { paths } from '#shared/paths.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { expectAccessible } from './accessible.ts'
import { hold } from './hold.ts'
import { newPhone, signUp } from './newcomer.ts'
import { inspectBoth, showIn } from './inspect.ts'
import { field, follow, go, press, settled, startProduct, wordsIn, type Look, type Visitor } from './product.ts'
import { receiveCode } from './sms-code.ts'

const product = await startProduct()
afterAll(() => product.close())

const paper = (hue: number) =>
  sharp({ create: { width: 640, height: 420, channels: 3, background: { r: hue, g: 210, b: 230 } } })
    .png()
    .toBuffer()

async function choosePlace(page: Page, text: typeof zhCn) {
  await field(page, text.site.common.province).selectOption('510000')
  await expect.poll(() => field(page, text.site.common.city).locator('option').count()).toBeGreaterThan(2)
  await field(page, text.site.common.city).selectOption('510100')
}

const wide: Look = { width: 1440, language: 'zh-CN' }
const phone: Look = { width: 375, language: 'en-US' }

test('[S2.13][S2.16][S4.6] somebody registers by SMS and certifies; one document is sent back, submitted again and approved; the menus change without a reload', async () => {
  // Another company at each try.
  const number = newPhone()
  const company = `成都岷山机械租赁有限公司${60_000 + Number(number.slice(-4))}`
  const visitor = await product.visit(phone)
  const { page, text } = visitor
  const { certification } = text
  await register(visitor, number)
  await expectNothingElse(visitor)
  await certify(visitor, { number, company })

  // The operator gets a message and sends one document back.
  const operator = await product.visit({ ...wide, user: 'operator' })
  await sendBack(operator.page, company)

  // The decision arrives on the open page, which asks for that document only.
  await page.getByText(certification.onlyRejected).waitFor()
  expect(await page.locator('input[data-paper]').count()).toBe(1)
  await page.getByText('照片不清晰').first().waitFor()
  await look(page, 'sent-back')
  await page.locator('input[data-paper=legalIdBack]').setInputFiles({ name: 'again.png', mimeType: 'image/png', buffer: await paper(200) })
  await expect.poll(() => page.locator('.paper-thumb img').count()).toBe(1)
  await press(page, certification.submit)
  await page.getByText(certification.inReview).waitFor()
  const workbench = page.locator('.site-tools > a').getByText(text.site.action.workbench)
  expect(await workbench.count()).toBe(0)

  // A load, for what the page asked for within the last five seconds is not asked for again.
  await go(operator.page, '/admin/certification?status=1')
  await operator.page.getByRole('link', { name: company }).click()
  await operator.page.getByRole('button', { name: operator.text.certification.review.pass }).click()
  await operator.page.getByText(operator.text.certification.review.passed).waitFor()
  expect(operator.problems).toEqual([])
  await operator.close()

  await workbench.waitFor()
  await page.getByText(certification.status['2'], { exact: true }).first().waitFor()
  await workbench.click()
  await page.waitForURL('**/workbench/crequirement')
  for (const own of [phone, wide]) {
    await showIn(page, own)
    const { equipment, quote, blacklist, contract, organization } = wordsIn(own.language)
    await expect
      .poll(async () => (await page.locator('aside nav a').allTextContents()).map((words) => words.replace(/\d+$/, '')))
      .toEqual([equipment.own.title, quote.title, blacklist.titleOwn, contract.title, organization.people])
  }
  expect(await page.evaluate(() => (window as unknown as { mark?: string }).mark)).toBe('same page')
  expect(visitor.problems).toEqual([])
  await visitor.close()
})

const look = (page: Page, name: string) => inspectBoth(page, `account-${name}`)

/** Registration shows an error beside its field and loses nothing that was typed. */
async function register({ page, text }: Visitor, number: string) {
  const words = text.personal.register
  await page.goto('/login')
  await settled(page)
  await page.getByRole('link', { name: words.toRegister }).click()
  await page.getByRole('heading', { name: words.title }).waitFor()
  await settled(page)
  await press(page, words.submit)
  await page.getByText(text.rule.codes.agree_terms ?? '').waitFor()
  expect(await page.locator('.field-error').count()).toBeGreaterThanOrEqual(4)
  await look(page, 'register')
  await field(page, words.phone).fill(number)
  const code = await receiveCode(product, page, { text, type: 'register', phonenumber: number })
  await field(page, words.smsCode).fill(code)
  await field(page, words.password).fill('Juzi#2026')
  for (const box of await page.getByRole('checkbox').all()) {
    expect(await box.isChecked()).toBe(false)
    await box.check()
  }
  await press(page, words.submit)
  await page.waitForURL('**/personal/myapprove')
}

/** Without a certification the panel leads to its page and says why; help stays open. */
async function expectNothingElse({ page, text }: Visitor) {
  for (const closed of ['/workbench', '/personal']) {
    await go(page, closed)
    await page.waitForURL(/\/personal\/myapprove\?from=/)
    await page.getByText(text.certification.needed).waitFor()
  }
  await look(page, 'needed')
  for (const open of ['/personal/safety', '/personal/feedback', '/personal/myinfo']) {
    await go(page, open)
    expect(new URL(page.url()).pathname).toBe(open)
  }
}

/** The form, step by step. */
async function certify({ page, text }: Visitor, { number, company }: { number: string; company: string }) {
  const { certification } = text
  const fields = certification.fields as Record<string, string>
  const input = (name: string) => field(page, fields[name] ?? '')
  const next = () => page.getByRole('button', { name: certification.next }).click()
  await go(page, '/personal/myapprove')
  await page.getByRole('link', { name: certification.kinds.rentout }).click()
  await page.getByRole('heading', { name: certification.kinds.rentout }).waitFor()
  await next()
  await page.locator('.field-error').first().waitFor()
  const body = `91510107DEM${company.slice(-5)}7`
  await input('enterpriseName').fill(company)
  await input('creditCode').fill('91350100M000100Y4Z')
  await input('scaleType').selectOption('small')
  await input('businessScope').fill('建筑工程机械与设备租赁')
  await next()
  await page.getByText(text.rule.codes.credit_code ?? '').waitFor()
  await input('creditCode').fill(body + creditCodeCheck(body))
  await look(page, 'form')
  await next()
  await input('legalPerson').fill('张样本')
  await input('legalPersonPhone').fill(number)
  await input('contactName').fill('李样本')
  await input('contactPhone').fill(number)
  await choosePlace(page, text)
  // The form saves itself on the server; a reload brings the input back.
  const saved = page.waitForResponse((response) => response.request().postData()?.includes('武侯区试验路 1 号') ?? false)
  await input('address').fill('武侯区试验路 1 号')
  await saved
  await page.getByText(new RegExp(certification.saved('').trim())).waitFor()
  await page.reload()
  await settled(page)
  expect(await input('enterpriseName').inputValue()).toBe(company)
  await page.evaluate(() => Object.assign(window, { mark: 'same page' }))
  await next()
  await next()
  await page.locator('.check-groups summary').first().click()
  await page.locator('.check-groups details[open] input').first().check()
  const province = (name: string) => page.locator('.checks').last().getByLabel(name)
  await province('Sichuan').check()
  await showIn(page, wide)
  expect(await province('四川省').isChecked()).toBe(true)
  await showIn(page, phone)
  await input('fleetSize').fill('12')
  await next()
  await next()
  await page
    .getByText(text.rule.codes.document_missing ?? '')
    .first()
    .waitFor()
  const isStored = page.waitForResponse(
    (response) => response.url().endsWith(saveCertificationDraft.url) && (response.request().postData()?.includes('legalIdBack') ?? false),
  )
  for (const [index, kind] of (['license', 'legalIdFront', 'legalIdBack'] as const).entries())
    await page
      .locator(`input[data-paper=${kind}]`)
      .setInputFiles({ name: `${kind}.png`, mimeType: 'image/png', buffer: await paper(index * 60) })
  await expect.poll(() => page.locator('.paper-thumb img').count()).toBe(3)
  await look(page, 'papers')
  await isStored
  await next()
  await page.getByText(company).waitFor()
  await look(page, 'confirm')
  // What another page has saved meanwhile is not handed in unseen: the form opens again with it.
  await product.sql(`update certification set version = version + 1 where name = $1`, [company])
  await press(page, certification.submit)
  await input('enterpriseName').waitFor()
  for (let step = 2; step <= 5; step++) {
    // A press on a page that still moves is lost.
    await settled(page)
    await next()
    await page.locator(`.stepper li:nth-child(${step})[aria-current=step]`).waitFor()
  }
  await page.getByText(company).waitFor()
  const letGo = await hold(page, submitRentout.url)
  await press(page, certification.submit)
  // Until the answer comes no way leads back to the fields, as what is typed there would be lost.
  await page.locator('[inert] .stepper').waitFor()
  letGo()
  await page.getByText(certification.inReview).waitFor()
  await go(page, '/personal/myapprove')
  await page.getByText(new RegExp(String.raw`^${certification.submittedOn('').trim()} \d`)).waitFor()
  expect(await page.getByText(certification.otherInReview).count()).toBe(2)
  await go(page, '/personal/myapprove/rentout')
  await page.getByText(certification.inReview).waitFor()
}

async function sendBack(page: Page, company: string) {
  const { review, documents } = zhCn.certification
  await page.goto('/admin')
  await settled(page)
  await page.getByRole('link', { name: zhCn.statistics.panel.kinds.review[2] }).click()
  await page.getByRole('link', { name: company }).click()
  await page.getByText(review.checks.creditCode).waitFor()
  await settled(page)
  await expectAccessible(page, 'review')
  await page.getByRole('button', { name: review.sendBack }).click()
  await page.getByText(review.nothingMarked).waitFor()
  const back = documents.legalIdBack
  await page.getByRole('checkbox', { name: back }).check()
  await page.getByLabel(review.whyField(back)).fill('照片不清晰')
  await page.getByRole('button', { name: review.sendBack }).click()
  await page.getByText(review.rejected).waitFor()
}

test('[S2.13] the parent company of a lessee is found by its credit code, and a certified one is marked as such', async () => {
  const { user, phone } = await signUp(product)
  const [parent] = await product.sql(
    `select enterprise_name, credit_code from company where lessee_audit = '2' and del_flag = '0' order by id limit 1`,
  )
  const visitor = await product.visit({ user })
  const { page } = visitor
  const { certification } = zhCn
  const fields = certification.fields as Record<string, string>
  const fill = (name: string, value: string) => field(page, fields[name] ?? '').fill(value)
  await page.goto('/personal/myapprove/lease')
  await fill('enterpriseName', '成都岷山建设有限公司')
  await fill('creditCode', '91510107DEM000417' + creditCodeCheck('91510107DEM000417'))
  await field(page, fields.scaleType ?? '').selectOption('small')
  await page.getByRole('button', { name: certification.next }).click()
  for (const name of ['legalPerson', 'contactName']) await fill(name, '张样本')
  await fill('legalPersonPhone', phone)
  await choosePlace(page, zhCn)
  await fill('address', '武侯区试验路 1 号')
  await page.getByRole('button', { name: certification.next }).click()
  await fill('parentCompany', String(parent?.credit_code))
  await page.getByRole('button', { name: certification.takeCompany(String(parent?.enterprise_name)) }).click()
  expect(await field(page, fields.parentCompany ?? '').inputValue()).toBe(parent?.enterprise_name)
  await page.getByText(certification.companyKnown).waitFor()
  expect(visitor.problems).toEqual([])
  await visitor.close()
})

test('the form of a new record is empty where it is opened from that of another one', async () => {
  const [colleague] = await product.sql(`select id, name from account where user_name = 'operator'`)
  const { page, close } = await product.visit({ user: 'operator' })
  const name = field(page, zhCn.admin.accounts.name)
  await page.goto(paths.staff(Number(colleague?.id)))
  await expect.poll(() => name.inputValue()).toBe(colleague?.name)
  await follow(page, paths.staff())
  await expect.poll(() => name.inputValue()).toBe('')
  await close()
})
