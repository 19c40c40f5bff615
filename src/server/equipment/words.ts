import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import type { Read } from '../db/connect.ts'
import { compiledOnce } from '../db/driver/compiled.ts'
import { mostCounted, type Paging } from '../db/paging.ts'
import type { DB } from '../db/tables.generated.ts'
import { contains, gramsOf, wordsOf } from '../db/search.ts'

/** A word as a statement takes it. `short`: one or two letters are a gram themselves; of more, the grams may stand apart. */
export type Word = { pattern: string; grams: string[]; short: boolean }

export const machineWords = (words: string): Word[] =>
  wordsOf(words).map((word) => ({ pattern: contains(word), grams: gramsOf(word), short: [...word].length <= 2 }))

/**
 * What a word can mean: the categories that are called so, the brands, and what the machine itself must then have. `ownGrams` are the grams
 * that no category and no brand has: what holds the word has these among its own. `frequent`: common enough that scanning newest-first
 * finds a page quickly. Null: none.
 */
type Meaning = { categoryIds: number[] | null; brands: string[] | null; ownGrams: string[] | null; frequent: boolean }
export type Lead = Word & Meaning

type Parts = Record<'categoryIds' | 'brands' | 'ownGrams', RawBuilder<unknown>>

// Each is asked once for the statement.
const partsOf = ({ pattern, grams }: Word): Parts => ({
  categoryIds: sql`array(select c.id from category c where c.level = 2 and c.words like ${pattern})`,
  brands: sql`array(select b.brand from brand b where lower(b.brand) like ${pattern})`,
  ownGrams: sql`array(select gram from unnest(${grams}::text[]) gram
    where not exists (select from category c where gram = any(c.grams)) and not exists (select from brand b where gram = any(b.grams)))`,
})

/** A share of the shelf: as many are read from the index of grams at the most. */
const frequentFrom = 0.02

const selectMeaning = compiledOnce((db, word: Word) => {
  const { categoryIds, brands, ownGrams } = partsOf(word)
  // What the database noted of the column when it last looked; of grams that it did not note there are few.
  return db
    .selectFrom(
      sql<Omit<Meaning, 'frequent'>>`(select nullif(${categoryIds}, '{}') as category_ids, nullif(${brands}, '{}') as brands,
        nullif(${ownGrams}, '{}') as own_grams offset 0)`.as('meaning'),
    )
    .select([
      'categoryIds',
      'brands',
      'ownGrams',
      sql<boolean>`case when own_grams is null then false else (
        select coalesce(bool_and(coalesce(noted.share, 0) >= ${sql.lit(frequentFrom)}), false) from unnest(own_grams) gram left join (
          select * from pg_stats s, unnest(s.most_common_elems::text::text[], s.most_common_elem_freqs) as n(gram, share)
          where s.schemaname = 'public' and s.tablename = 'equipment' and s.attname = 'own_grams') noted using (gram)) end`.as('frequent'),
    ])
})

/** Of several words the one that means a category leads, or else the last; what it finds must hold the others. */
export async function leadOf(db: Read, words: readonly Word[]): Promise<{ lead: Lead | undefined; words: Word[] }> {
  const selected = words.map(async (word) => (await selectMeaning(db, word)).map((meaning) => ({ ...word, ...meaning })))
  const meanings = (await Promise.all(selected)).flat()
  const lead = meanings.find(({ categoryIds }) => categoryIds) ?? meanings.at(-1)
  return { lead, words: words.filter(({ pattern }) => pattern !== lead?.pattern) }
}

// Hidden from the planner in a select of their own: it would plan anew for each value, which takes longer than the question.
const isOfCategory = (categoryIds: unknown) => sql<boolean>`equipment.category_id = any((select ${categoryIds}::integer[])::integer[])`
const isBrand = (brands: unknown) => sql<boolean>`equipment.brand = any((select ${brands}::text[])::text[])`
const holdsPattern = ({ short, pattern }: Word) => (short ? sql`` : sql`and lower(equipment.search_text) like ${pattern}`)

