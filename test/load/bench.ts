// npm run bench: measures the limits of speed. Creates the large market once (BENCH_DIR, data/bench), runs the product as in
// production and a bare server over the same statements side by side, and prints a table of ratios with their bars.
//   npm run bench -- list search          only these rows; SECONDS=4 each; MACHINES=1000000
//   npm run bench -- peers                how to install four other programs; measures those whose addresses are given
import { availableParallelism, totalmem } from 'node:os'
import pg from 'pg'
import type { Measure } from './client.ts'
import { largeDatabase, startBench } from './large.ts'
import { measure, say, startProgram, startServer, type Running } from './product.ts'
import { rows as prints } from './prints.ts'
import { rows as contracts } from './contracts.ts'
import { rows as peers } from './peers.ts'
import { rows as sockets } from './sockets.ts'
import { rows as writing } from './writing.ts'

const only = process.argv.slice(2)
const seconds = Number(process.env.SECONDS ?? 4)
const machines = Number(process.env.MACHINES ?? 1_000_000)
const fewer = machines / 10

type Row = { question: string; seen: string; bar: string; held: boolean }
const table: Row[] = []
const put = (question: string, seen: string, bar: string, held: boolean) => {
  table.push({ question, seen, bar, held })
  say(`${held ? '  ' : '! '}${question.padEnd(58)} ${seen.padEnd(42)} ${bar}`)
}
const asked = (name: string) => only.length === 0 || only.includes(name)
const rate = ({ rate: perSecond }: Measure) => `${perSecond.toFixed(0)}/s`
const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : 0)} ms`

const api = '/prod-api/business/equipment/firstPageList'
const { embedded, folder } = await startBench()
const started: Running[] = []
const start = async (running: Promise<Running>) => {
  const one = await running
  started.push(one)
  return one
}

try {
  const largeUrl = await largeDatabase(embedded, machines)
  const smallUrl = await largeDatabase(embedded, fewer)
  say(`\n${availableParallelism()} cores, ${(totalmem() / 2 ** 30).toFixed(0)} GiB; ${machines} machines; ${seconds} s a row\n`)

  const places = await query<{ province_id: number; category_id: number; n: string }>(
    largeUrl,
    `select province_id, category_id, count(*) as n from equipment group by 1, 2 having count(*) > ${(60 * machines) / 1_000_000} order by md5(province_id || '-' || category_id) limit 500`,
  )
  const ids = (await query<{ id: string }>(largeUrl, `select id from equipment where id % 1997 = 3 order by md5(id::text) limit 500`)).map(
    ({ id }) => id,
  )
  const few = (await query<{ id: string }>(smallUrl, `select id from equipment where id % 197 = 3 order by md5(id::text) limit 500`)).map(
    ({ id }) => id,
  )
  // No two calls are the same, so no answer comes from the cache: each has its own lowest price.
  const listOf = (from: number) =>
    places.map(({ province_id, category_id }, at) => ({
      path: `${api}?provinceId=${province_id}&categoryId=${category_id}&beginPrice=${from + at / 100}&endPrice=90000&pageSize=12`,
    }))
  const many = Array.from({ length: 40 }, (_, round) => listOf(3000 + round * 7)).flat()
  const details = (list: string[]) => list.map((id) => ({ path: `${api}/${id}` }))
  const connections = 16

  const bare = await start(startProgram('test/load/bare.ts', { DATABASE_URL: largeUrl, PGUSER: '' }, `${api}/${ids[0]}`))
  const plain = await start(startServer(largeUrl, `${folder}/files`, { CACHE_MS: '0' }))
  const product = await start(startServer(largeUrl, `${folder}/files`))
  const against = (port: number, requests: { path: string; headers?: Record<string, string> }[], at = connections) =>
    measure({ port, connections: at, seconds, requests })
  /** A server runs for weeks, so its code is compiled and its plans and pools exist before its rate is measured. */
  const warm = async (ports: number[], requests: { path: string }[]) => {
    for (const port of ports) await measure({ port, connections: 20, seconds: 10, requests })
  }
  /** In turn, three times each; the median of the ratios. */
  const ratioOf = async (ours: () => Promise<Measure>, theirs: () => Promise<Measure>) => {
    const pairs: [Measure, Measure][] = []
    for (let round = 0; round < 3; round++) pairs.push([await ours(), await theirs()])
    pairs.sort(([a, b], [c, d]) => a.rate / b.rate - c.rate / d.rate)
    const [our, their] = pairs[1] as [Measure, Measure]
    return { our, their, ratio: our.rate / their.rate }
  }
  if (asked('list')) {
    await warm([bare.port, plain.port], many)
    await warm([product.port], many.slice(0, 20))
    const { our, their, ratio } = await ratioOf(
      () => against(plain.port, many),
      () => against(bare.port, many),
    )
    put(
      'list: region, category, price, newest, with total',
      `${ratio.toFixed(2)} × bare (${rate(our)} : ${rate(their)})`,
      '≥ 0.75 ×',
      ratio >= 0.75,
    )
    const kept = await ratioOf(
      () => against(product.port, many.slice(0, 20)),
      () => against(bare.port, many.slice(0, 20)),
    )
    put(
      'the same list for visitors, repeated',
      `${kept.ratio.toFixed(1)} × bare (${rate(kept.our)} : ${rate(kept.their)})`,
      '≥ 4 ×',
      kept.ratio >= 4,
    )
  }
  if (asked('detail')) {
    await warm([bare.port, plain.port], details(ids))
    await warm([product.port], details(ids.slice(0, 20)))
    const { our, their, ratio } = await ratioOf(
      () => against(plain.port, details(ids)),
      () => against(bare.port, details(ids)),
    )
    put('detail by id', `${ratio.toFixed(2)} × bare (${rate(our)} : ${rate(their)})`, '≥ 0.7 ×', ratio >= 0.7)
    const kept = await ratioOf(
      () => against(product.port, details(ids.slice(0, 20))),
      () => against(bare.port, details(ids.slice(0, 20))),
    )
    put(
      'the same detail for visitors, repeated',
      `${kept.ratio.toFixed(1)} × bare (${rate(kept.our)} : ${rate(kept.their)})`,
      '≥ 4 ×',
      kept.ratio >= 4,
    )
  }

  const searches = (await query<{ name: string }>(largeUrl, `select name from category where level = 2 order by id`)).map(({ name }) =>
    name.replace(/[^\u4e00-\u9fff]/g, ''),
  )
  const words = (length: number) => [...new Set(searches.filter((name) => name.length >= length).map((name) => name.slice(-length)))]
  const searching = (length: number, more = '') =>
    words(length).map((word) => ({ path: `${api}?name=${encodeURIComponent(word)}&pageSize=12${more}` }))
  if (asked('search')) {
    await warm([plain.port], [...searching(2), ...searching(3), ...many.slice(0, 500)])
    for (const length of [2, 3]) {
      const { our, their, ratio } = await ratioOf(
        () => against(plain.port, searching(length)),
        () => against(plain.port, many),
      )
      const alone = await against(plain.port, searching(length), 1)
      put(`search of ${length} characters`, `${ratio.toFixed(2)} × filtered list (${rate(our)} : ${rate(their)})`, '≥ 0.5 ×', ratio >= 0.5)
      put(`search of ${length} characters, alone`, `p99 ${ms(alone.p99)}, p50 ${ms(alone.p50)}`, 'p99 ≤ 50 ms', alone.p99 <= 50)
    }
  }
  if (asked('pages')) {
    const page = (n: number) => against(plain.port, [{ path: `${api}?pageSize=10&pageNum=${n}` }], 1)
    await warm([plain.port], [{ path: `${api}?pageSize=10` }])
    const [first, far] = [await page(1), await page(1000)]
    put(
      'page 1,000 against page 1, all machines',
      `${(far.mean / first.mean).toFixed(2)} × (${ms(far.mean)} : ${ms(first.mean)})`,
      '≤ 1.5 ×',
      far.mean / first.mean <= 1.5,
    )
    const { total, capped } = (await (await fetch(`${plain.origin}${api}?pageSize=10`)).json()) as { total: number; capped?: boolean }
    put(
      'total of a broad filter',
      `${total}${capped ? '+' : ''}, whole answer in ${ms(first.mean)}`,
      '≤ 5 ms or 10,000+',
      capped === true || first.mean <= 5,
    )
  }
  if (asked('growth')) {
    const small = await start(startServer(smallUrl, `${folder}/files`, { CACHE_MS: '0' }))
    await warm([small.port], [...many.slice(0, 300), ...details(few), ...searching(2)])
    await warm([plain.port], [...many.slice(0, 300), ...details(ids), ...searching(2)])
    for (const [name, large, little] of [
      ['list', many, many],
      ['search of 2', searching(2), searching(2)],
      ['detail', details(ids), details(few)],
    ] as const) {
      const { our, their } = await ratioOf(
        () => against(plain.port, large, 4),
        () => against(small.port, little, 4),
      )
      const growth = our.mean / their.mean
      put(
        `growth of ${name}, ${fewer} to ${machines} machines`,
        `${growth.toFixed(2)} × time (${ms(our.mean)} : ${ms(their.mean)})`,
        '≤ 1.3 ×',
        growth <= 1.3,
      )
    }
    await small.stop()
  }
  if (asked('home')) {
    // Requests as a browser sends them. Every address is another page; the calls behind the pages are cached.
    const headers = { 'accept-encoding': 'br' }
    const pages = Array.from({ length: 100_000 }, (_, at) => ({ path: `/?x=${at}` }))
    await warm([product.port], pages)
    const uncached = await against(product.port, pages)
    put('home rendered on the server, not kept', rate(uncached), '≥ 500/s', uncached.rate >= 500)
    const cached = await against(product.port, [{ path: '/', headers }])
    put('home, kept', `${rate(cached)}, p99 ${ms(cached.p99)}`, '≥ 15,000/s', cached.rate >= 15_000)
  }
  await writing({ asked, put, plain, url: largeUrl, folder, start })
  if (asked('contracts')) await contracts({ put, plain, url: largeUrl, seconds })
  if (asked('prints')) await prints({ put })
  if (asked('sockets')) await sockets({ put })
  // Only when it is named, because nobody else has the others running.
  if (only.includes('peers')) {
    const questions = await query<{ provinceId: number; fatherCategoryId: number; from: number; to: number }>(
      largeUrl,
      `select province_id as "provinceId", father_category_id as "fatherCategoryId", (3000 + row_number() over () * 7)::integer as from, 60000 as to
        from (select distinct province_id, father_category_id from equipment order by 1, 2) pairs`,
    )
    await peers({ put, origin: plain.origin, seconds, questions })
  }
  say(`\n${table.filter(({ held }) => held).length} of ${table.length} bars hold`)
  process.exitCode = table.every(({ held }) => held) ? 0 : 1
} finally {
  await Promise.all(started.map((one) => one.stop()))
  await embedded.stop()
}

async function query<T extends object>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<T>(text)).rows
  } finally {
    await client.end()
  }
}
