import { getSettings, listSettingHistory, saveSetting } from '#shared/setting/contract.ts'
import type { Api } from '../api.ts'
import { findSettingHistory, findSettings, writeSetting } from './queries.ts'

export function settingRoutes(api: Api): void {
  api.handle(getSettings, ({ db }) => findSettings(db))
  api.handle(listSettingHistory, ({ db }) => findSettingHistory(db))
  api.handle(saveSetting, async ({ db, actor, now }, { body }) => {
    await writeSetting(db, actor, body, now)
    return null
  })
}
