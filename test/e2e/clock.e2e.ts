import { expect, test } from 'vitest'
import { hashPassword } from '#server/actor/hash.ts'
import { insertImageCode } from '#server/account/codes.ts'
import { daily } from '#test/daily.ts'
import { addArticle, publishArticle } from '#shared/article/manage.ts'
import { toMoment } from '#shared/calendar.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { smsCodes } from '#test/sms-codes.ts'
import { monday, password } from '#test/world.ts'
import { newPhone } from './newcomer.ts'
import { openOwnServer } from './own-server.ts'
import { settled, visit } from './product.ts'

// The pages have the time of the machine, as the server that renders them: nothing in this file depends on it.
const { world, origin } = await openOwnServer()

test('[S2.15][S7.2] a cancelled account is erased after the cooling period, and its number can register again', async () => {
  const { db, clock, letters } = world
  clock.set(monday)
  const phone = newPhone()
  const userName = `new${phone}`
  const passwordHash = await hashPassword(password)
  const { id } = await db
    .insertInto('account')
    .values({ userName, phonenumber: phone, name: '冯样本', nickName: '冯样本', passwordHash, createTime: monday })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { page, problems, close } = await visit(origin)
  const field = (label: string) => page.getByLabel(new RegExp(`^${label}\\s*\\*?$`))
  const signIn = async () => {
    await page.goto('/login')
    await settled(page)
    await page.getByLabel(zhCn.account.userName).fill(userName)
    await field(zhCn.account.password).fill(password)
    await page.getByRole('button', { name: zhCn.account.submit, exact: true }).click()
  }
  await signIn()
  await page.waitForURL(/\/personal/)
  await page.goto('/personal/safety')
  await page.getByRole('link', { name: zhCn.personal.safety.cancel }).click()
  await page.getByText(zhCn.personal.cancellation.ready).waitFor()
  await field(zhCn.personal.cancellation.reason).fill('不再使用')
  // Only a person can read the code in the picture, so the test requests one with a known answer.
  const { uuid, answer } = await insertImageCode({ ...world.services, now: clock.now() }, 'cancel')
  await page.route('**/auth/validImageCode', async (route) => {
    const body = JSON.parse(route.request().postData() ?? '{}') as object
    await route.continue({ postData: JSON.stringify({ ...body, uuid, code: answer }) })
  })
  await field(zhCn.site.contact.code).fill('AAAA')
  const codes = () => letters.filter(({ phonenumber }) => phonenumber === phone)
  await expect.poll(() => codes().length).toBe(1)
  await field(zhCn.personal.register.smsCode).fill(codes()[0]?.params[0]?.[1] ?? '')
  await page.getByRole('button', { name: zhCn.personal.cancellation.submit }).click()
  await page.locator('dialog[open]').getByRole('button', { name: zhCn.personal.cancellation.submit }).click()
  await page.waitForURL(`${origin}/`)

  clock.set(new Date(monday.getTime() + 7 * 86_400_000 - 60_000))
  await daily(world.services)
  expect((await db.selectFrom('account').where('id', '=', id).select('name').executeTakeFirstOrThrow()).name).toBe('冯样本')
  clock.set(new Date(monday.getTime() + 7 * 86_400_000 + 60_000))
  await daily(world.services)
  const erased = await db.selectFrom('account').where('id', '=', id).selectAll().executeTakeFirstOrThrow()
  expect(erased).toMatchObject({ name: '', phonenumber: null, nickName: `已注销用户${id}`, delFlag: '2' })
  await signIn()
  await page.locator('.toast-error', { hasText: zhCn.refusal.login_failed }).waitFor()
  const { codeFor, register } = smsCodes(world)
  const registered = await register(await codeFor('register', phone), { phonenumber: phone })
  expect([registered.code, registered.data.access_token]).toEqual([200, expect.any(String)])
  expect(problems).toEqual([])
  await close()
})

test('a scheduled article is read from the list from its minute on', async () => {
  const { clock, cast } = world
  clock.set(monday)
  const minute = new Date(monday.getTime() + 90 * 60_000)
  const title = '十一点半自动发布的公告'
  const { data } = await cast.operator.call(addArticle, { body: { tab: '2', title, content: '<p>到点即发</p>' } })
  await cast.operator.call(publishArticle, { params: { id: data.id }, body: { version: data.version, publishTime: toMoment(minute) } })
  const { page, problems, close } = await visit(origin)
  clock.set(minute)
  await page.goto('/notice?tab=2')
  await settled(page)
  await page.getByRole('link', { name: title }).click()
  await page.getByText('到点即发').waitFor()
  expect(problems).toEqual([])
  await close()
})
