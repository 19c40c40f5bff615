import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { equipmentAudit, shelfStatus } from '#shared/equipment/rules.ts'
import { delFlag } from '#shared/rules.ts'
import { understand, type Understanding } from '#shared/search/understand.ts'
import { indexOf, type SearchIndex } from '#shared/search/vocabulary.ts'
import { mainParam } from '#shared/main-param.ts'
import type { Read } from '../db/connect.ts'
import { findCategories } from './queries.ts'

/** Brands beyond these are found as words. */
const maxBrands = 5000

/**
 * The brand of a machine that the platform has passed. That of a draft is whatever its lessor typed. The states stand in the text, as in the index of
 * brands.
 */
const isBrandOnShelf = sql<boolean>`exists (select from equipment e where e.brand = brand.brand and e.audit_status = ${sql.lit(equipmentAudit.passed)}
  and e.shelf_status = ${sql.lit(shelfStatus.on)} and e.del_flag = ${sql.lit(delFlag.present)})`

async function loadIndex(db: Read): Promise<SearchIndex> {
  const [categories, brands, regions] = await Promise.all([
    findCategories(db),
    db
      .selectFrom('brand')
      .leftJoin('dictionary', (join) => join.on('dictType', '=', 'brand').onRef('dictValue', '=', 'brand.brand'))
      .where('brand', '<>', '')
      .where((eb) => eb.or([eb('dictValue', 'is not', null), isBrandOnShelf]))
      .orderBy('brand')
      .limit(maxBrands)
      .select(['brand', (eb) => eb.fn.coalesce('dictLabelEn', 'brand').as('brandEn')])
      .execute(),
    db.selectFrom('region').where('level', '<=', 2).select(['code', 'name', 'nameEn']).execute(),
  ])
  return indexOf({ categories, brands, regions })
}

/**
 * The index of each database. It is a minute old at the most: until then a new alias or brand is found as a word, which the database itself
 * matches with categories and brands (decision 18).
 */
const indexes = new LRUCache<Read, SearchIndex>({ max: 4, ttl: 60_000, fetchMethod: (db) => loadIndex(db) })

/** Understands a search by the catalogue, the brands and the regions of the database. */
export async function understandSearch(db: Read, text: string): Promise<Understanding> {
  return understand(await indexes.forceFetch(db), text)
}

/** The key of the main parameter of a category. */
export async function mainKeyOf(db: Read, categoryId: number): Promise<string | undefined> {
  return mainParam((await indexes.forceFetch(db)).categories.get(categoryId)?.params)?.key
}
