import { sql, type RawBuilder } from 'kysely'
import type { RegionNode } from '#shared/region/contract.ts'
import { isCityOf, isDistrictOf } from '#shared/region/rules.ts'
import type { Read } from '../db/connect.ts'

const placeOf = (table: string) => ({ province: sql.ref(`${table}.province_id`), city: sql.ref(`${table}.city_id`) })

/** Province and city with a blank between, directly governed cities once, for a table or alias with province_id and city_id. */
export function regionNameOf(table: string): RawBuilder<string> {
  const { province, city } = placeOf(table)
  return sql<string>`coalesce((select case when c.code is null or c.name = p.name then p.name else p.name || ' ' || c.name end
    from region p left join region c on c.code = ${city} where p.code = ${province}), '')`
}

/** The same in English: the city before its province. */
export function regionNameEnOf(table: string): RawBuilder<string> {
  const { province, city } = placeOf(table)
  return sql<string>`coalesce((select case when c.code is null or c.name_en = p.name_en then p.name_en else c.name_en || ', ' || p.name_en end
    from region p left join region c on c.code = ${city} where p.code = ${province}), '')`
}

/** Both names as columns. */
export const regionNamesOf = (table: string) => [regionNameOf(table).as('regionName'), regionNameEnOf(table).as('regionNameEn')] as const

/** The trees down to each level. Only a new version of the product changes them, so they are read once: 3,400 rows take 20 ms. */
const regionTrees = new Map<number, Promise<RegionNode[]>>()

export function getRegionTree(db: Read, level: number): Promise<RegionNode[]> {
  const known = regionTrees.get(level)
  if (known) return known
  const tree = readRegionTree(db, level)
  regionTrees.set(level, tree)
  tree.catch(() => regionTrees.delete(level))
  return tree
}

async function readRegionTree(db: Read, level: number): Promise<RegionNode[]> {
  const rows = await db
    .selectFrom('region')
    .where('level', '<=', level)
    .orderBy('code')
    .select(['code', 'parentCode', 'name', 'nameEn'])
    .execute()
  const nodes = new Map(rows.map(({ code, name, nameEn }) => [code, { code, name, nameEn } as RegionNode]))
  const roots: RegionNode[] = []
  for (const { code, parentCode } of rows) {
    const node = nodes.get(code)
    if (!node) continue
    const parent = parentCode === null ? undefined : nodes.get(parentCode)
    if (parent) (parent.children ??= []).push(node)
    else roots.push(node)
  }
  return roots
}

export function listRegionChildren(db: Read, parent: number): Promise<RegionNode[]> {
  return db.selectFrom('region').where('parentCode', '=', parent).orderBy('code').select(['code', 'name', 'nameEn']).execute()
}

/** All region codes. Only a new version of the product changes them, so they are read once. */
let knownRegionIds: ReadonlySet<number> = new Set()

/** Whether the codes exist and the district lies in the city and the city in the province. */
export async function isPlace(
  db: Read,
  { provinceId, cityId, districtId }: { provinceId: number; cityId: number; districtId: number | null },
): Promise<boolean> {
  if (!isCityOf(provinceId, cityId) || (districtId !== null && !isDistrictOf(cityId, districtId))) return false
  if (knownRegionIds.size === 0) knownRegionIds = new Set((await db.selectFrom('region').select('code').execute()).map(({ code }) => code))
  return knownRegionIds.has(provinceId) && knownRegionIds.has(cityId) && (districtId === null || knownRegionIds.has(districtId))
}
