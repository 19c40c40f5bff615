// npm run hour: mixed load as of a day's work for an hour, with its figures by minute and the first half against the second.
//   npm run hour -- --minutes=2    for less than an hour; MACHINES=1000000 and BENCH_DIR as in the bench
import { parseArgs } from 'node:util'
import pg from 'pg'
import { listSuppliers } from '#shared/company/contract.ts'
import { listContracts } from '#shared/contract/contract.ts'
import { listOwnDemands, listPublicDemands } from '#shared/demand/contract.ts'
import { listPublicEquipment } from '#shared/equipment/contract.ts'
import { listOwnMessages, readMessages } from '#shared/message/contract.ts'
import { largeDatabase, startBench } from './large.ts'
import { measure, writeLine, startServer } from './product.ts'
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

type Minute = { requests: number; p99: number; memoryMb: number; refused: number }
const middle = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0

/** The lists that are asked, with their addresses. */
const paths: Record<string, string> = {
  equipment: listPublicEquipment.url,
  demand: listPublicDemands.url,
  lessor: listSuppliers.url,
  'demands of a group': listOwnDemands.url,
  'messages of a person': listOwnMessages.url,
  'contracts of a group': listContracts.url,
}
/** Who asks a list that is not public. */
const people: Record<string, string> = {
  'demands of a group': 'group1',
  'messages of a person': 'lessor500',
  'contracts of a group': 'group1',
}

const { embedded, folder } = await startBench()
const url = await largeDatabase(embedded, machines)
const product = await startServer(url, `${folder}/files`)
try {
  const requests = await mixed()
  const seen: Minute[] = []
  writeLine('minute   requests   p99 ms   RSS MB')
  for (let minute = 1; minute <= minutes; minute++) {
    // Each minute begins elsewhere, so no two minutes ask the same in the same order.
    const from = (minute * 997) % requests.length
    const { rate, p99, answers } = await measure({
      ...load,
      port: product.port,
      requests: [...requests.slice(from), ...requests.slice(0, from)],
    })
    const asked = Math.round(rate * load.seconds)
    const one = { requests: asked, p99, memoryMb: product.memoryMb(), refused: refusedOf(answers) }
    seen.push(one)
    writeLine(
      `${String(minute).padStart(6)} ${String(asked).padStart(10)} ${p99.toFixed(0).padStart(8)} ${one.memoryMb.toFixed(0).padStart(8)}${one.refused ? `   ${JSON.stringify(answers)}` : ''}`,
    )
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
  const held = Math.abs(grown) <= limit && seen.every(({ refused }) => refused === 0)
  writeLine(
    `${held ? '  ' : '! '}memory ${(grown * 100).toFixed(1)} %, at most ${limit * 100} % from the first half to the second; every answer a success`,
  )
  process.exitCode = held ? 0 : 1
} finally {
  await product.stop()
  await embedded.stop()
}

function refusedOf(answers: Record<string, number>): number {
  return Object.entries(answers).reduce((sum, [code, n]) => (code === '200' ? sum : sum + n), 0)
}

/** Questions of every list as people ask them, with details, pages and writes between them. */
async function mixed() {
  const { db, pool } = recordingDatabase(url)
  const client = new pg.Client(url)
  await client.connect()
  try {
    const offers = await loadOffers(db, new Date())
    const asked = Object.keys(paths).map((list) => draw(list, { offers, weights: 'weighted', count: 500 }).map(requestOf))
    const { rows } = await client.query<{ id: string }>('select id from equipment where id % 197 = 3 order by id limit 500')
    const details = rows.map(({ id }) => ({ path: `/prod-api${listPublicEquipment.url}/${id}` }))
    const pages = rows.map((_, at) => ({ path: ['/', '/equipment', '/demand', '/supplier'][at % 4] ?? '/' }))
    const written = rows.map(({ id }) => ({
      method: readMessages.method,
      path: `/prod-api${readMessages.url}`,
      headers: { authorization: 'bench-lessor500' },
      body: JSON.stringify({ messageIds: [Number(id)] }),
    }))
    const each = [...asked, details, pages, written]
    return rows.flatMap((_, at) => each.map((some) => some[at] ?? { path: '/' }))
  } finally {
    await client.end()
    await pool.end()
  }
}

function requestOf({ list, query }: Question) {
  const userName = people[list]
  return {
    path: `/prod-api${paths[list]}?${new URLSearchParams(query).toString()}`,
    ...(userName && { headers: { authorization: `bench-${userName}` } }),
  }
}
