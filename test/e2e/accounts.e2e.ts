import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { submitRentout } from '#shared/certification/contract.ts'
import { creditCodeCheck } from '#shared/company/rules.ts'
import { en } from '#shared/text/en.ts'
import { paths } from '#shared/paths.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { expectAccessible } from './accessible.ts'
import { hold } from './hold.ts'
import { newPhone, signUp } from './newcomer.ts'
import { inspect } from './inspect.ts'
import { field, settled, startProduct } from './product.ts'
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

describe.each([
  ['zh-CN', 1440],
  ['en-US', 375],
] as const)('[S2.13][S2.16][S4.6] from registration to the changed menus, in %s at %i px', (language, width) => {
  test('somebody registers by SMS and certifies; one document is sent back, submitted again and approved; the menus change without a reload', async () => {
    const text = (language === 'zh-CN' ? zhCn : en) as typeof zhCn
    const { certification, personal } = text
    // Another company at each try.
    const phone = newPhone()
    const n = 60_000 + Number(phone.slice(-4))
    const visitor = await product.visit({ width, language })
    const { page } = visitor
    const look = (name: string) => inspect(page, `account-${language}-${width}-${name}`)

    // Registration shows an error beside its field and loses nothing that was typed.
    await page.goto('/login')
    await settled(page)
    await page.getByRole('link', { name: personal.register.toRegister }).click()
    await page.getByRole('heading', { name: personal.register.title }).waitFor()
    await settled(page)
    await page.getByRole('button', { name: personal.register.submit, exact: true }).click()
    await page.getByText(text.rule.codes.agree_terms ?? '').waitFor()
    expect(await page.locator('.field-error').count()).toBeGreaterThanOrEqual(4)
    await look('register')
    await field(page, personal.register.phone).fill(phone)
    const code = await receiveCode(product, page, { text, type: 'register', phonenumber: phone })
    await field(page, personal.register.smsCode).fill(code)
    await field(page, personal.register.password).fill('Juzi#2026')
    for (const box of await page.getByRole('checkbox').all()) {
      expect(await box.isChecked()).toBe(false)
      await box.check()
    }
    await page.getByRole('button', { name: personal.register.submit, exact: true }).click()
    await page.waitForURL('**/personal/myapprove')

    // Without a certification the panel leads here and says why; help stays open.
    await page.goto('/personal')
    await page.waitForURL(/\/personal\/myapprove\?from=/)
    await page.getByText(certification.needed).waitFor()
    await look('needed')
    for (const open of ['/personal/safety', '/personal/feedback', '/personal/myinfo']) {
      await page.goto(open)
      await settled(page)
      expect(new URL(page.url()).pathname).toBe(open)
    }

    // The form, step by step.
    await page.goto('/personal/myapprove')
    await page.getByRole('link', { name: certification.kinds.rentout }).click()
    await page.getByRole('heading', { name: certification.kinds.rentout }).waitFor()
    await page.evaluate(() => Object.assign(window, { mark: 'same page' }))
    const next = () => page.getByRole('button', { name: certification.next }).click()
    await next()
    await page.locator('.field-error').first().waitFor()
    const { fields } = certification
    const body = `91510107DEM${String(n).padStart(5, '0')}7`
    const company = `成都岷山机械租赁有限公司${n}`
    await field(page, fields.enterpriseName ?? '').fill(company)
    await field(page, fields.creditCode ?? '').fill('91350100M000100Y4Z')
    await field(page, fields.scaleType ?? '').selectOption('small')
    await field(page, fields.businessScope ?? '').fill('建筑工程机械与设备租赁')
    await next()
    await page.getByText(text.rule.codes.credit_code ?? '').waitFor()
    await field(page, fields.creditCode ?? '').fill(body + creditCodeCheck(body))
    await look('form')
    await next()
    await field(page, fields.legalPerson ?? '').fill('张样本')
    await field(page, fields.legalPersonPhone ?? '').fill(phone)
    await field(page, fields.contactName ?? '').fill('李样本')
    await field(page, fields.contactPhone ?? '').fill(phone)
    await choosePlace(page, text)
    // The form saves itself on the server; a reload brings the input back.
    const saved = page.waitForResponse((response) => response.request().postData()?.includes('武侯区试验路 1 号') ?? false)
    await field(page, fields.address ?? '').fill('武侯区试验路 1 号')
    await saved
    await page.getByText(new RegExp(certification.saved('').trim())).waitFor()
    await page.reload()
    await settled(page)
    expect(await field(page, fields.enterpriseName ?? '').inputValue()).toBe(company)
    await page.evaluate(() => Object.assign(window, { mark: 'same page' }))
    await next()
    await next()
    await page.locator('.check-groups summary').first().click()
    await page.locator('.check-groups details[open] input').first().check()
    await page
      .locator('.checks')
      .last()
      .getByLabel(language === 'zh-CN' ? '四川省' : 'Sichuan')
      .check()
    await field(page, fields.fleetSize ?? '').fill('12')
    await next()
    await next()
    await page
      .getByText(text.rule.codes.document_missing ?? '')
      .first()
      .waitFor()
    const papers = ['license', 'legalIdFront', 'legalIdBack'] as const
    for (const [index, kind] of papers.entries())
      await page
        .locator(`input[data-paper=${kind}]`)
        .setInputFiles({ name: `${kind}.png`, mimeType: 'image/png', buffer: await paper(index * 60) })
    await expect.poll(() => page.locator('.paper-thumb img').count()).toBe(3)
    await look('papers')
    await next()
    await page.getByText(company).waitFor()
    await look('confirm')
    const letGo = await hold(page, submitRentout.url)
    await page.getByRole('button', { name: certification.submit, exact: true }).click()
    // Until the answer comes no way leads back to the fields, as what is typed there would be lost.
    await page.locator('[inert] .stepper').waitFor()
    letGo()
    await page.getByText(certification.inReview).waitFor()

    // The operator gets a message and sends one document back.
    const operator = await product.visit({ user: 'operator' })
    const review = zhCn.certification.review
    await operator.page.goto('/admin')
    await settled(operator.page)
    await operator.page.getByRole('link', { name: zhCn.statistics.panel.kinds.review[2] }).click()
    await operator.page.getByRole('link', { name: company }).click()
    await operator.page.getByText(zhCn.certification.review.checks.creditCode).waitFor()
    await settled(operator.page)
    await expectAccessible(operator.page, 'review')
    await operator.page.getByRole('button', { name: review.sendBack }).click()
    await operator.page.getByText(review.nothingMarked).waitFor()
    const back = zhCn.certification.documents.legalIdBack
    await operator.page.getByRole('checkbox', { name: back }).check()
    await operator.page.getByLabel(review.whyField(back)).fill('照片不清晰')
    await operator.page.getByRole('button', { name: review.sendBack }).click()
    await operator.page.getByText(review.rejected).waitFor()

    // The decision arrives on the open page, which asks for that document only.
    await page.getByText(certification.onlyRejected).waitFor()
    expect(await page.locator('input[data-paper]').count()).toBe(1)
    await page.getByText('照片不清晰').first().waitFor()
    await look('sent-back')
    await page
      .locator('input[data-paper=legalIdBack]')
      .setInputFiles({ name: 'again.png', mimeType: 'image/png', buffer: await paper(200) })
    await expect.poll(() => page.locator('.paper-thumb img').count()).toBe(1)
    await page.getByRole('button', { name: certification.submit, exact: true }).click()
    await page.getByText(certification.inReview).waitFor()
    expect(await page.locator('.site-tools > a').getByText(text.site.action.workbench).count()).toBe(0)

    await operator.page.goto('/admin/certification?status=1')
    await operator.page.getByRole('link', { name: company }).click()
    await operator.page.getByRole('button', { name: review.pass }).click()
    await operator.page.getByText(review.passed).waitFor()
    expect(operator.problems).toEqual([])
    await operator.close()

    await page.locator('.site-tools > a').getByText(text.site.action.workbench).waitFor()
    await page.getByText(certification.status['2'], { exact: true }).first().waitFor()
    await page.locator('.site-tools > a').getByText(text.site.action.workbench).click()
    await page.waitForURL('**/workbench/crequirement')
    await expect
      .poll(async () => (await page.locator('aside nav a').allTextContents()).map((words) => words.replace(/\d+$/, '')))
      .toEqual([text.equipment.own.title, text.quote.title, text.blacklist.titleOwn, text.contract.title, text.organization.people])
    expect(await page.evaluate(() => (window as unknown as { mark?: string }).mark)).toBe('same page')
    expect(visitor.problems).toEqual([])
    await visitor.close()
  })
})

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
  await page.evaluate((to) => {
    const link = document.body.appendChild(document.createElement('a'))
    link.href = to
    link.click()
  }, paths.staff())
  await expect.poll(() => name.inputValue()).toBe('')
  await close()
})
