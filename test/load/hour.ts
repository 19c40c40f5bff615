// npm run hour: mixed load as of a day's work for an hour, with its figures by minute and the first half against the second.
//   npm run hour -- --minutes=2    for less than an hour; MACHINES=1000000 and BENCH_DIR as in the bench
import { parseArgs } from 'node:util'
import pg from 'pg'
import { listLessors } from '#shared/company/contract.ts'
import { listContracts } from '#shared/contract/contract.ts'
import { listOwnDemands, listPublicDemands, publishDemand } from '#shared/demand/contract.ts'
import { listPublicEquipment } from '#shared/equipment/contract.ts'
import { listOwnMessages, readMessages } from '#shared/message/contract.ts'
import { submitQuote } from '#shared/quote/contract.ts'
import type { Measure } from './client.ts'
import { largeDatabase, startBench, writtenTitle } from './large.ts'
import { measure, writeLine, startServer } from './product.ts'
import { asBrowser, type Requests } from './rates.ts'
import { creating, demandBody, publishersQuery, quoteBody, biddersQuery, tokenOf } from './write-bodies.ts'
import { draw, loadOffers, type Question } from './questions.ts'
import { recordingDatabase } from './database-time.ts'

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } })
const minutes = Number(values.minutes)
if (!Number.isInteger(minutes) || minutes < 2 || minutes % 2 === 1) throw new Error('--minutes takes an even number from 2 on')
const machines = Number(process.env.MACHINES ?? 100_000)
/** As many people at once, each with a moment between an answer and the next question. */
const load = { connections: 16, pauseMs: 20, seconds: 60 }
/** The memory of the second half may differ by so much from that of the first. */
const limit = 0.03

/** What people write in a minute, beside the questions: one who does so after the other, so that the minute is filled. */
const writes = { published: 20, quoted: 60, read: 60 }
const writers = { connections: 1, pauseMs: 380, seconds: 60, once: true }

type Minute = { requests: number; p99: number; p99OfWrites: number; memoryMb: number; refused: number; unwritten: number }
const middle = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0

/** The lists that are asked, with their addresses. */
const paths: Record<string, string> = {
  equipment: listPublicEquipment.url,
  demand: listPublicDemands.url,
  lessor: listLessors.url,
  'demands of a group': listOwnDemands.url,
  'messages of a person': listOwnMessages.url,
  'contracts of a group': listContracts.url,
}
/** Who asks a list that is not public. */
const people: Record<string, string> = {
  'demands of a group': 'group1',
  'messages of a person': 'lessor60',
  'contracts of a group': 'group1',
}

const { embedded, folder } = await startBench()
const url = await largeDatabase(embedded, machines)
const product = await startServer(url, `${folder}/files`)
const client = new pg.Client(url)
await client.connect()
const query = async <T extends object>(text: string, values: unknown[] = []) => (await client.query<T>(text, values)).rows
/** The messages that were read, which are unread again afterwards: the next run has as many to read. */
const readIds: number[] = []
try {
  const requests = await questions()
  const seen: Minute[] = []
  writeLine('minute   requests   p99 ms   p99 ms of writes   RSS MB')
  for (let minute = 1; minute <= minutes; minute++) {
    // Each minute begins elsewhere, so no two minutes ask the same in the same order.
    const from = (minute * 997) % requests.length
    const written = await writesOf(minute)
    const [asked, wrote] = await Promise.all([
      measure({ ...load, port: product.port, requests: [...requests.slice(from), ...requests.slice(0, from)] }),
      measure({ ...writers, port: product.port, requests: written.requests }),
    ])
    const one = {
      requests: Math.round(asked.rate * load.seconds),
      p99: asked.p99,
      p99OfWrites: wrote.p99,
      memoryMb: product.memoryMb(),
      refused: refusedOf(asked) + refusedOf(wrote),
      unwritten: await written.missing(),
    }
    seen.push(one)
    const figures = [one.requests, one.p99, one.p99OfWrites, one.memoryMb].map((value, at) =>
      value.toFixed(0).padStart([10, 8, 18, 8][at] ?? 8),
    )
    const faults =
      one.refused + one.unwritten > 0 ? `   ${JSON.stringify([asked.answers, wrote.answers])}, ${one.unwritten} not written` : ''
    writeLine(`${String(minute).padStart(6)} ${figures.join(' ')}${faults}`)
  }
  const half = (from: number) => {
    const some = seen.slice(from, from + minutes / 2)
    const of = (name: keyof Minute) => middle(some.map((one) => one[name]))
    return { requests: of('requests'), p99: of('p99'), memoryMb: of('memoryMb') }
  }
  const [first, second] = [half(0), half(minutes / 2)]
  for (const [title, { requests: asked, p99, memoryMb }] of [
    ['first half', first],
    ['second half', second],
  ] as const)
    writeLine(`${title.padEnd(12)} ${asked} requests a minute, p99 ${p99.toFixed(0)} ms, RSS ${memoryMb.toFixed(0)} MB (medians)`)
  const grown = second.memoryMb / first.memoryMb - 1
  const held = Math.abs(grown) <= limit && seen.every(({ refused, unwritten }) => refused + unwritten === 0)
  writeLine(
    `${held ? '  ' : '! '}memory ${(grown * 100).toFixed(1)} %, at most ${limit * 100} % from the first half to the second; every answer a success, and everything written`,
  )
  process.exitCode = held ? 0 : 1
} finally {
  await query(`update message set is_read = '0', read_time = null where id = any($1::bigint[])`, [readIds])
  await client.end()
  await product.stop()
  await embedded.stop()
}

