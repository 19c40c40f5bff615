import * as contract from '#shared/setting/contract.ts'
import type { Api } from '../api.ts'
import { findSettings, listSettingHistory, saveSetting } from './queries.ts'

export function settingRoutes(api: Api): void {
  api.handle(contract.getSettings, ({ db }) => findSettings(db))
  api.handle(contract.listSettingHistory, ({ db }) => listSettingHistory(db))
  api.handle(contract.saveSetting, (deed, { body }) => saveSetting(deed, body))
}
