import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { settingDefaults, settingSchemas, type Setting, type SettingKey } from '#shared/setting/contract.ts'
import { audited } from '../audit/log.ts'
import type { Read } from '../db/connect.ts'
import type { Deed } from '../deed.ts'
import { Refusal } from '../http/refusal.ts'

/** The stored value, completed by the defaults; a row that is broken or of an older form counts as not set. */
export async function findSetting<K extends SettingKey>(db: Read, key: K): Promise<Setting<K>> {
  const row = await db.selectFrom('setting').where('key', '=', key).select('value').executeTakeFirst()
  const parsed = settingSchemas[key].safeParse({ ...settingDefaults[key], ...(row?.value as object | undefined) })
  return (parsed.success ? parsed.data : settingDefaults[key]) as Setting<K>
}

export async function findSettings(db: Read) {
  const [security, review, limits, lpr, cost] = await Promise.all([
    findSetting(db, 'security'),
    findSetting(db, 'review'),
    findSetting(db, 'limits'),
    findSetting(db, 'lpr'),
    findSetting(db, 'cost'),
  ])
  return { security, review, limits, lpr, cost }
}

/**
 * Stores a setting, or throws changed where its value is not `before` any more. The pipeline does not write its audit entry, because the row that it
 * compares may have to be made first.
 */
export async function saveSetting<K extends SettingKey>(
  { db, actor, now }: Deed,
  { key, value, before, reason }: { key: K; value: Setting<K>; before: Setting<K>; reason: string },
): Promise<void> {
  await db
    .insertInto('setting')
    .values({ key, value: JSON.stringify(await findSetting(db, key)), updatedAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db.selectFrom('setting').where('key', '=', key).select('key').forNoKeyUpdate().execute()
  if (!isDeepStrictEqual(await findSetting(db, key), before)) throw new Refusal('changed')
  await audited({ db, now }, actor, { action: 'setting.save', bizType: 'setting', id: key, reason }, () =>
    db
      .updateTable('setting')
      .set({ value: JSON.stringify(value), updatedAt: now })
      .where('key', '=', key)
      .execute(),
  )
}

export function listSettingHistory(db: Read) {
  const inner = (column: string) => sql<Record<string, unknown> | null>`${sql.ref(column)} -> 'value'`
  return db
    .selectFrom('auditLog')
    .where('action', '=', 'setting.save')
    .orderBy('seq', 'desc')
    .limit(50)
    .select(['seq', 'at', 'who', 'bizId as key', 'reason', inner('before').as('before'), inner('after').as('after')])
    .execute()
}
