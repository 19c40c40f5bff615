import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import type { DB } from '../db/tables.generated.ts'
import { contains, gramsOf, wordsOf } from '../db/search.ts'

/** A word as the statement takes it. `short`: one or two letters are a gram themselves; of more, the grams may stand apart. */
export type Word = { pattern: string; grams: string[]; short: boolean }

export const machineWords = (words: string): Word[] =>
  wordsOf(words).map((word) => ({ pattern: contains(word), grams: gramsOf(word), short: [...word].length <= 2 }))

// Each is a question of its own, asked once for the statement.
const categories = ({ pattern }: Word) => sql`array(select c.id from category c where c.level = 2 and c.words like ${pattern})`
const brands = ({ pattern }: Word) => sql`array(select b.brand from brand b where lower(b.brand) like ${pattern})`
/** The grams that no category and no brand has: what holds the word has these among its own. */
const strange = ({ grams }: Word) => sql`array(select gram from unnest(${grams}::text[]) gram
  where not exists (select from category c where gram = any(c.grams)) and not exists (select from brand b where gram = any(b.grams)))`

/** The ways a machine can hold a word: its kind is called so, its maker is, or it says so itself. */
function ways(word: Word) {
  const said = word.short ? sql`` : sql`and lower(equipment.search_text) like ${word.pattern}`
  return {
    kind: sql<boolean>`equipment.category_id = any(${categories(word)})`,
    maker: sql<boolean>`equipment.brand = any(${brands(word)})`,
    strangely: sql<boolean>`(cardinality(${strange(word)}) > 0 and equipment.own_grams @> ${strange(word)} ${said})`,
    plainly: sql<boolean>`(cardinality(${strange(word)}) = 0 and equipment.own_grams && ${word.grams}::text[] ${said})`,
  }
}

/** Whether a machine holds every word, each in its category's name, its brand or its own text. */
export function holdsMachineWords(words: readonly Word[]): RawBuilder<boolean> {
  const conditions = words.map((word) => sql`(${sql.join(Object.values(ways(word)), sql` or `)})`)
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

type Machines = SelectQueryBuilder<DB, 'equipment', object>

/**
 * The newest machines that hold a word, as a page (`id`, `at`, `total`): from each category and each brand that the word means the newest
 * by its index, and those that say it themselves. `machines` is the shelf with the other filters; `most` bounds the count, null does not.
 */
export function pageOfWord(
  machines: Machines,
  word: Word,
  { offset, need, size, most }: { offset: number; need: number; size: number; most: number | null },
) {
  const { kind, maker, strangely, plainly } = ways(word)
  const newest = (way: RawBuilder<boolean>) =>
    machines
      .where(way)
      .select('equipment.id')
      .orderBy('equipment.id', 'desc')
      .limit(sql<number>`${need}`)
  const every = (way: RawBuilder<boolean>) => machines.where(way).select('equipment.id')
  return sql<{ id: number; at: number; total: number }>`(with found as materialized (
      select f.id from unnest(${categories(word)}) kind, lateral (${newest(sql<boolean>`equipment.category_id = kind`)}) f
      union select f.id from unnest(${brands(word)}) maker, lateral (${newest(sql<boolean>`equipment.brand = maker`)}) f
      union (${newest(strangely)})
      union (${newest(plainly)})),
    counted as materialized (
      select count(*) as total from (select 1 from (
        ${every(kind)}
        union all ${every(sql<boolean>`${maker} and not ${kind}`)}
        union all ${every(sql<boolean>`${strangely} and not ${kind} and not ${maker}`)}
        union all ${every(sql<boolean>`${plainly} and not ${kind} and not ${maker}`)}) each_once limit ${most === null ? sql`all` : sql.lit(most)}) bounded)
    select id, row_number() over () as at, (select total from counted) as total
    from (select id from found order by id desc offset ${offset} limit ${size}) few)`.as('page')
}
