import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import type { Read } from '../db/connect.ts'
import { compiledOnce } from '../db/driver/compiled.ts'
import type { DB } from '../db/tables.generated.ts'
import { mostFound } from '../db/paging.ts'
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
type Known = Word & Meaning
/** The word by which machines are found, and the one beside it. */
export type Lead = Known & { beside: Known | null }

type Parts = Record<'categoryIds' | 'brands' | 'ownGrams', RawBuilder<unknown>>

// Each is asked once for the statement.
const partsOf = ({ pattern, grams }: Word): Parts => ({
  categoryIds: sql`array(select c.id from category c where c.level = 2 and (c.words like ${pattern} or c.former_words like ${pattern}))`,
  brands: sql`array(select b.brand from brand b where lower(b.brand) like ${pattern})`,
  ownGrams: sql`array(select gram from unnest(${grams}::text[]) gram
    where not exists (select from category c where gram = any(c.grams) or gram = any(c.former_grams)) and not exists (select from brand b where gram = any(b.grams)))`,
})

/** Up to this share of the shelf is searched by the index of grams; beyond it the order of the list is followed. */
const frequentFrom = 0.1

const selectMeaning = compiledOnce((db, word: Word) => {
  const { categoryIds, brands, ownGrams } = partsOf(word)
  // From the statistics of the column (`pg_stats`), which have no rare grams.
  return db
    .selectFrom(
      sql<Omit<Meaning, 'frequent'>>`(select nullif(${categoryIds}, '{}') as category_ids, nullif(${brands}, '{}') as brands,
        nullif(${ownGrams}, '{}') as own_grams offset 0)`.as('meaning'),
    )
    .select([
      'categoryIds',
      'brands',
      'ownGrams',
      sql<boolean>`(
        select coalesce(case when own_grams is null then bool_or(many) else bool_and(many) end, false)
        from (select coalesce(noted.share, 0) >= ${sql.lit(frequentFrom)} as many from unnest(coalesce(own_grams, ${word.grams}::text[])) gram left join (
          select * from pg_stats s, unnest(s.most_common_elems::text::text[], s.most_common_elem_freqs) as n(gram, share)
          where s.schemaname = 'public' and s.tablename = 'equipment' and s.attname = 'own_grams') noted using (gram)) grams)`.as(
        'frequent',
      ),
    ])
})

/** Of several words the one that means a category leads, or else the last; `words` are those that its `beside` leaves. */
export async function leadOf(db: Read, words: readonly Word[]): Promise<{ lead: Lead | undefined; words: Word[] }> {
  const selected = words.map(async (word) => (await selectMeaning(db, word)).map((meaning) => ({ ...word, ...meaning })))
  const meanings = (await Promise.all(selected)).flat()
  const first = meanings.find(({ categoryIds }) => categoryIds) ?? meanings.at(-1)
  if (!first) return { lead: undefined, words: [] }
  const others = meanings.filter(({ pattern }) => pattern !== first.pattern)
  const beside = others.find(({ categoryIds, brands }) => categoryIds ?? brands) ?? null
  return { lead: { ...first, beside }, words: others.filter((word) => word !== beside) }
}

// Hidden from the planner in a select of their own: it would plan anew for each value, which takes longer than the question.
const isOfCategory = (categoryIds: unknown) => sql<boolean>`equipment.category_id = any((select ${categoryIds}::integer[])::integer[])`
const isBrand = (brands: unknown) => sql<boolean>`equipment.brand = any((select ${brands}::text[])::text[])`
const holdsPattern = ({ short, pattern }: Word, machine = 'equipment') =>
  short ? sql`` : sql`and lower(${sql.ref(`${machine}.search_text`)}) like ${pattern}`

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

/**
 * Whether a machine holds every word, or one of its numbers holds all that was typed: identical machines differ by these alone. No index finds it, so
 * it is asked of few machines.
 */
export function holdsWordsOrNumber(typed: string): RawBuilder<boolean> {
  const part = contains(typed.toLowerCase())
  return sql<boolean>`(${holdsMachineWords(machineWords(typed))} or lower(equipment.equipment_code) like ${part}
    or lower(equipment.factory_no) like ${part} or lower(equipment.plate_no) like ${part})`
}

