import { sql, type RawBuilder } from 'kysely'

/** The English name of a brand; the brand itself where the dictionary has none. */
export const brandEnOf = (brand: RawBuilder<unknown>) =>
  sql<string>`coalesce((select d.dict_label_en from dictionary d where d.dict_type = 'brand' and d.dict_value = ${brand}), ${brand})`

/** The parts of the name of the machine `e` (`machineNameParts`), as arguments of json_build_object. */
export const nameParts = sql`'name', e.name, 'brand', e.brand, 'brandEn', ${brandEnOf(sql.ref('e.brand'))}, 'model', e.model,
  'categoryNameEn', (select name_en from category where id = e.category_id)`
