import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { creditCodeCheck } from '#shared/company/rules.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { expectAccessible, expectNoOverflow, field, inspect, openUserMenu, settled, startProduct } from './product.ts'

const product = await startProduct()
afterAll(() => product.close())

const paper = (hue: number) =>
  sharp({ create: { width: 640, height: 420, channels: 3, background: { r: hue, g: 210, b: 230 } } })
    .png()
    .toBuffer()

/** Types the picture code, which sends the SMS by itself, and reads it in the outbox. */
async function receiveCode(page: Page, text: typeof zhCn, type: string, phonenumber: string): Promise<string> {
  await page.getByRole('button', { name: text.site.contact.refresh }).locator('img').waitFor()
  // Ignores the message and the toast of an earlier SMS that are still shown.
  const sent = async () => (await product.smsTo(phonenumber)).length
  const before = await sent()
  await field(page, text.site.contact.code).fill(await product.imageCode(type))
  await expect.poll(sent).toBe(before + 1)
  await page.locator('.toast-success', { hasText: text.personal.register.sent }).last().waitFor()
  // The cursor already waits for the code.
  await expect.poll(() => field(page, text.personal.register.smsCode).evaluate((input) => input === document.activeElement)).toBe(true)
  return /\d{6}/.exec((await product.smsTo(phonenumber))[0] ?? '')?.[0] ?? ''
}

async function choosePlace(page: Page, text: typeof zhCn) {
  await field(page, text.site.common.province).selectOption('510000')
  await expect.poll(() => field(page, text.site.common.city).locator('option').count()).toBeGreaterThan(2)
  await field(page, text.site.common.city).selectOption('510100')
}

