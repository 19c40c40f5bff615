import { sql } from 'kysely'
import type { Category, CategoryGroup } from '#shared/category/contract.ts'
import { enableStatus } from '#shared/rules.ts'
import type { Read } from '../db/connect.ts'

/** The enabled categories, all or those of the ids, as a column of another query. */
export const categoriesIn = (ids?: readonly number[]) =>
  sql<
    Category[]
  >`(select coalesce(json_agg(json_build_object('id', id, 'parentId', parent_id, 'name', name, 'nameEn', name_en, 'alias', alias,
    'core', core, 'params', params, 'flags', flags, 'priceUnits', price_units, 'litresPerShift', litres_per_shift) order by parent_id, order_num), '[]')
    from category where level = 2 and status = ${sql.lit(enableStatus.enabled)} ${ids ? sql`and id = any(${[...new Set(ids)]}::integer[])` : sql``})`

/** The enabled categories, all or those of the ids. */
export async function findCategories(db: Read, ids?: readonly number[]): Promise<Category[]> {
  if (ids?.length === 0) return []
  const { rows } = await sql<{ categories: Category[] }>`select ${categoriesIn(ids)} as categories`.execute(db)
  return rows[0]?.categories ?? []
}

export async function getCategoryTree(db: Read): Promise<CategoryGroup[]> {
  const groups = await db
    .selectFrom('category')
    .where('level', '=', 1)
    .where('status', '=', enableStatus.enabled)
    .orderBy('orderNum')
    .select(['id', 'parentId', 'name', 'nameEn', 'alias', 'core'])
    .execute()
  const byParent = Map.groupBy(await findCategories(db), ({ parentId }) => parentId)
  return groups.map((group) => ({ ...group, children: byParent.get(group.id) ?? [] }))
}

/** The enabled entries of one dictionary. */
export function listDictionary(db: Read, dictType: string) {
  return db
    .selectFrom('dictionary')
    .where('dictType', '=', dictType)
    .where('status', '=', enableStatus.enabled)
    .orderBy('dictSort')
    .select(['dictType', 'dictValue', 'dictLabel', 'dictLabelEn', 'dictSort', 'status'])
    .execute()
}
