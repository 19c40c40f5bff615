import { sql } from 'kysely'
import type { Category, CategoryGroup } from '#shared/category/contract.ts'
import type { Param } from '#shared/category/input.ts'
import type { Read } from '../db/connect.ts'

/** All, or those of the ids that are in use. */
export async function findCategories(db: Read, ids?: readonly number[]): Promise<Category[]> {
  if (ids?.length === 0) return []
  const rows = await db
    .selectFrom('category')
    .where('level', '=', 2)
    .where('status', '=', '0')
    .$if(ids !== undefined, (query) => query.where(sql<boolean>`id = any(${[...new Set(ids)]}::integer[])`))
    .orderBy('parentId')
    .orderBy('orderNum')
    .select(['id', 'parentId', 'name', 'nameEn', 'alias', 'core', 'params', 'flags', 'priceUnits', 'litresPerShift'])
    .execute()
  return rows.map((row) => ({ ...row, params: row.params as Param[], flags: row.flags as Category['flags'] }))
}

export async function findCategoryTree(db: Read): Promise<CategoryGroup[]> {
  const groups = await db
    .selectFrom('category')
    .where('level', '=', 1)
    .where('status', '=', '0')
    .orderBy('orderNum')
    .select(['id', 'parentId', 'name', 'nameEn', 'alias', 'core'])
    .execute()
  const byParent = Map.groupBy(await findCategories(db), ({ parentId }) => parentId)
  return groups.map((group) => ({ ...group, children: byParent.get(group.id) ?? [] }))
}

export function findDictionary(db: Read, dictType: string) {
  return db
    .selectFrom('dictionary')
    .where('dictType', '=', dictType)
    .where('status', '=', '0')
    .orderBy('dictSort')
    .select(['dictType', 'dictValue', 'dictLabel', 'dictLabelEn', 'dictSort', 'status'])
    .execute()
}
