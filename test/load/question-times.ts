// The rows of the bench that ask every question a page can ask: filters drawn at random, as people ask and evenly, in processor time of the database.
import { say } from './product.ts'
import { recordingDatabase, Stopwatch, type Timed } from './database-time.ts'
import { draw, lists, loadOffers, loadPeople, type Question, type Weights } from './questions.ts'

type Asked = Question & { ms: number; slowest: Timed }

type Wanted = { only: readonly string[]; weights: Weights; count: number; seed?: number }

/** Asks `count` questions of each list and gives the time that their statements took together. */
export async function timeQuestions(url: string, { only, weights, count, seed = 7 }: Wanted): Promise<Asked[]> {
  const { db, pool, sent } = recordingDatabase(url)
  const stopwatch = await Stopwatch.open(url)
  try {
    const now = new Date()
    const offers = await loadOffers(db, now)
    const people = await loadPeople(db)
    const asked: Asked[] = []
    for (const list of only.length > 0 ? only : Object.keys(lists))
      for (const question of draw(list, { offers, weights, count, seed })) {
        sent.length = 0
        await lists[list]?.ask({ db, now, people }, question.query)
        const timed: Timed[] = []
        for (const statement of sent.splice(0)) timed.push(await stopwatch.time(statement))
        const [slowest] = timed.toSorted((a, b) => b.ms - a.ms)
        if (slowest) asked.push({ ...question, slowest, ms: timed.reduce((sum, { ms }) => sum + ms, 0) })
      }
    return asked
  } finally {
    await stopwatch.close()
    await pool.end()
  }
}

export type Spread = { median: number; p99: number; worst: number; over: number }

/** `over`: how many took longer than the limit. */
export function spreadOf(asked: readonly Asked[], limitMs: number): Spread {
  const times = asked.map(({ ms }) => ms).toSorted((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return { median: at(0.5), p99: at(0.99), worst: times.at(-1) ?? 0, over: times.filter((ms) => ms > limitMs).length }
}

/** Prints the slowest questions, each with the plan of its slowest statement. */
export async function sayTheSlowest(url: string, asked: readonly Asked[], most = 10): Promise<void> {
  const stopwatch = await Stopwatch.open(url)
  try {
    for (const { list, query, ms, slowest } of asked.toSorted((a, b) => b.ms - a.ms).slice(0, most)) {
      say(`\n    ${ms.toFixed(1)} ms  ${list} ${JSON.stringify(query)}`)
      say((await stopwatch.planOf(slowest)).replace(/^/gm, '      '))
    }
  } finally {
    await stopwatch.close()
  }
}
