import { sql, type RawBuilder } from 'kysely'
import { machineNameEn, type MachineNameParts } from '#shared/equipment/name.ts'
import type { Read } from '../db/connect.ts'

/** The English name of a brand; the brand itself where the dictionary has none. */
export const brandEnOf = (brand: RawBuilder<unknown>) =>
  sql<string>`coalesce((select d.dict_label_en from dictionary d where d.dict_type = 'brand' and d.dict_value = ${brand}), ${brand})`

/** The parts of the name of a machine (`machineNameParts`), as columns beside its category. */
export const nameColumns = [
  'equipment.name',
  'equipment.brand',
  brandEnOf(sql.ref('equipment.brand')).as('brandEn'),
  'equipment.model',
  'category.nameEn as categoryNameEn',
] as const

/** The parts of the name of the machine `e` (`machineNameParts`), as arguments of json_build_object. */
export const nameParts = sql`'name', e.name, 'brand', e.brand, 'brandEn', ${brandEnOf(sql.ref('e.brand'))}, 'model', e.model,
  'categoryNameEn', (select name_en from category where id = e.category_id)`

/** The English names of machines, by their ids. */
export async function findMachineNamesEn(db: Read, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number; parts: MachineNameParts }>`
    select e.id, json_build_object(${nameParts}) as parts from equipment e where e.id = any(${[...ids]}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, parts }) => [id, machineNameEn(parts)]))
}
