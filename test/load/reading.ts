// The rows of the bench about what visitors read: lists, details, searches, far pages, growth with the market, the home page.
import type { Measure } from './client.ts'
import { measure, type Running } from './product.ts'
import { allAnswered, asBrowser, connections, failuresOf, ms, rate, ratioOf, warm, type Requests } from './rates.ts'
import type { Bench } from './servers.ts'

export const listUrl = '/prod-api/business/equipment/firstPageList'

type Asked = { many: Requests; details: Requests; words: (length: number) => Requests }

export async function rows(bench: Bench): Promise<void> {
  const { asked } = bench
  if (!['list', 'detail', 'search', 'pages', 'growth', 'home'].some(asked)) return
  const some = await questionsOf(bench)
  if (asked('list')) await list(bench, some)
  if (asked('detail')) await detail(bench, some)
  if (asked('search')) await search(bench, some)
  if (asked('pages')) await pages(bench)
  if (asked('growth')) await growth(bench, some)
  if (asked('home')) await home(bench)
}

const detailsOf = (ids: readonly { id: number }[]): Requests => ids.map(({ id }) => ({ path: `${listUrl}/${id}` }))

async function questionsOf({ large, machines }: Bench): Promise<Asked> {
  const places = await large.query<{ province_id: number; category_id: number }>(
    `select province_id, category_id from equipment group by 1, 2 having count(*) > ${(60 * machines) / 1_000_000} order by md5(province_id || '-' || category_id) limit 500`,
  )
  // No two calls are the same, so no answer comes from the cache: each has its own lowest price.
  const listOf = (from: number) =>
    places.map(({ province_id, category_id }, at) => ({
      path: `${listUrl}?provinceId=${province_id}&categoryId=${category_id}&beginPrice=${from + at / 100}&endPrice=90000&pageSize=12`,
    }))
  const ids = await large.query<{ id: number }>(`select id from equipment where id % 1997 = 3 order by md5(id::text) limit 500`)
  const names = (await large.query<{ name: string }>(`select name from category where level = 2 order by id`)).map(({ name }) =>
    name.replace(/[^\u4e00-\u9fff]/g, ''),
  )
  const wordsOf = (length: number) => [...new Set(names.filter((name) => name.length >= length).map((name) => name.slice(-length)))]
  return {
    many: Array.from({ length: 40 }, (_, round) => listOf(3000 + round * 7)).flat(),
    details: detailsOf(ids),
    words: (length) => wordsOf(length).map((word) => ({ path: `${listUrl}?name=${encodeURIComponent(word)}&pageSize=12` })),
  }
}

const against = ({ seconds }: Bench, { port }: Running, requests: Requests, at = connections): Promise<Measure> =>
  measure({ port, connections: at, seconds, requests: asBrowser(requests) })

/** The questions against the bare server, then a few of them again and again, as visitors ask them. */
async function besideBare(
  bench: Bench,
  requests: Requests,
  { title, repeated, bar }: { title: string; repeated: string; bar: number },
): Promise<void> {
  const { servers, put } = bench
  const [bare, plain, product] = [await servers.bare(), await servers.plain(), await servers.product()]
  const few = requests.slice(0, 20)
  await warm([bare.port, plain.port], requests)
  await warm([product.port], few)
  const first = await ratioOf(
    () => against(bench, plain, requests),
    () => against(bench, bare, requests),
  )
  const cachedRatio = await ratioOf(
    () => against(bench, product, few),
    () => against(bench, bare, few),
  )
  for (const [name, { our, their, ratio }, least] of [
    [title, first, bar],
    [repeated, cachedRatio, 4],
  ] as const)
    put(
      name,
      `${ratio.toFixed(ratio < 4 ? 2 : 1)} × bare (${rate(our)} : ${rate(their)})${failuresOf(our, their)}`,
      `≥ ${least} ×`,
      ratio >= least && allAnswered(our, their),
    )
}

const list = (bench: Bench, { many }: Asked) =>
  besideBare(bench, many, {
    title: 'list: region, category, price, newest, with total',
    repeated: 'the same list for visitors, repeated',
    bar: 0.75,
  })

