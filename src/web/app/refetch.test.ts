import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { countArrived, refetchUnread, refetchUser } from './refetch.ts'
import { clearSession, getSession, setLeaving, storeSignIn } from './session.ts'

const signIn = (token: string) => storeSignIn({ access_token: token, expires_in: 720 })
let stored = new Map<string, string>()

beforeEach(() => {
  stored = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  })
  vi.stubGlobal('sessionStorage', {})
})
afterEach(() => {
  clearSession()
  vi.unstubAllGlobals()
})

test('an answer about a person that comes once they have signed out is not stored, nor is it that of the next person', async () => {
  const { promise: slow, resolve: answer } = Promise.withResolvers<void>()
  vi.stubGlobal('fetch', async (path: string) => {
    await slow
    return Response.json({ code: 200, data: path.endsWith('/getMessageNumber') ? 4 : { user: { userId: 7, name: '何样本' } } })
  })
  signIn('token')
  const late = [refetchUser(), refetchUnread()]
  setLeaving(true)
  clearSession()
  setLeaving(false)
  answer()
  await Promise.all(late)
  expect([getSession().info, stored.has('user')]).toEqual([null, false])
  signIn('token')
  const later = [refetchUser(), refetchUnread()]
  signIn('the token of the next person')
  await Promise.all(later)
  expect([getSession().info, getSession().unread]).toEqual([null, 0])
  await Promise.all([refetchUser(), refetchUnread()])
  expect([getSession().info?.user.userId, getSession().unread]).toEqual([7, 4])
})

test('a message that arrives while the unread ones are counted counts once, and an older count does not undo a newer one', async () => {
  const answers: ((unread: number) => void)[] = []
  vi.stubGlobal('fetch', () => new Promise((done) => answers.push((unread) => done(Response.json({ code: 200, data: unread })))))
  signIn('token')
  const counted = refetchUnread()
  countArrived({ replaces: 0 })
  // The count holds the message already; the next one says so.
  answers[0]?.(1)
  await expect.poll(() => answers.length).toBe(2)
  expect(getSession().unread).toBe(1)
  answers[1]?.(1)
  await counted
  expect(getSession().unread).toBe(1)
  const [older, newer] = [refetchUnread(), refetchUnread()]
  answers[3]?.(5)
  await newer
  answers[2]?.(4)
  await older
  expect(getSession().unread).toBe(5)
})
