import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from './api.ts'
import { keepPage, ownPage } from './own-view.ts'

const address = 'https://a.cn/demands?status=3'
const page = { asVisitor: true, rows: ['公开需求'] }
const failed = (code = 0) => Promise.reject(new ApiError(code, 'unreachable', null))
let forget = () => {}

beforeEach(() => {
  vi.stubGlobal('location', { href: `${address}#list` })
  forget = keepPage(page)
})
afterEach(() => {
  forget()
  vi.unstubAllGlobals()
})

test('the page of a visitor stays where the one of the person cannot be loaded', async () => {
  expect(await ownPage({ url: address }, Promise.resolve({ rows: ['邀请'] }))).toEqual({ asVisitor: false, rows: ['邀请'] })
  for (const code of [0, 502]) expect(await ownPage({ url: address }, failed(code))).toBe(page)
})

test('a refusal is shown in place of the page of the visitor', async () => {
  for (const code of [401, 403, 404]) await expect(ownPage({ url: address }, failed(code))).rejects.toMatchObject({ code })
})

test('a failure is shown on the way to another address, once the page of the visitor is gone, and a redirect is followed', async () => {
  await expect(ownPage({ url: 'https://a.cn/' }, failed())).rejects.toThrow('unreachable')
  const redirect = new Response(null, { status: 302 })
  await expect(ownPage({ url: address }, Promise.reject(redirect))).rejects.toBe(redirect)
  forget()
  await expect(ownPage({ url: address }, failed())).rejects.toThrow('unreachable')
})
