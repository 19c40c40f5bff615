import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { paths } from '#shared/paths.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { expectAccessible } from './accessible.ts'
import { newPhone, signUp } from './newcomer.ts'
import { inspect, showIn } from './inspect.ts'
import { field, follow, openUserMenu, settled, startProduct } from './product.ts'
import { receiveCode } from './sms-code.ts'

const product = await startProduct()
afterAll(() => product.close())

/** Looks at a page of a phone in both languages. */
async function inspectOnPhone(page: Page, name: string) {
  for (const language of ['en-US', 'zh-CN'] as const) {
    await showIn(page, { width: 375, language })
    await inspect(page, name)
  }
}

describe('account security', () => {
  test('[S2.15] a changed password signs the other device out at once, and the next sign-in needs the new one', async () => {
    const { user, phone } = await signUp(product)
    const [here, there] = [await product.visit({ user }), await product.visit({ user })]
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
    // Who the person is now is asked for afterwards, and that this answer is lost does not make the change fail.
    await here.page.route('**/foregroundGetInfo', (route) => route.abort())
    await here.page.getByRole('button', { name: zhCn.personal.safety.changePassword }).click()
    await here.page.locator('.toast-success').waitFor()
    await here.page.waitForURL('**/personal/safety')
    await here.page.unroute('**/foregroundGetInfo')
    await there.page.waitForURL(/\/login/)
    await settled(there.page)
    await field(there.page, zhCn.account.userName).fill(phone)
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
    const { user } = await signUp(product)
    const phonenumber = newPhone()
    const visitor = await product.visit({ user })
    const { page } = visitor
    await page.goto('/personal/safety/updatephone')
    await settled(page)
    await field(page, zhCn.personal.safety.oldPassword).fill('Zhuji@2026')
    await field(page, zhCn.personal.safety.newPhone).fill(phonenumber)
    await field(page, zhCn.personal.register.smsCode).fill(await receiveCode(product, page, { text: zhCn, type: 'phone', phonenumber }))
    await page.getByRole('button', { name: zhCn.personal.safety.changePhone }).click()
    await page.getByText(`144****${phonenumber.slice(-4)}`).waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: zhCn.personal.safety.export }).click()
    expect((await download).suggestedFilename()).toMatch(/^my-data-.*\.zip$/)
    expect(visitor.problems).toEqual([])
    await visitor.close()
  })

  test('[S2.2] a forgotten password is reset by SMS, and an SMS signs in', async () => {
    const { phone: phonenumber } = await signUp(product)
    const { page, close } = await product.visit()
    await page.goto('/login')
    await settled(page)
    await page.getByRole('link', { name: zhCn.personal.register.forgot }).click()
    await page.waitForURL('**/updatepassword')
    await settled(page)
    await field(page, zhCn.personal.register.phone).fill(phonenumber)
    await field(page, zhCn.personal.register.smsCode).fill(await receiveCode(product, page, { text: zhCn, type: 'forget', phonenumber }))
    await field(page, zhCn.personal.register.newPassword).fill('Neu@Neu77')
    await page.getByRole('button', { name: zhCn.personal.register.reset }).click()
    await page.waitForURL('**/login')
    // The same number may ask again a minute later; the test does not wait for it.
    await product.sql(`update sms_code set created_at = created_at - interval '2 minutes'`)
    await page.getByRole('link', { name: zhCn.personal.register.smsLogin }).click()
    await page.getByText(zhCn.account.smsLead).waitFor()
    await field(page, zhCn.personal.register.phone).fill(phonenumber)
    await field(page, zhCn.personal.register.smsCode).fill(await receiveCode(product, page, { text: zhCn, type: 'login', phonenumber }))
    await page.getByRole('button', { name: zhCn.account.submit, exact: true }).click()
    // A newcomer starts with the certification.
    await page.waitForURL('**/personal/myapprove')
    await page.locator('.site-tools > a').getByText(zhCn.site.action.personal).waitFor()
    await close()
  })

  test('a first password from somebody else must be changed before anything else', async () => {
    const { user, phone } = await signUp(product)
    const visitor = await product.visit({ user })
    await product.sql(`update account set must_change_password = true where phonenumber = $1`, [phone])
    await visitor.page.goto('/personal/myinfo')
    await visitor.page.waitForURL('**/personal/safety/updatepassword**')
    await visitor.page.getByText(zhCn.personal.safety.first).waitFor()
    await visitor.close()

    // Who signs in with it goes on to their own page afterwards, without typing it again.
    const { page, close } = await product.visit()
    await page.goto('/login')
    await settled(page)
    await field(page, zhCn.account.userName).fill(phone)
    await field(page, zhCn.account.password).fill('Zhuji@2026')
    await page.getByRole('button', { name: zhCn.account.submit, exact: true }).click()
    await field(page, zhCn.personal.register.newPassword).fill('Neu@Neu55')
    await page.getByRole('button', { name: zhCn.personal.safety.changePassword }).click()
    await page.waitForURL('**/personal/myapprove')
    await close()
  })

  test('a second factor is set up on a phone and asked for at the next sign-in', async () => {
    const { user, phone } = await signUp(product)
    const { factor, safety } = zhCn.personal
    const visitor = await product.visit({ user, width: 375 })
    const { page } = visitor
    await page.goto('/personal/safety')
    await settled(page)
    await page.getByRole('link', { name: factor.open }).click()
    await field(page, safety.oldPassword).fill('Zhuji@2026')
    await page.getByRole('button', { name: factor.start }).click()
    await page.getByAltText(factor.picture).waitFor()
    await inspectOnPhone(page, 'second-factor')
    const secret = ((await page.locator('form code').textContent()) ?? '').replaceAll(' ', '')
    await field(page, factor.code).fill('000000')
    await page.getByRole('button', { name: factor.confirm }).click()
    await page.locator('.field-error', { hasText: zhCn.rule.codes.factor_code ?? '' }).waitFor()
    await field(page, factor.code).fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate())
    await page.getByRole('button', { name: factor.confirm }).click()
    await page.getByRole('heading', { name: factor.codes }).waitFor()
    await inspectOnPhone(page, 'recovery-codes')
    const [recoveryCode = ''] = await page.locator('main li code').allTextContents()
    // A browser without a clipboard says so, and nobody leaves the codes unasked.
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    await page.getByRole('button', { name: factor.copy, exact: true }).click()
    await page.locator('.toast-warning', { hasText: factor.uncopied }).waitFor()
    await follow(page, '/personal/safety')
    const dialog = page.locator('dialog[open]')
    await dialog.getByText(factor.leaveAsk).waitFor()
    await dialog.getByRole('button', { name: zhCn.site.common.back }).click()
    await (await openUserMenu(page)).getByRole('button', { name: zhCn.site.action.logout }).click()
    await dialog.getByText(factor.leaveAsk).waitFor()
    await dialog.getByRole('button', { name: zhCn.site.common.back }).click()
    expect(await page.locator('main li code').first().textContent()).toBe(recoveryCode)
    await page.getByRole('button', { name: factor.stored }).click()
    await page.waitForURL('**/personal/safety')
    expect(visitor.problems).toEqual([])
    await visitor.close()

    const again = await product.visit({ width: 375 })
    await again.page.goto('/login')
    await settled(again.page)
    await field(again.page, zhCn.account.userName).fill(phone)
    await field(again.page, zhCn.account.password).fill('Zhuji@2026')
    await again.page.getByRole('button', { name: zhCn.account.submit, exact: true }).click()
    await again.page.getByRole('heading', { name: factor.signIn }).waitFor()
    await inspectOnPhone(again.page, 'second-step')
    await field(again.page, factor.anyCode).fill(recoveryCode)
    await again.page.getByRole('button', { name: zhCn.account.submit, exact: true }).click()
    await again.page.waitForURL('**/personal/myapprove')
    await again.close()
  })

  test('[S7.1] somebody with two project departments switches, and the pages follow', async () => {
    const visitor = await product.visit({ user: 'project' })
    const { page } = visitor
    const socket = page.waitForEvent('websocket')
    await page.goto('/workbench/requirement/list')
    await page.locator('tbody tr').first().waitFor()
    const closed = (await socket).waitForEvent('close')
    const first = await page.locator('tbody').textContent()
    const second = await visitor.context.newPage()
    await second.goto(paths.addDemand())
    const project = second.locator('main').getByLabel(zhCn.demand.own.dept).first()
    const before = await project.inputValue()
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
    // The other tab of the same browser has switched too, and begins a new demand there.
    await expect.poll(() => project.inputValue()).not.toBe(before)
    await visitor.close()
  })
})

