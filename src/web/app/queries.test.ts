import { MutationObserver, onlineManager, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { updateNickname } from '#shared/account/contract.ts'
import { getBlacklist } from '#shared/blacklist/contract.ts'
import { clearToasts } from '../ui/toast.tsx'
import { ApiError, call } from './api.ts'
import { invalidate, queries } from './queries.ts'

afterEach(() => {
  onlineManager.setOnline(true)
  queries.clear()
  clearToasts()
  vi.unstubAllGlobals()
})

test('a press without a network fails at once, and nothing is sent when the network returns', async () => {
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined })
  const sent = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')))
  vi.stubGlobal('fetch', sent)
  onlineManager.setOnline(false)
  const observer = new MutationObserver(queries, { mutationFn: (nickName: string) => call(updateNickname, { body: { nickName } }) })
  const failed = vi.fn()
  void observer.mutate('老钱').catch(failed)
  await expect.poll(() => failed.mock.calls.length).toBe(1)
  expect(failed.mock.calls[0]?.[0]).toBeInstanceOf(ApiError)
  onlineManager.setOnline(true)
  await queries.resumePausedMutations()
  expect(sent).toHaveBeenCalledTimes(1)
})

test('news that comes while a page loads for the first time is in what it shows', async () => {
  const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
  let asked = 0
  const observer = new QueryObserver(queries, {
    queryKey: [getBlacklist.url, '1'],
    queryFn: () => answers[asked++]?.promise ?? 'asked too often',
  })
  const leave = observer.subscribe(() => undefined)
  expect(asked).toBe(1)
  const fresh = invalidate(getBlacklist)
  await expect.poll(() => asked).toBe(2)
  expect(observer.getCurrentResult().fetchStatus).toBe('fetching')
  answers[0]?.resolve('before')
  answers[1]?.resolve('after')
  await fresh
  expect(observer.getCurrentResult()).toMatchObject({ data: 'after', isStale: false, fetchStatus: 'idle' })
  leave()
})
