import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { UserInfo } from '#shared/account/contract.ts'
import { clearSession, storeInfo, storeSignIn } from '../../app/session.ts'
import { nameOfNew } from './direct-contract.ts'

beforeEach(() => {
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined, removeItem: () => undefined })
  vi.stubGlobal('sessionStorage', {})
})
afterEach(() => {
  clearSession()
  vi.unstubAllGlobals()
})

test('what is typed for a new contract of one project is stored apart from that of another project, and from the likes of other contracts', () => {
  storeSignIn({ access_token: 'token', expires_in: 720 })
  const names = [3, 4].flatMap((deptId) => {
    storeInfo({ user: { userId: 7, deptId } } as UserInfo)
    return [nameOfNew(null), nameOfNew('12')]
  })
  expect(new Set(names).size).toBe(4)
})