const detail = (bench: Bench, { details }: Asked) =>
  besideBare(bench, details, { title: 'detail by id', repeated: 'the same detail for visitors, repeated', bar: 0.7 })

async function search(bench: Bench, { many, words }: Asked): Promise<void> {
  const { servers, put } = bench
  const plain = await servers.plain()
  await warm([plain.port], [...words(2), ...words(3), ...many.slice(0, 500)])
  for (const length of [2, 3]) {
    const { our, their, ratio } = await ratioOf(
      () => against(bench, plain, words(length)),
      () => against(bench, plain, many),
    )
    const alone = await against(bench, plain, words(length), 1)
    put(
      `search of ${length} characters`,
      `${ratio.toFixed(2)} × filtered list (${rate(our)} : ${rate(their)})${failuresOf(our, their)}`,
      '≥ 0.5 ×',
      ratio >= 0.5 && allAnswered(our, their),
    )
    put(
      `search of ${length} characters, alone`,
      `p99 ${ms(alone.p99)}, p50 ${ms(alone.p50)}${failuresOf(alone)}`,
      'p99 ≤ 50 ms',
      alone.p99 <= 50 && allAnswered(alone),
    )
  }
}

async function pages(bench: Bench): Promise<void> {
  const { servers, put } = bench
  const plain = await servers.plain()
  const page = (n: number) => against(bench, plain, [{ path: `${listUrl}?pageSize=10&pageNum=${n}` }], 1)
  await warm([plain.port], [{ path: `${listUrl}?pageSize=10` }])
  const [first, far] = [await page(1), await page(1000)]
  put(
    'page 1,000 against page 1, all machines',
    `${(far.mean / first.mean).toFixed(2)} × (${ms(far.mean)} : ${ms(first.mean)})${failuresOf(first, far)}`,
    '≤ 1.5 ×',
    far.mean / first.mean <= 1.5 && allAnswered(first, far),
  )
  const { total, capped } = (await (await fetch(`${plain.origin}${listUrl}?pageSize=10`)).json()) as { total: number; capped?: boolean }
  put(
    'total of a broad filter',
    `${total}${capped ? '+' : ''}, whole answer in ${ms(first.mean)}`,
    '≤ 5 ms or 10,000+',
    capped === true || first.mean <= 5,
  )
}

async function growth(bench: Bench, { many, details, words }: Asked): Promise<void> {
  const { servers, put, machines, fewer, small } = bench
  const [plain, little] = [await servers.plain(), await servers.small()]
  const few = detailsOf(await small.query<{ id: number }>(`select id from equipment where id % 197 = 3 order by md5(id::text) limit 500`))
  await warm([little.port], [...many.slice(0, 300), ...few, ...words(2)])
  await warm([plain.port], [...many.slice(0, 300), ...details, ...words(2)])
  for (const [name, onLarge, onSmall] of [
    ['list', many, many],
    ['search of 2', words(2), words(2)],
    ['detail', details, few],
  ] as const) {
    const { our, their } = await ratioOf(
      () => against(bench, plain, onLarge, 4),
      () => against(bench, little, onSmall, 4),
    )
    const times = our.mean / their.mean
    put(
      `growth of ${name}, ${fewer} to ${machines} machines`,
      `${times.toFixed(2)} × time (${ms(our.mean)} : ${ms(their.mean)})${failuresOf(our, their)}`,
      '≤ 1.3 ×',
      times <= 1.3 && allAnswered(our, their),
    )
  }
}

async function home(bench: Bench): Promise<void> {
  const product = await bench.servers.product()
  // Every address is another page; the calls behind the pages are cached.
  const requests = Array.from({ length: 100_000 }, (_, at) => ({ path: `/?x=${at}` }))
  await warm([product.port], requests)
  for (const [title, asked, bar] of [
    ['home rendered on the server, not kept', requests, 500],
    ['home, kept', [{ path: '/' }], 15_000],
  ] as const) {
    const seen = await against(bench, product, [...asked])
    bench.put(
      title,
      `${rate(seen)}, p99 ${ms(seen.p99)}${failuresOf(seen)}`,
      `≥ ${bar.toLocaleString('en')}/s`,
      seen.rate >= bar && allAnswered(seen),
    )
  }
}
