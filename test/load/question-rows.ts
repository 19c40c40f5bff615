// The rows of the bench that ask every question a page can ask, with filters drawn at random, as people ask and each as often as any other: the time of
// the database for all lists, the rate of the library of machines against the bare server, and the slowest question against the best peer.
import { measure, writeLine, type Running } from './product.ts'
import type { Query } from './question-parts.ts'
import { sayWithPlans, slowestOf, spreadOf, timeQuestions, type AskedQuestion } from './question-times.ts'
import { draw, lists, loadOffers, loadPeople, type Weights } from './questions.ts'
import { allAnswered, asBrowser, connections, failuresOf, rate, ratioOf, warm, type Requests } from './rates.ts'
import { recordingDatabase } from './database-time.ts'
import type { Bench, Place } from './servers.ts'

/** The slowest question takes the database so long at the most. */
const limitMs = (machines: number) => (machines > 100_000 ? 8 : 5)
/** The product answers the most ordinary question so many times as often as the best of four peers. */
export const timesBestPeer = 10
/** What the best peer and a bare server answered to it a second, side by side on 100,000 machines and two cores. */
const measured = { bestPeer: 299, bare: 4600 }

/** The libraries have more filters than the other lists. */
const countOf = (list: string) => (lists[list]?.who === 'visitor' ? 150 : 60)

export async function rows(bench: Bench): Promise<void> {
  const { large, small, machines, fewer } = bench
  const onSmall = await databaseTime(bench, small, fewer)
  const onLarge = await databaseTime(bench, large, machines)
  await besideBare(bench)
  // The rate of the peers is of 100,000 machines.
  const isLargeMany = machines > 100_000
  await besidePeers(bench, { asked: isLargeMany ? onSmall : onLarge, place: isLargeMany ? small : large, isLarge: !isLargeMany })
}

/** Both ways of drawing over one market. */
async function databaseTime({ put }: Bench, place: Place, machines: number): Promise<AskedQuestion[]> {
  const url = await place.url()
  const limit = limitMs(machines)
  const all: AskedQuestion[] = []
  for (const [weights, title] of [
    ['weighted', 'questions as people ask'],
    ['even', 'questions with every filter as often'],
  ] as const satisfies readonly [Weights, string][]) {
    const asked = await timeQuestions(url, { only: [], weights, count: countOf })
    for (const [list, some] of Map.groupBy(asked, (one) => one.list)) sayList(list, some, limit)
    const { count, median, p99, worst, over } = spreadOf(asked, limit)
    put(
      `${title}, ${machines} machines, database`,
      `${count}: median ${median.toFixed(2)}, p99 ${p99.toFixed(1)}, slowest ${worst.toFixed(1)} ms, ${over} above`,
      `slowest ≤ ${limit} ms`,
      worst <= limit,
    )
    all.push(...asked)
  }
  writeLine(`\n    The ten slowest questions over ${machines} machines:`)
  await sayWithPlans(url, slowestOf(all))
  writeLine('')
  return all
}

function sayList(list: string, asked: readonly AskedQuestion[], limit: number): void {
  const { count, median, p99, worst, over } = spreadOf(asked, limit)
  writeLine(
    `    ${list.padEnd(28)} ${String(count).padStart(4)}  median ${median.toFixed(2).padStart(6)}  p99 ${p99.toFixed(1).padStart(6)}  slowest ${worst.toFixed(1).padStart(6)} ms  above ${over}`,
  )
}

const addressOf = (list: string, query: Query) => `/prod-api${lists[list]?.url ?? ''}?${new URLSearchParams(query).toString()}`

/** Page 1 of the library of machines, the newest first, with filters as people ask. */
async function libraryQuestions(place: Place, count: number): Promise<Requests> {
  const { db, pool } = recordingDatabase(await place.url())
  try {
    const offers = await loadOffers(db, new Date())
    return draw('equipment', { offers, weights: 'weighted', count, seed: 11 }).map(({ query }) => {
      const { pageNum: _page, sort: _sort, nearCityId: _city, ...filters } = query
      return { path: addressOf('equipment', filters) }
    })
  } finally {
    await pool.end()
  }
}