function refusedOf({ answers }: Measure): number {
  return Object.entries(answers).reduce((sum, [code, n]) => (code === '200' ? sum : sum + n), 0)
}

/** Questions of every list as people ask them, with details and pages between them. */
async function questions(): Promise<Requests> {
  const { db, pool } = recordingDatabase(url)
  try {
    const offers = await loadOffers(db, new Date())
    const asked = Object.keys(paths).map((list) => draw(list, { offers, weights: 'weighted', count: 500 }).map(requestOf))
    const rows = await query<{ id: string }>('select id from equipment where id % 197 = 3 order by id limit 500')
    const details = rows.map(({ id }) => ({ path: `/prod-api${listPublicEquipment.url}/${id}` }))
    const pages = rows.map((_, at) => ({ path: ['/', '/equipment', '/demand', '/supplier'][at % 4] ?? '/' }))
    const each = [...asked, details, pages]
    return asBrowser(rows.flatMap((_, at) => each.map((some) => some[at] ?? { path: '/' })))
  } finally {
    await pool.end()
  }
}

function requestOf({ list, query: asked }: Question) {
  const userName = people[list]
  return {
    path: `/prod-api${paths[list]}?${new URLSearchParams(asked).toString()}`,
    ...(userName && { headers: { authorization: `bench-${userName}` } }),
  }
}

/** The writes of a minute, each once and with a key of its own, and how many of them the database then lacks. */
async function writesOf(minute: number): Promise<{ requests: Requests; missing: () => Promise<number> }> {
  const publishers = await query<{ user_name: string; dept_id: string }>(publishersQuery)
  const bidders = await query<{ user_name: string; id: string }>(biddersQuery, [writes.quoted])
  const publisherAt = (at: number) => publishers[at % publishers.length] ?? { user_name: '', dept_id: '' }
  const published = Array.from({ length: writes.published }, (_, at) => {
    const { user_name: userName, dept_id: deptId } = publisherAt(minute * writes.published + at)
    return writing(publishDemand, creating(userName), demandBody(Number(deptId)))
  })
  // A lessor quotes for a demand once, so a small market needs several.
  const quoted: Requests = []
  const demands: number[] = []
  while (quoted.length < writes.quoted && bidders.length > 0) {
    const { id, item } = await publish(publisherAt(minute))
    demands.push(id)
    for (const { user_name: userName, id: machine } of bidders.slice(0, writes.quoted - quoted.length))
      quoted.push(writing(submitQuote, creating(userName), quoteBody(id, [item], [Number(machine)])))
  }
  const unread = await query<{ id: string; user_name: string }>(
    `select m.id, a.user_name from message m join account a on a.id = m.account_id
      where m.is_read = '0' and m.biz_type = '' and a.id < 6000 and a.user_type = '4' order by m.id limit $1`,
    [writes.read],
  )
  const messageIds = unread.map(({ id }) => Number(id))
  readIds.push(...messageIds)
  const read = unread.map(({ id, user_name: userName }) => writing(readMessages, tokenOf(userName), { messageIds: [Number(id)] }))
  const before = await countDemands()
  return {
    requests: inTurn([published, quoted, read]),
    async missing() {
      const [found] = await query<{ quotes: number; read: number }>(
        `select (select count(*)::int from quote where demand_id = any($1::bigint[])) as quotes,
          (select count(*)::int from message where id = any($2::bigint[]) and is_read = '1') as read`,
        [demands, messageIds],
      )
      const done = (await countDemands()) - before + (found?.quotes ?? 0) + (found?.read ?? 0)
      return writes.published + writes.quoted + writes.read - done
    },
  }
}

async function countDemands(): Promise<number> {
  return (await query<{ n: number }>('select count(*)::int as n from demand where title = $1', [writtenTitle]))[0]?.n ?? 0
}

function writing({ method, url: address }: { method: string; url: string }, headers: Record<string, string>, body: object) {
  return { method, path: `/prod-api${address}`, headers, body: JSON.stringify(body) }
}

/** A demand that lessors quote for, with its line. */
async function publish({ user_name: userName, dept_id: deptId }: { user_name: string; dept_id: string }) {
  const { method, path, headers, body } = writing(publishDemand, creating(userName), demandBody(Number(deptId)))
  const answer = await fetch(`${product.origin}${path}`, { method, headers: { ...headers, 'content-type': 'application/json' }, body })
  const { data, msg } = (await answer.json()) as { data: { id: number } | null; msg: string }
  if (!data) throw new Error(msg)
  const [item] = await query<{ id: string }>('select id from demand_item where demand_id = $1', [data.id])
  return { id: data.id, item: Number(item?.id) }
}

/** One of each kind after the other, as long as there are any. */
function inTurn(kinds: readonly Requests[]): Requests {
  const longest = Math.max(...kinds.map(({ length }) => length))
  return Array.from({ length: longest }, (_, at) => kinds.flatMap((kind) => kind.slice(at, at + 1))).flat()
}
