// Asks the lists the questions that a page can ask, drawn at random, and takes the processor time of the database for each.
import { understandSearch } from '#server/category/vocabulary.ts'
import { recordingDatabase, Stopwatch, type Timed } from './database-time.ts'
import { writeLine } from './product.ts'
import type { Query } from './question-parts.ts'
import { draw, lists, loadOffers, loadPeople, type Question, type Weights } from './questions.ts'

/** `ms`: of its statements together; `slowest`: the one that took the most. */
export type AskedQuestion = Question & { weights: Weights; ms: number; slowest: Timed }

type Wanted = { only: readonly string[]; weights: Weights; count: (list: string) => number; seed?: number }

/** Asks each list `count` questions. */
export async function timeQuestions(url: string, { only, weights, count, seed = 7 }: Wanted): Promise<AskedQuestion[]> {
  const { db, pool, sent } = recordingDatabase(url)
  const stopwatch = await Stopwatch.open(url)
  try {
    const now = new Date()
    const offers = await loadOffers(db, now)
    const people = await loadPeople(db)
    sent.length = 0
    await understandSearch(db, '装载机')
    // The vocabulary of the search is read once a minute, by whatever question comes then.
    const ofVocabulary = new Set(sent.map(({ sql }) => sql))
    const asked: AskedQuestion[] = []
    for (const list of only.length > 0 ? only : Object.keys(lists)) {
      for (const question of draw(list, { offers, weights, count: count(list), seed })) {
        sent.length = 0
        await lists[list]?.ask({ db, now, people }, question.query)
        const timed: Timed[] = []
        for (const statement of sent.splice(0)) if (!ofVocabulary.has(statement.sql)) timed.push(await stopwatch.time(statement))
        const [slowest] = timed.toSorted((a, b) => b.ms - a.ms)
        if (slowest) asked.push({ ...question, weights, slowest, ms: timed.reduce((sum, { ms }) => sum + ms, 0) })
      }
      await stopwatch.forget()
    }
    return asked
  } finally {
    await stopwatch.close()
    await pool.end()
  }
}

type Spread = { count: number; median: number; p99: number; worst: number; over: number }

/** `over`: how many took longer than the limit. */
export function spreadOf(asked: readonly { ms: number }[], limitMs: number): Spread {
  const times = asked.map(({ ms }) => ms).toSorted((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return { count: times.length, median: at(0.5), p99: at(0.99), worst: times.at(-1) ?? 0, over: times.filter((ms) => ms > limitMs).length }
}

/** The slowest questions; of those that differ only in the page or the values none but the slowest. */
export function slowestOf<Asked extends { list: string; query: Query; ms: number }>(asked: readonly Asked[], most = 10): Asked[] {
  const shapes = new Set<string>()
  const found: Asked[] = []
  for (const one of asked.toSorted((a, b) => b.ms - a.ms)) {
    const shape = `${one.list} ${Object.keys(one.query).toSorted().join()}`
    if (shapes.has(shape)) continue
    shapes.add(shape)
    if (found.push(one) === most) break
  }
  return found
}

/** Prints the questions, each with the plan of its slowest statement. */
export async function sayWithPlans(url: string, asked: readonly AskedQuestion[]): Promise<void> {
  const stopwatch = await Stopwatch.open(url)
  try {
    for (const { list, query, ms, slowest } of asked) {
      writeLine(`\n    ${ms.toFixed(1)} ms  ${list} ${JSON.stringify(query)}`)
      for (const line of stepsTaken(await stopwatch.planOf(slowest))) writeLine(`      ${line}`)
    }
  } finally {
    await stopwatch.close()
  }
}

const widest = 180

/** The lines of a plan without the steps that were not taken, each cut to a width that can be read. */
function stepsTaken(plan: string): string[] {
  let notTaken = Infinity
  return plan.split('\n').flatMap((line) => {
    const depth = line.search(/\S/)
    if (depth > notTaken) return []
    notTaken = line.includes('(never executed)') ? depth : Infinity
    const isStep = notTaken === Infinity
    return isStep ? [line.length > widest ? `${line.slice(0, widest)}…` : line] : []
  })
}