async function besideBare({ put, servers, large, seconds }: Bench): Promise<void> {
  const [bare, plain] = [await servers.bare(), await servers.plain()]
  const requests = await libraryQuestions(large, 1000)
  await warm([bare.port, plain.port], requests, 15)
  const from = ({ port }: Running) => measure({ port, connections, seconds, requests: asBrowser(requests) })
  const { our, their, ratio } = await ratioOf(
    () => from(plain),
    () => from(bare),
  )
  put(
    'list: filters as people ask, page 1, newest, with total',
    `${ratio.toFixed(2)} × bare (${rate(our)} : ${rate(their)})${failuresOf(our, their)}`,
    '≥ 0.75 ×',
    ratio >= 0.75 && allAnswered(our, their),
  )
}

/**
 * The question that was put to the peers. How many answers a second a machine makes depends on the machine, the bare server's included, so the bar is
 * their share of the bare server's rate; `peers.ts` asks the peers themselves. The slowest question is said beside it, without a bar: no peer was asked
 * it, and the 5 ms that the database may take allow 400 answers a second on two cores.
 */
async function besidePeers(
  { put, servers, seconds }: Bench,
  { asked, place, isLarge }: { asked: readonly AskedQuestion[]; place: Place; isLarge: boolean },
): Promise<void> {
  const [server, bare] = isLarge ? [await servers.plain(), await servers.bare()] : [await servers.small(), await servers.smallBare()]
  const from = ({ port }: Running, requests: Requests) => measure({ port, connections, seconds, requests: asBrowser(requests) })
  const ordinary = (await ordinaryValues(place)).map((values) => ({ path: ordinaryPath(values) }))
  await warm([bare.port, server.port], ordinary, 5)
  const { our, their, ratio } = await ratioOf(
    () => from(server, ordinary),
    () => from(bare, ordinary),
  )
  const least = (timesBestPeer * measured.bestPeer) / measured.bare
  put(
    'list: region, first-level category, price, beside peers',
    `${ratio.toFixed(2)} × bare (${rate(our)} : ${rate(their)})${failuresOf(our, their)}`,
    `≥ ${least.toFixed(2)} × (${timesBestPeer} × the best peer)`,
    ratio >= least && allAnswered(our, their),
  )
  const [slowest] = slowestOf(
    asked.filter(({ list }) => lists[list]?.who !== 'operator'),
    1,
  )
  if (!slowest) return
  const seen = await from(server, [await requestOf(place, slowest)])
  writeLine(`    the slowest question: ${slowest.list} ${JSON.stringify(slowest.query)}: ${rate(seen)}${failuresOf(seen)}`)
}

/** Province, first-level category and a range of prices, newest first, with the total: what the peers were asked. */
export type OrdinaryValues = { provinceId: number; fatherCategoryId: number; from: number; to: number }

export const ordinaryPath = ({ provinceId, fatherCategoryId, from, to }: OrdinaryValues) =>
  addressOf('equipment', {
    provinceId: String(provinceId),
    fatherCategoryId: String(fatherCategoryId),
    beginPrice: String(from),
    endPrice: String(to),
    pageSize: '12',
  })

export const ordinaryValues = (place: Place) =>
  place.query<OrdinaryValues>(
    `select province_id as "provinceId", father_category_id as "fatherCategoryId", (3000 + row_number() over () * 7)::integer as from, 60000 as to
      from (select distinct province_id, father_category_id from equipment order by 1, 2) pairs`,
  )

async function requestOf(place: Place, { list, query }: AskedQuestion): Promise<Requests[number]> {
  const who = lists[list]?.who ?? 'visitor'
  const path = addressOf(list, query)
  if (who === 'visitor') return { path }
  const { db, pool } = recordingDatabase(await place.url())
  try {
    return { path, headers: { authorization: `bench-${(await loadPeople(db))[who].userName}` } }
  } finally {
    await pool.end()
  }
}