describe('[S2.15] cancellation in the browser', () => {
  test('the check list, the code and a confirmation sign the person out; a sign-in withdraws the cancellation', async () => {
    const { user, phone: phonenumber } = await signUp(product)
    const { cancellation } = zhCn.personal
    const visitor = await product.visit({ user })
    const { page } = visitor
    await page.goto('/personal/safety/cancel')
    await page.getByText(cancellation.ready).waitFor()
    await settled(page)
    await expectAccessible(page, 'cancel')
    await field(page, cancellation.reason).fill('换了单位，不再使用')
    await field(page, zhCn.personal.register.smsCode).fill(await receiveCode(product, page, { text: zhCn, type: 'cancel', phonenumber }))
    await page.getByRole('button', { name: cancellation.submit }).click()
    await page.locator('dialog[open]').getByRole('button', { name: cancellation.submit }).click()
    await page.waitForURL(product.origin + '/')
    expect(await page.evaluate(() => localStorage.getItem('access_token'))).toBeNull()
    expect((await product.sql(`select status from cancellation order by id desc limit 1`))[0]?.status).toBe('0')
    await page.goto('/login')
    await settled(page)
    await field(page, zhCn.account.userName).fill(user)
    await field(page, zhCn.account.password).fill('Zhuji@2026')
    await page.getByRole('button', { name: zhCn.account.submit, exact: true }).click()
    await page.locator('.toast-success', { hasText: cancellation.withdrawn }).waitFor()
    expect((await product.sql(`select status from cancellation order by id desc limit 1`))[0]?.status).toBe('1')
    await visitor.close()
  })
})
