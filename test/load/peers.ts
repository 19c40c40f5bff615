// The comparison with four programs that one could build such a market on: the most ordinary question of the equipment library, put to each by HTTP
// with the same values. They are not installed by this script, which says how to, and measures those whose addresses it is given.
import { Agent, request } from 'node:http'
import type { Bench } from './writing.ts'
import { say } from './product.ts'

/** Province, first-level category and a range of prices, newest first, with the total. */
export type PeerQuestion = { provinceId: number; fatherCategoryId: number; from: number; to: number }
type Asked = { method: 'GET' | 'POST'; path: string; body?: string }
type Peer = { name: string; variable: string; install: string; ask: (question: PeerQuestion) => Asked }

const pageSize = 12
const get = (path: string, query: Record<string, string>): Asked => ({
  method: 'GET',
  path: `${path}?${new URLSearchParams(query).toString()}`,
})

export const peers: readonly Peer[] = [
  {
    name: 'Vendure',
    variable: 'VENDURE_URL',
    install: `npx @vendure/create vendure, with PostgreSQL. Give Product the custom fields provinceId, fatherCategoryId and monthPrice (int, index: true),
    make one product for each row, and allow lists of ${pageSize} (apiOptions.shopListQueryLimit).`,
    ask: ({ provinceId, fatherCategoryId, from, to }) => ({
      method: 'POST',
      path: '/shop-api',
      body: JSON.stringify({
        query: `{ products(options: { take: ${pageSize}, sort: { id: DESC }, filter: { provinceId: { eq: ${provinceId} }, fatherCategoryId: { eq: ${fatherCategoryId} },
          monthPrice: { between: { start: ${from}, end: ${to} } } } }) { totalItems items { id name slug } } }`,
      }),
    }),
  },
  {
    name: 'Payload',
    variable: 'PAYLOAD_URL',
    install: `npx create-payload-app, template blank, with @payloadcms/db-postgres. Add the collection equipment with the number fields provinceId,
    fatherCategoryId and monthPrice (index: true) and read: () => true.`,
    ask: ({ provinceId, fatherCategoryId, from, to }) =>
      get('/api/equipment', {
        'where[provinceId][equals]': String(provinceId),
        'where[fatherCategoryId][equals]': String(fatherCategoryId),
        'where[monthPrice][greater_than_equal]': String(from),
        'where[monthPrice][less_than_equal]': String(to),
        sort: '-id',
        limit: String(pageSize),
      }),
  },
  {
    name: 'Directus',
    variable: 'DIRECTUS_URL',
    install: `npm init directus-project directus, with PostgreSQL. Add the collection equipment with the integer fields provinceId, fatherCategoryId and
    monthPrice, an index on each, and let the public policy read it.`,
    ask: ({ provinceId, fatherCategoryId, from, to }) =>
      get('/items/equipment', {
        'filter[provinceId][_eq]': String(provinceId),
        'filter[fatherCategoryId][_eq]': String(fatherCategoryId),
        'filter[monthPrice][_gte]': String(from),
        'filter[monthPrice][_lte]': String(to),
        sort: '-id',
        limit: String(pageSize),
        meta: 'filter_count',
      }),
  },
  {
    name: 'Strapi',
    variable: 'STRAPI_URL',
    install: `npx create-strapi strapi, with PostgreSQL. Add the collection type machine (plural machines) with the integer fields provinceId,
    fatherCategoryId and monthPrice, an index on each, and let the role Public find it.`,
    ask: ({ provinceId, fatherCategoryId, from, to }) =>
      get('/api/machines', {
        'filters[provinceId][$eq]': String(provinceId),
        'filters[fatherCategoryId][$eq]': String(fatherCategoryId),
        'filters[monthPrice][$gte]': String(from),
        'filters[monthPrice][$lte]': String(to),
        sort: 'id:desc',
        'pagination[pageSize]': String(pageSize),
      }),
  },
]

const ours = ({ provinceId, fatherCategoryId, from, to }: PeerQuestion): Asked =>
  get('/prod-api/business/equipment/firstPageList', {
    provinceId: String(provinceId),
    fatherCategoryId: String(fatherCategoryId),
    beginPrice: String(from),
    endPrice: String(to),
    pageSize: String(pageSize),
  })

/** So many times the best of the peers. */
const bar = 10
const connections = 16

type Wanted = { put: Bench['put']; origin: string; seconds: number; questions: readonly PeerQuestion[] }

export async function rows({ put, origin, seconds, questions }: Wanted): Promise<void> {
  say('\nThe peers run in production mode on this machine, one process each, over the machines of the large market:')
  say(
    `  psql … -c "\\copy (select id, name, province_id, father_category_id, month_price_fen / 100 as month_price from equipment) to 'equipment.csv' csv header"\n`,
  )
  for (const { name, variable, install } of peers) say(`  ${name}: ${install}\n    ${variable}=http://127.0.0.1:… npm run bench -- peers`)
  const rates: number[] = []
  for (const { name, variable, ask } of peers) {
    const address = process.env[variable]
    if (!address) {
      say(`    ${name} is not measured: ${variable} is not set`)
      continue
    }
    const { rate, refused } = await rateOf(address, questions.map(ask), seconds)
    say(`    ${name} ${rate.toFixed(0)}/s${refused > 0 ? `, ${refused} answers were no success, so it does not count` : ''}`)
    if (refused === 0) rates.push(rate)
  }
  if (rates.length === 0) return say('    nothing to compare with')
  const { rate, refused } = await rateOf(origin, questions.map(ours), seconds)
  const best = Math.max(0, ...rates)
  put(
    'list: region, first-level category, price, against the peers',
    `${rate.toFixed(0)}/s, the best of ${rates.length} peers ${best.toFixed(0)}/s`,
    `≥ ${bar} ×`,
    refused === 0 && rate >= bar * best,
  )
}

/** Answers a second of the same client for all: kept connections with one question at a time on each, after some seconds to warm up. */
export async function rateOf(origin: string, requests: readonly Asked[], seconds: number): Promise<{ rate: number; refused: number }> {
  const { hostname, port, protocol } = new URL(origin)
  if (protocol !== 'http:') throw new Error(`${origin}: the peers are measured over plain HTTP`)
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const send = ({ method, path, body }: Asked) =>
    new Promise<boolean>((done, fail) => {
      const headers = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
      const sent = request({ agent, hostname, port, method, path, headers }, (answer) => {
        answer.resume()
        answer.on('end', () => done(answer.statusCode === 200))
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
