import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { UserInfo } from '#shared/account/contract.ts'
import { clearSession, storeInfo, storeSignIn } from './session.ts'
import { nameOfNew } from './use-local-draft.ts'

beforeEach(() => {
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined, removeItem: () => undefined })
  vi.stubGlobal('sessionStorage', {})
})
afterEach(() => {
  clearSession()
  vi.unstubAllGlobals()
})

test('what is typed for a new record of one project is stored apart from that of another project, and from what begins in another way', () => {
  storeSignIn({ access_token: 'token', expires_in: 720 })
  const names = [3, 4].flatMap((deptId) => {
    storeInfo({ user: { userId: 7, deptId } } as UserInfo)
    return [nameOfNew(), nameOfNew('-12'), nameOfNew('?copy=1')]
  })
  expect(new Set(names).size).toBe(6)
})
