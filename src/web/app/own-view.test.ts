import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from './api.ts'
import { keepPage, ownPage, whenBack } from './own-view.ts'

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
  for (const code of [0, 429, 502]) expect(await ownPage({ url: address }, failed(code))).toEqual({ ...page, isIncomplete: true })
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

test('the page is loaded again when the network is back and when the window is seen again', () => {
  const [page, frame] = [new EventTarget(), Object.assign(new EventTarget(), { hidden: true })]
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  vi.stubGlobal('document', frame)
  const load = vi.fn()
  const stop = whenBack(load)
  page.dispatchEvent(new Event('online'))
  expect(load).toHaveBeenCalledTimes(1)
  frame.dispatchEvent(new Event('visibilitychange'))
  expect(load).toHaveBeenCalledTimes(1)
  frame.hidden = false
  frame.dispatchEvent(new Event('visibilitychange'))
  expect(load).toHaveBeenCalledTimes(2)
  stop()
  page.dispatchEvent(new Event('online'))
  frame.dispatchEvent(new Event('visibilitychange'))
  expect(load).toHaveBeenCalledTimes(2)
})
