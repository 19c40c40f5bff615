import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followNews } from './news.ts'
import { refetchUser } from './refetch.ts'
import { clearSession, getSession, storeSignIn } from './session.ts'
import { openSocket } from './socket.ts'

/** A connection whose other side is the test. */
class FakeSocket extends EventTarget {
  static readonly OPEN = 1
  static all: FakeSocket[] = []
  readyState = 0
  sent: string[] = []
  constructor() {
    super()
    FakeSocket.all.push(this)
  }
  accept() {
    this.readyState = FakeSocket.OPEN
    this.dispatchEvent(new Event('open'))
  }
  send(text: string) {
    this.sent.push(text)
  }
  answer(data: string) {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
  close(code = 1006) {
    this.readyState = 3
    this.dispatchEvent(Object.assign(new Event('close'), { code }))
  }
}
const newest = () => FakeSocket.all.at(-1) ?? new FakeSocket()

let popped: unknown[] = []
let asked: string[] = []
let setup: string | null = null
let stop: () => void = () => undefined
beforeEach(() => {
  vi.useFakeTimers()
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  })
  vi.stubGlobal('sessionStorage', {})
  vi.stubGlobal('location', { origin: 'https://a.cn' })
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path)
    const data = path.endsWith('/getMessageNumber') ? 4 : { user: { userId: 7 }, setup }
    return Promise.resolve(Response.json({ code: 200, data }))
  })
  asked = []
  setup = null
  FakeSocket.all = []
  popped = []
  storeSignIn({ access_token: 'token', expires_in: 720 })
  stop = openSocket((message) => popped.push(message.title))
})
afterEach(() => {
  stop()
  clearSession()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('[S4.5] a connection that leaves a ping unanswered for five seconds is closed and opened again', () => {
  const socket = newest()
  socket.accept()
  vi.advanceTimersByTime(4999)
  expect(socket.sent).toEqual([])
  vi.advanceTimersByTime(1)
  expect(socket.sent).toEqual(['ping'])
  vi.advanceTimersByTime(4999)
  expect(socket.readyState).toBe(FakeSocket.OPEN)
  vi.advanceTimersByTime(1)
  expect(socket.readyState).toBe(3)
  expect(FakeSocket.all).toHaveLength(2)
  newest().accept()
  vi.advanceTimersByTime(5000)
  expect(newest().sent).toEqual(['ping'])
  expect(FakeSocket.all).toHaveLength(2)
})

test('[S4.5] a dead line that never reports its end is given up for another connection at once, and changes nothing afterwards', () => {
  const dead = newest()
  dead.accept()
  dead.close = () => undefined
  vi.advanceTimersByTime(10_000)
  expect(FakeSocket.all).toHaveLength(2)
  newest().accept()
  dead.answer(JSON.stringify({ title: '迟到' }))
  dead.dispatchEvent(Object.assign(new Event('close'), { code: 1006 }))
  vi.advanceTimersByTime(5000)
  newest().answer('pong')
  expect([FakeSocket.all.length, newest().sent, popped]).toEqual([2, ['ping'], []])
})

test('a connection that is refused until the first password is changed is tried again only once it is', async () => {
  setup = 'password'
  await refetchUser()
  newest().close()
  asked = []
  await vi.advanceTimersByTimeAsync(10 * 60_000)
  expect([FakeSocket.all.length, asked]).toEqual([1, []])
  setup = null
  await refetchUser()
  await vi.advanceTimersByTimeAsync(3000)
  expect(FakeSocket.all).toHaveLength(2)
})

test('[S4.6] after a gap of the connection the unread count and the person are fetched', async () => {
  newest().accept()
  await expect.poll(() => asked).toHaveLength(1)
  newest().close()
  vi.advanceTimersByTime(3000)
  newest().accept()
  await expect.poll(() => getSession()).toMatchObject({ unread: 4, info: { user: { userId: 7 } } })
  expect(asked).toHaveLength(3)
})

test('[S4.6] a message that came before the first connection was there is counted once it is, and reaches the lists', async () => {
  const news: unknown[] = []
  const leave = followNews((message) => news.push(message))
  newest().accept()
  await expect.poll(() => [getSession().unread, news]).toEqual([4, [null]])
  expect(asked).toEqual(['/prod-api/system/sysUserMessage/getMessageNumber'])
  leave()
})

test('when messages are read or deleted elsewhere, the unread ones are counted again, and nothing pops up', async () => {
  newest().accept()
  await expect.poll(() => getSession().unread).toBe(4)
  newest().answer(JSON.stringify({ title: '报价' }))
  expect(getSession().unread).toBe(5)
  newest().answer(JSON.stringify({ type: 'unread' }))
  await expect.poll(() => getSession().unread).toBe(4)
  expect(popped).toEqual(['报价'])
})

test('[S4.6] each message adds one to the unread count, less those that it takes the place of', () => {
  newest().accept()
  const counts = [0, undefined, 1, 2, 5].map((replaces) => {
    newest().answer(JSON.stringify({ title: '报价', replaces }))
    return getSession().unread
  })
  expect(counts).toEqual([1, 2, 2, 1, 0])
})

test('each message asks again for what hangs on messages, also one that takes the place of an unread one', async () => {
  newest().accept()
  await expect.poll(() => getSession().unread).toBe(4)
  const before = getSession().messageChanges
  newest().answer(JSON.stringify({ title: '提问', quiet: true, replaces: 1 }))
  expect(getSession()).toMatchObject({ unread: 4, messageChanges: before + 1 })
  newest().answer(JSON.stringify({ type: 'unread' }))
  await vi.advanceTimersByTimeAsync(1000)
  expect(getSession()).toMatchObject({ unread: 4, messageChanges: before + 1 })
})

test('[S4.5] a connection whose pings are answered stays open', () => {
  const socket = newest()
  socket.accept()
  vi.advanceTimersByTime(5000)
  for (let beat = 1; beat <= 10; beat++) {
    expect(socket.sent).toHaveLength(beat)
    vi.advanceTimersByTime(4999)
    socket.answer('pong')
    vi.advanceTimersByTime(1)
  }
  expect(socket.readyState).toBe(FakeSocket.OPEN)
  expect(FakeSocket.all).toHaveLength(1)
})

test('[S4.5] a failed connection is tried again after three seconds, as long as somebody is signed in', () => {
  newest().close()
  vi.advanceTimersByTime(2999)
  expect(FakeSocket.all).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(FakeSocket.all).toHaveLength(2)
  newest().close()
  clearSession()
  vi.advanceTimersByTime(3000)
  expect(FakeSocket.all).toHaveLength(2)
})

test('a connection that is one too many of its session is tried again after a minute', () => {
  newest().accept()
  newest().close(1013)
  vi.advanceTimersByTime(59_999)
  expect(FakeSocket.all).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(FakeSocket.all).toHaveLength(2)
})

test('[S4.6] where no connection is possible, a message of the last minute is counted and reaches the lists once', async () => {
  const news: unknown[] = []
  const leave = followNews((message) => news.push(message))
  newest().readyState = 3
  await vi.advanceTimersByTimeAsync(60_000)
  expect([getSession().unread, news]).toEqual([4, [null]])
  await vi.advanceTimersByTimeAsync(60_000)
  expect([news, new Set(asked)]).toEqual([[null], new Set(['/prod-api/system/sysUserMessage/getMessageNumber'])])
  leave()
})

test('whoever leaves closes the connection, and nothing opens it again', () => {
  newest().accept()
  stop()
  expect(newest().readyState).toBe(3)
  vi.advanceTimersByTime(30_000)
  expect(FakeSocket.all).toHaveLength(1)
})

test('a quiet message counts and reaches the lists, and pops up nowhere', () => {
  const news: unknown[] = []
  const leave = followNews((message) => news.push(message && 'title' in message && message.title))
  newest().accept()
  newest().answer(JSON.stringify({ title: '悄悄', quiet: true }))
  newest().answer(JSON.stringify({ title: '大声', quiet: false }))
  expect([getSession().unread, news, popped]).toEqual([2, ['悄悄', '大声'], ['大声']])
  leave()
})
