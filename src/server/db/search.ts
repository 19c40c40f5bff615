import { sql, type RawBuilder } from 'kysely'
import type { Db } from './connect.ts'

/** The words of a search: at most five, in lower case. */
export const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 5)

/** As search_grams of the first migration makes them: bigrams, or the letter when there is but one. */
export function gramsOf(word: string): string[] {
  const letters = [...word]
  return letters.length === 1 ? letters : letters.slice(0, -1).map((letter, index) => letter + letters[index + 1])
}

/** Taken as it is within a pattern for `like`. */
export const likeText = (words: string): string => words.replace(/[\\%_]/g, '\\$&')

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

/**
 * XQ202611210007: prefix, day in Shanghai, four digits or more. Gaps are allowed, so it is taken outside the caller's
 * transaction: inside, everybody would wait for everybody's commit.
 */
export async function nextCode(db: Db, prefix: string, day: string): Promise<string> {
  return (await nextCodes(db, prefix, day, 1))[0] as string
}

/**
 * Its commit does not wait for the disk: a number is used by a later one that does, and what a crash forgets was not used by anything
 * that is remembered.
 */
export async function nextCodes(db: Db, prefix: string, day: string, count: number): Promise<string[]> {
  if (count === 0) return []
  const { rows } = await sql<{ last: number }>`
    with hurry as materialized (select set_config('synchronous_commit', 'off', true))
    insert into code_counter (prefix, day, last) select ${prefix}, ${day}::date, ${count}::integer from hurry
    on conflict (prefix, day) do update set last = code_counter.last + excluded.last returning last`.execute(db)
  const last = rows[0]?.last ?? 0
  return Array.from({ length: count }, (_, at) => `${prefix}${day.replaceAll('-', '')}${String(last - count + 1 + at).padStart(4, '0')}`)
}
