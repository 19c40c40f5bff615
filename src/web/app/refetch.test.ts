import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { refetchUnread, refetchUser } from './refetch.ts'
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
