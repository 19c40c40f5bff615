import { getUserInfo, type UserInfo } from '#shared/account/contract.ts'
import { countUnread } from '#shared/message/contract.ts'
import { call } from './api.ts'
import { setUnread, storeInfo } from './session.ts'

export async function refetchUser(): Promise<UserInfo> {
  const info = await call(getUserInfo, {})
  storeInfo(info)
  return info
}

export async function refetchUnread(quiet = false): Promise<void> {
  setUnread(await call(countUnread, {}, quiet))
}
