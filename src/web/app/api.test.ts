import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getUserInfo, updateNickname } from '#shared/account/contract.ts'
import { paths } from '#shared/paths.ts'
import { ignoreRepeats, repeatMs } from '../ui/throttle.ts'
import { clearToasts, getToasts, toast } from '../ui/toast.tsx'
import { ApiError, call, whenSetupIsOpen, whenSignedOut } from './api.ts'
import { addLeaveGuard } from './leave-guards.ts'
import { clearSession, getSession, setLeaving, storeSignIn } from './session.ts'
import { signOut } from './sign-out.ts'
import { storedLocale } from './text.tsx'

const signedOut = vi.fn()
const led = vi.fn()
/** Has the server answer every call with this envelope. */
const answer = (envelope: object) => vi.stubGlobal('fetch', () => Promise.resolve(Response.json(envelope)))
const ask = (quiet = false) => call(getUserInfo, {}, quiet).catch((error: unknown) => error)
const toasts = () => getToasts().map(({ kind, message }) => [kind, message])

beforeEach(() => {
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined, removeItem: () => undefined })
  vi.stubGlobal('sessionStorage', {})
  whenSignedOut(signedOut)
  whenSetupIsOpen(led)
})
afterEach(() => {
  setLeaving(false)
  clearSession()
  clearToasts()
  vi.clearAllMocks()
  vi.unstubAllGlobals()
})

test('[S8.1] a 401 leads to the sign-in page whether or not somebody was signed in; a late one for a token that was exchanged does not', async () => {
  answer({ code: 401, msg: '请先登录', data: null })
  expect(await ask()).toBeInstanceOf(ApiError)
  expect(signedOut).toHaveBeenCalledTimes(1)
  storeSignIn({ access_token: 'token', expires_in: 720 })
  await ask()
  expect([signedOut.mock.calls.length, getSession().token]).toEqual([2, null])
  storeSignIn({ access_token: 'old', expires_in: 720 })
  const late = ask()
  storeSignIn({ access_token: 'new', expires_in: 720 })
  await late
  expect([signedOut.mock.calls.length, getSession().token]).toEqual([2, 'new'])
})

test('[S8.2] a refusal until the setup is finished leads there and says why, unless nobody asked for the call', async () => {
  answer({ code: 403, msg: '请先修改初始密码', data: { setup: 'password' } })
  await ask(true)
  expect([led.mock.calls, toasts()]).toEqual([[['password']], []])
  await ask()
  expect([led.mock.calls.length, toasts()]).toEqual([2, [['error', '请先修改初始密码']]])
})

test('[S8.2] the words of a refusal take the place of all that stood before', async () => {
  toast('warning', '网络不稳定')
  answer({ code: 500, msg: '库存不足', data: null })
  await ask()
  expect(toasts()).toEqual([['error', '库存不足']])
})

test('[S8.3] an answer that breaks off in its body is none: a warning says so, and the caller gets an ApiError', async () => {
  vi.stubGlobal('navigator', { onLine: true })
  const broken = () => new Response(new ReadableStream({ start: (body) => body.error(new Error('连接中断')) }))
  vi.stubGlobal('fetch', () => Promise.resolve(broken()))
  expect(await ask()).toBeInstanceOf(ApiError)
  expect(toasts()).toEqual([['warning', '连接中断']])
})

test('[S9.1] Chinese where no language was chosen; a code that the product does not know falls back to English', () => {
  const stored = (value: string | null) => {
    vi.stubGlobal('localStorage', { getItem: () => value, setItem: () => undefined, removeItem: () => undefined })
    return storedLocale()
  }
  expect(['zh-CN', 'en-US', 'en', 'fr-FR', null].map(stored)).toEqual(['zh-CN', 'en-US', 'en-US', 'en-US', 'zh-CN'])
})

/** As much of a button as the page's listener asks for. */
class FakeButton extends EventTarget {
  dataset = {}
  isConnected = true
  closest(selector: string) {
    return selector.startsWith('button') ? this : null
  }
  /** No press is so soon after another one that it counts as its repetition. */
  static now = 0
  click() {
    const press = new Event('click', { cancelable: true })
    Object.defineProperty(press, 'timeStamp', { value: (FakeButton.now += repeatMs) })
    this.dispatchEvent(press)
  }
}

test('"Retry" presses the button of the call that failed, also where another one was pressed meanwhile', async () => {
  vi.stubGlobal('Element', FakeButton)
  const connection = Promise.withResolvers<Response>()
  vi.stubGlobal('fetch', () => connection.promise)
  const [save, other] = [new FakeButton(), new FakeButton()]
  const presses: string[] = []
  for (const button of [save, other]) ignoreRepeats(button)
  save.addEventListener('click', () => presses.push('save'))
  other.addEventListener('click', () => presses.push('other'))
  save.click()
  const saving = call(updateNickname, { body: { nickName: '老钱' } }).catch((error: unknown) => error)
  other.click()
  connection.resolve(Response.json({ msg: '数据库维护' }, { status: 502 }))
  expect(await saving).toBeInstanceOf(ApiError)
  getToasts()[0]?.action?.run()
  expect(presses).toEqual(['save', 'other', 'save'])
})

test('[S4.3] signing out goes to the target that is named, and nowhere when the server refuses', async () => {
  const visited: string[] = []
  const leave = () => signOut((path) => visited.push(path), paths.helpHome)
  storeSignIn({ access_token: 'token', expires_in: 720 })
  answer({ code: 500, msg: '稍后再试', data: null })
  await leave()
  expect([visited, getSession().token, toasts()]).toEqual([[], 'token', [['error', '稍后再试']]])
  answer({ code: 200, msg: '', data: null })
  await leave()
  expect([visited, getSession().token]).toEqual([[paths.helpHome], null])
})

test('a page whose content would be lost is asked before the session ends, and keeps the session where the person stays', async () => {
  const visited: string[] = []
  const asked: string[] = []
  let leaves = false
  const removeGuard = addLeaveGuard((to) => {
    asked.push(to)
    return Promise.resolve(leaves)
  })
  storeSignIn({ access_token: 'token', expires_in: 720 })
  answer({ code: 200, msg: '', data: null })
  const leave = () => signOut((path) => visited.push(path), paths.home)
  await leave()
  expect([asked, visited, getSession().token]).toEqual([[paths.home], [], 'token'])
  leaves = true
  await leave()
  expect([asked.length, visited, getSession().token]).toEqual([2, [paths.home], null])
  removeGuard()
  storeSignIn({ access_token: 'token', expires_in: 720 })
  await leave()
  expect([asked.length, visited.length]).toEqual([2, 2])
})