/** Whether a machine holds every word, each in its category's name, its brand or its own text. */
export function holdsMachineWords(words: readonly Word[]): RawBuilder<boolean> {
  const conditions = words.map((word) => {
    const { categoryIds, brands, ownGrams } = partsOf(word)
    return sql`(${isOfCategory(categoryIds)} or ${isBrand(brands)}
      or (cardinality(${ownGrams}) > 0 and equipment.own_grams @> ${ownGrams} ${holdsPattern(word)})
      or (cardinality(${ownGrams}) = 0 and equipment.own_grams && ${word.grams}::text[] ${holdsPattern(word)}))`
  })
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

type Machines = SelectQueryBuilder<DB, 'equipment', object>

/**
 * The newest machines that hold a word, as a page (`id`, `at`, `total`): of each category and each brand that it means the newest by their
 * index, and those whose own text holds it, merged. `machines` is the shelf with the other filters.
 */
export function pageOfWord(machines: Machines, lead: Lead, { pageNum, pageSize, exact, most = mostCounted }: Paging) {
  const { categoryIds, brands, ownGrams, frequent, grams } = lead
  // So many are read of each; in steps of two, so that the statements are few.
  const need = sql.lit(pageSize * 2 ** Math.ceil(Math.log2(pageNum)))
  const newest = (query: Machines) => query.select('equipment.id').orderBy('equipment.id', 'desc').limit(need)
  const own = ownGrams
    ? sql<boolean>`equipment.own_grams @> (select ${ownGrams}::text[]) ${holdsPattern(lead)}`
    : sql<boolean>`equipment.own_grams && (select ${grams}::text[]) ${holdsPattern(lead)}`
  // Offset 0 keeps the planner, which does not know how many there are, to the way chosen here: through the newest, or by the grams.
  const speaking = frequent
    ? sql`(select id, category_id, brand from (${machines.selectAll('equipment').orderBy('equipment.id', 'desc').offset(sql.lit(0))}) equipment where ${own})`
    : sql`(${machines.where(own).select(['equipment.id', 'equipment.categoryId', 'equipment.brand']).offset(sql.lit(0))})`

  const found = [sql`(select id from ${speaking} s order by id desc limit ${need})`]
  const counted: RawBuilder<unknown>[] = []
  // Of the categories and brands before, whose machines are counted already.
  const seen: RawBuilder<boolean>[] = []
  const unseen = () => (seen.length === 0 ? sql`` : sql`where not (${sql.join(seen, sql` or `)})`)
  const countOf = (those: RawBuilder<unknown>) => counted.push(sql`select 1 from ${those} equipment ${unseen()}`)
  if (categoryIds) {
    found.push(
      sql`select f.id from unnest(${categoryIds}::integer[]) one_category, lateral (${newest(machines.where(sql<boolean>`equipment.category_id = one_category`))}) f`,
    )
    countOf(sql`(${machines.where(isOfCategory(categoryIds)).select('equipment.id')})`)
    seen.push(isOfCategory(categoryIds))
  }
  if (brands) {
    found.push(
      sql`select f.id from unnest(${brands}::text[]) one_brand, lateral (${newest(machines.where(sql<boolean>`equipment.brand = one_brand`))}) f`,
    )
    countOf(sql`(${machines.where(isBrand(brands)).select('equipment.categoryId')})`)
    seen.push(isBrand(brands))
  }
  countOf(speaking)
  return sql<{ id: number; at: number; total: number }>`(with found as materialized (${sql.join(found, sql` union `)}),
      counted as materialized (select count(*) as total
        from (select 1 from (${sql.join(counted, sql` union all `)}) each_once limit ${exact ? sql`all` : sql.lit(Math.max(most, pageNum * pageSize) + 1)}) bounded)
    select id, row_number() over () as at, (select total from counted) as total
    from (select id from found order by id desc offset ${(pageNum - 1) * pageSize} limit ${sql.lit(pageSize)}) few)`.as('page')
}
