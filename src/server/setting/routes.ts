import { getSettings, listSettingHistory, saveSetting } from '#shared/setting/contract.ts'
import type { Api } from '../http/api.ts'
import { findSettingHistory, findSettings, writeSetting } from './queries.ts'

export function settingRoutes(api: Api): void {
  api.handle(getSettings, (_, { db }) => findSettings(db))
  api.handle(listSettingHistory, (_, { db }) => findSettingHistory(db))
  api.handle(saveSetting, async ({ body }, { db, actor, now }) => {
    await writeSetting(db, actor, body, now)
    return null
  })
}
