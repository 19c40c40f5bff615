import { getUserInfo, type UserInfo } from '#shared/account/contract.ts'
import { countUnread } from '#shared/message/contract.ts'
import { call, ignoreShown } from './api.ts'
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

/** As above, after a call that has changed the person: where this answer does not come, that call has succeeded all the same. */
export const refetchChangedUser = (): Promise<unknown> => refetchUser().catch(ignoreShown)

let lastCounted = 0
let arrived = 0

/** Counts the unread messages. As above, an answer that comes after that of a later call is not stored, nor is one to another token. */
export async function refetchUnread(quiet = false): Promise<void> {
  const { token } = getSession()
  const counted = ++lastCounted
  const before = arrived
  const unread = await call(countUnread, {}, quiet)
  if (counted !== lastCounted || token !== getSession().token) return
  // A message that has arrived meanwhile may be in the answer or not.
  if (arrived !== before) return refetchUnread(true)
  setUnread(unread)
}

/** Counts a message that has arrived and takes the place of others. */
export function countArrived({ replaces }: { replaces: number }): void {
  arrived++
  setUnread(Math.max(0, getSession().unread + 1 - replaces), true)
}