describe.each([
  ['zh-CN', 1440, '14466660001', 31],
  ['en-US', 375, '14466660002', 32],
] as const)('[S2.13][S2.16][S4.6] from registration to the changed menus, in %s at %i px', (language, width, phone, n) => {
  test('somebody registers by SMS and certifies; one document is sent back, submitted again and approved; the menus change without a reload', async () => {
    const text = (language === 'zh-CN' ? zhCn : en) as typeof zhCn
    const { certification, personal } = text
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
    const code = await receiveCode(page, text, 'register', phone)
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
    const kept = page.waitForResponse((response) => response.request().postData()?.includes('武侯区试验路 1 号') ?? false)
    await field(page, fields.address ?? '').fill('武侯区试验路 1 号')
    await kept
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
    await page.getByRole('button', { name: certification.submit, exact: true }).click()
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
  await product.sql(
    `insert into account (user_name, phonenumber, password_hash, create_time)
     select 'daughter', '14466660009', password_hash, now() from account where user_name = 'newcomer'`,
  )
  const [parent] = await product.sql(
    `select enterprise_name, credit_code from company where lessee_audit = '2' and del_flag = '0' order by id limit 1`,
  )
  const visitor = await product.visit({ user: 'daughter' })
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
  await fill('legalPersonPhone', '14466660009')
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

describe('account security', () => {
  const signedUp = async (phone: string) => {
    await product.sql(
      `insert into account (user_name, phonenumber, password_hash, create_time)
       select 'safe' || $1, $1, password_hash, now() from account where user_name = 'newcomer'`,
      [phone],
    )
    return product.visit({ user: `safe${phone}` })
  }

  test('[S2.15] a changed password signs the other device out at once, and the next sign-in needs the new one', async () => {
    const here = await signedUp('14466661001')
    const there = await product.visit({ user: 'safe14466661001' })
    await there.page.goto('/personal/safety')
    await settled(there.page)
    await here.page.goto('/personal/safety')
    await settled(here.page)
    expect(await here.page.getByText(zhCn.personal.safety.current).count()).toBe(1)
    await here.page.getByRole('link', { name: zhCn.personal.safety.changePassword }).click()
    await field(here.page, zhCn.personal.safety.oldPassword).fill('Zhuji@2026')
    // A new password is typed once. It can be read while it is typed, unless somebody hides it, and not afterwards.
    const fresh = field(here.page, zhCn.personal.register.newPassword)
    await fresh.fill('Neu@Neu99')
    expect(await fresh.getAttribute('type')).toBe('text')
    await here.page.getByRole('button', { name: zhCn.account.hide }).click()
    expect(await fresh.getAttribute('type')).toBe('password')
    await here.page.getByRole('button', { name: zhCn.account.show }).last().click()
    expect(await fresh.getAttribute('type')).toBe('text')
    await here.page.getByRole('button', { name: zhCn.account.hide }).click()
    await here.page.getByRole('button', { name: zhCn.personal.safety.changePassword }).click()
    await here.page.locator('.toast-success').waitFor()
    await there.page.waitForURL(/\/login/)
    await settled(there.page)
    await field(there.page, zhCn.account.userName).fill('14466661001')
    await field(there.page, zhCn.account.password).fill('Neu@Neu99')
    await there.page.getByRole('button', { name: zhCn.account.submit, exact: true }).click()
    await there.page.waitForURL('**/personal/safety')
    await settled(there.page)
    // Two devices now; this one ends the other.
    await there.page.getByRole('button', { name: zhCn.personal.safety.endOthers }).click()
    await there.page.locator('dialog[open]').getByRole('button', { name: zhCn.personal.safety.endOthers }).click()
    await here.page.waitForURL(/\/login/)
    await here.close()
    await there.close()
  })

  test('[S2.15] a person changes their phone number and exports their data as a ZIP', async () => {
    const visitor = await signedUp('14466661002')
    const { page } = visitor
    await page.goto('/personal/safety/updatephone')
    await settled(page)
    await field(page, zhCn.personal.safety.oldPassword).fill('Zhuji@2026')
    await field(page, zhCn.personal.safety.newPhone).fill('14466661003')
    await field(page, zhCn.personal.register.smsCode).fill(await receiveCode(page, zhCn, 'phone', '14466661003'))
    await page.getByRole('button', { name: zhCn.personal.safety.changePhone }).click()
    await page.getByText('144****1003').waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: zhCn.personal.safety.export }).click()
    expect((await download).suggestedFilename()).toMatch(/^my-data-.*\.zip$/)
    expect(visitor.problems).toEqual([])
    await visitor.close()
  })

  test('[S2.2] a forgotten password is reset by SMS, and an SMS signs in', async () => {
    const visitor = await signedUp('14466661004')
    await visitor.close()
    const { page, close } = await product.visit()
    await page.goto('/login')
    await settled(page)
    await page.getByRole('link', { name: zhCn.personal.register.forgot }).click()
    await page.waitForURL('**/updatepassword')
    await settled(page)
    await field(page, zhCn.personal.register.phone).fill('14466661004')
    await field(page, zhCn.personal.register.smsCode).fill(await receiveCode(page, zhCn, 'forget', '14466661004'))
    await field(page, zhCn.personal.register.newPassword).fill('Neu@Neu77')
    await page.getByRole('button', { name: zhCn.personal.register.reset }).click()
    await page.waitForURL('**/login')
    // The same number may ask again a minute later; the test does not wait for it.
    await product.sql(`update sms_code set created_at = created_at - interval '2 minutes'`)
    await page.getByRole('link', { name: zhCn.personal.register.smsLogin }).click()
    await field(page, zhCn.personal.register.phone).fill('14466661004')
    await field(page, zhCn.personal.register.smsCode).fill(await receiveCode(page, zhCn, 'login', '14466661004'))
    await page.getByRole('button', { name: zhCn.account.submit, exact: true }).click()
    // A newcomer starts with the certification.
    await page.waitForURL('**/personal/myapprove')
    await page.locator('.site-tools > a').getByText(zhCn.site.action.personal).waitFor()
    await close()
  })

  test('a first password from somebody else must be changed before anything else', async () => {
    const visitor = await signedUp('14466661005')
    await product.sql(`update account set must_change_password = true where phonenumber = '14466661005'`)
    await visitor.page.goto('/personal/myinfo')
    await visitor.page.waitForURL('**/personal/safety/updatepassword**')
    await visitor.page.getByText(zhCn.personal.safety.first).waitFor()
    await visitor.close()

    // Who signs in with it goes on to their own page afterwards, without typing it again.
    const { page, close } = await product.visit()
    await page.goto('/login')
    await settled(page)
    await field(page, zhCn.account.userName).fill('14466661005')
    await field(page, zhCn.account.password).fill('Zhuji@2026')
    await page.getByRole('button', { name: zhCn.account.submit, exact: true }).click()
    await field(page, zhCn.personal.register.newPassword).fill('Neu@Neu55')
    await page.getByRole('button', { name: zhCn.personal.safety.changePassword }).click()
    await page.waitForURL('**/personal/myapprove')
    await close()
  })

  test.each(['zh-CN', 'en-US'] as const)(
    'a second factor is set up on a phone and asked for at the next sign-in (%s)',
    async (language) => {
      const phone = language === 'en-US' ? '14466661006' : '14466661007'
      await (await signedUp(phone)).close()
      const text = language === 'en-US' ? en : zhCn
      const { factor, safety } = text.personal
      const visitor = await product.visit({ user: `safe${phone}`, width: 375, language })
      const { page } = visitor
      await page.goto('/personal/safety')
      await settled(page)
      await page.getByRole('link', { name: factor.open }).click()
      await field(page, safety.oldPassword).fill('Zhuji@2026')
      await page.getByRole('button', { name: factor.start }).click()
      await page.getByAltText(factor.picture).waitFor()
      await expectNoOverflow(page, 'second factor')
      await expectAccessible(page, 'second factor')
      const secret = ((await page.locator('form code').textContent()) ?? '').replaceAll(' ', '')
      await field(page, factor.code).fill('000000')
      await page.getByRole('button', { name: factor.confirm }).click()
      await page.locator('.field-error', { hasText: text.rule.codes.factor_code ?? '' }).waitFor()
      await field(page, factor.code).fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate())
      await page.getByRole('button', { name: factor.confirm }).click()
      await page.getByRole('heading', { name: factor.codes }).waitFor()
      await expectNoOverflow(page, 'recovery codes')
      const [recoveryCode = ''] = await page.locator('main li code').allTextContents()
      await page.getByRole('button', { name: factor.stored }).click()
      await page.waitForURL('**/personal/safety')
      expect(visitor.problems).toEqual([])
      await visitor.close()

      const again = await product.visit({ width: 375, language })
      await again.page.goto('/login')
      await settled(again.page)
      await field(again.page, text.account.userName).fill(phone)
      await field(again.page, text.account.password).fill('Zhuji@2026')
      await again.page.getByRole('button', { name: text.account.submit, exact: true }).click()
      await again.page.getByRole('heading', { name: factor.signIn }).waitFor()
      await expectNoOverflow(again.page, 'second step')
      await field(again.page, factor.anyCode).fill(recoveryCode)
      await again.page.getByRole('button', { name: text.account.submit, exact: true }).click()
      await again.page.waitForURL('**/personal/myapprove')
      await again.close()
    },
  )

  test('[S7.1] somebody with two project departments switches, and the pages follow', async () => {
    const visitor = await product.visit({ user: 'project' })
    const { page } = visitor
    const socket = page.waitForEvent('websocket')
    await page.goto('/workbench/requirement/list')
    await page.locator('tbody tr').first().waitFor()
    const closed = (await socket).waitForEvent('close')
    const first = await page.locator('tbody').textContent()
    // The old token ends before the answer with the new one arrives. The page must not sign out because of it.
    await page.route('**/auth/refreshPrject/**', async (route) => {
      const response = await route.fetch()
      await closed
      await route.fulfill({ response })
    })
    const choice = (await openUserMenu(page)).getByLabel(zhCn.personal.safety.projects)
    const other = await choice.locator('option').nth(1).textContent()
    await choice.selectOption({ index: 1 })
    await page.locator('.toast-success', { hasText: zhCn.personal.safety.switched(other ?? '') }).waitFor()
    await expect.poll(() => page.locator('tbody').textContent()).not.toBe(first)
    await visitor.close()
  })
})

describe('[S2.15] cancellation in the browser', () => {
  test('the check list, the code and a confirmation sign the person out; a sign-in withdraws the cancellation', async () => {
    await product.sql(
      `insert into account (user_name, phonenumber, password_hash, create_time)
       select 'leaving', '14466662001', password_hash, now() from account where user_name = 'newcomer'`,
    )
    const { cancellation } = zhCn.personal
    const visitor = await product.visit({ user: 'leaving' })
    const { page } = visitor
    await page.goto('/personal/safety/cancel')
    await page.getByText(cancellation.ready).waitFor()
    await settled(page)
    await expectAccessible(page, 'cancel')
    await field(page, cancellation.reason).fill('换了单位，不再使用')
    await field(page, zhCn.personal.register.smsCode).fill(await receiveCode(page, zhCn, 'cancel', '14466662001'))
    await page.getByRole('button', { name: cancellation.submit }).click()
    await page.locator('dialog[open]').getByRole('button', { name: cancellation.submit }).click()
    await page.waitForURL(product.origin + '/')
    expect(await page.evaluate(() => localStorage.getItem('access_token'))).toBeNull()
    expect((await product.sql(`select status from cancellation order by id desc limit 1`))[0]?.status).toBe('0')
    await page.goto('/login')
    await settled(page)
    await field(page, zhCn.account.userName).fill('leaving')
    await field(page, zhCn.account.password).fill('Zhuji@2026')
    await page.getByRole('button', { name: zhCn.account.submit, exact: true }).click()
    await page.locator('.toast-success', { hasText: cancellation.withdrawn }).waitFor()
    expect((await product.sql(`select status from cancellation order by id desc limit 1`))[0]?.status).toBe('1')
    await visitor.close()
  })
})
