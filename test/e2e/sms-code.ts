import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { zhCn } from '#shared/text/zh-cn.ts'
import { field, type Product } from './product.ts'

/** What an SMS code is asked for, and by whom. */
type Asked = { text: typeof zhCn; type: string; phonenumber: string }

/** Types the picture code, which sends the SMS by itself, and reads it in the outbox. */
export async function receiveCode(product: Product, page: Page, { text, type, phonenumber }: Asked): Promise<string> {
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
