// The comparison with four programs that one could build such a market on: the most ordinary question of the equipment library, put to each by HTTP
// with the same values. They are not installed by this script, which says how to, and measures those whose addresses it is given.
import { writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { csvColumns, pageSize, steps } from './peer-steps.ts'
import { writeLine } from './product.ts'
import { ordinaryPath, ordinaryValues, timesBestPeer, type OrdinaryValues } from './question-rows.ts'
import { browserHeaders, connections } from './rates.ts'
import type { Bench } from './servers.ts'

type Asked = { method: 'GET' | 'POST'; path: string; body?: string }
/** `total`: how many rows its answer says that there are; undefined: it is no answer to the question. */
type Peer = {
  name: keyof typeof steps
  variable: string
  ask: (question: OrdinaryValues) => Asked
  total: (answer: unknown) => number | undefined
  /** Whether an answer with status 200 is a success. */
  isAnswer?: (body: string) => boolean
}

const get = (path: string, query: Record<string, string>): Asked => ({
  method: 'GET',
  path: `${path}?${new URLSearchParams(query).toString()}`,
})

/** A number at the end of a path of names. */
function numberAt(answer: unknown, ...path: string[]): number | undefined {
  const found = path.reduce<unknown>((at, name) => (at as Record<string, unknown> | null | undefined)?.[name], answer)
  return typeof found === 'number' ? found : undefined
}

export const peers: readonly Peer[] = [
  {
    name: 'vendure',
    variable: 'VENDURE_URL',
    ask: ({ provinceId, fatherCategoryId, from, to }) => ({
      method: 'POST',
      path: '/shop-api',
      body: JSON.stringify({
        query: `{ products(options: { take: ${pageSize}, sort: { id: DESC }, filter: { provinceId: { eq: ${provinceId} }, fatherCategoryId: { eq: ${fatherCategoryId} },
          monthPrice: { between: { start: ${from}, end: ${to} } } } }) { totalItems items { id name slug } } }`,
      }),
    }),
    total: (answer) => numberAt(answer, 'data', 'products', 'totalItems'),
    // GraphQL answers what it could not do with status 200.
    isAnswer: (body) => !body.includes('"errors":'),
  },
  {
    name: 'payload',
    variable: 'PAYLOAD_URL',
    ask: ({ provinceId, fatherCategoryId, from, to }) =>
      get('/api/equipment', {
        'where[provinceId][equals]': String(provinceId),
        'where[fatherCategoryId][equals]': String(fatherCategoryId),
        'where[monthPrice][greater_than_equal]': String(from),
        'where[monthPrice][less_than_equal]': String(to),
        sort: '-id',
        limit: String(pageSize),
      }),
    total: (answer) => numberAt(answer, 'totalDocs'),
  },
  {
    name: 'directus',
    variable: 'DIRECTUS_URL',
    ask: ({ provinceId, fatherCategoryId, from, to }) =>
      get('/items/equipment', {
        'filter[province_id][_eq]': String(provinceId),
        'filter[father_category_id][_eq]': String(fatherCategoryId),
        'filter[month_price][_gte]': String(from),
        'filter[month_price][_lte]': String(to),
        sort: '-id',
        limit: String(pageSize),
        meta: 'filter_count',
      }),
    total: (answer) => numberAt(answer, 'meta', 'filter_count'),
  },
  {
    name: 'strapi',
    variable: 'STRAPI_URL',
    ask: ({ provinceId, fatherCategoryId, from, to }) =>
      get('/api/machines', {
        'filters[provinceId][$eq]': String(provinceId),
        'filters[fatherCategoryId][$eq]': String(fatherCategoryId),
        'filters[monthPrice][$gte]': String(from),
        'filters[monthPrice][$lte]': String(to),
        sort: 'id:desc',
        'pagination[pageSize]': String(pageSize),
      }),
    total: (answer) => numberAt(answer, 'meta', 'pagination', 'total'),
  },
]

const ours: Pick<Peer, 'ask' | 'total' | 'isAnswer'> = {
  ask: (question) => ({ method: 'GET', path: ordinaryPath(question) }),
  total: (answer) => numberAt(answer, 'total'),
  isAnswer: (body) => body.startsWith('{"code":200,'),
}

const addressOf = ({ variable }: Peer): string => process.env[variable] ?? ''

/** Says how to install the peers, and measures those whose addresses are given. */
export async function rows({ put, large, servers, seconds, folder, machines }: Bench): Promise<void> {
  const csv = join(await folder(), 'equipment.csv')
  const rowsOfCsv = await large.query<{ line: string }>(
    `select concat_ws(',', id, '"' || replace(name, '"', '""') || '"', province_id, father_category_id, month_price_fen / 100) as line from equipment order by id`,
  )
  writeFileSync(csv, `${[csvColumns.replaceAll(' ', ''), ...rowsOfCsv.map(({ line }) => line)].join('\n')}\n`)
  writeLine(
    `\nThe ${machines} machines are in ${csv}. Each peer runs in production mode on this machine, one process, its own database, nothing else beside it.`,
  )
  for (const peer of peers) {
    writeLine(`\n  ${peer.name}`)
    steps[peer.name].forEach((step, at) => writeLine(`    ${at + 1}. ${step.replace('EQUIPMENT_CSV', csv)}`))
    writeLine(`    ${steps[peer.name].length + 1}. ${peer.variable}=http://127.0.0.1:<port> npm run bench -- peers`)
  }
  const given = peers.filter((peer) => addressOf(peer) !== '')
  if (given.length === 0)
    return writeLine(`\nNo peer is measured, because none of ${peers.map(({ variable }) => variable).join(', ')} is set.`)
  const questions = await ordinaryValues(large)
  const { origin } = await servers.plain()
  const rates: number[] = []
  for (const peer of given) {
    const difference = await differenceOf(peer, { address: addressOf(peer), origin, questions: questions.slice(0, 5) })
    if (difference) {
      writeLine(`    ${peer.name} does not count: ${difference}`)
      continue
    }
    const { rate, refused } = await rateOf(addressOf(peer), { ...peer, requests: questions.map(peer.ask), seconds })
    writeLine(`    ${peer.name} ${rate.toFixed(0)}/s${refused > 0 ? `, ${refused} answers were no success, so it does not count` : ''}`)
    if (refused === 0) rates.push(rate)
  }
  if (rates.length === 0) return
  const { rate, refused } = await rateOf(origin, { ...ours, requests: questions.map(ours.ask), seconds })
  const best = Math.max(...rates)
  put(
    'list: region, first-level category, price, against the peers',
    `${rate.toFixed(0)}/s, the best of ${rates.length} peers ${best.toFixed(0)}/s`,
    `≥ ${timesBestPeer} ×`,
    refused === 0 && rate >= timesBestPeer * best,
  )
}

/** How a peer answers otherwise than the product, which has the same machines; empty where it does not. */
async function differenceOf(
  peer: Peer,
  { address, origin, questions }: { address: string; origin: string; questions: readonly OrdinaryValues[] },
): Promise<string> {
  const totalFrom = async (base: string, { ask, total }: Pick<Peer, 'ask' | 'total'>, question: OrdinaryValues) => {
    const { method, path, body } = ask(question)
    const answer = await fetch(new URL(path, base), {
      method,
      ...(body !== undefined && { body, headers: { 'content-type': 'application/json' } }),
    })
    return total(await answer.json().catch(() => null))
  }
  for (const question of questions) {
    const [theirs, own] = [await totalFrom(address, peer, question), await totalFrom(origin, ours, question)]
    if (theirs !== own) return `it finds ${theirs ?? 'nothing'} where ${own} machines fit ${JSON.stringify(question)}`
  }
  return ''
}

type Rated = { requests: readonly Asked[]; seconds: number; isAnswer?: ((body: string) => boolean) | undefined }

/**
 * Answers a second of the same client for all: kept connections with one question at a time on each, after some seconds to warm up. It asks for no
 * compression, which not all of them have.
 */
async function rateOf(origin: string, { requests, seconds, isAnswer }: Rated): Promise<{ rate: number; refused: number }> {
  const { hostname, port, protocol } = new URL(origin)
  if (protocol !== 'http:') throw new Error(`${origin}: the peers are measured over plain HTTP`)
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const send = ({ method, path, body }: Asked) =>
    new Promise<boolean>((done, fail) => {
      const headers = {
        'accept-language': browserHeaders['accept-language'],
        ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      }
      const sent = request({ agent, hostname, port, method, path, headers }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => isAnswer && chunks.push(chunk))
        answer.on('end', () => done(answer.statusCode === 200 && (isAnswer?.(Buffer.concat(chunks).toString('latin1')) ?? true)))
        answer.on('error', fail)
      })
      sent.on('error', fail)
      sent.end(body)
    })
  let next = 0
  const during = async (time: number) => {
    const until = performance.now() + time * 1000
    const counts = { answers: 0, refused: 0 }
    const one = async () => {
      while (performance.now() < until) {
        const asked = requests[next++ % requests.length]
        if (!asked) return
        if (!(await send(asked))) counts.refused++
        counts.answers++
      }
    }
    await Promise.all(Array.from({ length: connections }, one))
    return counts
  }
  try {
    await during(seconds / 2)
    const { answers, refused } = await during(seconds)
    return { rate: answers / seconds, refused }
  } finally {
    agent.destroy()
  }
}
