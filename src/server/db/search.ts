import { sql, type RawBuilder } from 'kysely'
import type { Read } from './connect.ts'

/** The words of a search: at most five, in lower case. */
export const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 5)

/** As search_grams of the database makes them: bigrams, or the letter when there is but one. */
export function gramsOf(word: string): string[] {
  const letters = [...word]
  return letters.length === 1 ? letters : letters.slice(0, -1).map((letter, index) => letter + letters[index + 1])
}

/** Taken as it is within a pattern for `like`. */
const likeText = (words: string): string => words.replace(/[\\%_]/g, '\\$&')

/**
 * Whether a column begins with these letters, as a range, which an index finds: a prepared plan knows no pattern for `like`. The pattern decides
 * where an order of letters other than by their numbers puts more into the range.
 */
export const beginsWith = (column: string, letters: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(column)} >= ${letters} and ${sql.ref(column)} < ${`${letters}\u{10ffff}`} and ${sql.ref(column)} like ${`${likeText(letters)}%`})`

/** A pattern for `like`: the words anywhere. */
export const contains = (words: string): string => `%${likeText(words)}%`

/** Up to this share of its rows a table is searched by the index of grams; beyond it the order of the list is followed. */
const frequentFrom = 0.1

/**
 * Whether so many rows of a table hold the words that reading a list along its order soon comes upon a page of them. It multiplies the frequencies
 * of the grams in the statistics of PostgreSQL (`pg_stats`), which have no rare grams.
 */
export async function areFrequent(db: Read, table: string, words: string): Promise<boolean> {
  const grams = wordsOf(words).flatMap(gramsOf)
  if (grams.length === 0) return false
  const { rows } = await sql<{
    frequent: boolean
  }>`select exp(sum(ln(coalesce(noted.share, 0.0001)))) >= ${sql.lit(frequentFrom)} as frequent
    from unnest(${grams}::text[]) gram left join (
      select n.gram, n.share from pg_stats s, unnest(s.most_common_elems::text::text[], s.most_common_elem_freqs) as n(gram, share)
      where s.schemaname = 'public' and s.tablename = ${table} and s.attname = 'search_grams') noted using (gram)`.execute(db)
  return rows[0]?.frequent ?? false
}

/**
 * As `holdsWords`, for rows that an index gives without their text: the text of each is read by its id, which costs less than to compare its grams.
 */
export function rowHoldsWords(table: string, words: string): RawBuilder<boolean> {
  return sql<boolean>`(select ${textHoldsWords('worded', words)} from ${sql.table(table)} worded where worded.id = ${sql.ref(`${table}.id`)})`
}

/** As `rowHoldsWords`, for rows that are read from the table anyway. */
export const textHoldsWords = (table: string, words: string): RawBuilder<boolean> =>
  sql<boolean>`(lower(${sql.ref(`${table}.search_text`)}) like all(${wordsOf(words).map(contains)}::text[]))`

/**
 * Whether a row's search text holds every word: found by the index over single characters and bigrams, then checked
 * letter by letter.
 */
export function holdsWords(table: string, words: string): RawBuilder<boolean> {
  const conditions = wordsOf(words).map((word) => {
    const holds = sql<boolean>`${sql.ref(`${table}.search_grams`)} @> ${gramsOf(word)}::text[]`
    // One or two letters are a gram themselves; of more, the grams may stand apart.
    return [...word].length <= 2 ? holds : sql<boolean>`(${holds} and lower(${sql.ref(`${table}.search_text`)}) like ${contains(word)})`
  })
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`
}