/** Rows that hold a word among their own are read from the table: so many at the most, before the order of the list is followed. */
const mostOwn = 4000
export const boundOf = ({ ownGrams, categoryIds, brands, frequent }: Lead) =>
  frequent ? { bound: mostFound } : ownGrams || !(categoryIds || brands) ? { bound: mostOwn } : {}

/** Whether a word means categories and no brand, and nothing of it has to stand in the texts of machines. */
export const isOfKinds = ({ categoryIds, brands, ownGrams }: Lead): boolean => categoryIds !== null && brands === null && ownGrams === null

/** Whether a machine holds the leading word and the one beside it, by what they were found to mean. */
export const holdsLead = (lead: Lead): RawBuilder<boolean> => holdsBoth(lead, ownHolds)

/** As `holdsLead`, for machines that an index gives without their text: the text of each is read by its id. */
export const rowHoldsLead = (lead: Lead): RawBuilder<boolean> => holdsBoth(lead, rowHolds)

type Holds = (word: Known) => RawBuilder<boolean>
const holdsBoth = ({ beside, ...lead }: Lead, holds: Holds): RawBuilder<boolean> =>
  beside ? sql<boolean>`(${holdsKnown(lead, holds)} and ${holdsKnown(beside, holds)})` : holdsKnown(lead, holds)

const holdsKnown = (word: Known, holds: Holds = ownHolds) => anyOf([...meaningsOf(word), holds(word)])
const anyOf = (conditions: readonly RawBuilder<boolean>[]) => sql<boolean>`(${sql.join(conditions, sql` or `)})`

const meaningsOf = ({ categoryIds, brands }: Known) => [
  ...(categoryIds ? [isOfCategory(categoryIds)] : []),
  ...(brands ? [isBrand(brands)] : []),
]

const ownHolds: Holds = (word) => textHolds(word, 'equipment')

const rowHolds: Holds = (word) => sql<boolean>`(select ${textHolds(word, 'worded')} from equipment worded where worded.id = equipment.id)`

/** Of a word that many machines hold, the index would list them all before the first is read: what is added keeps it out. */
const textHolds = (word: Known, machine: string) => {
  const own = sql.ref(`${machine}.own_grams`)
  const holds = word.ownGrams
    ? sql`${own} ${word.frequent ? sql`|| '{}'::text[]` : sql``} @> (select ${word.ownGrams}::text[])`
    : sql`${own} && (select ${word.grams}::text[])`
  return sql<boolean>`(${holds} ${holdsPattern(word, machine)})`
}

type Machines = SelectQueryBuilder<DB, 'equipment', object>
const without = (query: Machines, condition: RawBuilder<boolean>) => query.where(sql<boolean>`not ${condition}`)

/**
 * The machines that hold the leading word and the one beside it, each once: those of the categories and the brands that it means by their indexes, and
 * those whose own text holds it. `machines` is the shelf with the other filters.
 */
export function branchesOf(machines: Machines, lead: Lead): Machines[] {
  const meanings = meaningsOf(lead)
  const byMeaning = meanings.map((meaning, at) => meanings.slice(0, at).reduce(without, machines.where(meaning)))
  const byText = meanings.reduce(without, machines.where(ownHolds(lead)))
  const { beside } = lead
  if (!beside) return [...byMeaning, byText]
  const besideMeans = anyOf(meaningsOf(beside))
  return [
    ...byMeaning.map((query) => query.where(besideMeans)),
    ...byMeaning.map((query) => without(query, besideMeans).where(ownHolds(beside))),
    byText.where(holdsKnown(beside)),
  ]
}

/** The categories of a leading word of which a machine may be that holds the one beside it by its category or its brand. */
export const kindsOf = ({ categoryIds, beside }: Lead) =>
  sql`(select kind from unnest(${categoryIds}::integer[]) kind ${beside && !beside.brands ? sql`where kind = any(${beside.categoryIds}::integer[])` : sql``})`

/** Whether a machine of a category of the leading word holds the word beside it by its category or its brand. */
export const besideMeans = ({ beside }: Lead) => (beside ? anyOf(meaningsOf(beside)) : sql<boolean>`true`)
