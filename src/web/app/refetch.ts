import { getUserInfo, type UserInfo } from '#shared/account/contract.ts'
import { countUnread } from '#shared/message/contract.ts'
import { call } from './api.ts'
import { getSession, setUnread, storeInfo } from './session.ts'

let lastAsked = 0

/**
 * Asks who the person is now. An answer that comes after that of a later call is older, and is not stored: it would undo a change just made. One to
 * a token that is no longer that of the session is not stored either: whoever has signed out leaves nothing behind, and the next person is another.
 */
export async function refetchUser(): Promise<UserInfo> {
  const { token } = getSession()
  const asked = ++lastAsked
  const info = await call(getUserInfo, {})
  if (asked === lastAsked && token === getSession().token) storeInfo(info)
  return info
}

export async function refetchUnread(quiet = false): Promise<void> {
  const { token } = getSession()
  const unread = await call(countUnread, {}, quiet)
  if (token === getSession().token) setUnread(unread)
}
