import { sql, type RawBuilder } from 'kysely'

/** The words of a search: at most five, in lower case. */
export const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 5)

/** As search_grams of the database makes them: bigrams, or the letter when there is but one. */
export function gramsOf(word: string): string[] {
  const letters = [...word]
  return letters.length === 1 ? letters : letters.slice(0, -1).map((letter, index) => letter + letters[index + 1])
}

/** Taken as it is within a pattern for `like`. */
export const likeText = (words: string): string => words.replace(/[\\%_]/g, '\\$&')

/**
 * Whether a column begins with these letters, as a range, which an index finds: a prepared plan knows no pattern for `like`. The pattern decides
 * where an order of letters other than by their numbers puts more into the range.
 */
export const beginsWith = (column: string, letters: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(column)} >= ${letters} and ${sql.ref(column)} < ${`${letters}\u{10ffff}`} and ${sql.ref(column)} like ${`${likeText(letters)}%`})`

/** A pattern for `like`: the words anywhere. */
export const contains = (words: string): string => `%${likeText(words)}%`

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
