import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import { compiledOnce } from '../db/compiled.ts'
import type { Read } from '../db/connect.ts'
import type { DB } from '../db/tables.generated.ts'
import { contains, gramsOf, wordsOf } from '../db/search.ts'

/** A word as a statement takes it. `short`: one or two letters are a gram themselves; of more, the grams may stand apart. */
export type Word = { pattern: string; grams: string[]; short: boolean }

export const machineWords = (words: string): Word[] =>
  wordsOf(words).map((word) => ({ pattern: contains(word), grams: gramsOf(word), short: [...word].length <= 2 }))

/**
 * What a word can mean: the categories that are called so, the brands, and what the machine itself must then have. `strange` are the grams
 * that no category and no brand has: what holds the word has these among its own. `frequent`: so many machines do that they are met
 * soon when the newest are gone through.
 */
export type Meaning = { kinds: number[]; makers: string[]; strange: string[]; frequent: boolean }

/** What of a meaning decides the text of a statement: which of its arrays are not empty. */
export type Shape = Record<keyof Meaning, boolean>
export const shapeOf = ({ kinds, makers, strange, frequent }: Meaning): Shape => ({
  kinds: kinds.length > 0,
  makers: makers.length > 0,
  strange: strange.length > 0,
  frequent,
})

type Parts = Record<'kinds' | 'makers' | 'strange', RawBuilder<unknown>>

// Each is asked once for the statement.
const partsOf = ({ pattern, grams }: Pick<Word, 'pattern' | 'grams'>): Parts => ({
  kinds: sql`array(select c.id from category c where c.level = 2 and c.words like ${pattern})`,
  makers: sql`array(select b.brand from brand b where lower(b.brand) like ${pattern})`,
  strange: sql`array(select gram from unnest(${grams}::text[]) gram
    where not exists (select from category c where gram = any(c.grams)) and not exists (select from brand b where gram = any(b.grams)))`,
})

/** A share of the shelf: as many are read from the index of grams at the most. */
const frequentFrom = 0.02

const asked = compiledOnce((db, _, word: Pick<Word, 'pattern' | 'grams'>) => {
  const { kinds, makers, strange } = partsOf(word)
  // What the database noted of the column when it last looked; of grams that it did not note there are few.
  return db
    .selectFrom(sql<Omit<Meaning, 'frequent'>>`(select ${kinds} as kinds, ${makers} as makers, ${strange} as strange offset 0)`.as('meant'))
    .select([
      'kinds',
      'makers',
      'strange',
      sql<boolean>`case when cardinality(strange) = 0 then false else (
        select coalesce(bool_and(coalesce(noted.share, 0) >= ${sql.lit(frequentFrom)}), false) from unnest(strange) gram left join (
          select * from pg_stats s, unnest(s.most_common_elems::text::text[], s.most_common_elem_freqs) as n(gram, share)
          where s.schemaname = 'public' and s.tablename = 'equipment' and s.attname = 'own_grams') noted using (gram)) end`.as('frequent'),
    ])
})

export async function meaningOf(db: Read, { pattern, grams }: Word): Promise<Meaning> {
  const [meaning] = await asked(db, {}, { pattern, grams })
  if (!meaning) throw new Error('a row was expected')
  return meaning
}

// Hidden from the planner in a select of their own: it would plan anew for each value, which takes longer than the question.
const isKind = (kinds: unknown) => sql<boolean>`equipment.category_id = any((select ${kinds}::integer[])::integer[])`
const isMaker = (makers: unknown) => sql<boolean>`equipment.brand = any((select ${makers}::text[])::text[])`
const said = ({ short, pattern }: Word) => (short ? sql`` : sql`and lower(equipment.search_text) like ${pattern}`)

/** Whether a machine holds every word, each in its category's name, its brand or its own text. */
export function holdsMachineWords(words: readonly Word[]): RawBuilder<boolean> {
  const conditions = words.map((word) => {
    const { kinds, makers, strange } = partsOf(word)
    return sql`(${isKind(kinds)} or ${isMaker(makers)}
      or (cardinality(${strange}) > 0 and equipment.own_grams @> ${strange} ${said(word)})
      or (cardinality(${strange}) = 0 and equipment.own_grams && ${word.grams}::text[] ${said(word)}))`
  })
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

type Machines = SelectQueryBuilder<DB, 'equipment', object>

/**
 * The newest machines that hold a word, as a page (`id`, `at`, `total`): of each category and each brand that it means the newest by their
 * index, and those that say it themselves, merged. `machines` is the shelf with the other filters; `need` are read of each; `most` bounds
 * the count, null does not.
 */
export function pageOfWord(
  machines: Machines,
  word: Word,
  { kinds, makers, strange }: Omit<Meaning, 'frequent'>,
  has: Shape,
  { offset, need, size, most }: { offset: number; need: number; size: number; most: number | null },
) {
  const newest = (query: Machines) => query.select('equipment.id').orderBy('equipment.id', 'desc').limit(sql.lit(need))
  const own = has.strange
    ? sql<boolean>`equipment.own_grams @> (select ${strange}::text[]) ${said(word)}`
    : sql<boolean>`equipment.own_grams && (select ${word.grams}::text[]) ${said(word)}`
  // Offset 0 keeps the planner, which does not know how many there are, to the way chosen here: through the newest, or by the grams.
  const speaking = has.frequent
    ? sql`(select id, category_id, brand from (${machines.selectAll('equipment').orderBy('equipment.id', 'desc').offset(sql.lit(0))}) equipment where ${own})`
    : sql`(${machines.where(own).select(['equipment.id', 'equipment.categoryId', 'equipment.brand']).offset(sql.lit(0))})`
  const found = [
    ...(has.kinds
      ? [
          sql`select f.id from unnest(${kinds}::integer[]) kind, lateral (${newest(machines.where(sql<boolean>`equipment.category_id = kind`))}) f`,
        ]
      : []),
    ...(has.makers
      ? [
          sql`select f.id from unnest(${makers}::text[]) maker, lateral (${newest(machines.where(sql<boolean>`equipment.brand = maker`))}) f`,
        ]
      : []),
    sql`(select id from ${speaking} s order by id desc limit ${sql.lit(need)})`,
  ]
  const others = (parts: RawBuilder<boolean>[]) => (parts.length === 0 ? sql`` : sql`where not (${sql.join(parts, sql` or `)})`)
  const isOne = { kind: has.kinds ? [isKind(kinds)] : [], maker: has.makers ? [isMaker(makers)] : [] }
  const counted = [
    ...isOne.kind.map((kind) => sql`${machines.where(kind).select(sql`1`.as('one'))}`),
    ...isOne.maker.map(
      (maker) => sql`select 1 from (${machines.where(maker).select(['equipment.categoryId'])}) equipment ${others(isOne.kind)}`,
    ),
    sql`select 1 from ${speaking} equipment ${others([...isOne.kind, ...isOne.maker])}`,
  ]
  return sql<{ id: number; at: number; total: number }>`(with found as materialized (${sql.join(found, sql` union `)}),
      counted as materialized (select count(*) as total
        from (select 1 from (${sql.join(counted, sql` union all `)}) each_once limit ${most === null ? sql`all` : sql.lit(most)}) bounded)
    select id, row_number() over () as at, (select total from counted) as total
    from (select id from found order by id desc offset ${offset} limit ${sql.lit(size)}) few)`.as('page')
}
