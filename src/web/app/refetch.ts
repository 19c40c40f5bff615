import { getUserInfo, type UserInfo } from '#shared/account/contract.ts'
import { countUnread } from '#shared/message/contract.ts'
import { call } from './api.ts'
import { setUnread, storeInfo } from './session.ts'

let lastAsked = 0

/** Asks who the person is now. An answer that comes after that of a later call is older, and is not stored: it would undo a change just made. */
export async function refetchUser(): Promise<UserInfo> {
  const asked = ++lastAsked
  const info = await call(getUserInfo, {})
  if (asked === lastAsked) storeInfo(info)
  return info
}

export async function refetchUnread(quiet = false): Promise<void> {
  setUnread(await call(countUnread, {}, quiet))
}
