import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { DemandFilter } from '#shared/demand/contract.ts'
import { delFlag } from '#shared/rules.ts'
import type { SizeRange, Understanding } from '#shared/search/understand.ts'
import { understandSearch } from '../category/vocabulary.ts'
import type { Read } from '../db/connect.ts'
import { areFrequent, holdsWords, type rowHoldsWords } from '../db/search.ts'

export type Filter = z.output<typeof DemandFilter>
/** `frequent`: the parts of the words that so many demands hold that the list is read along its order. */
export type Understood = Filter & { meaning?: Understanding; frequent?: ReadonlySet<string> }

/** The filter with what its words were understood as. */
export async function understood(db: Read, filter: Filter): Promise<Understood> {
  if (!filter.keyword?.trim()) return filter
  const meaning = await understandSearch(db, filter.keyword)
  const frequent = new Set<string>()
  for (const { kind, text } of meaning.parts)
    if ((kind === 'category' || kind === 'word' || kind === 'brand') && (await areFrequent(db, 'demand', text))) frequent.add(text)
  return { ...filter, meaning, frequent }
}

export const isAllFrequent = ({ meaning, frequent }: Understood) =>
  meaning !== undefined && frequent !== undefined && meaning.parts.every(({ text }) => frequent.has(text))

/** The demands with a line of such a machine. */
const withLine = ({ categoryIds, min, max }: SizeRange) =>
  sql`select i.demand_id from demand_item i where i.category_id = any(${categoryIds}::integer[])
    ${min === undefined || max === undefined ? sql`` : sql`and i.main_value between ${min}::numeric and ${max}::numeric`}`

/**
 * Whether a demand means what is looked for: each part by its lines or its place, or as a word of its title, its project or its number, since
 * a project may be called after a place or a machine. `holds`: how a row's text is compared with frequent words.
 */
export function means(
  { parts, ranges, categoryIds }: Understanding,
  frequent: ReadonlySet<string>,
  holds: typeof rowHoldsWords,
): RawBuilder<boolean> {
  const conditions = parts.map(({ kind, text, code }) => {
    if (frequent.has(text)) {
      const hasLine = sql`demand.kinds && ${categoryIds}::integer[]`
      return kind === 'category' ? sql`(${holds('demand', text)} or ${hasLine})` : holds('demand', text)
    }
    const asWord = sql`select demand.id from demand where demand.del_flag = ${sql.lit(delFlag.present)} and ${holdsWords('demand', text)}`
    if (kind === 'category') return sql`demand.id in (${withLine({ categoryIds })} union all ${asWord})`
    if (kind === 'size') return ranges.length === 0 ? sql`true` : sql`demand.id in (${sql.join(ranges.map(withLine), sql` union all `)})`
    if (kind === 'region') return sql`(${code}::integer in (demand.province_id, demand.city_id) or ${holdsWords('demand', text)})`
    return holdsWords('demand', text)
  })
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`
}
