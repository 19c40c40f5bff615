import { afterEach, expect, test, vi } from 'vitest'
import type { Message } from '#shared/message/contract.ts'
import { markRead } from './mark-read.ts'
import { clearSession, getSession, setUnread, storeSignIn } from './session.ts'

afterEach(() => {
  clearSession()
  vi.unstubAllGlobals()
})

test('lists of messages are fetched again once a message is marked as read, for they may have been fetched before', async () => {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  })
  vi.stubGlobal('sessionStorage', {})
  const { promise: slow, resolve: answer } = Promise.withResolvers<void>()
  const counted: string[] = []
  vi.stubGlobal('fetch', async (path: string) => {
    if (path.endsWith('/getMessageNumber')) counted.push(path)
    else await slow
    return Response.json({ code: 200, data: path.endsWith('/getMessageNumber') ? 2 : null })
  })
  storeSignIn({ access_token: 'token', expires_in: 720 })
  setUnread(3)
  markRead({ messageId: '1', isRead: '0' } as Message)
  const { unread, messageChanges } = getSession()
  expect([unread, counted]).toEqual([2, []])
  answer()
  await expect.poll(() => counted).toHaveLength(1)
  expect(getSession()).toMatchObject({ unread: 2, messageChanges: messageChanges + 1 })
})
